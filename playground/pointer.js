// Mouse, pen and fingers on a map: drawing, dragging the ends, moving the view. One finger draws, two move and zoom.

const GRAB_PX = { mouse: 12, pen: 16, touch: 24 };
const SLIP_MS = 180; // a second finger this soon after the first means a pinch: what the first drew is taken back

/** @param {import("./view.js").View} view @param {import("./main.js").App} app */
export function installPointer(view, app) {
  new Hand(view, app);
}

class Hand {
  #pointers = new Map();
  /** What the hand is doing: "draw", "end", "pan", "pinch" or nothing. */
  #doing = null;
  #last = null;
  #end = null;
  #brush = null;
  #beganAt = 0;

  /** @param {import("./view.js").View} view @param {import("./main.js").App} app */
  constructor(view, app) {
    this.view = view;
    this.app = app;
    this.world = app.world;
    this.canvas = view.canvas;
    const on = (type, listener, options) => this.canvas.addEventListener(type, listener, options);
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#up(event));
    on("pointercancel", (event) => this.#up(event));
    on("pointerleave", () => this.app.hoverCell(null));
    on("wheel", (event) => this.#wheel(event), { passive: false });
    on("contextmenu", (event) => event.preventDefault());
  }

  #down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.#pointers.size === 2) this.#beginPinch();
    else if (this.#pointers.size === 1) this.#begin(event);
  }

  #begin(event) {
    this.#beganAt = event.timeStamp;
    const { settings } = this.app;
    if (event.button === 1 || settings.tool === "pan" || settings.isSpaceHeld) {
      this.#doing = "pan";
      this.canvas.dataset.hand = "pan";
      settings.hasSpaceMoved = true;
      return;
    }
    this.#end = this.#endAt(event);
    if (this.#end && event.button === 0) {
      this.#doing = "end";
      this.app.selectEnd(this.#end);
      return;
    }
    this.#beginStroke(event);
  }

  #beginStroke(event) {
    const cell = this.view.cellAt(event.clientX, event.clientY);
    if (!this.world.inside(cell.x, cell.y)) {
      this.#doing = "pan";
      return;
    }
    this.#brush = this.#brushFor(event, cell);
    this.#doing = "draw";
    this.#last = cell;
    this.app.selectEnd(null);
    this.world.begin();
    this.world.paintLine(cell.x, cell.y, cell.x, cell.y, this.#brush, this.app.settings.radius);
  }

  /** A wall brush that begins on a wall takes walls away: one tool does for most drawing. */
  #brushFor(event, cell) {
    const { tool, price } = this.app.settings;
    if (event.button === 2 || tool === "erase") return { blocked: false };
    if (tool === "terrain") return { price };
    return { blocked: this.world.isFree(cell.x, cell.y) };
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) {
      this.#hover(event);
      return;
    }
    if (this.#doing === "pinch") this.#pinch(event);
    else if (this.#doing === "pan") this.app.camera.panBy(event.clientX - before.x, event.clientY - before.y);
    else if (this.#doing === "end") this.#dragEnd(event);
    else if (this.#doing === "draw") this.#draw(event);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  #draw(event) {
    const coalesced = event.getCoalescedEvents?.() ?? [];
    for (const one of coalesced.length > 0 ? coalesced : [event]) {
      const cell = this.view.cellAt(one.clientX, one.clientY);
      if (cell.x === this.#last.x && cell.y === this.#last.y) continue;
      this.world.paintLine(this.#last.x, this.#last.y, cell.x, cell.y, this.#brush, this.app.settings.radius);
      this.#last = cell;
    }
  }

  #dragEnd(event) {
    const { x, y } = this.view.cellAt(event.clientX, event.clientY);
    const { width, height } = this.world;
    const [cx, cy] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
    if (this.#end === "start") this.world.moveStart(cx, cy);
    else this.world.moveGoal(cx, cy);
  }

  #hover(event) {
    const cell = this.view.cellAt(event.clientX, event.clientY);
    this.canvas.dataset.hand = this.#endAt(event)
      ? "grab"
      : this.app.settings.tool === "pan" || this.app.settings.isSpaceHeld
        ? "pan"
        : "draw";
    this.app.hoverCell(this.world.inside(cell.x, cell.y) ? cell : null);
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    if (this.#pointers.size > 0) {
      if (this.#doing === "pinch") this.#doing = "pan";
      return;
    }
    if (this.#doing === "draw") this.world.end();
    if (this.#doing === "end") this.world.settle();
    this.#doing = null;
  }

  #endAt(event) {
    const place = this.view.placeAt(event.clientX, event.clientY);
    const reach = Math.max(GRAB_PX[event.pointerType] ?? 14, 0.5 * this.app.camera.scale) / this.app.camera.scale;
    const near = (end) => Math.hypot(end.x + 0.5 - place.x, end.y + 0.5 - place.y);
    const [toStart, toGoal] = [near(this.world.start), near(this.world.goal)];
    if (Math.min(toStart, toGoal) > reach) return null;
    return toGoal <= toStart ? "goal" : "start";
  }

  #beginPinch() {
    if (this.#doing === "draw") {
      this.world.end();
      if (performance.now() - this.#beganAt < SLIP_MS) this.world.undo();
    }
    if (this.#doing === "end") this.world.settle();
    this.#doing = "pinch";
  }

  #pinch(event) {
    const [a, b] = [...this.#pointers.values()];
    const before = spread(a, b);
    const moved = this.#pointers.get(event.pointerId);
    const still = moved === a ? b : a;
    const after = spread({ x: event.clientX, y: event.clientY }, still);
    const box = this.canvas.getBoundingClientRect();
    this.app.camera.panBy(after.x - before.x, after.y - before.y);
    this.app.camera.zoomAt(
      after.size / Math.max(before.size, 1),
      after.x - box.left - box.width / 2,
      after.y - box.top - box.height / 2,
    );
  }

  #wheel(event) {
    event.preventDefault();
    const box = this.canvas.getBoundingClientRect();
    const unit = event.deltaMode === 1 ? 30 : 1; // lines or pixels
    const factor = Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0016));
    this.app.camera.zoomAt(factor, event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
  }
}

function spread(a, b) {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, size: Math.hypot(a.x - b.x, a.y - b.y) };
}
