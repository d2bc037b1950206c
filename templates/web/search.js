// Search the words of a game's sheets. The answer is in the result: the rows that hold the words.
"use strict";

(() => {
  const { element, say } = fieldpress;
  const MOST_PARTS = 30, MOST_ROWS = 4;
  const form = document.getElementById("search");
  const input = document.getElementById("words");
  const results = document.getElementById("results");
  const contents = document.querySelector(".contents");

  // Return a text with its found words marked.
  const marked = (text, words) => {
    const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
    const parts = [];
    let end = 0;
    for (const match of text.matchAll(pattern)) {
      parts.push(text.slice(end, match.index), element("mark", {}, match[0]));
      end = match.index + match[0].length;
    }
    return [...parts, text.slice(end)];
  };

  // Return the parts that hold all words, the best first: words in the title, then in one row, then anywhere.
  const find = (words) => {
    const hasAll = (text) => words.every((word) => text.toLowerCase().includes(word));
    const found = [];
    for (const part of globalThis.fieldpressIndex) {
      const title = `${part.title} ${part.sheet}`;
      const rows = part.rows.filter((row) => hasAll(`${row} ${title}`) && words.some((word) => row.toLowerCase().includes(word)));
      const rank = hasAll(part.title) ? 0 : rows.some(hasAll) ? 1 : rows.length ? 2 : hasAll(title) ? 3 : null;
      if (rank !== null) found.push({ part, rows, rank });
    }
    return found.sort((a, b) => a.rank - b.rank);
  };

  const shown = ({ part, rows }, words) => {
    const more = rows.length > MOST_ROWS ? [element("p", {}, say("and {count} more rows", { count: rows.length - MOST_ROWS }))] : [];
    return element(
      "section", { className: "result" },
      element("h2", {}, element("a", { href: part.address }, ...marked(part.title, words)), " ", element("small", {}, part.sheet)),
      ...rows.slice(0, MOST_ROWS).map((row) => element("p", {}, ...marked(row, words))),
      ...more,
    );
  };

  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length ? find(words) : [];
    contents.hidden = words.length > 0;
    document.getElementById("count").textContent = words.length ? (found.length === 1 ? say("1 result") : say("{count} results", { count: found.length })) : "";
    results.replaceChildren(...found.slice(0, MOST_PARTS).map((item) => shown(item, words)));
  };

  // The words of a game are the largest file, so they are loaded when somebody begins to type.
  const load = () => fieldpress.load("fieldpressIndex", "words.js", search);

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", load);
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === input) return;
    event.preventDefault();
    input.focus();
  });
  if (location.hash.startsWith("#find=")) {
    input.value = decodeURIComponent(location.hash.slice("#find=".length));
    load();
  }
})();
