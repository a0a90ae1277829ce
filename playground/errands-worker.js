// Does one errand: builds the planner, does the work, answers, and is ended by whoever asked.

import * as octile from "./octile/octile.js";
import { fitting } from "./indexes.js";
import { makeMap } from "./recipes.js";
import { COLUMNS, agrees, problemAt } from "./scenario.js";
import { farApart } from "./world.js";

/** @typedef {import("./errands.js").Setting} Errand */

const PROGRESS_EVERY_MS = 80;
/** More events make files that no viewer opens. */
const MOST_TRACED = 300_000;

self.onmessage = async ({ data }) => {
  try {
    await octile.init();
    self.postMessage({ result: JOBS[data.job](data) });
  } catch (error) {
    self.postMessage({ problem: { name: error?.name ?? "Error", message: error?.message ?? String(error) } });
  }
};

const JOBS = { make, png, svg, posthoc, check };

/** A built-in map with its ends. */
function make({ recipe }) {
  const map = makeMap(octile, recipe);
  return { ...map, ...farApart(map.width, map.height, map.blocked) };
}

/** The map with the search and the path over it. */
function png(about) {
  return drawn(about, (engine, options) => engine.png(options));
}

function svg(about) {
  return drawn(about, (engine, options) => engine.svg(options));
}

/** @param {Errand & {scale?: number, withSearch?: boolean}} about */
function drawn({ scale, withSearch, ...about }, draw) {
  const engine = build(about);
  const ends = endsOf(about.map);
  const path = engine.path(...ends) ?? undefined;
  const trace = withSearch ? engine.trace(...ends, { most: MOST_TRACED }) : undefined;
  return draw(engine, { path, trace, scale });
}

/** The search event by event, in the format of the Posthoc visualiser. */
function posthoc(about) {
  const trace = build(about).trace(...endsOf(about.map), { most: MOST_TRACED });
  return { text: trace.posthoc(), isCut: trace.isCut };
}

/** Problems of a scenario: which of them have another length here. @param {Errand & {problems: Float64Array}} about */
function check({ problems, ...about }) {
  const engine = build(about);
  const [different, began] = [[], performance.now()];
  const all = problems.length / COLUMNS;
  let told = began;
  for (let place = 0; place < all; place++) {
    const problem = problemAt(problems, place);
    const found = engine.distance(problem.x0, problem.y0, problem.x1, problem.y1);
    if (!agrees(problem, found)) different.push({ place, wanted: problem.length, found });
    if (performance.now() - told < PROGRESS_EVERY_MS) continue;
    told = performance.now();
    self.postMessage({ progress: { done: place + 1, all } });
  }
  return { all, different, ms: performance.now() - began, spec: engine.spec };
}

/** @param {Errand} about */
function build({ map, spec, indexes = [] }) {
  const { width, height, blocked, prices, convention, movement } = map;
  const grid = octile.Grid.from(width, height, blocked, prices ? { prices, convention, movement } : { movement });
  const index = fitting(
    grid,
    spec,
    indexes.map((bytes) => octile.Index.from(bytes)),
  );
  return new octile.Engine(grid, spec, {
    ...(index.length > 0 && { index }),
    onProgress: (stage, done, all) => self.postMessage({ progress: { stage, done, all } }),
  });
}

/** @param {import("./world.js").MapData} map @returns {[number, number, number, number]} */
function endsOf({ start, goal }) {
  return [start.x, start.y, goal.x, goal.y];
}
