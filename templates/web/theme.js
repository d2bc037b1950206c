// Light or dark: as the system says, until the reader chooses. It runs before the page is drawn, so that nothing flashes.
"use strict";

(() => {
  const KEY = "fieldpress-theme";
  const root = document.documentElement;
  // A browser may refuse to store anything for a page from the disk.
  const stored = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const store = (theme) => { try { localStorage.setItem(KEY, theme); } catch { /* the choice lasts for this page */ } };

  const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

  if (stored()) root.dataset.theme = stored();
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      store(root.dataset.theme);
    });
  });
})();
