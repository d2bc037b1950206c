// Force against force: the best shot of each design at each target, with all shots behind a cell.
"use strict";

fieldpress.matrix = (() => {
  const { cells, chances, element, field, say } = fieldpress;
  const { Fraction, percent } = fieldpress.exact;
  const { read } = fieldpress.formulas;
  const BOUNDS = [20, 40, 55, 70, 85].map((bound) => Fraction.of(`${bound}/100`));

  const namesOf = (names) => (names.length > 1 ? say("{name} and {count} more", { name: names[0], count: names.length - 1 }) : names[0]);
  const tint = (chance) => `t${BOUNDS.filter((bound) => chance.compare(bound) >= 0).length}`;

  // A browser may refuse to store anything for a page from the disk.
  const keyOf = (data) => `fieldpress-force-${data.rules}`;
  const store = (data, force) => { try { localStorage.setItem(keyOf(data), JSON.stringify(force)); } catch { /* not kept */ } };
  const stored = (data) => { try { return JSON.parse(localStorage.getItem(keyOf(data))); } catch { return null; } };

  // Return the sample forces and the force that the reader has changed, if there is one.
  const forces = (data) => {
    const own = stored(data);
    return [...data.samples, ...(own ? [{ ...own, title: say("Your force: {name}", { name: own.force }) }] : [])];
  };

  const titleOf = ({ force, title }) => title ?? force;

  const choice = (label, names, chosen, changed) => {
    const select = element("select", {}, ...names.map((name, at) => element("option", { value: String(at), selected: at === chosen }, name)));
    select.addEventListener("change", () => changed(Number(select.value)));
    return field(label, select);
  };

  // Return the values of inputs that a reader has chosen, such as the range, and the controls for them.
  const distances = (shots, changed) => {
    const fixed = {};
    const controls = Object.entries(shots.free).map(([name, { label, values, names }]) =>
      choice(label, [say("as on the cards"), ...values.map((value) => names[value] ?? say(String(value)))], 0, (at) => {
        if (at) fixed[name] = read(values[at - 1]); else delete fixed[name];
        changed();
      }));
    return { fixed, controls };
  };

  // Return a function that makes the table of fires; a cell opens the panel with all shots at its target.
  const tables = (panel) => {
    const details = new Map();
    const attach = cells(panel, (cell) => details.get(cell));

    const cellOf = (design, count, { names }, shots, isBest) => {
      if (!shots.length) return element("td", { className: "c" }, "–");
      const [{ label, chance }] = shots;
      const made = element("td", { className: `c ${tint(chance)}${isBest ? " best" : ""}` }, percent(chance, 0), element("small", {}, label.split(",")[0]));
      const aimed = { count, design, targets: names.join(", ") };
      const lines = shots.map((shot) => [`${shot.label}: ${shot.says}`, shot.chance]);
      details.set(made, [
        count > 1 ? say("Each of {count} × {design} at {targets}", aimed) : say("{design} at {targets}", aimed),
        chances(say("The chance of each shot"), say("Shot"), lines),
      ]);
      return made;
    };

    return (title, { aims, firers }) => {
      const head = element("h2", { className: "bar" }, element("span", {}, title), element("span", { className: "aside" }, say("percent, best shot")));
      panel.hidden = true;
      if (!firers.length) return element("section", {}, head, element("p", {}, say("The rules have no odds for these shots.")));
      const most = aims.map((_, at) => firers.reduce((best, firer) => {
        const chance = firer.at[at][0]?.chance ?? Fraction.ZERO;
        return chance.compare(best) > 0 ? chance : best;
      }, Fraction.ZERO));
      const rows = firers.map(({ design, count, at }) => element(
        "tr", {}, element("th", { scope: "row" }, design, element("small", {}, `${count} ×`)),
        ...at.map((shots, place) => cellOf(design, count, aims[place], shots, firers.length > 1 && shots[0]?.chance.compare(most[place]) === 0)),
      ));
      const table = element(
        "table", { className: "grid matrix" }, element("caption", { className: "spoken" }, title),
        element("thead", {}, element("tr", {}, element("td"), ...aims.map(({ names }) => element("th", { scope: "col", title: names.join(", ") }, namesOf(names))))),
        element("tbody", {}, ...rows),
      );
      attach(table, [...table.querySelectorAll("td.c")].filter((cell) => details.has(cell)));
      return element("section", {}, head, element("div", { className: "frame" }, table));
    };
  };

  const panelOf = () => element("aside", { id: "distribution", ariaLabel: say("The chances"), hidden: true });

  // Draw the page of two forces.
  const page = (root) => {
    const { Rules } = fieldpress.price, { Shots, fielded, fires } = fieldpress.shots;
    const data = globalThis.fieldpressRules, rules = new Rules(data), shots = new Shots(globalThis.fieldpressShots);
    const all = forces(data), names = all.map(titleOf);
    const chosen = [0, Math.min(1, all.length - 1)];
    const panel = panelOf(), draw = tables(panel), drawn = element("div");
    const changed = () => {
      const [first, second] = chosen.map((at) => fielded(rules, all[at]));
      const [here, there] = chosen.map((at) => names[at]);
      drawn.replaceChildren(
        draw(say("{name} fires at {target}", { name: here, target: there }), fires(shots, first, second, fixed)),
        draw(say("{name} fires at {target}", { name: there, target: here }), fires(shots, second, first, fixed)),
      );
    };
    const { fixed, controls } = distances(shots, changed);
    const choices = [say("One force"), say("The other force")].map((label, at) =>
      choice(label, names, chosen[at], (number) => { chosen[at] = number; changed(); }));
    root.append(element("div", { className: "fields" }, ...choices, ...controls), drawn, panel);
    changed();
  };

  const root = document.getElementById("matrix");
  if (root) page(root);

  return { choice, distances, forces, panelOf, store, tables, titleOf };
})();
