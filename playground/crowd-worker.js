// Runs a crowd away from the page's thread. The page asks for ticks and gets positions; it gives the arrays back to be filled again.

import * as octile from "./octile/octile.js";
import { Crowd } from "./crowd-sim.js";

const STATS_EVERY_MS = 250;
const PATHS_MS = 7;

/** @type {Crowd | null} */
let crowd = null;
let told = 0;
let shownBuildings = -1;
const ready = octile.init();

self.onmessage = async ({ data }) => {
  try {
    await ready;
    ACTIONS[data.kind](data);
  } catch (error) {
    self.postMessage({
      kind: "problem",
      during: data.kind,
      name: error?.name ?? "Error",
      message: error?.message ?? String(error),
    });
  }
};

const ACTIONS = {
  start({ options }) {
    crowd?.free();
    crowd = null;
    crowd = new Crowd(octile, { ...options, onProgress });
    shownBuildings = -1;
    self.postMessage({ kind: "ready", camps: crowd.ground.camps.map(({ x, y }) => ({ x, y })), stats: crowd.stats() });
  },
  tick({ steps, xy }) {
    if (!crowd) return;
    crowd.budgetMs = PATHS_MS / steps; // a page that is behind asks for several ticks: they share the time of one
    for (let step = 0; step < steps; step++) crowd.tick();
    send(xy);
  },
  planner({ spec }) {
    crowd?.setPlanner(spec, onProgress);
    self.postMessage({ kind: "built", stats: crowd?.stats() });
  },
  units({ count }) {
    crowd?.setUnits(count);
  },
  oneGoal({ isOn }) {
    crowd?.setOneGoal(isOn);
  },
  pace({ pace }) {
    if (crowd) crowd.pace = pace;
  },
  build({ x, y, size }) {
    crowd?.build(x, y, size);
  },
};

function onProgress(stage, done, all) {
  self.postMessage({ kind: "progress", stage, done, all });
}

function send(used) {
  const xy = used && used.length === crowd.xy.length ? used : new Float32Array(crowd.xy.length);
  xy.set(crowd.xy);
  const frame = { kind: "frame", xy, aims: crowd.aims.slice() };
  const { buildings, built } = crowd.ground;
  if (built !== shownBuildings) frame.buildings = buildings.map(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1]);
  shownBuildings = built;
  const now = performance.now();
  if (now - told > STATS_EVERY_MS) {
    frame.stats = crowd.stats();
    told = now;
  }
  self.postMessage(frame, { transfer: [xy.buffer, frame.aims.buffer] });
}
