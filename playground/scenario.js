// What a MovingAI scenario says, held against a map. No page, no planners.

/** Numbers of a problem: start x, y, goal x, y, length of a shortest path. */
export const COLUMNS = 5;
/** Files round lengths, some to two decimals. */
const ROUNDING = 0.0051;

/** @typedef {{x0: number, y0: number, x1: number, y1: number, length: number}} Problem */

/** @param {Float64Array} problems @param {number} place @returns {Problem} */
export function problemAt(problems, place) {
  const [x0, y0, x1, y1, length] = problems.subarray(COLUMNS * place, COLUMNS * (place + 1));
  return { x0, y0, x1, y1, length };
}

/** Whether a length is the file's. A length of 0 between different cells says that there is no path. @param {Problem} problem @param {number} found */
export function agrees({ x0, y0, x1, y1, length }, found) {
  const isNoPath = length === 0 && !(x0 === x1 && y0 === y1);
  return isNoPath ? found === Infinity : Math.abs(length - found) <= ROUNDING;
}

/** The size of the map that a file is for, from its first problem. @param {string} text */
export function sizeOf(text) {
  for (const line of text.split(/\r?\n/).slice(0, 50)) {
    const columns = line.trim().split(line.includes("\t") ? "\t" : /\s+/);
    if (columns.length >= 9) return { width: Number(columns.at(-7)), height: Number(columns.at(-6)) };
  }
  return null;
}

/**
 * Why a scenario cannot be asked on a map, as a sentence; null if it can.
 * @param {{text: string, map: string, problems: Float64Array}} scenario @param {import("./world.js").World} world
 */
export function misfit({ text, map, problems }, world) {
  const size = sizeOf(text);
  const isFor = map ? ` (${map})` : "";
  if (size && (size.width !== world.width || size.height !== world.height)) {
    return `it is for a map of ${size.width} by ${size.height} cells${isFor}, and this one has ${world.width} by ${world.height}. Open that map first, or drop both together`;
  }
  if (problems.length === 0) return "it has no problems";
  for (let place = 0; place < problems.length / COLUMNS; place++) {
    const { x0, y0, x1, y1 } = problemAt(problems, place);
    for (const { what, x, y } of [
      { what: "start", x: x0, y: y0 },
      { what: "goal", x: x1, y: y1 },
    ]) {
      if (!world.inside(x, y)) return `the ${what} of problem ${place + 1}, (${x}, ${y}), is off this map`;
      if (!world.isFree(x, y))
        return `the ${what} of problem ${place + 1}, (${x}, ${y}), is blocked on this map: the file is for another one${isFor}`;
    }
  }
  return null;
}

/** So many problems, evenly from first to last, so that short and long ones are among them. @param {Float64Array} problems @param {number} most */
export function sample(problems, most) {
  const all = problems.length / COLUMNS;
  const count = Math.min(all, most);
  const places = Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * all) / count));
  const picked = new Float64Array(COLUMNS * count);
  places.forEach((place, i) => picked.set(problems.subarray(COLUMNS * place, COLUMNS * (place + 1)), COLUMNS * i));
  return { places, problems: picked };
}
