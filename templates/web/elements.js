// Make elements of a page.
"use strict";
globalThis.fieldpress ??= {};

// Return a text of a script in the language of the site, with the names in braces filled in; in English without an entry.
fieldpress.say = (text, names = {}) =>
  (globalThis.fieldpressSays?.[text] ?? globalThis.fieldpressRules?.words?.[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => names[name] ?? whole);

// Return a title as it stands inside a sentence: with a small letter in English, unchanged in other languages.
fieldpress.inSentence = (title) => (globalThis.fieldpressSays ? title : title.toLowerCase());

// Return a new element with these properties and contents.
fieldpress.element = (tag, properties = {}, ...inside) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...inside);
  return made;
};

// Call a function as soon as the data that a script defines under a name is there; the script is loaded once.
fieldpress.load = (name, source, then) => {
  if (globalThis[name]) return then();
  const text = globalThis.fieldpressFiles?.[source]; // a site in one file has its scripts with it
  const script = fieldpress.element("script", text ? { textContent: text } : { src: source });
  if (!text) script.addEventListener("load", then);
  document.head.append(script);
  if (text) then();
};

// Return a control with its label above it.
fieldpress.field = (() => {
  let ids = 0;
  return (label, control) => {
    control.id = `field-${++ids}`;
    return fieldpress.element("div", { className: "field" }, fieldpress.element("label", { htmlFor: control.id }, label), control);
  };
})();
