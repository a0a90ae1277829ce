// A lane: one planner on the world's map, in a worker of its own. There is never more than one piece of work under way; what happens
// meanwhile is gathered, edits by cell and questions by the latest, and sent when the answer is there. So nothing queues up.

import { Film } from "./film.js";

const FALLBACK = "corner-sweep";
const MOST_EVENTS = 1_000_000;
const LIVE_EVENTS = 30_000;
const LIVE_FILM_MS = 9; // a film is made while the pointer moves only if the last one took less
const SETTLED_MEASURE_MS = 60;
const LIVE_MEASURE_MS = 2;
/** At rest the same is measured again: browsers run WebAssembly slowly at first, and compile it meanwhile. */
const MEASURE_AGAIN_AFTER_MS = [350, 800, 1600];
const SETTLE_AFTER_MS = 140;
const SETTLE_AT_MOST_MS = 1200;

/** @typedef {{name: string, message: string, during: string}} Problem */

/**
 * Events: "spec" (another planner), "busy" (work began or ended, progress), "state" (built, stale, problem), "answer" (another path or film),
 * "measured" (the same answer, better timed), "extras", "complaint" (detail: an overlay that cannot be had, and why).
 */
export class Lane extends EventTarget {
  spec;
  /** @type {{ms: number, spec: string, planner: string, guarantee: string, isAnyAngle: boolean, endsAtCentres: boolean, onEdit: string} | null} */
  built = null;
  /** @type {Problem | null} */
  problem = null;
  /** @type {{found: boolean, points?: Float64Array, length?: number, cost?: string, isAnyAngle?: boolean, ms: number} | null} */
  answer = null;
  /** @type {Film | null} */
  film = null;
  /** Of the whole search, from the film. */
  counts = null;
  /** @type {{micros: number, rounds: number} | null} */
  time = null;
  /** @type {{isStale: boolean, indexBytes: number, scratchBytes: number, edits: number} | null} */
  state = null;
  progress = null;
  isBusy = false;
  isBuilding = false;
  /** What overlays are drawn from. */
  extras = {};
  answers = 0;
  /** Index files for the map that is shown. @type {Uint8Array[]} */
  indexes = [];

  #world;
  #worker = null;
  #wanted = () => ({});
  #next = nothing();
  #settling = 0;
  #measuring = 0;
  #measured = 0;
  #hadPrices = false;
  #listening = new AbortController();
  /** Whether the worker broke down, and has to be started anew for the next planner. */
  #isDead = false;

  /** @param {import("./world.js").World} world @param {string} spec @param {() => Record<string, any>} wanted the extras that overlays want for a question */
  constructor(world, spec = FALLBACK, wanted = () => ({})) {
    super();
    this.#world = world;
    this.spec = spec;
    this.#wanted = wanted;
    const { signal } = this.#listening;
    world.addEventListener("map", () => this.#mapChanged(), { signal });
    world.addEventListener("cells", (/** @type {CustomEvent} */ event) => this.#cellsChanged(event.detail.edits), {
      signal,
    });
    world.addEventListener("ends", () => this.ask(), { signal });
  }

  get planner() {
    return this.spec.split(":")[0];
  }

  /** Whether everything that was asked is answered: no work is under way, waiting, or due as soon as the hand rests. */
  get isAtRest() {
    return !this.isBusy && this.#settling === 0 && !this.#hasNext;
  }

  /** Starts the worker; the first answer comes by itself. */
  start() {
    if (this.#worker) return;
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#broken(event);
    this.isBusy = false;
    this.#isDead = false;
    this.#next = { ...nothing(), map: true, spec: true, ask: true, settled: true };
    this.#pump();
  }

  /** @param {string} spec */
  setSpec(spec) {
    this.spec = spec;
    this.#emit("spec");
    this.#next.spec = true;
    this.#next.settled = true;
    this.#forgetMeasures();
    this.ask({ live: false });
    if (this.#isDead) this.start();
  }

  /** An index file for this map: planners that know its kind answer from it instead of building. @param {Uint8Array} bytes */
  addIndex(bytes) {
    this.indexes.push(bytes);
    this.setSpec(this.spec);
  }

  /** Asks again, for where the ends are now. */
  ask({ live = true } = {}) {
    clearTimeout(this.#measuring);
    this.#next.ask = true;
    if (!live) this.#next.settled = true;
    else this.#settleSoon();
    this.#pump();
  }

  /** Other overlays are wanted for the question that was answered. */
  refreshExtras() {
    this.#next.extras = true;
    this.#pump();
  }

  /** Which moves come first from a cell, for planners that know. */
  hover(x, y) {
    this.#next.hover = { x, y };
    this.#pump();
  }

  /** Ends a build that takes too long, and goes on with a planner that needs none. */
  cancel() {
    this.stop();
    this.spec = FALLBACK;
    this.built = null;
    this.#emit("spec");
    this.start();
    this.#emit("state");
  }

  /** A build that takes its time: what the planner before had found is not shown as this one's. */
  forget() {
    if (!this.isBuilding) return;
    this.built = null;
    this.#clear();
    this.#emit("state");
  }

  stop() {
    this.#worker?.terminate();
    this.#worker = null;
    clearTimeout(this.#settling);
    clearTimeout(this.#measuring);
    this.#settling = 0;
    Object.assign(this, { isBusy: false, isBuilding: false, progress: null });
    this.#emit("busy");
  }

  close() {
    this.stop();
    this.#listening.abort();
  }

  #mapChanged() {
    this.#next.map = true;
    this.#next.edits.clear();
    this.#next.settled = true;
    this.extras = {};
    this.indexes = [];
    this.film = null;
    this.answer = null;
    this.#forgetMeasures();
    this.#emit("answer");
    this.ask({ live: false });
  }

  #cellsChanged(edits) {
    const hasPrices = this.#world.hasPrices;
    if (hasPrices !== this.#hadPrices) this.#next.map = true; // with prices it is another kind of map
    for (const edit of edits) this.#next.edits.set(edit.y * this.#world.width + edit.x, edit);
    this.ask();
  }

  #forgetMeasures() {
    this.time = null;
    this.counts = null;
  }

  /** A planner that is slow is given more rest before it makes a film: a hand that goes on would have to wait for it. */
  #settleSoon() {
    clearTimeout(this.#settling);
    const wait = Math.min(Math.max((this.answer?.ms ?? 0) * 3, SETTLE_AFTER_MS), SETTLE_AT_MOST_MS);
    this.#settling = setTimeout(() => {
      this.#settling = 0;
      this.ask({ live: false });
    }, wait);
  }

  #pump() {
    if (!this.isBusy && this.#hasNext) this.#send(this.#next);
  }

  /** Whether there is something to send. A planner that refused this map is asked again when the hand rests, not at every cell that it paints. */
  get #hasNext() {
    return this.#worker !== null && !isNothing(this.#next) && (!this.problem || this.#next.settled);
  }

  #send(next) {
    const isSettled = next.settled || next.map || next.spec;
    const work = { id: ++this.answers };
    const ends = { x0: this.#world.start.x, y0: this.#world.start.y, x1: this.#world.goal.x, y1: this.#world.goal.y };
    if (next.map) work.map = this.#mapNow();
    else if (next.edits.size > 0) work.edits = flat(next.edits, this.#hadPrices);
    if (next.map || next.spec) work.indexes = this.indexes;
    if (next.spec || this.problem) work.spec = this.spec;
    if (next.ask) work.ask = { ...ends, ...this.#effort(isSettled) };
    if (next.ask && isSettled) this.#measured = 0;
    if (next.extras || (next.ask && (isSettled || this.#wanted().live)))
      work.extras = extrasFor(this.#wanted(), ends, this.planner);
    if (next.measure && !next.ask) work.measure = { ...ends, ms: SETTLED_MEASURE_MS, rebuilds: this.#measured === 1 };
    if (next.hover) work.extras = { ...work.extras, firstMoves: next.hover };
    this.#next = nothing();
    this.isBuilding = Boolean(work.map || work.spec);
    this.isBusy = true;
    this.#worker.postMessage(work);
    this.#emit("busy");
  }

  #mapNow() {
    const { width, height, blocked, prices, convention, movement } = this.#world;
    this.#hadPrices = this.#world.hasPrices;
    return { width, height, blocked, prices: this.#hadPrices ? prices : null, convention, movement };
  }

  /** How much is found out beside the path: everything at rest, what a frame has time for while the pointer moves. */
  #effort(isSettled) {
    if (isSettled) return { most: MOST_EVENTS, measureMs: SETTLED_MEASURE_MS };
    const isQuick = this.answer && this.answer.ms < LIVE_FILM_MS && (this.film?.length ?? 0) < LIVE_EVENTS;
    return { most: isQuick ? LIVE_EVENTS : 0, measureMs: this.time && this.time.micros < 1000 ? LIVE_MEASURE_MS : 0 };
  }

  #receive(data) {
    if (data.progress) {
      this.progress = data.progress;
      this.#emit("busy");
      return;
    }
    if (data.renewed !== undefined) {
      this.state = data.state;
      this.#emit("state");
      if (data.renewed) this.ask({ live: false });
      return;
    }
    this.#finish(data);
    this.#pump();
  }

  #finish(data) {
    const wasBuilding = this.isBuilding;
    Object.assign(this, { isBusy: false, isBuilding: false, progress: null });
    // What is told of a map or a planner that are gone already is not shown: the next answer is on its way.
    if (this.#next.map || this.#next.spec) return;
    this.problem = data.problem ?? null;
    this.state = data.state;
    if (data.built) this.built = data.built;
    else if (data.problem?.during === "build") this.built = null;
    if (data.answer) this.#take(data);
    else if (data.problem) this.#clear();
    else if (data.time) this.#improve(data);
    if (this.time && !this.problem) this.#measureLater();
    if (data.extras) this.#takeExtras(data.extras);
    if (data.complaint) this.dispatchEvent(new CustomEvent("complaint", { detail: data.complaint }));
    if (data.problem?.name === "RuntimeError") this.#bury();
    if (wasBuilding || data.problem || data.state?.isStale !== undefined) this.#emit("state");
    this.#emit("busy");
  }

  #take({ answer, film, time }) {
    this.answer = answer;
    if (time) this.time = time;
    const { width, height } = this.#world;
    if (film?.events) {
      this.film = new Film(
        film.events,
        width,
        height,
        { isAnyAngle: this.built.isAnyAngle, isCut: film.isCut, isBlocks: this.planner === "block-astar" },
        this.film,
      );
      this.counts = film.counts;
    } else {
      this.film = null;
    }
    this.#emit("answer");
  }

  /** The least of some means: what else the machine did is no matter of the planner. */
  #improve({ time, rebuiltMs }) {
    if (!this.time || time.micros < this.time.micros) this.time = time;
    if (rebuiltMs !== undefined && this.built) this.built.ms = Math.min(this.built.ms, rebuiltMs);
    this.#emit("measured");
  }

  #measureLater() {
    clearTimeout(this.#measuring);
    if (this.#measured >= MEASURE_AGAIN_AFTER_MS.length) return;
    this.#measuring = setTimeout(() => {
      this.#measured += 1;
      this.#next.measure = true;
      this.#pump();
    }, MEASURE_AGAIN_AFTER_MS[this.#measured]);
  }

  #clear() {
    this.answer = null;
    this.film = null;
    this.#forgetMeasures();
    this.#emit("answer");
  }

  #takeExtras(extras) {
    Object.assign(this.extras, extras);
    this.#emit("extras");
  }

  /** WebAssembly that has trapped is not to be asked again. */
  #bury() {
    this.#worker.terminate();
    this.#worker = null;
    this.#isDead = true;
  }

  #broken(event) {
    event.preventDefault?.();
    this.problem = {
      name: "Error",
      message: event.message || "The planner's worker could not be loaded.",
      during: "load",
    };
    Object.assign(this, { isBusy: false, isBuilding: false });
    this.#bury();
    this.#emit("state");
    this.#emit("busy");
  }

  #emit(type) {
    this.dispatchEvent(new CustomEvent(type));
  }
}

/** What is to be sent next: nothing yet. */
function nothing() {
  return {
    map: false,
    spec: false,
    edits: new Map(),
    ask: false,
    settled: false,
    extras: false,
    measure: false,
    hover: null,
  };
}

/** @param {ReturnType<typeof nothing>} next */
function isNothing({ map, spec, edits, ask, hover, extras, measure }) {
  return !map && !spec && edits.size === 0 && !ask && !hover && !extras && !measure;
}

function flat(edits, hasPrices) {
  const numbers = new Int32Array(edits.size * 4);
  let i = 0;
  for (const { x, y, blocked, price } of edits.values()) {
    numbers.set([x, y, blocked ? 1 : 0, hasPrices ? price : 0], i);
    i += 4;
  }
  return numbers;
}

/** @param {{areas?: boolean, gates?: boolean, field?: boolean}} wanted */
function extrasFor(wanted, ends, planner) {
  const extras = {};
  for (const name of ["areas", "gates", "field"]) if (wanted[name]) extras[name] = ends;
  if (planner === "hub-labels") extras.hubs = ends;
  return extras;
}
