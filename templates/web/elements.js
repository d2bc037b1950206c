// Make elements of a page.
"use strict";
globalThis.fieldpress ??= {};

// Return a new element with these properties and contents.
fieldpress.element = (tag, properties = {}, ...inside) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...inside);
  return made;
};
