// Tables: sort by a column, and show the whole distribution behind an odds cell.
"use strict";

(() => {
  const { cells, chances, element, load, say } = fieldpress;
  const { Fraction, POINT } = fieldpress.exact;

  // ---- Sorting. A table whose rows belong together in groups is left as it is.

  const canSort = (table) =>
    table.matches(".plain") && table.tBodies[0].rows.length > 2
    && table.querySelectorAll("thead .heads > th").length > 1
    && !table.querySelector(".begins, .follows, .more, .mine, td[colspan], th[rowspan]");

  // Return what a cell sorts by: the first number in it if there is one, or else its text.
  const keyOf = (row, at) => {
    const text = (row.cells[at]?.textContent ?? "").trim().replace("−", "-").replaceAll(POINT === "," ? "." : ",", "").replace(POINT, ".");
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
      const button = element("button", { type: "button", title: say("Sort by this column") }, ...head.childNodes);
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

  // The distributions are loaded when somebody asks for the first of them.
  const loaded = (then) => load("fieldpressOdds", panel.dataset.source, then);

  const words = (cell) => cell?.innerText.trim().replace(/\s+/g, " ") ?? "";

  // Return what a cell is about: the caption of its table, its row and its column.
  const question = (cell) => {
    const table = cell.closest("table"), row = cell.parentElement;
    const heads = table.querySelector("thead .heads").cells;
    return [words(table.caption), words(row.cells[0]), words(heads[cell.cellIndex])].filter(Boolean).join(" · ");
  };

  const attach = cells(panel, (cell) => {
    const odds = globalThis.fieldpressOdds[cell.dataset.odds].map(([label, text]) => [label, Fraction.of(text)]);
    return [question(cell), chances(say("The chance of each outcome"), say("Outcome"), odds)];
  }, loaded);
  for (const table of document.querySelectorAll("table.grid")) attach(table, [...table.querySelectorAll("td[data-odds]")]);
})();
