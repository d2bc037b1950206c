// Tables: sort by a column, and show the whole distribution behind an odds cell.
"use strict";

(() => {
  const { Fraction, percent } = fieldpress.exact;
  const { element } = fieldpress;

  // ---- Sorting. A table whose rows belong together in groups is left as it is.

  const canSort = (table) =>
    table.matches(".plain") && table.tBodies[0].rows.length > 2
    && table.querySelectorAll("thead .heads > th").length > 1
    && !table.querySelector(".begins, .follows, .more, .mine, td[colspan], th[rowspan]");

  // Return what a cell sorts by: the first number in it if there is one, or else its text.
  const keyOf = (row, at) => {
    const text = (row.cells[at]?.textContent ?? "").trim().replace("−", "-").replaceAll(",", "");
    const found = text.match(/^[^\d-]{0,2}(-?\d+(?:\.\d+)?)/);
    return { text, number: found ? Number(found[1]) : null };
  };

  const order = (a, b) => {
    if (a.number !== null && b.number !== null) return a.number - b.number;
    if (a.number !== b.number) return a.number === null ? 1 : -1;
    return a.text.localeCompare(b.text);
  };

  const sort = (table, head, at) => {
    const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    table.querySelectorAll("th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows].map((row) => ({ row, key: keyOf(row, at) }));
    rows.sort((a, b) => sign * order(a.key, b.key));
    table.tBodies[0].append(...rows.map(({ row }) => row));
  };

  for (const table of document.querySelectorAll("table")) {
    if (!canSort(table)) continue;
    [...table.querySelectorAll("thead .heads > th")].forEach((head, at) => {
      if (!head.textContent.trim()) return;
      const button = element("button", { type: "button", title: "Sort by this column" }, ...head.childNodes);
      button.addEventListener("click", () => sort(table, head, at));
      head.append(button);
    });
  }

  // A frame that scrolls can be reached by keyboard.
  for (const frame of document.querySelectorAll(".frame, .drawing")) {
    if (frame.scrollWidth > frame.clientWidth && !frame.querySelector("button")) frame.tabIndex = 0;
  }

  // ---- Odds.

  const panel = document.getElementById("distribution");
  if (!panel) return;
  let chosen = null;

  // The distributions are loaded when somebody asks for the first of them.
  const load = (then) => {
    if (globalThis.fieldpressOdds) return then();
    const script = element("script", { src: panel.dataset.source });
    script.addEventListener("load", then);
    document.head.append(script);
  };

  const words = (cell) => cell?.innerText.trim().replace(/\s+/g, " ") ?? "";

  // Return what a cell is about: the caption of its table, its row and its column.
  const question = (cell) => {
    const table = cell.closest("table"), row = cell.parentElement;
    const heads = table.querySelector("thead .heads").cells;
    return [words(table.caption), words(row.cells[0]), words(heads[cell.cellIndex])].filter(Boolean).join(" · ");
  };

  const line = ([label, text]) => {
    const chance = Fraction.of(text);
    const meter = element("span", { className: "meter", ariaHidden: "true" }, element("i"));
    meter.firstChild.style.width = `${chance.times(Fraction.of(100)).decimal(2)}%`;
    return element(
      "tr", {},
      element("th", { scope: "row" }, label),
      element("td", {}, meter),
      element("td", { className: "r b" }, `${percent(chance)} %`),
      element("td", { className: "r exact" }, text),
    );
  };

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
    const shut = element("button", { type: "button", ariaLabel: "Close" }, "✕");
    shut.addEventListener("click", close);
    const heads = ["Outcome", "", "Chance", "Exactly"].map((head, at) =>
      head ? element("th", { scope: "col", className: at > 1 ? "r" : "" }, head) : element("td"));
    panel.replaceChildren(
      element("h2", { className: "bar" }, element("span", {}, question(cell)), shut),
      element(
        "table", {},
        element("caption", { className: "spoken" }, "The chance of each outcome"),
        element("thead", {}, element("tr", {}, ...heads)),
        element("tbody", {}, ...globalThis.fieldpressOdds[cell.dataset.odds].map(line)),
      ),
    );
    panel.hidden = false;
  };

  // A grid is one stop of the tabulator; arrows, Home and End move inside it.
  const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -99], End: [0, 99] };

  const neighbour = (cell, [down, right]) => {
    const row = cell.closest("tbody").rows[cell.parentElement.rowIndex - cell.closest("table").tHead.rows.length + down];
    const cells = row ? [...row.cells].filter((other) => other.dataset.odds) : [];
    const at = [...cell.parentElement.cells].filter((other) => other.dataset.odds).indexOf(cell) + right;
    return cells[Math.min(Math.max(at, 0), cells.length - 1)];
  };

  for (const table of document.querySelectorAll("table.grid")) {
    const cells = [...table.querySelectorAll("td[data-odds]")];
    cells.forEach((cell, index) => {
      const button = element("button", { type: "button", tabIndex: index ? -1 : 0 }, ...cell.childNodes);
      button.addEventListener("click", () => load(() => show(cell)));
      button.addEventListener("focus", () => {
        cells.forEach((other) => { other.firstChild.tabIndex = other === cell ? 0 : -1; });
        if (chosen) show(cell);
      });
      cell.append(button);
    });
    table.addEventListener("keydown", (event) => {
      const move = MOVES[event.key], cell = event.target.closest("td[data-odds]");
      if (!move || !cell) return;
      event.preventDefault();
      neighbour(cell, move)?.firstChild.focus();
    });
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape" && chosen) close(); });
})();
