// The odds of shots: what a design fires, what it is as a target, and the exact chance of success.
"use strict";

fieldpress.shots = (() => {
  const { Fraction } = fieldpress.exact;
  const { read, run } = fieldpress.formulas;
  const { filled, holds, price, readDesign } = fieldpress.price;
  const ZERO = Fraction.ZERO, ONE = Fraction.of(1);

  const keyOf = (value) => (value instanceof Fraction ? `number ${value}` : `${typeof value} ${value}`);

  // The chances of a question for all values of its inputs, in two factors that are looked up and multiplied.
  class Grid {
    constructor({ inputs, defaults, factors, odds }) {
      this.places = new Map(Object.entries(inputs).map(([name, values]) =>
        [name, new Map(values.map((value, at) => [keyOf(read(value)), at]))]));
      this.defaults = new Map(Object.entries(defaults).map(([name, value]) => [name, read(value)]));
      this.factors = factors;
      this.odds = odds.map((text) => Fraction.of(text));
    }

    // Return the chance, or null if an input is missing, has an unknown value, or the rules have no answer.
    chance(given) {
      const places = new Map();
      for (const [name, known] of this.places) {
        const place = known.get(keyOf(name in given ? given[name] : this.defaults.get(name)));
        if (place === undefined) return null;
        places.set(name, place);
      }
      const [first, then] = this.factors.map(({ names, cells, at }) =>
        cells[at[names.reduce((index, name) => index * this.places.get(name).size + places.get(name), 0)]]);
      if (!then || (!first && then.length > 1)) return null;
      if (then.length === 1) return this.odds[then[0]];
      return first.reduce((sum, number, at) => sum.plus(this.odds[number].times(this.odds[then[at]])), ZERO);
    }
  }

  // The cards and grids of a game.
  class Shots {
    constructor({ cards, grids }) {
      this.cards = new Map(cards.map((card) => [card.kind, card]));
      this.grids = grids.map((grid) => grid && new Grid(grid));
      this.free = Object.assign({}, ...cards.flatMap((card) => card.duels.map((duel) => duel.free)));
    }

    // Return the ways in which a priced design fires; `fixed` gives values to names of shots, such as another range.
    of(kind, priced, fixed = {}) {
      const shots = new Map();
      for (const duel of this.cards.get(kind.id)?.duels ?? []) {
        for (const here of priced.values.entries(duel.each, duel.join)) {
          if (!holds(duel.when, here)) continue;
          const inside = here.copy();
          for (const [name, tree] of duel.let) inside.set(name, name in fixed ? fixed[name] : run(tree, inside));
          const label = filled(duel, kind, inside).replace(/^1 × /, "");
          if (!shots.has(label)) shots.set(label, { label, says: duel.says, duel, values: inside });
        }
      }
      return [...shots.values()];
    }

    // Return the inputs of a priced design as a target, or null if it cannot be a target.
    target(kind, { values }) {
      const card = this.cards.get(kind.id);
      if (!card?.target.length || !holds(card.aimed_at, values)) return null;
      return Object.fromEntries(card.target.map(([name, tree]) => [name, run(tree, values)]));
    }

    // Return the chance of a shot at a target, or null if the rules have no answer.
    chance({ duel, values }, target) {
      let whole = ONE;
      for (const [number, inputs] of duel.asks) {
        const given = Object.fromEntries(inputs.map(([name, tree]) => [name, run(tree, values)]));
        const chance = this.grids[number]?.chance({ ...target, ...given }) ?? null;
        if (chance === null) return null;
        whole = whole.times(chance);
      }
      return whole;
    }
  }

  // Return a result, or another value if the rules have no answer.
  const attempt = (compute, other) => { try { return compute(); } catch { return other; } };

  // Return the fielded designs of a force with their prices, the most expensive in total first. Designs without a price
  // are left out.
  const fielded = (rules, force) => {
    const counts = new Map();
    for (const { design, count } of force.units.flatMap((unit) => unit.of)) {
      if (count) counts.set(design, (counts.get(design) ?? 0) + count);
    }
    const designs = force.designs.filter(({ design }) => counts.has(design) || !counts.size).flatMap(({ design, kind: id, values }) => {
      const kind = rules.kinds.get(id), count = counts.get(design) ?? 1;
      const priced = attempt(() => price(rules, kind, readDesign(kind, values)), null);
      return priced ? [{ design, kind, priced, count, weight: priced.points.times(Fraction.of(count)) }] : [];
    });
    return designs.sort((a, b) => b.weight.compare(a.weight) || b.count - a.count);
  };

  // Return the targets among fielded designs; designs that are the same target are merged.
  const targets = (shots, designs) => {
    const merged = new Map();
    for (const { design, kind, priced } of designs) {
      const inputs = attempt(() => shots.target(kind, priced), null);
      if (inputs === null) continue;
      const key = JSON.stringify(Object.entries(inputs).map(([name, value]) => [name, keyOf(value)]));
      if (merged.has(key)) merged.get(key).names.push(design);
      else merged.set(key, { names: [design], inputs });
    }
    return [...merged.values()];
  };

  // Return every design that fires, with its shots at each target, the best first. Shots without odds are left out.
  const fires = (shots, firing, fired, fixed) => {
    const aims = targets(shots, fired);
    const firers = firing.map(({ design, kind, priced, count }) => {
      const ways = attempt(() => shots.of(kind, priced, fixed), []);
      const at = aims.map(({ inputs }) => ways.map((shot) => ({ ...shot, chance: attempt(() => shots.chance(shot, inputs), null) }))
        .filter(({ chance }) => chance !== null).sort((a, b) => b.chance.compare(a.chance)));
      return { design, count, at };
    });
    return { aims, firers: firers.filter(({ at }) => at.some((some) => some.length)) };
  };

  return { Shots, fielded, fires };
})();
