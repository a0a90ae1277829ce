// The tour: five steps that drive the page itself. It stands beside the map and never in the way: everything works while it is open.

import { make } from "./dom.js";
import { STEPS } from "./tour-steps.js";
import { standBeside } from "./widgets.js";

const KEY = "octile-tour";
const LOOK_EVERY_MS = 200;

/** @param {import("./main.js").App} app */
export function installTour(app) {
  app.tour = new Tour(app);
}

export class Tour {
  #app;
  #button = document.getElementById("button-tour");
  #parts;
  #place = -1;
  #notes = {};
  #looking = 0;
  #targets = [];

  constructor(app) {
    this.#app = app;
    this.#parts = this.#draw();
    standBeside(this.#parts.panel);
    this.#button.addEventListener("click", () => (this.isOpen ? this.close() : this.start()));
    if (!wasSeen()) this.#button.classList.add("is-new");
    this.#parts.panel.addEventListener("keydown", (event) => this.#onArrow(event));
    document.addEventListener("keydown", (event) => this.#onEscape(event));
    app.world.addEventListener("cells", () => this.#note("hasDrawn", this.#place === 0));
    app.world.addEventListener("ends", () => this.#note("hasDragged", this.#place === STEPS.length - 1));
  }

  get isOpen() {
    return this.#place >= 0;
  }

  start() {
    this.#app.crowd?.stop();
    this.#notes = {};
    remember();
    this.#button.classList.remove("is-new");
    this.#button.setAttribute("aria-pressed", "true");
    this.#parts.panel.hidden = false;
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.go(0);
    this.#parts.next.focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return;
    const hadFocus = this.#parts.panel.contains(document.activeElement);
    this.#place = -1;
    clearInterval(this.#looking);
    this.#point([]);
    this.#parts.panel.hidden = true;
    this.#button.setAttribute("aria-pressed", "false");
    if (hadFocus) this.#button.focus();
  }

  /** Goes to a step, counted from 0; beyond the last one the tour is over. */
  go(place) {
    if (place >= STEPS.length) return this.close();
    this.#place = Math.max(0, place);
    const step = STEPS[this.#place];
    const { title, text, fact, back, next, progress } = this.#parts;
    step.act(this.#app);
    title.textContent = step.title;
    text.textContent = step.text;
    fact.textContent = "";
    progress.textContent = `${this.#place + 1} of ${STEPS.length}`;
    back.disabled = this.#place === 0;
    next.textContent = this.#place === STEPS.length - 1 ? "Done" : "Next";
    this.#point(step.targets);
  }

  #draw() {
    const title = make("h2.tour-title", { id: "tour-title" });
    const text = make("p.tour-text");
    const fact = make("p.tour-fact", { role: "status" });
    const progress = make("span.dim");
    const back = make("button.quiet", { type: "button", onclick: () => this.go(this.#place - 1) }, "Back");
    const next = make(
      "button.button",
      { type: "button", id: "tour-next", onclick: () => this.go(this.#place + 1) },
      "Next",
    );
    const close = make(
      "button.icon-button",
      { type: "button", "aria-label": "End the tour", title: "End the tour (Escape)", onclick: () => this.close() },
      "×",
    );
    const panel = make(
      "section.card.tour",
      { id: "tour", hidden: true, "aria-labelledby": "tour-title" },
      make("div.tour-head", {}, title, close),
      make("div", { "aria-live": "polite" }, text),
      fact,
      make("div.tour-actions", {}, progress, back, next),
    );
    return { panel, title, text, fact, progress, back, next };
  }

  /** Arrows turn the pages while the tour has the focus; elsewhere they belong to the map and its film. */
  #onArrow(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.go(this.#place + step);
  }

  #onEscape(event) {
    if (event.key !== "Escape" || !this.isOpen || event.defaultPrevented || document.querySelector("dialog[open]"))
      return;
    event.preventDefault();
    this.close();
  }

  #note(name, isTrue) {
    if (isTrue) this.#notes[name] = true;
  }

  /** Answers come when they come: what they say is looked up now and then. */
  #look() {
    const fact = STEPS[this.#place]?.fact(this.#app, this.#notes) ?? "";
    if (fact && fact !== this.#parts.fact.textContent) this.#parts.fact.textContent = fact;
  }

  #point(selectors) {
    for (const target of this.#targets) target.classList.remove("is-tour-target");
    this.#targets = selectors.flatMap((selector) => [...document.querySelectorAll(selector)]);
    for (const target of this.#targets) target.classList.add("is-tour-target");
  }
}

/** Storage may be closed or absent: then the tour is new each time. */
function wasSeen() {
  try {
    return localStorage.getItem(KEY) === "seen";
  } catch {
    return false;
  }
}

function remember() {
  try {
    localStorage.setItem(KEY, "seen");
  } catch {
    // it is offered again: no harm
  }
}
