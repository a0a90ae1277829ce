// A lane's card beside the map: which planner, what it costs, its keys, what the colours mean.

import { keyForm, plannerPicker } from "./controls.js";
import { make } from "./dom.js";
import { about, LEGEND } from "./explain.js";
import { count, duration, size } from "./format.js";

/** Colours of cells that the distance field takes the place of. */
const CELLS = new Set(["age", "open", "touched", "area", "block", "seen"]);

export class Card {
  /** @param {import("./lane.js").Lane} lane @param {number} place @param {import("./main.js").App} app */
  constructor(lane, place, app) {
    this.lane = lane;
    this.place = place;
    this.app = app;
    this.element = make("section.card.lane-card", { "aria-label": `Lane ${place + 1}` });
    this.isOpen = false;
    for (const type of ["state", "answer", "busy", "measured"]) lane.addEventListener(type, () => this.#soon());
    this.#build();
  }

  /** Other planners or another spec: the form is made anew. */
  refresh() {
    this.#build();
  }

  focus() {
    this.picker?.focus();
  }

  get #info() {
    return this.app.planners.find((planner) => planner.name === this.lane.planner);
  }

  #build() {
    const { planners } = this.app;
    const { title, line } = about(this.lane.planner);
    this.picker = plannerPicker(
      planners,
      (name) => this.app.setPlanner(this.place, name),
      `Planner of lane ${this.place + 1}`,
    );
    if (planners.length === 0) this.picker.append(make("option", { value: this.lane.planner }, title));
    this.picker.value = this.lane.planner;
    this.badges = make("p.badges");
    this.counters = make("dl.counters");
    this.error = make("p.spec-error", { role: "alert", hidden: true });
    this.element.replaceChildren(
      make(
        "div.card-head",
        {},
        make("span.lane-number", { "aria-hidden": "true" }, String(this.place + 1)),
        this.picker,
      ),
      make("p.card-line", {}, line),
      this.badges,
      this.counters,
      this.#options(),
      this.error,
      this.#legend(),
    );
    this.show();
  }

  #options() {
    const info = this.#info;
    if (!info || info.keys.length === 0) return null;
    const details = make(
      "details.options",
      { open: this.isOpen, ontoggle: () => (this.isOpen = details.open) },
      make("summary", {}, "Options ", make("code", {}, this.lane.spec)),
      keyForm(info, this.lane.spec, this.app.promiseOf(this.lane.spec)?.isAnyAngle ?? info.isAnyAngle, (spec) =>
        this.app.setSpec(this.place, spec),
      ),
    );
    return details;
  }

  #legend() {
    const list = make("ul.legend", { "aria-label": "Colours" });
    const overlays = this.app.overlaysOf(this.lane);
    const names = about(this.lane.planner).legend.filter((name) => !(overlays.includes("field") && CELLS.has(name)));
    for (const name of [...names, ...overlays]) {
      const { swatch, text } = LEGEND[name];
      list.append(make("li", {}, swatchOf(swatch), text));
    }
    return list;
  }

  /** A spec that was refused before it was tried; the planner before goes on. @param {string | null} message */
  showError(message) {
    this.error.textContent = (message ?? "").replaceAll("`", "");
    this.error.hidden = !message;
  }

  #soon() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => {
      this.due = 0;
      this.show();
    });
  }

  show() {
    this.#showBadges();
    this.#showCounters();
  }

  #showBadges() {
    const { built, state } = this.lane;
    const guarantee = built?.guarantee ?? this.#info?.guarantee;
    this.badges.replaceChildren(
      ...[
        guarantee && make("span.badge", { title: "What its paths promise" }, short(guarantee)),
        state?.isStale &&
          make(
            "span.badge.is-stale",
            {
              title:
                "The map has changed since the index was built: it answers where that is certain, and is renewed while you rest",
            },
            "stale, renewing",
          ),
      ].filter(Boolean),
    );
  }

  #showCounters() {
    const { time, counts, answer, state, built } = this.lane;
    const row = (name, value, unit, note, kind = "") =>
      make(
        `div.counter${kind}`,
        { title: note },
        make("dt", {}, name),
        make("dd", {}, value, unit ? make("small", {}, ` ${unit}`) : null),
      );
    const [micros, microsUnit] = time ? duration(time.micros) : ["–", ""];
    const memory = state ? size(state.indexBytes + state.scratchBytes) : ["–", ""];
    const build = built ? prepared(built.ms) : ["–", ""];
    const rounds = time
      ? `Mean of ${count(time.rounds)} runs of this question, unwatched; measured some times at rest, the best mean counts`
      : "Not measured yet";
    this.counters.replaceChildren(
      row("a path takes", micros, microsUnit, rounds, ".counter-hero"),
      row("expanded", counts ? count(counts.expanded) : "–", "", "Nodes that the search took from its open list"),
      row(
        this.app.world.hasPrices ? "cost" : "length",
        answer?.found ? answer.length.toLocaleString("en", { maximumFractionDigits: 2 }) : "–",
        "",
        answer?.found ? `Exactly ${answer.cost}` : "",
      ),
      row(
        "memory",
        ...memory,
        state ? `Index ${size(state.indexBytes).join(" ")}, scratch ${size(state.scratchBytes).join(" ")}` : "",
      ),
      row("prepared in", ...build, "Building the planner for this map, in this browser"),
    );
    this.counters.dataset.rounds = rounds;
  }
}

function swatchOf(name) {
  const swatch = make("i.swatch", { "aria-hidden": "true" });
  swatch.dataset.swatch = name;
  return swatch;
}

/** The clock of a page is coarse: there is no more to be said of what takes less than its tick. */
function prepared(ms) {
  if (ms < 0.15) return ["< 0.2", "ms"];
  return ms < 10 ? [ms.toFixed(1), "ms"] : duration(ms * 1000);
}

/** The first words say it; the rest is in the title. */
function short(guarantee) {
  return guarantee.split(/[:;(]/)[0].trim();
}
