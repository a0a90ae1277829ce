// The document: one map with its start and goal, and what can be undone. It knows nothing of screens or planners.

/** @typedef {import("./octile/octile.js").Convention} Convention */
/** @typedef {import("./octile/octile.js").Movement} Movement */
/** @typedef {{x: number, y: number}} Cell */
/** @typedef {{blocked: boolean} | {price: number}} Brush */
/** @typedef {{x: number, y: number, blocked: boolean, price: number}} CellEdit a cell as it is after the edit */
/**
 * @typedef {object} MapData
 * @property {number} width
 * @property {number} height
 * @property {Uint8Array} blocked 1 = blocked
 * @property {Uint8Array | null} [prices] 1..255 for each cell
 * @property {Convention} [convention]
 * @property {Movement} [movement]
 * @property {Cell} [start]
 * @property {Cell} [goal]
 * @property {string} [name]
 */

export const MAX_SIDE = 4096;
const MAX_STEPS = 200;
/** Undo keeps whole maps only up to this many bytes; older steps are forgotten first. */
const MAX_UNDO_BYTES = 64 << 20;

/**
 * Events: "map" (another map), "cells" (detail {x0, y0, x1, y1, edits}, the rectangle and the cells that changed),
 * "ends" (start or goal moved), "history" (there is more or less to undo).
 */
export class World extends EventTarget {
  width = 1;
  height = 1;
  blocked = new Uint8Array(1);
  /** @type {Uint8Array | null} */
  prices = null;
  /** @type {Convention} */
  convention = "average";
  /** @type {Movement} */
  movement = "octile";
  /** @type {Cell} */
  start = { x: 0, y: 0 };
  /** @type {Cell} */
  goal = { x: 0, y: 0 };
  name = "map";

  /** @type {Step[]} */
  #undo = [];
  /** @type {Step[]} */
  #redo = [];
  /** The stroke that is being drawn: cell index -> what was there before. @type {Map<number, number> | null} */
  #stroke = null;

  get canUndo() {
    return this.#undo.length > 0;
  }

  get canRedo() {
    return this.#redo.length > 0;
  }

  /** @param {number} x @param {number} y */
  inside(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** @param {number} x @param {number} y */
  isFree(x, y) {
    return this.inside(x, y) && this.blocked[y * this.width + x] === 0;
  }

  /** @param {number} x @param {number} y */
  priceAt(x, y) {
    return this.prices ? this.prices[y * this.width + x] : 1;
  }

  get hasPrices() {
    return this.prices?.some((price) => price !== 1) ?? false;
  }

  /** The map as plain data; arrays are copies. @returns {Required<MapData>} */
  snapshot() {
    return { ...this.#whole(), blocked: this.blocked.slice(), prices: this.prices?.slice() ?? null };
  }

  /** Another map: one undo step. Start and goal default to free cells that are connected and far apart. @param {MapData} data */
  replace(data) {
    checkMap(data);
    this.end();
    this.#remember({ kind: "map", map: this.#whole() });
    this.#take(data);
  }

  /** The first map: nothing to go back to. @param {MapData} data */
  load(data) {
    checkMap(data);
    this.#undo = [];
    this.#redo = [];
    this.#stroke = null;
    this.#take(data);
  }

  /** Begins a stroke: all that is painted until `end` is one undo step. */
  begin() {
    this.end();
    this.#stroke = new Map();
  }

  end() {
    const stroke = this.#stroke;
    this.#stroke = null;
    if (stroke && stroke.size > 0) this.#remember({ kind: "cells", cells: stroke });
  }

  /** @param {number} x @param {number} y @param {Brush} brush */
  paint(x, y, brush) {
    this.#painting([[x, y]], brush);
  }

  /** All cells of a line, so that a fast pointer leaves no holes. Corners are filled: a wall drawn at a slant is closed. */
  paintLine(x0, y0, x1, y1, brush, radius = 0) {
    const cells = [];
    for (const [x, y] of lineCells(x0, y0, x1, y1)) {
      for (let dy = -radius; dy <= radius; dy++)
        for (let dx = -radius; dx <= radius; dx++) cells.push([x + dx, y + dy]);
    }
    this.#painting(cells, brush);
  }

  /** One undo step. */
  rect(x0, y0, x1, y1, brush) {
    const cells = [];
    for (let y = Math.max(0, Math.min(y0, y1)); y <= Math.min(this.height - 1, Math.max(y0, y1)); y++) {
      for (let x = Math.max(0, Math.min(x0, x1)); x <= Math.min(this.width - 1, Math.max(x0, x1)); x++)
        cells.push([x, y]);
    }
    this.#painting(cells, brush);
  }

  /** All cells cost 1 again: one undo step. */
  clearPrices() {
    if (this.prices) this.replace({ ...this.#whole(), prices: null });
  }

  clearWalls() {
    this.replace({ ...this.#whole(), blocked: new Uint8Array(this.width * this.height) });
  }

  /** @param {Movement} movement */
  setMovement(movement) {
    if (movement !== this.movement) this.replace({ ...this.#whole(), movement });
  }

  /** Moves of the same end one after the other are one undo step. */
  moveStart(x, y) {
    return this.#moveEnd("start", x, y);
  }

  moveGoal(x, y) {
    return this.#moveEnd("goal", x, y);
  }

  undo() {
    this.end();
    this.#travel(this.#undo, this.#redo);
  }

  redo() {
    this.end();
    this.#travel(this.#redo, this.#undo);
  }

  #whole() {
    const { width, height, blocked, prices, convention, movement, start, goal, name } = this;
    return { width, height, blocked, prices, convention, movement, start, goal, name };
  }

  #take(data) {
    const { width, height, blocked, prices = null, convention = "average", movement = "octile", name = "map" } = data;
    Object.assign(this, { width, height, blocked, prices, convention, movement, name });
    const ends = data.start && data.goal ? null : farApart(width, height, blocked);
    this.start = { ...(data.start ?? ends.start) };
    this.goal = { ...(data.goal ?? ends.goal) };
    this.dispatchEvent(new CustomEvent("map"));
  }

  #painting(cells, brush) {
    const alone = this.#stroke === null;
    if (alone) this.begin();
    const edits = [];
    for (const [x, y] of cells) this.#paintCell(x, y, brush, edits);
    if (edits.length > 0) this.#tell(edits);
    if (alone) this.end();
  }

  #paintCell(x, y, brush, edits) {
    if (!this.inside(x, y)) return;
    const wall = "blocked" in brush && brush.blocked;
    if (wall && (same(this.start, x, y) || same(this.goal, x, y))) return; // ends stay free: a drawing hand never breaks the question
    const i = y * this.width + x;
    const before = this.#packed(i);
    if ("price" in brush) this.#price(i, brush.price);
    else if (wall) this.blocked[i] = 1;
    else this.#erase(i);
    if (this.#packed(i) === before) return;
    if (!this.#stroke.has(i)) this.#stroke.set(i, before);
    edits.push({ x, y, blocked: this.blocked[i] === 1, price: this.prices ? this.prices[i] : 1 });
  }

  #price(i, price) {
    this.blocked[i] = 0;
    if (!this.prices && price !== 1) this.prices = new Uint8Array(this.width * this.height).fill(1);
    if (this.prices) this.prices[i] = price;
  }

  /** The eraser takes the wall first, then the terrain below it. */
  #erase(i) {
    if (this.blocked[i] === 0 && this.prices) this.prices[i] = 1;
    this.blocked[i] = 0;
  }

  #packed(i) {
    return (this.blocked[i] << 8) | (this.prices ? this.prices[i] : 1);
  }

  #moveEnd(which, x, y) {
    if (!this.isFree(x, y)) return false;
    if (same(this[which], x, y)) return true;
    const last = this.#undo.at(-1);
    if (!(last?.kind === "end" && last.which === which && last.open)) {
      this.#remember({ kind: "end", which, cell: this[which], open: true });
    }
    this[which] = { x, y };
    this.dispatchEvent(new CustomEvent("ends"));
    return true;
  }

  /** Ends a drag: the next move of the same end is a step of its own. */
  settle() {
    const last = this.#undo.at(-1);
    if (last?.kind === "end") last.open = false;
  }

  #remember(step) {
    this.settle();
    this.#undo.push(step);
    this.#redo = [];
    let bytes = 0;
    for (let i = this.#undo.length - 1; i >= 0; i--) {
      bytes += sizeOf(this.#undo[i]);
      if (bytes > MAX_UNDO_BYTES || this.#undo.length - i > MAX_STEPS) {
        this.#undo.splice(0, i + 1);
        break;
      }
    }
    this.dispatchEvent(new CustomEvent("history"));
  }

  #travel(from, to) {
    const step = from.pop();
    if (!step) return;
    if (step.kind === "map") {
      to.push({ kind: "map", map: this.#whole() });
      this.#take(step.map);
    } else if (step.kind === "end") {
      to.push({ kind: "end", which: step.which, cell: this[step.which], open: false });
      this[step.which] = step.cell;
      this.dispatchEvent(new CustomEvent("ends"));
    } else {
      to.push({ kind: "cells", cells: this.#restore(step.cells) });
    }
    this.dispatchEvent(new CustomEvent("history"));
  }

  #restore(cells) {
    const now = new Map();
    const edits = [];
    for (const [i, packed] of cells) {
      now.set(i, this.#packed(i));
      this.blocked[i] = packed >> 8;
      if (this.prices) this.prices[i] = packed & 255;
      edits.push({ x: i % this.width, y: Math.floor(i / this.width), blocked: packed >> 8 === 1, price: packed & 255 });
    }
    this.#tell(edits);
    return now;
  }

  #tell(edits) {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -1, -1];
    for (const { x, y } of edits) {
      x0 = Math.min(x0, x);
      y0 = Math.min(y0, y);
      x1 = Math.max(x1, x);
      y1 = Math.max(y1, y);
    }
    this.dispatchEvent(new CustomEvent("cells", { detail: { x0, y0, x1, y1, edits } }));
  }
}

/** @typedef {{kind: "map", map: Required<MapData>} | {kind: "cells", cells: Map<number, number>} | {kind: "end", which: "start" | "goal", cell: Cell, open: boolean}} Step */

function sizeOf(step) {
  if (step.kind === "map") return step.map.blocked.length * (step.map.prices ? 2 : 1);
  return step.kind === "cells" ? step.cells.size * 16 : 64;
}

function same(cell, x, y) {
  return cell.x === x && cell.y === y;
}

/** @param {MapData} map */
function checkMap({ width, height, blocked, prices, start, goal }) {
  if (!(width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE)) {
    throw new RangeError(
      `A map of ${width} by ${height} cells is not for this page: it takes 1 to ${MAX_SIDE} a side.`,
    );
  }
  if (blocked.length !== width * height)
    throw new RangeError(`A map of ${width} by ${height} needs ${width * height} cells, not ${blocked.length}.`);
  if (prices && prices.length !== width * height)
    throw new RangeError(`Prices are for ${prices.length} cells, not ${width * height}.`);
  for (const end of [start, goal]) {
    if (end && !(end.x >= 0 && end.y >= 0 && end.x < width && end.y < height))
      throw new RangeError(`(${end.x}, ${end.y}) is not on the map.`);
  }
}

/** Cells of a line, each beside the one before: no step is diagonal. */
export function* lineCells(x0, y0, x1, y1) {
  const [dx, dy] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  const [sx, sy] = [Math.sign(x1 - x0), Math.sign(y1 - y0)];
  let [x, y, i, j] = [x0, y0, 0, 0];
  yield [x, y];
  while (i < dx || j < dy) {
    // Whichever side's next crossing comes first on the line.
    if (j >= dy || (i < dx && (1 + 2 * i) * dy < (1 + 2 * j) * dx)) {
      x += sx;
      i += 1;
    } else {
      y += sy;
      j += 1;
    }
    yield [x, y];
  }
}

/** Two connected free cells far from each other: two sweeps over the largest component. */
export function farApart(width, height, blocked) {
  const labels = new Int32Array(width * height);
  const queue = new Int32Array(width * height); // shared: random walls leave thousands of components
  let best = { seed: -1, size: 0 };
  for (let i = 0, label = 0; i < blocked.length; i++) {
    if (blocked[i] || labels[i]) continue;
    const { size } = flood(width, blocked, i, labels, ++label, queue);
    if (size > best.size) best = { seed: i, size };
  }
  if (best.seed < 0) return { start: { x: 0, y: 0 }, goal: { x: width - 1, y: height - 1 } };
  const one = flood(width, blocked, best.seed, new Int32Array(width * height), 1, queue).last;
  const other = flood(width, blocked, one, new Int32Array(width * height), 1, queue).last;
  const [a, b] = [one, other].map((i) => ({ x: i % width, y: Math.floor(i / width) }));
  return a.x <= b.x ? { start: a, goal: b } : { start: b, goal: a };
}

/** Steps in four directions connect what the movement rules connect, except through closed corners, which never connect. */
function flood(width, blocked, seed, labels, label, queue) {
  let [head, tail] = [0, 1];
  queue[0] = seed;
  labels[seed] = label;
  const visit = (j) => {
    if (j < 0 || j >= blocked.length || blocked[j] || labels[j]) return;
    labels[j] = label;
    queue[tail++] = j;
  };
  while (head < tail) {
    const i = queue[head++];
    const x = i % width;
    if (x > 0) visit(i - 1);
    if (x < width - 1) visit(i + 1);
    visit(i - width);
    visit(i + width);
  }
  return { size: tail, last: queue[tail - 1] };
}
