// A lane's part of the stage: the canvas, the sentence under it, and what stands in the way of an answer.

import { make } from "./dom.js";
import { about, sentence } from "./explain.js";
import { digits, duration } from "./format.js";

const SHOW_PROGRESS_AFTER_MS = 250;

export class Panel {
  /** @param {import("./lane.js").Lane} lane @param {number} place @param {import("./main.js").App} app */
  constructor(lane, place, app) {
    this.lane = lane;
    this.place = place;
    this.app = app;
    this.canvas = make("canvas.map", { tabIndex: 0, role: "application", "aria-roledescription": "map" });
    this.tag = make("p.lane-tag");
    this.wait = make("div.wait", { hidden: true });
    this.trouble = make("div.trouble", { role: "alert", hidden: true });
    this.text = make("span.caption-text");
    this.link = make("button.link", { type: "button", onclick: () => app.openAbout(lane.planner) });
    this.compare = make("button.link.link-compare", { type: "button", onclick: () => app.setCompare(true) });
    this.moves = make("div.move-legend", { hidden: true });
    this.element = make(
      "section.lane",
      {},
      make("div.lane-view", {}, this.canvas, this.tag, this.moves, this.wait, this.trouble),
      make("p.caption", {}, this.text, " ", this.link, " ", this.compare),
    );
    lane.addEventListener("busy", () => this.#showWait());
    lane.addEventListener("state", () => this.#showTrouble());
    lane.addEventListener("answer", () => this.showCaption());
    lane.addEventListener("measured", () => this.showCaption());
    this.rename();
  }

  rename() {
    const { title } = about(this.lane.planner);
    this.link.textContent = `About ${title}`;
    this.compare.textContent = `Compare with ${about(this.app.rivalOf(this.lane)).title}`;
    this.element.setAttribute("aria-label", `Lane ${this.place + 1}: ${title}`);
    this.#showMoves();
    this.showCaption();
  }

  showCaption() {
    const { lane } = this;
    const film = lane.film;
    const isAtEnd = !film || film.at >= film.length;
    const problem = lane.problem ? `${about(lane.planner).title} does not answer here.` : null;
    this.text.textContent =
      problem ?? sentence(lane.planner, { film, answer: lane.answer, isAtEnd, isPriced: this.app.world.hasPrices });
    const time = lane.time ? duration(lane.time.micros).join(" ") : "";
    this.tag.replaceChildren(
      make("b", {}, `${this.place + 1}`),
      ` ${about(lane.planner).title} `,
      make("span", {}, time, ...this.#lead()),
    );
    this.canvas.setAttribute("aria-label", this.#described(isAtEnd));
  }

  /** How many times as fast as the other lane, if it is. */
  #lead() {
    const other = this.app.lanes.find((lane) => lane !== this.lane);
    const times = other?.time && this.lane.time ? other.time.micros / this.lane.time.micros : 0;
    return times >= 1.1 ? [" · ", make("strong", {}, `${digits(times)}× as fast`)] : [];
  }

  #described(isAtEnd) {
    const { world } = this.app;
    const ends = `Start at ${world.start.x}, ${world.start.y}; goal at ${world.goal.x}, ${world.goal.y}.`;
    return `Map of ${world.width} by ${world.height} cells. ${ends} ${isAtEnd ? this.text.textContent : ""} Arrows move the selected end, S selects the start, G the goal.`;
  }

  /** The eight colours of first moves, laid out like the moves. */
  #showMoves() {
    this.moves.hidden = this.lane.planner !== "cpd" || !this.lane.built;
    if (this.moves.hidden || this.moves.childElementCount > 0) return;
    const around = [7, 0, 1, 6, -1, 2, 5, 4, 3];
    const names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    this.moves.append(
      ...around.map((move) => {
        const cell = make("span", {}, move < 0 ? "" : names[move]);
        cell.dataset.move = String(move);
        return cell;
      }),
    );
    this.app.paintSwatches();
  }

  #showWait() {
    const { lane } = this;
    clearTimeout(this.waiting);
    if (!lane.isBuilding) {
      this.wait.hidden = true;
      return;
    }
    if (lane.progress || !this.wait.hidden) this.#showProgress();
    else this.waiting = setTimeout(() => this.lane.isBuilding && this.#showProgress(), SHOW_PROGRESS_AFTER_MS);
  }

  #showProgress() {
    const { progress } = this.lane;
    const { title } = about(this.lane.planner);
    const bar = make("progress", { max: 1, "aria-label": "Progress" });
    if (progress && progress.all > 0) bar.value = Math.min(1, progress.done / progress.all);
    const stage = progress ? `${progress.stage}, ${(progress.ms / 1000).toFixed(1)} s` : "building its index";
    if (this.wait.hidden) {
      this.wait.replaceChildren(
        make("p.wait-title", {}, `Preparing ${title}`),
        make("p.wait-stage", {}),
        make("div.wait-bar"),
        make("button.button", { type: "button", onclick: () => this.app.cancelBuild(this.place) }, "Cancel"),
      );
      this.wait.hidden = false;
      this.lane.forget();
    }
    this.wait.querySelector(".wait-stage").textContent = stage;
    this.wait.querySelector(".wait-bar").replaceChildren(bar);
  }

  #showTrouble() {
    const { problem } = this.lane;
    this.#showMoves();
    this.trouble.hidden = !problem;
    if (!problem) return;
    const { title } = about(this.lane.planner);
    this.trouble.replaceChildren(
      make(
        "p.trouble-title",
        {},
        problem.during === "ask" ? `${title} cannot answer this` : `${title} does not take this map`,
      ),
      make("p.trouble-text", {}, ...withCode(capital(problem.message))),
      make(
        "div.trouble-actions",
        {},
        ...this.app
          .remedies(this.lane, this.place)
          .map(([label, action]) => make("button.button", { type: "button", onclick: action }, label)),
      ),
    );
    this.showCaption();
  }
}

/** Messages have names and specs in backquotes. */
function withCode(text) {
  return text.split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part));
}

function capital(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
