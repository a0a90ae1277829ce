// Overlays that colour every cell: made once for their data, as pictures of one pixel a cell.

import { Pixels } from "./pixels.js";

const BAND = 8; // cells of length to a band of the distance field

function picture(world, colour) {
  const pixels = new Pixels(world.width, world.height);
  for (let i = 0; i < pixels.words.length; i++) pixels.words[i] = world.blocked[i] ? 0 : colour(i);
  pixels.touchAll();
  return pixels.flushed();
}

/** Near the goal warm, far from it cold, in bands as on a map of heights. */
export function fieldPixels(world, { lengths }, palette) {
  let most = 1;
  for (const length of lengths) if (length < Infinity && length > most) most = length;
  const width = Math.max(BAND, most / 48);
  return picture(world, (i) => {
    if (!(lengths[i] < Infinity)) return 0;
    const shade = palette.age[(255 - (lengths[i] / most) * 255) | 0];
    return Math.floor(lengths[i] / width) % 2 ? shade : (shade & 0x00ffffff) | (0xc0 << 24);
  });
}

export function prunedPixels(world, pruned, palette) {
  return picture(world, (i) => (pruned[i] ? palette.pruned : 0));
}

/** Each cell in the colour of the first move towards it. */
export function movePixels(world, moves, palette) {
  const words = palette.moves.map(wordOf);
  return picture(world, (i) => (moves[i] < 0 ? 0 : words[moves[i]]));
}

/** Colours that CSS knows, as pixels: the canvas itself translates them. */
function wordOf(css) {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = css;
  context.fillRect(0, 0, 1, 1);
  return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0];
}
