// Menus of the bar: a button and a panel. The panel is placed in the window's own layer, so that a bar that scrolls does not cut it off.

/** @param {HTMLElement} menu with a .menu-button and a .menu-panel */
export function installMenu(menu) {
  const [button, panel] = /** @type {HTMLElement[]} */ ([
    menu.querySelector(".menu-button"),
    menu.querySelector(".menu-panel"),
  ]);
  panel.id ||= `${menu.id}-panel`;
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-controls", panel.id);
  button.addEventListener("click", () => (panel.hidden ? open(button, panel) : close(button, panel)));
  document.addEventListener("pointerdown", (event) => {
    if (!panel.hidden && !menu.contains(/** @type {Node} */ (event.target))) close(button, panel);
  });
  menu.addEventListener("keydown", (event) => onKey(event, button, panel));
  panel.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest(".menu-item")) close(button, panel);
  });
}

function open(button, panel) {
  panel.hidden = false;
  button.setAttribute("aria-expanded", "true");
  const at = button.getBoundingClientRect();
  panel.style.top = `${at.bottom + 6}px`;
  panel.style.left = `${Math.max(8, Math.min(at.left, innerWidth - panel.offsetWidth - 8))}px`;
  items(panel)[0]?.focus({ preventScroll: true });
}

function close(button, panel) {
  const hadFocus = panel.contains(document.activeElement);
  panel.hidden = true;
  button.setAttribute("aria-expanded", "false");
  if (hadFocus) button.focus();
}

const items = (panel) =>
  [...panel.querySelectorAll("button, input, select, textarea, a[href]")].filter(
    (item) => !item.disabled && item.offsetParent !== null,
  );

function onKey(event, button, panel) {
  if (panel.hidden) return;
  if (event.key === "Escape") {
    event.stopPropagation();
    close(button, panel);
    button.focus();
  }
  if (event.target.matches("input, select, textarea")) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const all = items(panel);
  all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
}

/** A line of a menu. @param {string} label @param {() => void} action @param {string} [note] */
export function menuItem(label, action, note = "") {
  const item = document.createElement("button");
  item.type = "button";
  item.className = "menu-item";
  item.append(label);
  if (note) item.append(Object.assign(document.createElement("small"), { textContent: note }));
  item.addEventListener("click", action);
  return item;
}
