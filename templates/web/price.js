// Price a design, a unit or a force: the lines, the total, capacity and systems, and the broken limits.
"use strict";

fieldpress.price = (() => {
  const { say } = fieldpress;
  const { Fraction } = fieldpress.exact;
  const { Table, Values, number, read, run, sum, truth } = fieldpress.formulas;
  const ZERO = Fraction.ZERO;

  // The rules of one game: tables, options, kinds, and how points are rounded.
  class Rules {
    constructor(data) {
      this.costs = data.costs;
      this.kinds = new Map(data.kinds.map((kind) => [kind.id, kind]));
      this.names = [
        ...Object.entries(data.tables).map(([name, table]) => [name, new Table({ name, ...table })]),
        ...Object.entries(data.options).map(([name, value]) => [name, read(value)]),
      ];
    }
  }

  // Return the values of a design's fields for formulas; a missing field has its default.
  const readDesign = (kind, values) => Object.fromEntries(kind.fields.map(({ name, fields, default: usual }) => {
    if (!fields) return [name, read(values[name] ?? usual)];
    return [name, (values[name] ?? []).map((entry) => readDesign({ fields }, entry))];
  }));

  const rounded = (value, way) => (way === "half-up" ? value.roundHalfUp() : value);
  const holds = (tree, values) => tree === undefined || truth(run(tree, values));

  // Return the values for each repetition of a line: by the entries of its list, and by number.
  const repetitions = (line, values) =>
    values.entries(line.each, line.join).flatMap((here) => {
      if (!line.for_n) return [here];
      const [low, high] = line.for_n.map((end) => Number(number(run(end, here)).n));
      const numbers = Array.from({ length: Math.max(high - low + 1, 0) }, (_, step) => Fraction.of(low + step));
      return numbers.map((n) => new Values([...here.values, ["n", n]], line.join));
    }).filter((here) => holds(line.when, here));

  // Return the label of a line with the values in its places, by their printed names.
  const filled = (line, kind, values) => line.label.replace(/\{([^{}]*)\}/g, (_, name) => {
    const inside = kind.fields.find((field) => field.name === line.each)?.fields ?? [];
    const names = [...inside, ...kind.fields].find((field) => field.name === name)?.names ?? {};
    const value = values.get(name);
    return names[value] ?? spelled(value);
  });

  const spelled = (value) => {
    if (Array.isArray(value)) return value[0].compare(value[1]) ? value.join("–") : String(value[0]);
    return value === null ? "–" : typeof value === "boolean" ? (value ? say("yes") : say("no")) : say(String(value));
  };

  // Return what a line shows: a number with its unit, a die, or a word.
  const figureOf = (line, values) => {
    const value = run(line.figure ?? line.die, values);
    if (!(value instanceof Fraction)) return spelled(value);
    return line.die !== undefined ? `D${value}` : `${spelled(value).replace("-", "−")}${line.unit}`;
  };

  const amountOf = (tree, values) => (tree === undefined ? ZERO : number(run(tree, values)));

  // Return a line as it is computed with these values; a line that is only shown has a figure, and no points.
  const computed = (line, kind, values, costs) => {
    const shown = line.figure ?? line.die;
    const counts = line.name !== undefined || shown === undefined;
    let amount = counts ? amountOf(line.points ?? line.subtotal ?? shown, values) : ZERO;
    if (line.points !== undefined) amount = rounded(amount, costs.line);
    return {
      id: line.id,
      label: filled(line, kind, values),
      amount,
      points: line.subtotal !== undefined || shown !== undefined ? null : amount,
      figure: shown === undefined ? "" : figureOf(line, values),
      capacity: amountOf(line.capacity, values),
      systems: amountOf(line.systems, values),
    };
  };

  const total = (lines) => sum(lines.filter((line) => line.points !== null).map((line) => line.points));

  const use = (what, kind, lines, values) => {
    const used = sum(lines.map((line) => line[what]));
    const limit = kind.allowed[what] === undefined ? null : run(kind.allowed[what], values);
    values.set(`${what}_used`, used);
    values.set(`${what}_allowed`, limit);
    return { used, limit };
  };

  const isKept = (limit, values) => !holds(limit.when, values) || truth(run(limit.that, values));

  // Return a design with its price. `design` has the values of its fields; `more` are the sums of a unit or a force.
  const price = (rules, kind, design, more = {}) => {
    const values = new Values([...rules.names, ...Object.entries(more), ...Object.entries(design)]);
    for (const [name, tree] of kind.let) values.set(name, run(tree, values));
    const lines = [];
    for (const line of kind.lines) {
      if (line.last && !values.values.has("others")) values.set("others", total(lines));
      const own = repetitions(line, values).map((here) => computed(line, kind, here, rules.costs));
      if (line.name !== undefined) values.set(line.name, sum(own.map((item) => item.amount)));
      lines.push(...own);
    }
    const points = rounded(total(lines), rules.costs.total);
    const capacity = use("capacity", kind, lines, values);
    const systems = use("systems", kind, lines, values);
    if (!("points" in more)) values.set("points", points); // units and forces have the sum of their entries
    const broken = kind.limits.filter((limit) =>
      !values.entries(limit.each, limit.join).every((here) => isKept(limit, here)));
    const tallies = Object.fromEntries(kind.tallies.map(([name, tree]) => {
      const value = run(tree, values);
      return [name, typeof value === "boolean" ? Fraction.of(value ? 1 : 0) : number(value)];
    }));
    const counted = lines.filter((line) => line.points === null || line.points.n || line.capacity.n || line.systems.n);
    const isLegal = broken.every((limit) => limit.severity === "advice");
    return { lines: counted, points, capacity, systems, broken, isLegal, tallies, values };
  };

  // Return the sums that the formulas of a unit or a force read. `parts` are priced designs with their counts.
  const addedUp = (kind, parts, units = []) => {
    const sums = Object.fromEntries(kind.added.map((name) => [name, ZERO]));
    sums.elements = sum(parts.map(({ count }) => count));
    sums.units = Fraction.of(units.length);
    const own = units.filter(Boolean).map((unit) => ({ priced: unit, count: Fraction.of(1) }));
    for (const { priced, count } of [...parts, ...own]) {
      sums.points = (sums.points ?? ZERO).plus(priced.points.times(count));
      for (const [name, value] of Object.entries(priced.tallies)) {
        sums[name] = (sums[name] ?? ZERO).plus(value.times(count));
      }
    }
    return sums;
  };

  // Return the price of a force: of each design by name, of each unit, of what the whole force pays, and of everything.
  const priceForce = (rules, force) => {
    const priced = (kind, values, sums) => kind && price(rules, kind, readDesign(kind, values), sums);
    const designs = new Map(force.designs.map(({ design, kind, values }) => [design, priced(rules.kinds.get(kind), values)]));
    const counted = ({ of }) => of.map(({ design, count }) => ({ priced: designs.get(design), count: Fraction.of(count) }));
    const cost = (parts) => sum(parts.map(({ priced: part, count }) => part.points.times(count)));
    const unitKind = rules.kinds.get("unit"), forceKind = rules.kinds.get("force");
    const units = force.units.map((unit) => {
      const parts = counted(unit);
      const own = priced(unitKind, unit.values, unitKind && addedUp(unitKind, parts));
      return { own, parts, points: cost(parts).plus(own?.points ?? ZERO) };
    });
    const parts = units.flatMap((unit) => unit.parts);
    const whole = priced(forceKind, {}, forceKind && addedUp(forceKind, parts, units.map((unit) => unit.own)));
    const points = sum(units.map((unit) => unit.points)).plus(whole?.points ?? ZERO);
    return { designs, units, whole, points };
  };

  // Return a force as the text of a force file. JSON is YAML, too.
  const forceFile = (rulesId, { force, budget, designs, units }) => {
    const lines = [`force: ${JSON.stringify(force)}`, `rules: ${JSON.stringify(rulesId.split("+"))}`];
    if (budget !== null) lines.push(`budget: ${budget}`);
    lines.push("designs:", ...designs.map(({ values, ...head }) => `  - ${JSON.stringify({ ...head, ...values })}`));
    const fielded = units.map(({ values, of, unit }) => ({ unit, ...values, of: of.filter(({ count }) => count > 0) }));
    lines.push("units:", ...fielded.filter(({ of }) => of.length).map((unit) => `  - ${JSON.stringify(unit)}`));
    return `${lines.join("\n")}\n`;
  };

  return { Rules, filled, forceFile, holds, priceForce, addedUp, price, readDesign };
})();
