// Index files that somebody opened: which of them serve a planner on a map.

import { parseSpec } from "./octile/octile.js";

/**
 * Those that the planner uses and that were made for exactly this map as it is now.
 * @param {import("./octile/octile.js").Grid} grid @param {string} spec @param {import("./octile/octile.js").Index[]} indexes
 */
export function fitting(grid, spec, indexes) {
  if (indexes.length === 0) return [];
  const { indexKinds } = parseSpec(spec);
  return indexes.filter((index) => indexKinds.includes(index.kind) && isFor(index, grid));
}

/** Why an index is of no use on a map, as an error; nothing if it is. Databases of local distances are for all maps. */
export function checkIndex(index, grid) {
  index.verify(index.kind.startsWith("lddb") ? undefined : grid);
}

function isFor(index, grid) {
  try {
    checkIndex(index, grid);
    return true;
  } catch {
    return false;
  }
}
