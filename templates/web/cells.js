// Cells that open a panel with the chances behind them.
"use strict";

// Return a table of outcomes and their exact chances, with a meter for each.
fieldpress.chances = (caption, head, odds) => {
  const { element, say } = fieldpress;
  const { Fraction, percent } = fieldpress.exact;
  const line = ([label, chance]) => {
    const meter = element("span", { className: "meter", ariaHidden: "true" }, element("i"));
    meter.firstChild.style.width = `${chance.times(Fraction.of(100)).decimal(2)}%`;
    return element(
      "tr", {},
      element("th", { scope: "row" }, label),
      element("td", {}, meter),
      element("td", { className: "r b" }, `${percent(chance)} %`),
      element("td", { className: "r exact" }, chance.isWhole() ? String(chance) : `${chance.n}/${chance.d}`),
    );
  };
  const heads = [head, "", say("Chance"), say("Exactly")].map((text, at) =>
    text ? element("th", { scope: "col", className: at > 1 ? "r" : "" }, text) : element("td"));
  return element(
    "table", {},
    element("caption", { className: "spoken" }, caption),
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...odds.map(line)),
  );
};

// Return a function that makes the given cells of a table open a panel. `describe` returns a title and the content for
// a cell; `load` is called before the first description.
fieldpress.cells = (panel, describe, load = (then) => then()) => {
  const { element } = fieldpress;
  let chosen = null;

  // Mark the chosen cell, and return the cell that was chosen before.
  const choose = (cell) => {
    const before = chosen;
    before?.firstChild.removeAttribute("aria-pressed");
    cell?.firstChild.setAttribute("aria-pressed", "true");
    chosen = cell;
    return before;
  };

  const close = () => {
    choose(null)?.firstChild.focus();
    panel.hidden = true;
  };

  const show = (cell) => {
    choose(cell);
    const shut = element("button", { type: "button", ariaLabel: fieldpress.say("Close") }, "✕");
    shut.addEventListener("click", close);
    const [title, content] = describe(cell);
    panel.replaceChildren(element("h2", { className: "bar" }, element("span", {}, title), shut), content);
    panel.hidden = false;
  };

  // A grid is one stop of the tabulator; arrows, Home and End move inside it.
  const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -99], End: [0, 99] };

  const neighbour = (cells, cell, [down, right]) => {
    const row = cell.closest("tbody").rows[cell.parentElement.sectionRowIndex + down];
    const inRow = (other) => cells.filter((item) => item.parentElement === other);
    const at = inRow(cell.parentElement).indexOf(cell) + right;
    return inRow(row)[Math.min(Math.max(at, 0), inRow(row).length - 1)];
  };

  addEventListener("keydown", (event) => { if (event.key === "Escape" && !panel.hidden) close(); });

  return (table, cells) => {
    cells.forEach((cell, index) => {
      const button = element("button", { type: "button", tabIndex: index ? -1 : 0 }, ...cell.childNodes);
      button.addEventListener("click", () => load(() => show(cell)));
      button.addEventListener("focus", () => {
        cells.forEach((other) => { other.firstChild.tabIndex = other === cell ? 0 : -1; });
        if (chosen?.isConnected) show(cell);
      });
      cell.append(button);
    });
    table.addEventListener("keydown", (event) => {
      const move = MOVES[event.key], cell = event.target.closest("td");
      if (!move || !cells.includes(cell)) return;
      event.preventDefault();
      neighbour(cells, cell, move)?.firstChild.focus();
    });
  };
};
