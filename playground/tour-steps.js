// What the tour says and does, step by step: for somebody who has never heard of A*. `act` drives the page, `fact` tells what came out.

import { count, duration } from "./format.js";

const WIDTH = 56;
const HEIGHT = 32;
const WALL = { x: 30, y0: 6, y1: 27 };

/** Open ground with two walls that leave the direct way free. @returns {import("./world.js").MapData} */
export function tourMap() {
  const blocked = new Uint8Array(WIDTH * HEIGHT);
  const wall = (x, y0, y1) => {
    for (let y = y0; y <= y1; y++) blocked[y * WIDTH + x] = 1;
  };
  wall(15, 0, 11);
  wall(43, 20, HEIGHT - 1);
  return { width: WIDTH, height: HEIGHT, blocked, start: { x: 6, y: 16 }, goal: { x: 49, y: 16 }, name: "tour" };
}

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} text
 * @property {string[]} targets selectors of what is spoken of
 * @property {(app: any) => void} act
 * @property {(app: any, notes: Record<string, any>) => string} fact "" while there is none yet
 */

/** @type {Step[]} */
export const STEPS = [
  {
    title: "A map is a grid of cells",
    text: "A cell is free or a wall, as the two bars are. The green dot wants to go to the ring, and the line is its shortest way. Draw a wall across it: press on the map and drag.",
    targets: [".lane-view", "[data-tool=wall]"],
    act(app) {
      app.setCompare(false);
      app.world.replace(tourMap());
      app.setTool("wall");
      show(app, "corner-sweep");
    },
    fact: (_app, notes) => (notes.hasDrawn ? "There: the way leads around what you drew." : ""),
  },
  {
    title: "A search spreads",
    text: "The way has to be found. Dijkstra's search, of 1959, knows nothing of where the goal lies: it looks at the nearest cells first, then at those behind them, like water that rises, until it meets the goal.",
    targets: [".lane-view", "#button-play"],
    act(app) {
      app.setCompare(false);
      ensureWall(app);
      show(app, "dijkstra");
    },
    fact: (app, notes) => {
      const expanded = countsOf(app, 0, "dijkstra");
      if (expanded === null) return "";
      notes.dijkstra = expanded;
      return `It looked at ${count(expanded)} cells.`;
    },
  },
  {
    title: "A guess helps",
    text: "A*, of 1968, also knows how far the goal is as the crow flies. What leads towards it comes first, and what leads away can wait. The way that it finds is just as short.",
    targets: [".lane-view", ".counters"],
    act(app) {
      app.setCompare(false);
      ensureWall(app);
      show(app, "astar");
    },
    fact: (app, { dijkstra }) => {
      const expanded = countsOf(app, 0, "astar");
      if (expanded === null) return "";
      return dijkstra
        ? `It looked at ${count(expanded)} cells, Dijkstra's search at ${count(dijkstra)}.`
        : `It looked at ${count(expanded)} cells.`;
    },
  },
  {
    title: "Skip what needs no decision",
    text: "On open ground there is nothing to decide: a shortest way turns only at corners of walls. Corner sweep, the second one, jumps from corner to corner. Both ways are equally short. Compare the numbers.",
    targets: [".lane-view", ".counters"],
    act(app) {
      ensureWall(app);
      show(app, "astar");
      if (app.isComparing) app.setSpec(1, "corner-sweep");
      else app.setCompare(true, "corner-sweep");
    },
    fact: (app) => {
      const [one, other] = [countsOf(app, 0, "astar"), countsOf(app, 1, "corner-sweep")];
      if (one === null || other === null) return "";
      const times = app.lanes.map(({ time }) => (time ? ` in ${duration(time.micros).join(" ")}` : ""));
      return `A* expanded ${count(one)} cells${times[0]}, corner sweep ${count(other)} corners${times[1]}.`;
    },
  },
  {
    title: "Now it is yours",
    text: "Drag the ring, and the way follows. Paint ground that costs more with the terrain brush. Or press Crowd: thousands of units find their ways while buildings drop.",
    targets: [".lane-view", "[data-tool=terrain]", "#button-crowd"],
    act(app) {
      app.setCompare(false);
      show(app, "corner-sweep");
    },
    fact: (_app, notes) => (notes.hasDragged ? "That was a new search for every cell that you passed." : ""),
  },
];

/** The planner of lane 1, with its film from the beginning. */
function show(app, spec) {
  app.setSpec(0, spec);
}

/** Whoever went on without drawing gets a wall all the same: without one there is nothing to see. */
function ensureWall({ world }) {
  if (world.name !== "tour") return;
  const isOpen = (x) => Array.from({ length: HEIGHT }, (_, y) => world.isFree(x, y)).every(Boolean);
  const between = Array.from({ length: 42 - 16 }, (_, i) => 16 + i);
  if (between.every(isOpen)) world.rect(WALL.x, WALL.y0, WALL.x, WALL.y1, { blocked: true });
}

/** How many cells a lane expanded; null until the answer of that planner is there. */
function countsOf(app, place, planner) {
  const lane = app.lanes[place];
  const isThere = lane && lane.planner === planner && lane.built?.planner === planner && lane.counts && !lane.isBusy;
  return isThere ? lane.counts.expanded : null;
}
