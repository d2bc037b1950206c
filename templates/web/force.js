// The page of a force: change a design or a count, and see the price and the broken limits at once.
"use strict";

(() => {
  const { element, field, inSentence, load, say } = fieldpress;
  const { Fraction } = fieldpress.exact;
  const { Rules, forceFile, price, priceForce, readDesign } = fieldpress.price;
  const { Shots, fielded, fires } = fieldpress.shots;
  const { choice, distances, forces, panelOf, store, tables, titleOf } = fieldpress.matrix;
  const data = globalThis.fieldpressRules;
  const rules = new Rules(data);
  const kinds = data.kinds.filter((kind) => kind.id !== "unit" && kind.id !== "force");

  const copy = (value) => JSON.parse(JSON.stringify(value));
  const usual = (fields) => Object.fromEntries(fields.map((field) => [field.name, field.fields ? [] : field.default]));
  const newDesign = (kind, name) => ({ design: name, kind: kind.id, values: usual(kind.fields) });
  const nothing = () => {
    const design = newDesign(kinds[0], say("New {kind}", { kind: inSentence(kinds[0].title) }));
    return { force: say("New force"), budget: null, designs: [design], units: [{ unit: say("Unit 1"), values: {}, of: [{ design: design.design, count: 1 }] }] };
  };

  const known = forces(data);
  let force = copy(known[0] ?? nothing());
  let chosen = force.designs[0];

  const root = document.getElementById("force");
  const left = element("div"), middle = element("div"), fields = element("div", { className: "fields" });
  const panel = element("section", { className: "price", ariaLabel: say("Price"), tabIndex: 0 });
  const status = element("p", { className: "spoken", role: "status" });
  const units = element("div", { className: "units" }), total = element("div");

  const signed = (number) => (number.n > 0n ? `+${number}` : number.n < 0n ? String(number).replace("-", "−") : "±0");

  // ---- Fields of a design.

  const nameOf = (choice, value) => choice.names[value] ?? (value === true ? say("yes") : value === false ? say("no") : say(String(value)));
  const LONG = 40;

  const options = (choice, value) => choice.values.map((item, at) =>
    element("option", { value: String(at), selected: item === value }, nameOf(choice, item)));

  // Return the control for one value; `set` is called with each new value.
  const control = (choice, value, set) => {
    if (choice.values.length > LONG) {
      const input = element("input", { type: "number", min: choice.values[0], max: choice.values.at(-1), value });
      input.addEventListener("change", () => { if (choice.values.includes(Number(input.value))) set(Number(input.value)); else input.value = value; });
      return field(choice.label, input);
    }
    if (choice.values.every((item) => typeof item === "boolean")) {
      const box = element("input", { type: "checkbox", checked: value });
      box.addEventListener("change", () => set(box.checked));
      return element("div", { className: "field check" }, element("label", {}, box, choice.label));
    }
    const select = element("select", {}, ...options(choice, value));
    select.addEventListener("change", () => set(choice.values[Number(select.value)]));
    return field(choice.label, select);
  };

  const entries = (list) => {
    const frame = element("fieldset", { className: "entries" });
    const draw = () => {
      const rows = (chosen.values[list.name] ??= []).map((entry, at) => {
        const remove = element("button", { type: "button", className: "button", ariaLabel: say("Remove entry {number} of {list}", { number: at + 1, list: list.label }) }, "✕");
        remove.addEventListener("click", () => { chosen.values[list.name].splice(at, 1); draw(); changed(); frame.querySelector(".add").focus(); });
        const inside = list.fields.map((choice) =>
          control(choice, entry[choice.name] ?? choice.default, (value) => { entry[choice.name] = value; changed(); }));
        return element("div", { className: "entry" }, ...inside, remove);
      });
      const add = element("button", { type: "button", className: "button add" }, say("Add to {list}", { list: inSentence(list.label) }));
      add.addEventListener("click", () => { chosen.values[list.name].push(usual(list.fields)); draw(); changed(); frame.querySelector(".add").focus(); });
      frame.replaceChildren(element("legend", { className: "label" }, list.label), ...rows, add);
    };
    draw();
    return frame;
  };

  let selects = [];

  const drawFields = () => {
    const kind = rules.kinds.get(chosen.kind);
    selects = [];
    fields.replaceChildren(...kind.fields.map((item) => {
      if (item.fields) return entries(item);
      const made = control(item, chosen.values[item.name] ?? item.default, (value) => { chosen.values[item.name] = value; changed(); });
      const select = made.querySelector("select");
      if (select) selects.push({ item, select });
      return made;
    }));
  };

  // ---- Prices.

  // Return the price of the chosen design, or null if the rules have none; `change` replaces values of fields.
  const priced = (change = {}) => {
    const kind = rules.kinds.get(chosen.kind);
    try { return price(rules, kind, readDesign(kind, { ...chosen.values, ...change })); } catch { return null; }
  };

  // Write behind each option how it would change the price, and a cross if it would break a limit.
  const drawOptions = (now) => {
    for (const { item, select } of selects) {
      [...select.options].forEach((option, at) => {
        const value = item.values[at];
        const then = value === chosen.values[item.name] ? now : priced({ [item.name]: value });
        const change = then && now ? then.points.minus(now.points) : null;
        const step = change === null ? say("no price") : change.n ? signed(change) : "";
        option.textContent = [nameOf(item, value), step && `(${step})`, then?.isLegal ? "" : "✕"].filter(Boolean).join(" ");
      });
    }
  };

  // ---- Fixes.

  const isBad = (limit) => limit.severity !== "advice";
  let limits = new Map();

  // Return each change of one value or entry of the chosen design: its text, and the changed field.
  const changes = () => {
    const kind = rules.kinds.get(chosen.kind), near = 3;
    const others = (item, value) => {
      const at = item.values.findIndex((known) => known === value);
      return item.values.filter((_, place) => place !== at && (item.values.length <= LONG || Math.abs(place - at) <= near));
    };
    return kind.fields.flatMap((item) => {
      const value = chosen.values[item.name] ?? item.default;
      if (!item.fields) return others(item, value).map((other) => [`${item.label}: ${nameOf(item, other)}`, { [item.name]: other }]);
      return (value ?? []).flatMap((entry, at) => {
        const put = (...instead) => ({ [item.name]: [...value.slice(0, at), ...instead, ...value.slice(at + 1)] });
        const inside = item.fields.flatMap((inner) => others(inner, entry[inner.name] ?? inner.default).map((other) =>
          [`${item.label} ${at + 1}, ${inner.label}: ${nameOf(inner, other)}`, put({ ...entry, [inner.name]: other })]));
        return [...inside, [say("Remove entry {number} of {list}", { number: at + 1, list: item.label }), put()]];
      });
    });
  };

  // Offer under each broken limit the changes that fix it and break nothing else, the smallest change of the price first.
  const drawFixes = (now) => {
    const MOST = 3, broken = new Set(now?.broken.filter(isBad));
    if (!broken.size) return;
    const size = (number) => (number.n < 0n ? Fraction.ZERO.minus(number) : number);
    const fixes = changes().map(([text, change]) => ({ text, change, then: priced(change) }))
      .filter(({ then }) => then?.broken.filter(isBad).every((limit) => broken.has(limit)))
      .map((fix) => ({ ...fix, points: fix.then.points.minus(now.points) }))
      .sort((a, b) => a.then.broken.length - b.then.broken.length || size(a.points).compare(size(b.points)));
    for (const limit of broken) {
      const kept = fixes.filter(({ then }) => !then.broken.includes(limit));
      const fieldOf = ({ text }) => text.split(":")[0];
      const some = kept.filter((fix, at) => kept.findIndex((other) => fieldOf(other) === fieldOf(fix)) === at).slice(0, MOST);
      limits.get(limit).append(element("div", { className: "actions" }, ...some.map(({ text, change, points }) =>
        button(points.n ? `${text} (${signed(points)})` : text, () => { Object.assign(chosen.values, copy(change)); choose(chosen); store(data, force); panel.focus(); }))));
    }
  };

  const use = (label, { used, limit }) => (used.n || limit !== null ? [element("p", {}, `${label}: ${limit === null ? used : say("{used} of {limit}", { used, limit })}`)] : []);

  const drawPrice = (now) => {
    const kind = rules.kinds.get(chosen.kind);
    const head = element("h2", { className: "bar" }, element("span", {}, chosen.design), element("span", { className: "aside" }, kind.title));
    if (now === null) {
      panel.replaceChildren(head, element("p", { className: "illegal" }, say("The rules give no price for these values.")));
      return;
    }
    const bad = now.broken.filter(isBad);
    limits = new Map(now.broken.map((limit) =>
      [limit, element("li", { className: isBad(limit) ? "bad" : "" }, isBad(limit) ? limit.says : say("Advice: {text}", { text: limit.says }))]));
    const row = (line) => element(
      "tr", {}, element("th", { scope: "row" }, line.label),
      element("td", { className: "r" }, line.figure || (line.points === null ? `(${line.amount})` : String(line.points))),
      element("td", { className: "r" }, line.capacity.n ? String(line.capacity) : ""),
    );
    const heads = [say("Line"), say("Points"), say("Capacity")].map((text, at) => element("th", { scope: "col", className: at ? "r" : "" }, text));
    panel.replaceChildren(
      head,
      element("p", { className: "total", hidden: !kind.pays }, String(now.points), element("small", {}, ` ${say("points")}`)),
      ...use(say("Capacity"), now.capacity), ...use(say("Weapon systems"), now.systems),
      element("p", { className: bad.length ? "illegal" : "legal" }, bad.length ? `✕ ${bad.length > 1 ? say("Breaks {count} limits", { count: bad.length }) : say("Breaks 1 limit")}` : `✓ ${say("Legal")}`),
      element("ul", { className: "broken" }, ...now.broken.map((limit) => limits.get(limit))),
      element("table", {}, element("caption", { className: "spoken" }, say("The working of the price")),
        element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...now.lines.map(row))),
    );
    status.textContent = `${kind.pays ? `${now.points} ${say("points")}, ` : ""}${bad.length ? say("not legal") : say("legal")}`;
  };

  // ---- Units.

  const entryRow = (entry, cost) => {
    const count = element("input", { type: "number", min: 0, max: 99, value: entry.count, ariaLabel: say("Number of {design}", { design: entry.design }) });
    count.addEventListener("change", () => { entry.count = Math.min(Math.max(Math.trunc(Number(count.value)) || 0, 0), 99); changed(); });
    const edit = element("button", { type: "button", className: "button", ariaPressed: String(entry.design === chosen.design) }, entry.design);
    edit.addEventListener("click", () => choose(force.designs.find((item) => item.design === entry.design)));
    return element("tr", {}, element("td", {}, count), element("td", {}, edit), element("td", { className: "r", hidden: !costs }, cost ?? "–"));
  };

  const costs = kinds.some((kind) => kind.pays);

  const drawUnits = () => {
    let whole = null;
    try { whole = priceForce(rules, force); } catch { /* a design without a price */ }
    const rows = force.units.flatMap((unit, at) => [
      element("tr", { className: "begins" }, element("th", { scope: "rowgroup", colSpan: 2 }, element("strong", {}, unit.unit)),
        element("td", { className: "r b", hidden: !costs }, whole ? String(whole.units[at].points) : "–")),
      ...unit.of.map((entry) => entryRow(entry, whole && String(whole.designs.get(entry.design).points.times(Fraction.of(entry.count))))),
    ]);
    const over = whole && force.budget !== null && whole.points.compare(Fraction.of(force.budget)) > 0;
    const broken = whole ? [...(whole.whole?.broken ?? []), ...whole.units.flatMap((unit) => unit.own?.broken ?? [])] : [];
    total.replaceChildren(
      element("p", { className: "total", hidden: !costs }, whole ? String(whole.points) : "–", element("small", {}, ` ${force.budget === null ? say("points") : say("of {budget} points", { budget: force.budget })}`)),
      ...(over ? [element("p", { className: "illegal" }, `✕ ${say("Over the budget")}`)] : []),
      element("ul", { className: "broken" }, ...[...new Set(broken.map((limit) => limit.says))].map((says) => element("li", {}, says))),
    );
    units.replaceChildren(
      element("table", {}, element("caption", { className: "spoken" }, say("Units of the force")),
        element("thead", {}, element("tr", {}, ...[say("Number"), say("Design"), ...(costs ? [say("Points")] : [])].map((text, at) => element("th", { scope: "col", className: at > 1 ? "r" : "" }, text)))),
        element("tbody", {}, ...rows)),
    );
  };

  let later = 0;

  const show = () => {
    const now = priced();
    drawPrice(now);
    drawUnits();
    drawOdds();
    clearTimeout(later);
    later = setTimeout(() => { drawOptions(now); drawFixes(now); }, 50); // the price comes first: these ask for hundreds more
  };

  // Show what the reader has changed, and keep it for the page of two forces.
  const changed = () => {
    store(data, force);
    show();
  };

  const choose = (design) => {
    chosen = design;
    drawFields();
    show();
  };

  // ---- Odds.

  const oddsPanel = panelOf(), draw = tables(oddsPanel), drawn = element("div"), odds = element("div", { className: "fields" });
  let enemy = Math.min(1, known.length - 1), shots = null, fixed = {};

  const drawOdds = () => {
    if (!shots) return;
    const own = fielded(rules, { designs: [chosen], units: [] }), name = titleOf(known[enemy]), others = fielded(rules, known[enemy]);
    drawn.replaceChildren(
      draw(say("{name} fires at {target}", { name: chosen.design, target: name }), fires(shots, own, others, fixed)),
      draw(say("{name} fires at {target}", { name, target: chosen.design }), fires(shots, others, own, fixed)),
    );
  };

  // ---- Actions.

  const button = (text, act) => {
    const made = element("button", { type: "button", className: "button" }, text);
    made.addEventListener("click", act);
    return made;
  };

  const freeName = (name) => {
    let number = 2;
    while (force.designs.some((item) => item.design === `${name} ${number}`)) number += 1;
    return force.designs.some((item) => item.design === name) ? `${name} ${number}` : name;
  };

  const add = (design) => {
    force.designs.push(design);
    force.units.at(-1).of.push({ design: design.design, count: 1 });
    choose(design);
    store(data, force);
  };

  const save = () => {
    const file = new Blob([forceFile(data.rules, force)], { type: "text/yaml" });
    const link = element("a", { href: URL.createObjectURL(file), download: "force.yaml" });
    link.click();
    URL.revokeObjectURL(link.href);
  };

  const samples = choice(say("Force"), [...known.map(titleOf), say("New force")], 0, (at) => {
    force = copy(known[at] ?? nothing());
    choose(force.designs[0]);
  });
  const kindChoice = element("select", {}, ...kinds.map((kind) => element("option", { value: kind.id }, kind.title)));

  left.append(
    samples, total, units,
    element("div", { className: "actions" },
      button(say("Copy the chosen design"), () => add({ ...copy(chosen), design: freeName(chosen.design) })),
      button(say("Save as a force file"), save)),
    element("div", { className: "actions" }, field(say("Kind"), kindChoice),
      button(say("Add a new design"), () => { const kind = rules.kinds.get(kindChoice.value); add(newDesign(kind, freeName(say("New {kind}", { kind: inSentence(kind.title) })))); })),
  );
  middle.append(element("h2", { className: "bar" }, say("The chosen design")), fields);
  root.append(left, middle, panel, status);
  if (known.length) {
    root.after(odds, drawn, oddsPanel);
    load("fieldpressShots", "odds.js", () => { // the odds come after the prices, so that the page appears sooner
      if (!globalThis.fieldpressShots.cards.some(({ duels }) => duels.length)) return;
      shots = new Shots(globalThis.fieldpressShots);
      const chosenInputs = distances(shots, drawOdds);
      fixed = chosenInputs.fixed;
      odds.append(choice(say("Enemy"), known.map(titleOf), enemy, (at) => { enemy = at; drawOdds(); }), ...chosenInputs.controls);
      drawOdds();
    });
  }
  choose(chosen);
})();
