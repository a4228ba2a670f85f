"use strict";
/* Runs before textual.js, which brings styles for a page of its own. They would make this one too
large, and the browser forbids them: whoever makes a style element gets one without effect. */

document.createElement = (name, ...more) =>
  Document.prototype.createElement.call(document, name === "style" ? "template" : name, ...more);
