// The first scene: a map that is there before WebAssembly is, so that the page is never empty.

const WIDTH = 104;
const HEIGHT = 60;
/** Lengths of runs of cells, row after row: blocked, free, blocked, ... These are caves of our own generator. */
const RUNS =
  "321 13 59 9 21 25 47 13 18 29 43 15 17 32 13 3 23 17 15 37 6 7 22 18 14 51 20 19 14 51 20 20 14 49 21 20 14 49 20 21 15 48 20 21 17 45 20 23 20 17 3 " +
  "21 18 25 22 14 10 15 16 27 23 12 12 14 13 31 23 10 14 14 10 33 23 10 15 14 7 35 24 9 15 15 4 38 23 9 14 58 23 8 14 59 22 9 11 43 4 16 21 8 10 44 6 15 " +
  "20 9 9 43 9 14 19 10 8 34 3 6 10 14 18 12 7 32 20 15 17 13 6 32 21 15 15 16 4 33 20 16 13 54 21 16 12 55 21 16 11 57 19 17 11 57 19 17 11 57 19 17 11 " +
  "57 18 18 12 57 17 17 14 56 17 17 15 4 6 18 4 23 16 18 26 16 6 22 16 18 26 16 7 22 15 18 26 16 7 22 15 18 26 16 8 22 13 19 25 18 7 22 13 19 25 18 7 22 " +
  "12 20 24 19 7 23 11 21 22 20 8 22 11 10 2 9 21 21 8 22 11 9 4 9 18 23 8 22 10 9 6 8 9 32 9 21 10 8 7 8 8 33 9 21 10 8 7 8 7 34 10 20 10 8 8 7 7 34 11 " +
  "19 11 7 9 5 9 32 13 18 11 6 11 3 10 13 7 11 15 16 13 4 26 10 36 14 46 5 41 11 455 ";

/** @param {boolean} isTall for windows that are higher than wide: the map on its side @returns {import("./world.js").MapData} */
export function firstScene(isTall = false) {
  const blocked = new Uint8Array(WIDTH * HEIGHT);
  let [at, value] = [0, 1];
  for (const run of RUNS.trim().split(" ").map(Number)) {
    blocked.fill(value, at, at + run);
    at += run;
    value = 1 - value;
  }
  const scene = {
    width: WIDTH,
    height: HEIGHT,
    blocked,
    start: { x: 8, y: 49 },
    goal: { x: 97, y: 47 },
    name: "caves",
  };
  return isTall ? turned(scene) : scene;
}

function turned({ width, height, blocked, start, goal, name }) {
  const cells = Uint8Array.from(blocked, (_, i) => blocked[(i % height) * width + Math.floor(i / height)]);
  return {
    width: height,
    height: width,
    blocked: cells,
    start: { x: start.y, y: start.x },
    goal: { x: goal.y, y: goal.x },
    name,
  };
}
