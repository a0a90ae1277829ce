// How built-in maps are made: a recipe is plain data, so that a link can name it, and always gives the same cells.

/**
 * @typedef {object} Recipe
 * @property {string} kind one of KINDS
 * @property {number} width
 * @property {number} height
 * @property {number} [size] what the kind says: room, corridor, percent of walls, block
 * @property {number} [seed]
 * @property {{prices: number[], size: number, convention?: import("./octile/octile.js").Convention}} [land] prices in patches
 * @property {{x: number, y: number}} [start]
 * @property {{x: number, y: number}} [goal]
 */

/** Kinds by name: what `size` means, its bounds, and how cells are made. The library makes most; what it has not is drawn here. */
export const KINDS = {
  open: { says: "Open field", make: (octile, { width, height }) => octile.Grid.open(width, height) },
  rooms: {
    says: "Rooms",
    size: "cells a room",
    least: 3,
    most: 128,
    make: ({ Grid }, r) => Grid.rooms(r.width, r.height, r.size, r.seed),
  },
  maze: {
    says: "Maze",
    size: "cells a corridor",
    least: 1,
    most: 64,
    make: ({ Grid }, r) => Grid.maze(r.width, r.height, r.size, r.seed),
  },
  caves: {
    says: "Caves",
    size: "% walls at first",
    least: 30,
    most: 55,
    make: ({ Grid }, r) => Grid.caves(r.width, r.height, r.size, r.seed),
  },
  random: {
    says: "Random walls",
    size: "% walls",
    least: 1,
    most: 60,
    make: ({ Grid }, r) => Grid.random(r.width, r.height, r.size, r.seed),
  },
  city: { says: "City", size: "cells a block", least: 6, most: 64, make: drawn(drawCity) },
  storehouse: { says: "Storehouse", size: "cells an aisle", least: 1, most: 16, make: drawn(drawStorehouse) },
  spiral: { says: "Spiral", size: "cells a lane", least: 1, most: 64, make: drawn(drawSpiral) },
};

const SIDE = { least: 8, most: 2048 };

/** Makes a recipe's map, ready for `world.replace`. @param {typeof import("./octile/octile.js")} octile @param {Recipe} recipe */
export function makeMap(octile, recipe) {
  const bare = KINDS[recipe.kind].make(octile, recipe);
  const grid = recipe.land ? withLand(bare, recipe) : bare;
  const prices = recipe.land ? grid.prices : null;
  const { width, height, blocked, movement } = grid;
  const convention = grid.convention ?? "average";
  grid.free();
  if (grid !== bare) bare.free();
  const { start, goal } = recipe;
  return { width, height, blocked, prices, convention, movement, start, goal, name: recipeName(recipe) };
}

/** A name for files: letters, digits and dashes. @param {Recipe} recipe */
export function recipeName({ kind, width, height, size, seed, land }) {
  const parts = [kind, KINDS[kind].size && size, land && "land", width === height ? width : `${width}x${height}`, seed];
  return parts.filter((part) => part !== undefined).join("-");
}

/** Checks a recipe from outside, such as from a link. @returns {Recipe | null} null if it is none */
export function checkRecipe(value) {
  const kind = typeof value?.kind === "string" && Object.hasOwn(KINDS, value.kind) ? KINDS[value.kind] : null;
  if (!kind) return null;
  const { width, height, size, seed = 1, land } = value;
  const isWhole = (number, least, most) => Number.isInteger(number) && number >= least && number <= most;
  if (![width, height].every((side) => isWhole(side, SIDE.least, SIDE.most))) return null;
  if ((kind.size && !isWhole(size, kind.least, kind.most)) || !isWhole(seed, 0, 2 ** 31)) return null;
  const recipe = { kind: value.kind, width, height, ...(kind.size && { size }), seed };
  if (land === undefined) return recipe;
  const { prices, size: patch, convention = "average" } = land ?? {};
  const isLand =
    Array.isArray(prices) &&
    prices.length >= 1 &&
    prices.length <= 16 &&
    prices.every((price) => isWhole(price, 1, 255));
  if (!isLand || !isWhole(patch, 1, 512) || !["average", "enter"].includes(convention)) return null;
  return { ...recipe, land: { prices, size: patch, convention } };
}

/** @param {import("./octile/octile.js").Grid} grid @param {Recipe} recipe */
function withLand(grid, { land, seed }) {
  return grid.withRegions(Uint8Array.from(land.prices), land.size, land.convention ?? "average", seed);
}

function drawn(draw) {
  return ({ Grid }, recipe) => {
    const canvas = new Drawing(recipe.width, recipe.height, recipe.seed ?? 1);
    draw(canvas, recipe);
    return Grid.from(recipe.width, recipe.height, canvas.blocked);
  };
}

/** Walls that are put up and torn down in rectangles, with dice of its own. */
class Drawing {
  constructor(width, height, seed) {
    this.width = width;
    this.height = height;
    this.blocked = new Uint8Array(width * height);
    this.roll = dice(seed);
  }

  /** Cells x0 to x1 - 1 and y0 to y1 - 1. */
  rect(x0, y0, x1, y1, value) {
    for (let y = Math.max(0, y0); y < Math.min(this.height, y1); y++) {
      this.blocked.fill(
        value,
        y * this.width + Math.max(0, x0),
        y * this.width + Math.min(this.width, Math.max(x0, x1)),
      );
    }
  }

  /** A whole number from `least` up to and with `most`. */
  between(least, most) {
    return least + Math.floor(this.roll() * (most - least + 1));
  }
}

/** Random numbers from 0 to 1 that depend on the seed alone. */
export function dice(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Blocks of houses with courtyards and gates, streets between them, a few parks and one broad avenue. */
function drawCity(canvas, { width, height, size }) {
  const street = Math.max(2, Math.round(size / 6));
  for (let y = street; y < height - street; y += size + street) {
    for (let x = street; x < width - street; x += size + street)
      drawBlock(canvas, x, y, Math.min(x + size, width - street), Math.min(y + size, height - street));
  }
  const avenue = 2 * street;
  for (let y = 0; y < height; y++) {
    const middle = Math.round(((y / height) * 0.6 + 0.2) * width);
    canvas.rect(middle - avenue, y, middle + avenue, y + 1, 0);
  }
}

function drawBlock(canvas, x0, y0, x1, y1) {
  const kind = canvas.roll();
  if (kind < 0.12) return drawPark(canvas, x0, y0, x1, y1);
  if (kind < 0.55) return drawCourtyard(canvas, x0, y0, x1, y1);
  // Houses side by side, with lanes too narrow for more than one.
  for (let x = x0; x < x1; ) {
    const end = Math.min(x1, x + canvas.between(3, Math.max(3, Math.floor((x1 - x0) / 2))));
    canvas.rect(x, y0 + canvas.between(0, 2), end, y1 - canvas.between(0, 2), 1);
    x = end + 1;
  }
}

function drawCourtyard(canvas, x0, y0, x1, y1) {
  const wall = Math.max(1, Math.floor(Math.min(x1 - x0, y1 - y0) / 5));
  canvas.rect(x0, y0, x1, y1, 1);
  canvas.rect(x0 + wall, y0 + wall, x1 - wall, y1 - wall, 0);
  const gate = canvas.between(x0 + wall, Math.max(x0 + wall, x1 - wall - 2));
  if (canvas.roll() < 0.5) canvas.rect(gate, y0, gate + 2, y0 + wall, 0);
  else canvas.rect(gate, y1 - wall, gate + 2, y1, 0);
}

function drawPark(canvas, x0, y0, x1, y1) {
  const trees = Math.floor(((x1 - x0) * (y1 - y0)) / 12);
  for (let tree = 0; tree < trees; tree++) {
    const [x, y] = [canvas.between(x0, x1 - 1), canvas.between(y0, y1 - 1)];
    canvas.rect(x, y, x + 1, y + 1, 1);
  }
}

/** Long shelves in rows, cross aisles, and pillars. */
function drawStorehouse(canvas, { width, height, size }) {
  const [shelf, run] = [2, Math.max(10, 6 * size)];
  for (let y = 2 * size + 1; y + shelf < height - size; y += shelf + size) {
    for (let x = 2 * size + 1; x < width - 2 * size; x += run + 2 * size) {
      if (canvas.roll() < 0.93) canvas.rect(x, y, Math.min(x + run, width - 2 * size), y + shelf, 1);
    }
  }
}

/** One lane that winds inwards, with a gap here and there. */
function drawSpiral(canvas, { width, height, size }) {
  for (let ring = size; ring < Math.min(width, height) / 2 - size; ring += size + 1) {
    const [x0, y0, x1, y1] = [ring, ring, width - ring, height - ring];
    canvas.rect(x0, y0, x1, y0 + 1, 1);
    canvas.rect(x0, y1 - 1, x1, y1, 1);
    canvas.rect(x1 - 1, y0, x1, y1, 1);
    canvas.rect(x0, y0, x0 + 1, y1, 1);
    // The lane goes on through a gap, on the left and on the right in turn.
    const isLeft = Math.round((ring - size) / (size + 1)) % 2 === 0;
    canvas.rect(isLeft ? x0 : x1 - 1, y0 + 1, isLeft ? x0 + 1 : x1, Math.min(y1 - 1, y0 + 1 + size), 0);
  }
}
