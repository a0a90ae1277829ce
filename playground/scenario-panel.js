// The card of a scenario: which problem is asked, what its length should be and is, and a check of many.

import { make } from "./dom.js";
import { runErrand, settingOf } from "./errands.js";
import { count, duration } from "./format.js";
import { COLUMNS, agrees, problemAt, sample } from "./scenario.js";

const CHECKED = 200;

/** @typedef {{name: string, map: string, problems: Float64Array}} Opened */

export class ScenarioPanel {
  #app;
  /** @type {Opened | null} */
  #scenario = null;
  #place = 0;
  #isChanged = false;
  /** @type {AbortController | null} */
  #checking = null;
  #parts;

  constructor(app) {
    this.#app = app;
    this.#parts = this.#draw();
    document.getElementById("cards").prepend(this.#parts.card);
    app.world.addEventListener("map", () => this.close());
    app.world.addEventListener("cells", () => {
      this.#isChanged = true;
      this.#tell();
    });
    app.world.addEventListener("ends", () => this.#tell());
    app.lanes[0].addEventListener("answer", () => this.#tell());
  }

  /** @param {Opened} scenario that fits the map */
  open(scenario) {
    this.close();
    this.#scenario = scenario;
    this.#isChanged = false;
    this.#parts.card.hidden = false;
    this.#parts.title.textContent = scenario.name;
    this.#parts.place.max = String(this.#count);
    this.#parts.all.textContent = `of ${count(this.#count)}`;
    this.#parts.result.textContent = "";
    this.#parts.check.textContent = `Check ${count(Math.min(CHECKED, this.#count))} problems`;
    this.go(0);
  }

  close() {
    this.#checking?.abort();
    this.#scenario = null;
    this.#parts.card.hidden = true;
  }

  /** Asks a problem, counted from 0; goes around at both ends. */
  go(place) {
    if (!this.#scenario) return;
    this.#place = (place + this.#count) % this.#count;
    this.#parts.place.value = String(this.#place + 1);
    const { x0, y0, x1, y1 } = problemAt(this.#scenario.problems, this.#place);
    const { world } = this.#app;
    if (!world.moveStart(x0, y0) || !world.moveGoal(x1, y1))
      this.#app.say("An end of this problem is walled in now: undo, or open the map again.", "error");
    world.settle();
    this.#tell();
  }

  get #count() {
    return this.#scenario.problems.length / COLUMNS;
  }

  #draw() {
    const title = make("span.map-name", {});
    const place = make("input", {
      type: "number",
      min: "1",
      value: "1",
      "aria-label": "Problem",
      onchange: () => this.go(Math.trunc(Number(place.value) || 1) - 1),
    });
    const all = make("span.dim", {});
    const step = (by, label, sign) =>
      make(
        "button.quiet",
        { type: "button", "aria-label": label, title: label, onclick: () => this.go(this.#place + by) },
        sign,
      );
    const wanted = make("output", {});
    const found = make("output", {});
    const verdict = make("p.verdict", { role: "status" });
    const check = make("button.quiet", { type: "button", onclick: () => this.#check() }, "Check");
    const result = make("p.verdict", { role: "status" });
    const close = make(
      "button.quiet",
      { type: "button", "aria-label": "Close the scenario", onclick: () => this.close() },
      "Close",
    );
    const card = make(
      "section.card.scenario-card",
      { id: "scenario-card", hidden: true, "aria-label": "Scenario" },
      make("h2.card-label", {}, "Scenario"),
      make("p", {}, title),
      make("div.stepper", {}, step(-1, "Previous problem", "‹"), place, all, step(1, "Next problem", "›")),
      make(
        "dl.lengths",
        {},
        make("div", {}, make("dt", {}, "Length in the file"), make("dd", {}, wanted)),
        make("div", {}, make("dt", {}, "Length found"), make("dd", {}, found)),
      ),
      verdict,
      result,
      make("div.card-actions", {}, check, close),
    );
    return { card, title, place, all, wanted, found, verdict, check, result };
  }

  #tell() {
    if (!this.#scenario) return;
    const { wanted, found, verdict } = this.#parts;
    const problem = problemAt(this.#scenario.problems, this.#place);
    const lane = this.#app.lanes[0];
    const length = this.#isAsked(problem) ? lengthOf(lane, problem) : NaN;
    wanted.textContent = inCells(problem.length);
    found.textContent = Number.isNaN(length) ? "…" : length === Infinity ? "no path" : inCells(length);
    const isSame = agrees(problem, length);
    verdict.textContent = this.#verdict(length, isSame, lane);
    verdict.dataset.kind = Number.isNaN(length) || this.#isChanged ? "" : isSame ? "good" : "bad";
  }

  #isAsked({ x0, y0, x1, y1 }) {
    const { start, goal } = this.#app.world;
    return start.x === x0 && start.y === y0 && goal.x === x1 && goal.y === y1;
  }

  #verdict(length, isSame, lane) {
    if (this.#isChanged) return "The map has changed since: the file's lengths are for the map as it was.";
    if (!this.#isAsked(problemAt(this.#scenario.problems, this.#place))) return "The ends have been moved.";
    if (Number.isNaN(length)) return "";
    if (isSame) return "Equal, as exactly as the file is.";
    return lane?.built?.isAnyAngle
      ? "Different: this planner's paths go in any direction, and the file's from cell to cell."
      : "Different.";
  }

  async #check() {
    if (this.#checking) return this.#checking.abort();
    const { check, result } = this.#parts;
    const { places, problems } = sample(this.#scenario.problems, CHECKED);
    const label = check.textContent;
    this.#checking = new AbortController();
    check.textContent = "Stop";
    result.dataset.kind = "";
    result.textContent = "Checking…";
    try {
      const onProgress = ({ stage, done, all }) =>
        (result.textContent = stage ? `Preparing: ${stage}` : `${done} of ${all}`);
      const answer = await runErrand(
        "check",
        { ...settingOf(this.#app), problems },
        { onProgress, signal: this.#checking.signal },
      );
      this.#report(answer, places);
    } catch (error) {
      result.textContent = error.name === "AbortError" ? "Stopped." : error.message;
    } finally {
      this.#checking = null;
      check.textContent = label;
    }
  }

  #report({ all, different, ms, spec }, places) {
    const { result } = this.#parts;
    const first = different[0];
    result.dataset.kind = first ? "bad" : "good";
    const time = `${duration((1000 * ms) / all).join(" ")} each with ${spec}`;
    result.textContent = first
      ? `${count(all - different.length)} equal, ${count(different.length)} different, ${time}. The first is problem ${places[first.place] + 1}: ${inCells(first.found)}, not ${inCells(first.wanted)}.`
      : `All ${count(all)} equal, ${time}.`;
  }
}

/** NaN while the answer is still one to other ends. */
function lengthOf({ answer, isBusy }, { x0, y0, x1, y1 }) {
  if (!answer || isBusy) return NaN;
  if (!answer.found) return Infinity;
  const { points, isAnyAngle, length } = answer;
  const isThis = isAnyAngle || (points[0] === x0 && points[1] === y0 && points.at(-2) === x1 && points.at(-1) === y1);
  return isThis ? length : NaN;
}

function inCells(length) {
  return length === Infinity
    ? "no path"
    : length.toLocaleString("en", { maximumFractionDigits: 4, useGrouping: false });
}
