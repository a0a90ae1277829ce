// What menus and panels share: filling a menu of the bar, giving a file away, copying a text.

import { make } from "./dom.js";

/**
 * Fills a menu of the bar.
 * @param {string} id of the menu @param {(Node | string)[]} children @param {() => void} [onOpen] each time, before it is looked at
 * @returns {{panel: HTMLElement, close: () => void}}
 */
export function fillMenu(id, children, onOpen = () => {}) {
  const menu = document.getElementById(id);
  const [button, panel] = /** @type {HTMLElement[]} */ ([
    menu.querySelector(".menu-button"),
    menu.querySelector(".menu-panel"),
  ]);
  panel.replaceChildren(...children);
  // Before the menu's own listener opens it, so that it is placed with its size as it will be.
  button.addEventListener("click", () => panel.hidden && onOpen(), { capture: true });
  const close = () => {
    panel.hidden = true;
    button.setAttribute("aria-expanded", "false");
  };
  return { panel, close };
}

/** Where a panel beside the map stands: first of the cards where there is room for them, else below the map. Never over it. @param {HTMLElement} panel */
export function standBeside(panel) {
  const narrow = matchMedia("(max-width: 860px)");
  const place = () =>
    narrow.matches ? document.querySelector(".work").append(panel) : document.getElementById("cards").prepend(panel);
  narrow.addEventListener("change", place);
  place();
}

/** Gives a file to whoever is in front of the page. @param {string} name @param {BlobPart} content */
export function saveFile(name, content, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: url, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copies a text; where the clipboard is forbidden, by way of a selection. @returns {Promise<boolean>} */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text) {
  const field = make("textarea.unseen", { value: text, readOnly: true });
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  document.body.append(field);
  field.select();
  let isDone = false;
  try {
    isDone = document.execCommand("copy");
  } catch {
    // Told by the answer.
  }
  field.remove();
  before?.focus?.();
  return isDone;
}
