// Crowd mode: thousands of units on the map that is shown. They walk in a worker; here they are drawn, and what they cost is told.
// The page's map is never changed: buildings are the crowd's own.

import { make } from "./dom.js";
import { count, digits, duration } from "./format.js";
import { planners } from "./octile/octile.js";
import { about } from "./explain.js";
import { CrowdLayer } from "./crowd-layer.js";
import { standBeside } from "./widgets.js";

const UNITS = 3000;
const MOST_UNITS = 20_000;
const PACE = 24;
const SEED = 1;
const MOST_STEPS = 3;
const STEP_MS = 1000 / 60;
const CLICK_PX = 6;
const RESTART_MS = 300;
/** In the order of how they feel: from the default down to what everybody knows. */
const OFFERED = ["corner-sweep", "jump-graph", "hub-labels", "terrain-jump", "taut-sight:ends=centres", "jps", "astar"];

/** @param {import("./main.js").App} app */
export function installCrowd(app) {
  app.crowd = new CrowdMode(app);
}

export class CrowdMode {
  #app;
  #button = document.getElementById("button-crowd");
  /** @type {Worker | null} */
  #worker = null;
  #layer = new CrowdLayer();
  #parts;
  #wish = { units: UNITS, spec: OFFERED[0], hasBuildings: true, oneGoal: false };
  /** The array that is not under way, and whether the worker owes an answer. */
  #spare = null;
  #isWaiting = false;
  #frames = [];
  #owed = 0;
  #then = 0;
  #toolBefore = null;
  #restart = 0;
  #press = null;

  constructor(app) {
    this.#app = app;
    this.#parts = this.#draw();
    standBeside(this.#parts.panel);
    this.#button.addEventListener("click", () => this.toggle());
    app.world.addEventListener("map", () => this.#startSoon());
    app.world.addEventListener("cells", () => this.#startSoon());
    this.#listenForClicks(document.getElementById("stage"));
  }

  get isOn() {
    return this.#worker !== null;
  }

  /** Where units are: x, y, x, y, ..., in cells. */
  positions() {
    return Array.from(this.#layer.xy);
  }

  /** Those that stand, as x0, y0, x1, y1. */
  buildings() {
    return this.#layer.buildings;
  }

  toggle() {
    if (this.isOn) this.stop();
    else this.start();
  }

  start() {
    if (this.isOn) return;
    this.#worker = new Worker(new URL("./crowd-worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#fail(event.message || "The crowd's worker could not be loaded.");
    this.#toolBefore = this.#app.settings.tool;
    this.#app.setTool("pan"); // a drag moves the view, a click builds
    this.#app.setMode("crowd");
    this.#button.setAttribute("aria-pressed", "true");
    this.#parts.panel.hidden = false;
    this.#begin();
    requestAnimationFrame((now) => this.#frame(now));
  }

  stop() {
    if (!this.isOn) return;
    this.#worker.terminate();
    this.#worker = null;
    clearTimeout(this.#restart);
    this.#button.setAttribute("aria-pressed", "false");
    this.#parts.panel.hidden = true;
    this.#app.setTool(this.#toolBefore);
    for (const view of this.#app.views) view.layers = view.layers.filter((layer) => layer !== this.#layer.draw);
    this.#app.setMode("search");
  }

  /** The same crowd from the beginning, on the map as it is. */
  #begin() {
    const { world } = this.#app;
    const spec = this.#offerPlanners();
    const { units, hasBuildings, oneGoal } = this.#wish;
    const { width, height, blocked, convention, movement } = world;
    const map = { width, height, blocked, prices: world.hasPrices ? world.prices : null, convention, movement };
    this.#layer.clear();
    this.#isWaiting = true;
    this.#say("Preparing…");
    this.#worker.postMessage({
      kind: "start",
      options: { map, units, spec, oneGoal, seed: SEED, pace: hasBuildings ? PACE : 0 },
    });
  }

  #startSoon() {
    if (!this.isOn) return;
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => this.isOn && this.#begin(), RESTART_MS);
  }

  /** Only those that take this map. @returns {string} the one that is wished for if it does, else the first that does */
  #offerPlanners() {
    const { world } = this.#app;
    const known = new Map(planners().map((planner) => [planner.name, planner]));
    const fits = (spec) => {
      const planner = known.get(spec.split(":")[0]);
      return planner?.movements.includes(world.movement) && (planner.takesPrices || !world.hasPrices);
    };
    const specs = OFFERED.filter(fits);
    this.#parts.planner.replaceChildren(
      ...specs.map((spec) => make("option", { value: spec }, about(spec.split(":")[0]).title)),
    );
    const spec = specs.includes(this.#wish.spec) ? this.#wish.spec : specs[0];
    this.#parts.planner.value = spec;
    return spec;
  }

  #receive(data) {
    if (!this.isOn) return;
    const take = {
      ready: () => this.#ready(data),
      built: () => this.#tell(data.stats),
      frame: () => this.#take(data),
      progress: () =>
        this.#say(
          data.all > 0
            ? `Preparing: ${data.stage}, ${Math.round((100 * data.done) / data.all)} %`
            : `Preparing: ${data.stage}`,
        ),
      problem: () => this.#refused(data),
    }[data.kind];
    take();
  }

  #ready({ camps, stats }) {
    this.#layer.camps = camps;
    this.#isWaiting = false;
    this.#then = performance.now();
    this.#owed = 0;
    this.#tell(stats);
  }

  #take({ xy, aims, buildings, stats }) {
    this.#spare = this.#layer.xy;
    this.#layer.take(xy, aims, buildings);
    this.#isWaiting = false;
    if (stats) this.#tell(stats);
  }

  /** A planner that refuses leaves the crowd with the one it has; without any, the mode ends. */
  #refused({ during, message }) {
    if (during === "start" && this.#wish.spec !== OFFERED[0]) {
      this.#app.say(message, "error");
      this.#wish.spec = OFFERED[0];
      return this.#begin();
    }
    if (during === "start") return this.#fail(message);
    this.#app.say(message, "error");
    if (during === "planner") this.#choosePlanner(this.#parts.planner.options[0].value);
  }

  #fail(message) {
    this.stop();
    this.#app.say(`The crowd cannot start: ${message}`, "error");
  }

  /** Asks for the ticks that are due, if the last ones are done; a slow worker skips time rather than piling up work. */
  #frame(now) {
    if (!this.isOn) return;
    requestAnimationFrame((next) => this.#frame(next));
    this.#frames.push(now);
    while (this.#frames[0] < now - 1000) this.#frames.shift();
    this.#owed = Math.min(MOST_STEPS, this.#owed + (now - this.#then) / STEP_MS);
    this.#then = now;
    const steps = Math.floor(this.#owed);
    if (!this.#isWaiting && steps > 0) {
      this.#owed -= steps;
      this.#isWaiting = true;
      const xy = this.#spare;
      this.#spare = null;
      this.#worker.postMessage({ kind: "tick", steps, xy }, xy && xy.byteLength > 0 ? [xy.buffer] : []);
    }
    this.#show();
  }

  #show() {
    for (const view of this.#app.views) {
      view.showsSearch = false;
      if (!view.layers.includes(this.#layer.draw)) view.layers.push(this.#layer.draw);
      view.invalidate();
    }
  }

  #tell(stats) {
    if (!stats) return;
    const { paths, edits, field, clockStep } = stats;
    const shown = this.#wish.oneGoal
      ? { mean: told(field, clockStep), p99: "–", rate: "–" }
      : { mean: told(paths, clockStep), p99: inWords(paths.p99Micros), rate: count(Math.round(paths.perSecond)) };
    const values = {
      ...shown,
      edit: told(edits, clockStep),
      units: count(stats.units),
      fps: String(this.#frames.length),
    };
    for (const [name, value] of Object.entries(values)) this.#parts.values[name].textContent = value;
    this.#parts.meanLabel.textContent = this.#wish.oneGoal ? "a field update" : "a path";
    this.#say(status(stats));
  }

  #say(text) {
    this.#parts.status.textContent = text;
  }

  #post(message) {
    this.#worker?.postMessage(message);
  }

  #draw() {
    const values = {};
    const tile = (name, label, title) => {
      values[name] = make("output.crowd-value", { "data-stat": name }, "–");
      const labelNode = make("dt", {}, label);
      return [make("div.crowd-stat", { title }, labelNode, make("dd", {}, values[name])), labelNode];
    };
    const [mean, meanLabel] = tile(
      "mean",
      "a path",
      "Mean of the last second, timed in the worker in batches of up to 32 paths",
    );
    const [p99] = tile(
      "p99",
      "99 of 100",
      "99 of 100 paths of the last second took less, each counted as the mean of its batch: browsers' clocks are too coarse to time one",
    );
    const [rate] = tile("rate", "paths a second", "Paths that were asked for in the last second");
    const [edit] = tile(
      "edit",
      "a building",
      "What the planner takes to follow a building that comes, and an old one that goes: mean of five seconds",
    );
    const [units] = tile("units", "units", "Each with a path of its own, unless all have one goal");
    const [fps] = tile("fps", "frames a second", "Frames that this page drew in the last second");
    const status = make("p.crowd-status", { role: "status" });
    const planner = make("select", { id: "crowd-planner", onchange: () => this.#choosePlanner(planner.value) });
    const slider = make("input", {
      type: "range",
      id: "crowd-units",
      min: "100",
      max: String(MOST_UNITS),
      step: "100",
      value: String(UNITS),
      "aria-label": "Units",
      oninput: () => this.#setUnits(Number(slider.value)),
    });
    const buildings = make("input", {
      type: "checkbox",
      id: "crowd-buildings",
      checked: true,
      onchange: () => this.#setBuildings(buildings.checked),
    });
    const oneGoal = make("input", {
      type: "checkbox",
      id: "crowd-one-goal",
      onchange: () => this.#setOneGoal(oneGoal.checked),
    });
    const panel = make(
      "section.card.crowd-panel",
      { id: "crowd-panel", hidden: true, "aria-label": "Crowd" },
      make("dl.crowd-stats", {}, mean, p99, rate, edit, units, fps),
      make(
        "div.crowd-controls",
        {},
        make("label", {}, make("span", {}, "Planner "), planner),
        make("label.crowd-slider", {}, make("span", {}, "Units "), slider),
        make("label.check", {}, buildings, " buildings drop"),
        make("label.check", {}, oneGoal, " one goal for all"),
      ),
      make("p.crowd-hint", {}, "Click on the map to put up a building."),
      status,
      make(
        "div.card-actions",
        {},
        make("button.quiet", { type: "button", onclick: () => this.stop() }, "Leave the crowd"),
      ),
    );
    return { panel, values, meanLabel, status, planner };
  }

  #choosePlanner(spec) {
    this.#wish.spec = spec;
    this.#parts.planner.value = spec;
    this.#say("Preparing…");
    this.#post({ kind: "planner", spec });
  }

  #setUnits(units) {
    this.#wish.units = units;
    this.#post({ kind: "units", count: units });
  }

  #setBuildings(hasBuildings) {
    this.#wish.hasBuildings = hasBuildings;
    this.#post({ kind: "pace", pace: hasBuildings ? PACE : 0 });
  }

  #setOneGoal(oneGoal) {
    this.#wish.oneGoal = oneGoal;
    this.#post({ kind: "oneGoal", isOn: oneGoal });
  }

  /** A press that does not move is a click, and puts up a building. */
  #listenForClicks(stage) {
    stage.addEventListener("pointerdown", (event) => {
      this.#press =
        this.isOn && event.isPrimary && event.button === 0 && event.target.matches("canvas.map")
          ? { x: event.clientX, y: event.clientY }
          : null;
    });
    stage.addEventListener("pointerup", (event) => {
      const press = this.#press;
      this.#press = null;
      if (!press || !event.isPrimary || Math.hypot(event.clientX - press.x, event.clientY - press.y) > CLICK_PX) return;
      this.#build(event);
    });
  }

  #build(event) {
    const view = this.#app.views.find(({ canvas }) => canvas === event.target);
    if (!view) return;
    const { x, y } = view.cellAt(event.clientX, event.clientY);
    const { width, height } = this.#app.world;
    const size = Math.max(3, Math.round(Math.min(width, height) / 24));
    if (this.#app.world.inside(x, y)) this.#post({ kind: "build", x, y, size });
  }
}

/** A mean; what is below a step of the clock is told as less than that. @param {{micros: number, count: number}} summary @param {number} clockStep */
function told({ micros, count: pieces }, clockStep) {
  const least = (1000 * clockStep) / pieces;
  return micros < least ? `< ${inWords(least)}` : inWords(micros);
}

function inWords(micros) {
  return Number.isFinite(micros) ? duration(micros).join(" ") : "–";
}

function status({ spec, waiting, cutOff, isStale, walk, indexBytes, buildMs, clockStep }) {
  const parts = [`${spec}, ready in ${told({ micros: 1000 * buildMs, count: 1 }, clockStep)}`];
  if (indexBytes > 1_000_000) parts.push(`index of ${digits(indexBytes / 1e6)} MB`);
  if (isStale) parts.push("its index is older than the map: answers where that is certain, and is being built again");
  if (waiting > 50) parts.push(`${count(waiting)} wait for a path`);
  if (cutOff > 0) parts.push(`${count(cutOff)} cut off`);
  if (Number.isFinite(walk.micros)) parts.push(`${digits(walk.micros / 1000)} ms to walk`);
  return `${parts.join("; ")}.`;
}
