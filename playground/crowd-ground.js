// The ground that a crowd walks on: which cells are free now, where the camps are, which buildings stand. It knows nothing of units or planners.

import { dice } from "./recipes.js";
import { farApart } from "./world.js";

const CAMPS = 10;
const CAMP_CELLS = 300;
const MOST_BUILDINGS = 30;
const TOUCHES = [
  [0, 0],
  [-0.01, 0],
  [0.01, 0],
  [0, -0.01],
  [0, 0.01],
  [-0.01, -0.01],
  [0.01, -0.01],
  [-0.01, 0.01],
  [0.01, 0.01],
];

/** @typedef {{x0: number, y0: number, x1: number, y1: number}} Rect with both corners */
/** @typedef {Rect & {cells: number[]}} Building `cells` are those that were free before: they are free again when it goes */

export class Ground {
  /** @type {{x: number, y: number, cells: number[]}[]} */
  camps = [];
  /** @type {Building[]} */
  buildings = [];
  /** How many were put up so far. */
  built = 0;

  /** @param {{width: number, height: number, blocked: Uint8Array}} map @param {(a: number, b: number) => boolean} isConnected @param {number} seed */
  constructor({ width, height, blocked }, isConnected, seed) {
    this.width = width;
    this.height = height;
    /** As it is now, with buildings. */
    this.blocked = blocked.slice();
    this.#pitchCamps(isConnected, dice(seed));
  }

  cellAt(x, y) {
    return Math.floor(y) * this.width + Math.floor(x);
  }

  /** A free cell that a place lies in or touches, else -1: whoever goes along a wall is on its edge. */
  freeCellAt(x, y) {
    for (const [dx, dy] of TOUCHES)
      if (this.#isFree(Math.floor(x + dx), Math.floor(y + dy))) return this.cellAt(x + dx, y + dy);
    return -1;
  }

  xOf(cell) {
    return cell % this.width;
  }

  yOf(cell) {
    return Math.floor(cell / this.width);
  }

  /** The cell itself or, ring by ring around it, the first that is free. */
  nearestFree(cell) {
    const [x, y] = [this.xOf(cell), this.yOf(cell)];
    for (let r = 0; r < Math.max(this.width, this.height); r++) {
      for (let dy = -r; dy <= r; dy++) {
        const step = Math.abs(dy) === r ? 1 : 2 * r;
        for (let dx = -r; dx <= r; dx += step) if (this.#isFree(x + dx, y + dy)) return (y + dy) * this.width + x + dx;
      }
    }
    return cell;
  }

  /** What of a rectangle is on the map. @param {Rect} rect @returns {Rect} */
  clip({ x0, y0, x1, y1 }) {
    return {
      x0: Math.max(0, x0),
      y0: Math.max(0, y0),
      x1: Math.min(this.width - 1, x1),
      y1: Math.min(this.height - 1, y1),
    };
  }

  freeCells({ x0, y0, x1, y1 }) {
    const cells = [];
    for (let y = y0; y <= y1; y++)
      for (let x = x0; x <= x1; x++) if (this.#isFree(x, y)) cells.push(y * this.width + x);
    return cells;
  }

  isAllFree(rect) {
    return this.freeCells(rect).length === areaOf(rect);
  }

  hasCamp({ x0, y0, x1, y1 }) {
    return this.camps.some(({ x, y }) => x >= x0 && x <= x1 && y >= y0 && y <= y1);
  }

  /** Puts a building on what is free of a rectangle, and says so in `edits`; with too many, the oldest goes. */
  putUp(rect, edits) {
    if (this.buildings.length >= MOST_BUILDINGS) this.#turn(this.buildings.shift(), edits, 0);
    const building = { ...rect, cells: this.freeCells(rect) };
    this.#turn(building, edits, 1);
    this.buildings.push(building);
    this.built += 1;
  }

  #turn(building, edits, value) {
    const { x0, y0, x1, y1, cells } = building;
    for (const cell of cells) this.blocked[cell] = value;
    if (cells.length === areaOf(building))
      return value ? edits.blockRect(x0, y0, x1, y1) : edits.unblockRect(x0, y0, x1, y1);
    for (const cell of cells) {
      if (value) edits.block(this.xOf(cell), this.yOf(cell));
      else edits.unblock(this.xOf(cell), this.yOf(cell));
    }
  }

  #isFree(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height && this.blocked[y * this.width + x] === 0;
  }

  /** Camps are free, connected and far from each other: the best of some candidates each time. */
  #pitchCamps(isConnected, roll) {
    const { start } = farApart(this.width, this.height, this.blocked);
    const first = this.cellAt(start.x, start.y);
    if (this.blocked[first]) throw new RangeError("No cell of this map is free.");
    const spots = [start];
    while (spots.length < CAMPS) {
      const best = this.#candidates(roll, (cell) => isConnected(first, cell)).reduce(
        (a, b) => (far(b, spots) > far(a, spots) ? b : a),
        start,
      );
      if (far(best, spots) === 0) break;
      spots.push(best);
    }
    this.camps = spots.map(({ x, y }) => ({ x, y, cells: this.#campCells(x, y) }));
  }

  #candidates(roll, isConnected) {
    const found = [];
    for (let i = 0; i < 60; i++) {
      const cell = Math.floor(roll() * this.blocked.length);
      if (!this.blocked[cell] && isConnected(cell)) found.push({ x: this.xOf(cell), y: this.yOf(cell) });
    }
    return found;
  }

  /** Cells around a spot, in steps from it, so that a camp never reaches through a wall. */
  #campCells(x, y) {
    const cells = [this.cellAt(x, y)];
    const seen = new Set(cells);
    for (let i = 0; i < cells.length && cells.length < CAMP_CELLS; i++) {
      const [cx, cy] = [this.xOf(cells[i]), this.yOf(cells[i])];
      for (const [nx, ny] of [
        [cx - 1, cy],
        [cx + 1, cy],
        [cx, cy - 1],
        [cx, cy + 1],
      ]) {
        const next = ny * this.width + nx;
        if (!this.#isFree(nx, ny) || seen.has(next)) continue;
        seen.add(next);
        cells.push(next);
      }
    }
    return cells;
  }
}

function areaOf({ x0, y0, x1, y1 }) {
  return (x1 - x0 + 1) * (y1 - y0 + 1);
}

function far({ x, y }, spots) {
  return Math.min(...spots.map((spot) => Math.hypot(spot.x - x, spot.y - y)));
}

/** Whether a line meets a box: their bounds overlap, and the box's corners are not all on one side of the line. */
export function crosses(ax, ay, bx, by, { x0, y0, x1, y1 }) {
  if (Math.max(ax, bx) < x0 || Math.min(ax, bx) > x1 || Math.max(ay, by) < y0 || Math.min(ay, by) > y1) return false;
  const dx = bx - ax;
  const dy = by - ay;
  const a = dx * (y0 - ay) - dy * (x0 - ax);
  const b = dx * (y0 - ay) - dy * (x1 - ax);
  const c = dx * (y1 - ay) - dy * (x0 - ax);
  const d = dx * (y1 - ay) - dy * (x1 - ax);
  return !((a > 0 && b > 0 && c > 0 && d > 0) || (a < 0 && b < 0 && c < 0 && d < 0));
}
