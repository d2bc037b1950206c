// A site in one file: draw its pages, which the file holds as data, and follow the links between them.
"use strict";

(() => {
  const { pages, files } = JSON.parse(document.getElementById("site").textContent);
  const DATA = ["fieldpressIndex", "fieldpressOdds", "fieldpressRules", "fieldpressShots"];
  let current = "";
  globalThis.fieldpressFiles = files;

  const inline = (page, tag, text) => {
    const made = page.createElement(tag);
    made.textContent = text;
    return made;
  };

  // Write a page in place of the page that is shown. This also removes the listeners of that page.
  const show = (name) => {
    current = name;
    for (const data of DATA) delete globalThis[data];
    const page = new DOMParser().parseFromString(pages[name], "text/html");
    page.querySelector("link").replaceWith(inline(page, "style", files["style.css"]));
    page.querySelector(".top a").remove(); // the list of all games is in no single file
    for (const script of page.querySelectorAll("script[src]")) {
      const text = files[script.getAttribute("src").replace("../", "")];
      if (script.defer) page.body.append(inline(page, "script", text)); else script.replaceWith(inline(page, "script", text));
      script.remove();
    }
    document.open();
    document.write(`<!DOCTYPE html>${page.documentElement.outerHTML}`);
    document.close();
    document.addEventListener("click", follow);
    addEventListener("hashchange", route);
  };

  // Show the page and the part that the address names, such as #sheet-odds.html/part-3.
  const route = () => {
    const [name, part] = decodeURIComponent(location.hash.slice(1)).split("/");
    const wanted = name in pages ? name : "index.html";
    if (wanted !== current) show(wanted);
    const target = part ? document.getElementById(part) : null;
    target?.scrollIntoView();
    target?.focus({ preventScroll: true });
  };

  const follow = (event) => {
    const address = event.target.closest?.("a[href]")?.getAttribute("href");
    if (address === undefined || address.startsWith("blob:")) return;
    event.preventDefault();
    const [name, part] = address.split("#");
    location.hash = [name || current, part].filter(Boolean).join("/");
  };

  route();
})();
