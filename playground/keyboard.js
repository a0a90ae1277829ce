// Every key of the page. Keys that a control needs itself, such as arrows in a list, stay with it.

const TOOLS = { w: "wall", e: "erase", t: "terrain", h: "pan" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {import("./main.js").App} app */
export function installKeyboard(app) {
  document.addEventListener("keydown", (event) => onDown(event, app));
  document.addEventListener("keyup", (event) => {
    if (event.key === " " && app.settings.isSpaceHeld) releaseSpace(app);
  });
}

function onDown(event, app) {
  if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.ctrlKey || event.metaKey) {
    onCommand(event, app);
    return;
  }
  if (event.target.matches("input:not([type=range]):not([type=checkbox]), textarea")) return;
  if (event.key in ARROWS) onArrow(event, app);
  else if (event.key === " ") onSpace(event, app);
  else if (!event.target.matches("select")) onLetter(event, app);
}

function onCommand(event, app) {
  if (event.target.matches("input:not([type=range]):not([type=checkbox]), textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) app.world.undo();
  else if (key === "y" || (key === "z" && event.shiftKey)) app.world.redo();
  else return;
  event.preventDefault();
}

function onArrow(event, app) {
  if (event.target.matches("select, input[type=range], .menu-item, [role=radio]")) return;
  const [dx, dy] = ARROWS[event.key];
  if (app.cursor && event.target.matches("canvas"))
    app.moveCursor(dx * (event.shiftKey ? 8 : 1), dy * (event.shiftKey ? 8 : 1));
  else if (app.selectedEnd && event.target.matches("canvas, body"))
    moveEnd(app, dx * (event.shiftKey ? 8 : 1), dy * (event.shiftKey ? 8 : 1));
  else if (dx !== 0) app.transport.step(dx, event.shiftKey);
  else return;
  event.preventDefault();
}

/** To the nearest free cell in that direction, so that keys get past walls. */
function moveEnd(app, dx, dy) {
  const { world, selectedEnd } = app;
  let { x, y } = world[selectedEnd];
  const move = (toX, toY) => (selectedEnd === "start" ? world.moveStart(toX, toY) : world.moveGoal(toX, toY));
  for (x += dx, y += dy; world.inside(x, y); x += Math.sign(dx), y += Math.sign(dy)) if (move(x, y)) return;
}

/** Space plays when it is let go, unless it was held to drag the map; a button that has the focus keeps it. */
function onSpace(event, app) {
  if (event.target.matches("button, select, summary, input[type=checkbox], a")) return;
  event.preventDefault();
  if (event.repeat) return;
  app.settings.isSpaceHeld = true;
  app.settings.hasSpaceMoved = false;
}

function releaseSpace(app) {
  app.settings.isSpaceHeld = false;
  if (!app.settings.hasSpaceMoved) app.transport.toggle();
}

function onLetter(event, app) {
  const key = event.key.toLowerCase();
  const action = {
    "+": () => app.zoom(1.4),
    "=": () => app.zoom(1.4),
    "-": () => app.zoom(1 / 1.4),
    f: () => app.fit(),
    "?": () => app.openHelp(),
    c: () => app.setCompare(!app.isComparing),
    d: () => app.toggleTheme(),
    s: () => app.selectEnd("start", true),
    g: () => app.selectEnd("goal", true),
    x: () => app.takeCursor(),
  }[key];
  if (TOOLS[key]) app.setTool(TOOLS[key]);
  else if (action) action();
  else if (key === "enter" && app.cursor && event.target.matches("canvas")) app.paintAtCursor();
  else if (app.settings.tool === "terrain" && /^[2-9]$/.test(key)) app.setPrice(Number(key));
  else if (/^[12]$/.test(key)) app.cards[Number(key) - 1]?.focus();
  else return;
  event.preventDefault();
}
