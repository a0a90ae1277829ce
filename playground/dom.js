// Making and finding elements, in one line.

/**
 * An element of the page. Fields, lists and buttons all have what is used of an input.
 * @param {string} id @returns {HTMLInputElement}
 */
export function byId(id, root = document) {
  return /** @type {HTMLInputElement} */ (root.getElementById(id));
}

/**
 * @param {string} tag a name, with classes after dots
 * @param {Record<string, any>} [properties] of the element; those with a hyphen, and role, are attributes
 * @param {...(Node | string | null | undefined)} children
 * @returns {any}
 */
export function make(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.includes("-") || key === "role") element.setAttribute(key, value);
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element[key] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
