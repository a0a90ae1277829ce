// A crowd that walks from camp to camp while buildings drop in its way. What happens depends on the seed, except that a tick that runs out
// of time leaves the rest of its paths to the next one. Nothing here knows of screens, workers or messages.

import { Ground, crosses } from "./crowd-ground.js";
import { Timings, stepOf } from "./crowd-stats.js";
import { dice } from "./recipes.js";

/** Seconds of a tick. */
export const TICK = 1 / 60;
/** Arrivals are planned for together, so that there is something to time; a rest of a tenth of a second at the goal goes unnoticed. */
const BATCH = 32;
const LONGEST_REST_TICKS = 6;
const RETRY_TICKS = 45;
const RENEW_MS = 2;
const MOST_TRIES = 40;
/** What `state` holds of a unit: it walks, or stands until there is a path for it. */
const [WALKS, WAITS] = [0, 1];

/**
 * @typedef {object} CrowdOptions
 * @property {import("./world.js").MapData} map
 * @property {string} spec
 * @property {number} units
 * @property {number} [seed]
 * @property {number} [pace] ticks between two buildings; 0: none
 * @property {boolean} [oneGoal] all go to the same place, by one field
 * @property {number} [budgetMs] for paths, a tick
 * @property {() => number} [clock]
 * @property {(stage: string, done: number, all: number) => boolean | void} [onProgress]
 */

export class Crowd {
  /** Where units are, x, y, x, y, ..., in cells; the middle of the first cell is 0.5, 0.5. */
  xy = new Float32Array(0);
  /** Which camp each unit goes to. */
  aims = new Uint8Array(0);
  ticks = 0;
  oneGoal = false;
  /** How often all were sent elsewhere, since most had arrived. */
  rallies = 0;

  #octile;
  #grid;
  #engine = null;
  #field = null;
  #moves = new Int8Array(0);
  #units = [];
  #state = new Uint8Array(0);
  #urgent = new Queue();
  #ordinary = new Queue();
  #restSince = 0;
  #retries = [];
  #rally = { camp: 0, cell: 0 };
  #dice;
  #timings = { paths: new Timings(), edits: new Timings(5000), field: new Timings(5000), walk: new Timings() };

  /** @param {typeof import("./octile/octile.js")} octile @param {CrowdOptions} options */
  constructor(
    octile,
    {
      map,
      spec,
      units,
      seed = 1,
      pace = 24,
      oneGoal = false,
      budgetMs = 6,
      clock = () => performance.now(),
      onProgress,
    },
  ) {
    this.pace = pace;
    this.budgetMs = budgetMs;
    this.clock = clock;
    this.clockStep = stepOf(clock);
    this.seed = seed;
    this.#octile = octile;
    this.#dice = dice(seed + 1);
    const { width, height, blocked, prices, convention, movement } = map;
    this.#grid = octile.Grid.from(width, height, blocked, prices ? { prices, convention, movement } : { movement });
    this.ground = new Ground(
      map,
      (a, b) => this.#grid.connected(a % width, Math.floor(a / width), b % width, Math.floor(b / width)),
      seed,
    );
    this.speed = Math.max(5, Math.hypot(width, height) / 16);
    this.setPlanner(spec, onProgress);
    this.setUnits(units);
    if (oneGoal) this.setOneGoal(true);
  }

  get count() {
    return this.aims.length;
  }

  /** Builds another planner on the map as it is now. Units go on with the paths that they have. */
  setPlanner(spec, onProgress) {
    const plain = this.#octile.parseSpec(spec).takesPrices ? null : this.#grid.withoutPrices();
    const began = this.clock();
    const engine = new this.#octile.Engine(plain ?? this.#grid, spec, { onProgress });
    this.buildMs = this.clock() - began;
    plain?.free();
    this.#engine?.free();
    this.#engine = engine;
    this.#timings.paths = new Timings();
    this.#timings.edits = new Timings(5000);
  }

  /** More units come from the camps; of fewer, the last ones leave. */
  setUnits(count) {
    const before = this.count;
    this.xy = grown(this.xy, 2 * count);
    this.aims = grown(this.aims, count);
    this.#state = grown(this.#state, count);
    this.#units.length = Math.min(before, count);
    for (const queue of [this.#urgent, this.#ordinary]) queue.keep((unit) => unit < count);
    this.#retries = this.#retries.filter(({ unit }) => unit < count);
    for (let unit = before; unit < count; unit++) this.#enlist(unit);
  }

  /** All go to one camp, by one distance field; or each to its own again. */
  setOneGoal(isOn) {
    this.oneGoal = isOn;
    this.#field?.free();
    this.#field = null;
    this.#timings.field = new Timings(5000);
    for (const queue of [this.#urgent, this.#ordinary]) queue.keep(() => false);
    this.#retries = [];
    this.#state.fill(WALKS);
    for (const body of this.#units) Object.assign(body, { points: null, next: 0, isThere: false });
    if (isOn) this.#rallyAt(this.#rally.camp);
    else for (let unit = 0; unit < this.count; unit++) this.#sendOn(unit);
  }

  /** A building by hand: what is free of the square becomes wall, and whoever stands there steps aside. */
  build(x, y, size) {
    const [x0, y0] = [x - (size >> 1), y - (size >> 1)];
    const rect = this.ground.clip({ x0, y0, x1: x0 + size - 1, y1: y0 + size - 1 });
    if (this.ground.freeCells(rect).length > 0) this.#putUp(rect);
  }

  tick() {
    this.ticks += 1;
    if (this.pace > 0 && this.ticks % this.pace === 0) this.#drop();
    if (this.oneGoal) this.#march();
    else {
      this.#retry();
      this.#plan();
      this.#walk();
    }
    // An index that edits have made stale is built again in what is left of the tick.
    if (this.#engine.isStale) this.#engine.renew(RENEW_MS);
  }

  /** What units still have to walk: points x, y, x, y, ..., from where they are. */
  *routes() {
    for (const { points, next } of this.#units) if (points) yield points.subarray(next);
  }

  /** What there is to tell, for a screen. */
  stats() {
    const now = this.clock();
    const [paths, edits, field, walk] = ["paths", "edits", "field", "walk"].map((name) =>
      this.#timings[name].summary(now),
    );
    const { isStale, indexBytes, spec } = this.#engine;
    const waiting = this.#urgent.length + this.#ordinary.length;
    return {
      paths,
      edits,
      field,
      walk,
      clockStep: this.clockStep,
      buildMs: this.buildMs,
      cutOff: this.#retries.length,
      units: this.count,
      spec,
      isStale,
      indexBytes,
      waiting,
    };
  }

  free() {
    for (const held of [this.#field, this.#engine, this.#grid]) held?.free();
  }

  /** Every unit has dice of its own, so that what it does next never depends on who was planned for before it. */
  #enlist(unit) {
    const roll = dice(this.seed * 65_537 + unit);
    const home = Math.floor(roll() * this.ground.camps.length);
    const { cells } = this.ground.camps[home];
    const cell = cells[Math.floor(roll() * cells.length)];
    this.#place(unit, cell);
    this.aims[unit] = this.oneGoal ? this.#rally.camp : home;
    this.#units[unit] = {
      roll,
      points: null,
      next: 0,
      goal: cell,
      pace: this.speed * (0.75 + 0.5 * roll()),
      isThere: false,
    };
    if (!this.oneGoal) this.#sendOn(unit);
  }

  #place(unit, cell) {
    this.xy[2 * unit] = this.ground.xOf(cell) + 0.5;
    this.xy[2 * unit + 1] = this.ground.yOf(cell) + 0.5;
  }

  /** Gives a unit another camp to go to. */
  #sendOn(unit) {
    const { camps } = this.ground;
    const { roll } = this.#units[unit];
    if (camps.length > 1)
      this.aims[unit] = (this.aims[unit] + 1 + Math.floor(roll() * (camps.length - 1))) % camps.length;
    const { cells } = camps[this.aims[unit]];
    this.#units[unit].goal = cells[Math.floor(roll() * cells.length)];
    this.#wish(unit, this.#ordinary);
  }

  #wish(unit, queue) {
    this.#state[unit] = WAITS;
    queue.push(unit);
  }

  /** Whoever is blocked comes first; whoever has arrived waits until there are some. */
  #plan() {
    const began = this.clock();
    this.#serve(this.#urgent, began);
    if (this.#ordinary.length < BATCH && this.ticks - this.#restSince < LONGEST_REST_TICKS) return;
    this.#serve(this.#ordinary, began);
    this.#restSince = this.ticks;
  }

  #serve(queue, began) {
    const isOver = () => this.clock() - began > this.budgetMs;
    while (queue.length > 0 && !isOver()) {
      const start = this.clock();
      let count = 0;
      for (; count < BATCH && queue.length > 0 && !(count > 0 && isOver()); count++) this.#planOne(queue.shift());
      const end = this.clock();
      this.#timings.paths.add(end, count, end - start);
    }
  }

  #planOne(unit) {
    const { ground } = this;
    const body = this.#units[unit];
    const from = this.#standing(unit);
    if (ground.blocked[body.goal]) body.goal = ground.nearestFree(body.goal);
    const points = this.#engine.find(ground.xOf(from), ground.yOf(from), ground.xOf(body.goal), ground.yOf(body.goal));
    if (!points) {
      this.#retries.push({ unit, at: this.ticks + RETRY_TICKS });
      return;
    }
    body.points = middles(points, this.#engine.isAnyAngle);
    body.next = 0;
    this.#state[unit] = WALKS;
  }

  /** Who found no way tries another goal later: buildings come and go. */
  #retry() {
    while (this.#retries.length > 0 && this.#retries[0].at <= this.ticks) this.#sendOn(this.#retries.shift().unit);
  }

  /** The cell a unit stands on; one in a wall is put beside it. */
  #standing(unit) {
    const [x, y] = [this.xy[2 * unit], this.xy[2 * unit + 1]];
    const cell = this.ground.freeCellAt(x, y);
    if (cell >= 0) return cell;
    const free = this.ground.nearestFree(this.ground.cellAt(x, y));
    this.#place(unit, free);
    return free;
  }

  #walk() {
    this.#timeWalk(() => {
      for (let unit = 0; unit < this.count; unit++) {
        if (this.#state[unit] === WALKS && this.#stride(unit)) this.#sendOn(unit);
      }
    });
  }

  #timeWalk(work) {
    const began = this.clock();
    work();
    const end = this.clock();
    this.#timings.walk.add(end, 1, end - began);
  }

  /** Walks on for a tick; true on arrival. */
  #stride(unit) {
    const body = this.#units[unit];
    let left = body.pace * TICK;
    while (body.next < body.points.length) {
      left = this.#approach(unit, body.points[body.next], body.points[body.next + 1], left);
      if (left <= 0) return false;
      body.next += 2;
    }
    body.points = null;
    return true;
  }

  /** Goes towards a point; returns how far one can still go once it is reached, 0 if it is not. */
  #approach(unit, x, y, far) {
    const dx = x - this.xy[2 * unit];
    const dy = y - this.xy[2 * unit + 1];
    const away = Math.sqrt(dx * dx + dy * dy);
    if (away <= far) {
      this.xy[2 * unit] = x;
      this.xy[2 * unit + 1] = y;
      return far - away + 1e-6;
    }
    this.xy[2 * unit] += (far / away) * dx;
    this.xy[2 * unit + 1] += (far / away) * dy;
    return 0;
  }

  /** All go to this camp: one field has the way from everywhere. */
  #rallyAt(camp) {
    const { x, y } = this.ground.camps[camp];
    const cell = this.ground.nearestFree(this.ground.cellAt(x, y));
    this.#rally = { camp, cell };
    this.aims.fill(camp);
    for (const body of this.#units) body.isThere = false;
    const goals = [this.ground.xOf(cell), this.ground.yOf(cell)];
    this.#timeField(() => (this.#field ? this.#field.setGoals(goals) : (this.#field = this.#engine.field(goals))));
  }

  #timeField(work) {
    const began = this.clock();
    work();
    const end = this.clock();
    this.#timings.field.add(end, 1, end - began);
    this.#moves = this.#field.moves.slice();
  }

  #march() {
    let there = 0;
    this.#timeWalk(() => {
      for (let unit = 0; unit < this.count; unit++) there += this.#flow(unit);
    });
    if (there < 0.8 * this.count) return;
    this.rallies += 1;
    this.#rallyAt((this.#rally.camp + 1) % this.ground.camps.length);
  }

  /** One unit follows the field for a tick; 1 if it has arrived. */
  #flow(unit) {
    const body = this.#units[unit];
    let left = body.isThere ? 0 : body.pace * TICK;
    while (left > 0) {
      body.points ??= this.#fieldStep(unit, body);
      if (!body.points) break;
      left = this.#approach(unit, body.points[0], body.points[1], left);
      if (left > 0) body.points = null;
    }
    return Number(body.isThere);
  }

  #fieldStep(unit, body) {
    const cell = this.#standing(unit);
    const move = this.#moves[cell];
    body.isThere = cell === this.#rally.cell;
    if (move < 0) return null;
    const [dx, dy] = this.#octile.MOVES[move];
    return [this.ground.xOf(cell) + dx + 0.5, this.ground.yOf(cell) + dy + 0.5];
  }

  /** Drops a building ahead of somebody, where nobody stands: a smaller one with every try, since some maps are narrow. */
  #drop() {
    const roll = this.#dice;
    const largest = Math.min(this.ground.width, this.ground.height) / 36;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const size = Math.max(1, Math.round(largest * (1 - tries / MOST_TRIES)));
      const spot = this.#spotAhead(Math.floor(roll() * this.count), roll(), roll());
      const [w, h] = [size + Math.floor(roll() * size), size + Math.floor(roll() * size)];
      if (!spot) continue;
      const [x0, y0] = [Math.floor(spot.x) - (w >> 1), Math.floor(spot.y) - (h >> 1)];
      const rect = this.ground.clip({ x0, y0, x1: x0 + w - 1, y1: y0 + h - 1 });
      if (this.ground.isAllFree(rect) && !this.ground.hasCamp(rect) && !this.#isTaken(rect)) return this.#putUp(rect);
    }
  }

  /** A place on what a unit has still to walk; with one goal for all, anywhere. */
  #spotAhead(unit, a, b) {
    const { points, next } = this.#units[unit] ?? {};
    if (this.oneGoal) return { x: a * this.ground.width, y: b * this.ground.height };
    if (!points || next + 3 >= points.length) return null;
    const at = next + 2 * Math.floor(a * ((points.length - next) / 2 - 1));
    return {
      x: points[at] + b * (points[at + 2] - points[at]),
      y: points[at + 1] + b * (points[at + 3] - points[at + 1]),
    };
  }

  #isTaken({ x0, y0, x1, y1 }) {
    for (let unit = 0; unit < this.count; unit++) {
      const x = this.xy[2 * unit];
      const y = this.xy[2 * unit + 1];
      if (x >= x0 && y >= y0 && x < x1 + 1 && y < y1 + 1) return true;
    }
    return false;
  }

  #putUp(rect) {
    const edits = new this.#octile.Edits();
    this.ground.putUp(rect, edits);
    this.#grid.apply(edits);
    const began = this.clock();
    this.#engine.apply(edits);
    const end = this.clock();
    this.#timings.edits.add(end, 1, end - began);
    if (this.#field) this.#timeField(() => this.#field.apply(edits));
    edits.free();
    this.#warn(rect);
  }

  /** Whoever would walk into the building plans anew, at once. */
  #warn({ x0, y0, x1, y1 }) {
    // Touching counts: a diagonal move needs both cells beside it free, and a line along a wall may now have one on its other side too.
    const skin = 1e-3;
    const box = { x0: x0 - skin, y0: y0 - skin, x1: x1 + 1 + skin, y1: y1 + 1 + skin };
    for (let unit = 0; unit < this.count; unit++) {
      const body = this.#units[unit];
      if (!body.points || !this.#isInTheWay(unit, body, box)) continue;
      body.points = null;
      if (!this.oneGoal) this.#wish(unit, this.#urgent);
    }
  }

  #isInTheWay(unit, { points, next }, box) {
    let x = this.xy[2 * unit];
    let y = this.xy[2 * unit + 1];
    for (let i = next; i < points.length; i += 2) {
      if (crosses(x, y, points[i], points[i + 1], box)) return true;
      x = points[i];
      y = points[i + 1];
    }
    return false;
  }
}

/** First in, first out. */
class Queue {
  #items = [];
  #head = 0;

  get length() {
    return this.#items.length - this.#head;
  }

  push(item) {
    this.#items.push(item);
  }

  shift() {
    const item = this.#items[this.#head++];
    if (this.#head > 1024 && 2 * this.#head > this.#items.length) this.keep(() => true);
    return item;
  }

  keep(isKept) {
    this.#items = this.#items.slice(this.#head).filter(isKept);
    this.#head = 0;
  }
}

/** An array of the same kind with another length. */
function grown(array, length) {
  const more = new array.constructor(length);
  more.set(array.subarray(0, Math.min(array.length, length)));
  return more;
}

/** Cells become their middles; any-angle points are in cells already. */
function middles(points, isAnyAngle) {
  const out = new Float32Array(points.length);
  const half = isAnyAngle ? 0 : 0.5;
  for (let i = 0; i < points.length; i++) out[i] = points[i] + half;
  return out;
}
