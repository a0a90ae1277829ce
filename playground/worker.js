// One lane's planner, away from the page's thread. It gets one piece of work at a time and answers it once: a map, a spec, edits, a
// question, in this order, whichever are given. While it has nothing to do it renews an index that edits have made stale.

import { fitting } from "./indexes.js";
import { init, Grid, Edits, Engine, Index } from "./octile/octile.js";

const RENEW_SLICE_MS = 12;
const RENEW_AFTER_MS = 400;
const PROGRESS_EVERY_MS = 60;
const EDIT = 4; // numbers of an edit: x, y, blocked, price

/** @type {Grid | null} */
let grid = null;
/** @type {Engine | null} */
let engine = null;
let spec = "corner-sweep";
let renewal = 0;
let builtMs = 0;
/** @type {Index[]} */
let indexes = [];

const ready = init();

self.onmessage = async ({ data }) => {
  try {
    await ready;
  } catch (error) {
    self.postMessage({ id: data.id, problem: asProblem(error, "load") });
    return;
  }
  clearTimeout(renewal);
  const reply = { id: data.id };
  const transfer = [];
  perform(data, reply, transfer);
  reply.state = engine ? stateOf(engine) : null;
  self.postMessage(reply, { transfer });
  if (engine?.isStale) renewal = setTimeout(renew, RENEW_AFTER_MS);
};

function perform(work, reply, transfer) {
  try {
    if (work.map) takeMap(work.map);
    if (work.edits) takeEdits(work.edits);
    if (work.indexes) takeIndexes(work.indexes);
    if (work.spec !== undefined) spec = work.spec;
    if (work.map || work.spec !== undefined || (!engine && work.edits)) build(reply);
    else if (!engine) return;
  } catch (error) {
    reply.problem = asProblem(error, "build");
    return;
  }
  try {
    if (work.ask) answer(work.ask, reply, transfer);
    if (work.measure) measureAgain(work.measure, reply);
    if (work.extras) reply.extras = gather(work.extras, reply);
  } catch (error) {
    reply.problem = asProblem(error, "ask");
  }
}

function takeMap({ width, height, blocked, prices, convention, movement }) {
  const made = Grid.from(width, height, blocked, prices ? { prices, convention, movement } : { movement });
  drop();
  grid?.free();
  grid = made;
}

function takeIndexes(files) {
  indexes.forEach((index) => index.free());
  indexes = [];
  for (const bytes of files) indexes.push(Index.from(bytes));
}

function drop() {
  engine?.free();
  engine = null;
}

function build(reply) {
  drop();
  const began = performance.now();
  let last = began;
  const index = fitting(grid, spec, indexes);
  engine = new Engine(grid, spec, {
    ...(index.length > 0 && { index }),
    onProgress(stage, done, all) {
      const now = performance.now();
      if (now - last < PROGRESS_EVERY_MS) return;
      last = now;
      self.postMessage({ progress: { stage, done, all, ms: now - began } });
    },
  });
  builtMs = performance.now() - began;
  reply.built = {
    ms: builtMs,
    spec: engine.spec,
    planner: engine.planner,
    guarantee: engine.guarantee,
    isAnyAngle: engine.isAnyAngle,
    endsAtCentres: engine.endsAtCentres,
    onEdit: engine.onEdit,
  };
}

function takeEdits(flat) {
  const edits = new Edits();
  for (let i = 0; i < flat.length; i += EDIT) {
    const [x, y, blocked, price] = flat.subarray(i, i + EDIT);
    if (price > 0) edits.price(x, y, price);
    if (blocked) edits.block(x, y);
    else edits.unblock(x, y);
  }
  try {
    grid.apply(edits);
    engine?.apply(edits);
  } catch (error) {
    drop(); // the grid has the edits: the planner is built again from it, or says why not
    if (error.name === "GridError") throw error;
  } finally {
    edits.free();
  }
}

function answer({ x0, y0, x1, y1, most, measureMs }, reply, transfer) {
  const began = performance.now();
  const path = engine.path(x0, y0, x1, y1);
  reply.answer = path ? written(path, transfer) : { found: false };
  path?.free();
  if (most > 0) reply.film = filmed(x0, y0, x1, y1, most, transfer);
  reply.answer.ms = performance.now() - began;
  if (measureMs > 0) reply.time = measured(x0, y0, x1, y1, measureMs);
}

/** The lesser of two means: a machine that does something else meanwhile seldom does so twice. */
function measured(x0, y0, x1, y1, ms) {
  const [one, other] = [1, 2].map(() => engine.measure(x0, y0, x1, y1, ms / 2));
  return one.micros < other.micros ? one : other;
}

const REBUILD_UP_TO_MS = 400;

/** The first build of a kind includes compiling its code: one more tells what building takes. */
function measureAgain({ x0, y0, x1, y1, ms, rebuilds }, reply) {
  reply.time = measured(x0, y0, x1, y1, ms);
  if (!rebuilds || engine.isStale || builtMs > REBUILD_UP_TO_MS || indexes.length > 0) return;
  const began = performance.now();
  new Engine(grid, spec).free();
  reply.rebuiltMs = performance.now() - began;
}

function written(path, transfer) {
  const points = Float64Array.from(path.points);
  transfer.push(points.buffer);
  return { found: true, points, length: path.length, cost: path.cost, isAnyAngle: path.isAnyAngle };
}

function filmed(x0, y0, x1, y1, most, transfer) {
  const trace = engine.trace(x0, y0, x1, y1, { most });
  const events = trace.events.slice();
  transfer.push(events.buffer);
  const film = { events, counts: { ...trace.counts }, isCut: trace.isCut };
  trace.free();
  return film;
}

/** What overlays need, by name. One that cannot be had leaves the answer as it is. @param {Record<string, any>} wanted */
function gather(wanted, reply) {
  const found = {};
  for (const [name, about] of Object.entries(wanted)) {
    try {
      found[name] = EXTRAS[name](about);
    } catch (error) {
      found[name] = null;
      reply.complaint = error.message;
    }
  }
  return found;
}

const EXTRAS = {
  areas: () => grid.blockedAreas(),
  gates: ({ x0, y0, x1, y1 }) => ({ ...grid.gates(), pruned: grid.prunedByGates(x0, y0, x1, y1) }),
  hubs: ({ x0, y0, x1, y1 }) => [engine.hubs(x0, y0), engine.hubs(x1, y1)],
  firstMoves: ({ x, y }) => ({ x, y, moves: engine.firstMoves(x, y), rectangles: engine.rectangles(x, y) }),
  field: ({ x1, y1 }) => {
    const field = engine.field([x1, y1]);
    const drawn = { lengths: Float32Array.from(field.lengths), moves: field.moves.slice(), goal: { x: x1, y: y1 } };
    field.free();
    return drawn;
  },
};

function renew() {
  if (!engine?.isStale) return;
  try {
    const isDone = engine.renew(RENEW_SLICE_MS);
    self.postMessage({ renewed: isDone, state: stateOf(engine) });
    if (!isDone) renewal = setTimeout(renew, 0);
  } catch (error) {
    self.postMessage({ renewed: true, problem: asProblem(error, "renew"), state: stateOf(engine) });
  }
}

function stateOf({ isStale, indexBytes, scratchBytes, edits }) {
  return { isStale, indexBytes, scratchBytes, edits };
}

function asProblem(error, during) {
  return { name: error?.name ?? "Error", message: error?.message ?? String(error), during };
}
