// Finding and making the parts of a page, each of a known kind. What imports this runs only where early.js has found all
// that it needs.

const SVG = "http://www.w3.org/2000/svg";

if (globalThis.document?.documentElement.classList.contains("js") === false) throw new Error("This browser is too old for the scripts of this site.");

/** @template {Element} T @param {abstract new () => T} kind @param {string} selector @param {ParentNode} within
 *  @returns {T[]} */
export const all = (kind, selector, within = document) =>
  [...within.querySelectorAll(selector)].flatMap((part) => (part instanceof kind ? part : []));

/** @template {Element} T @param {abstract new () => T} kind @param {string} selector @param {ParentNode} within */
export function find(kind, selector, within = document) {
  const found = within.querySelector(selector);
  return found instanceof kind ? found : null;
}

/** A part that is always there.
 *  @template {Element} T @param {abstract new () => T} kind @param {string} selector @param {ParentNode} within */
export function the(kind, selector, within = document) {
  const found = find(kind, selector, within);
  if (!found) throw new Error(`Nothing here is ${selector}.`);
  return found;
}

/** The part that something is in.
 *  @template {Element} T @param {abstract new () => T} kind @param {string} selector @param {Element} part */
export function around(kind, selector, part) {
  const found = part.closest(selector);
  return found instanceof kind ? found : null;
}

/** @param {Event} event */
export const targetOf = ({ target }) => (target instanceof Element ? target : document.documentElement);

/** @template {keyof HTMLElementTagNameMap} K @param {K} name @param {Partial<HTMLElementTagNameMap[K]>} properties
 *  @param {(Node | string)[]} children */
export function make(name, properties, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

/** @param {string} textContent @param {() => void} onclick @param {string | null} ariaLabel */
export const button = (textContent, onclick, style = "", ariaLabel = null) =>
  make("button", { type: "button", className: `button ${style}`, textContent, onclick, ariaLabel });

/** @param {Tag} tag @returns {SVGElement} */
export function svg([name, attributes, ...children]) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children.map((child) => (typeof child === "string" ? child : svg(child))));
  return made;
}
