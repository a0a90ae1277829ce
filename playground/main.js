// Assembles the page. `app` is what every module gets: the world, the lanes with their views, settings, and ways to act on them.

import { Camera } from "./camera.js";
import { Card } from "./card.js";
import { installDialog, openAbout, openHelp } from "./dialogs.js";
import { byId as $, make } from "./dom.js";
import { about } from "./explain.js";
import { duration } from "./format.js";
import { Ground } from "./ground.js";
import { installKeyboard } from "./keyboard.js";
import { Lane } from "./lane.js";
import { installMenu } from "./menu.js";
import { palette } from "./palette.js";
import { Panel } from "./panel.js";
import { installPointer } from "./pointer.js";
import { remedies } from "./remedies.js";
import { firstScene } from "./scene.js";
import { firstSpec } from "./spec.js";
import { theme, onTheme, toggleTheme } from "./theme.js";
import { installToolbar } from "./toolbar.js";
import { Transport } from "./transport.js";
import { View } from "./view.js";
import { World } from "./world.js";

const dialog = (id) => /** @type {HTMLDialogElement} */ (document.getElementById(id));
const FIRST = "astar";
const SECOND = "corner-sweep";
const SPEAK_AFTER_MS = 700;
const TOAST_MS = 7000;
const NARROW = 860; // as in style.css: the tools lie above the map, and not beside it,
const SHORT = 480; // unless there is no room above

/** Modules beside the search: each adds what it is to its place in the bar, and the page works without any of them. */
const MODULES = [
  ["./maps.js", "installMaps"],
  ["./files.js", "installFiles"],
  ["./share.js", "installShare"],
  ["./export.js", "installExport"],
  ["./crowd.js", "installCrowd"],
  ["./tour.js", "installTour"],
  ["./query.js", "installQuery"],
];

export class App {
  world = new World();
  camera = new Camera();
  /** @type {Lane[]} */
  lanes = [];
  /** @type {View[]} */
  views = [];
  /** @type {Panel[]} */
  panels = [];
  /** @type {Card[]} */
  cards = [];
  /** The catalog; empty until the planners are there. @type {import("./octile/octile.js").PlannerInfo[]} */
  planners = [];
  /** The package itself, once loaded. @type {typeof import("./octile/octile.js") | null} */
  octile = null;
  /** What modules beside the search bring. @type {import("./maps.js").Maker | undefined} */
  maps;
  /** @type {import("./crowd.js").CrowdMode | undefined} */
  crowd;
  /** @type {import("./export.js").Exporter | undefined} */
  exporter;
  /** @type {import("./scenario-panel.js").ScenarioPanel | undefined} */
  scenario;
  /** @type {import("./tour.js").Tour | undefined} */
  tour;
  /** Chooses what a hand does on the map. The toolbar brings it. @type {(name: string) => void} */
  setTool = () => {};
  /** Chooses the price that is drawn. The toolbar brings it. @type {(price: number) => void} */
  setPrice = () => {};
  /** "search", or a mode that another module brings. */
  mode = "search";
  selectedEnd = null;
  /** @type {{x: number, y: number} | null} */
  cursor = null;
  settings = {
    tool: "wall",
    price: 5,
    radius: 0,
    isSpaceHeld: false,
    hasSpaceMoved: false,
    /** Whether the reader wants no motion. */
    isStill: matchMedia("(prefers-reduced-motion: reduce)").matches,
    overlays: { field: false, gates: false, areas: false },
  };
  /** Films of these lanes are to be played when they come. */
  #toPlay = new Set();
  #spoken = 0;
  /** Whether the reader has drawn or dragged: then nobody need be told that this is possible. */
  #isTouched = false;

  constructor() {
    this.palette = palette(theme());
    this.world.load(firstScene(innerHeight > innerWidth));
    this.ground = new Ground(this.world, this.palette);
    this.transport = new Transport(this);
    this.#addLane(FIRST);
    this.panels[0].canvas.after($("hint"));
    this.#listen();
    this.paintSwatches();
  }

  /** The first lane's view. */
  get view() {
    return this.views[0];
  }

  get isComparing() {
    return this.lanes.length > 1;
  }

  toggleTheme = toggleTheme;

  /** Gives every lane its worker and the cards their catalog. @param {typeof import("./octile/octile.js")} octile the package */
  begin(octile) {
    this.octile = octile;
    this.planners = octile.planners();
    this.cards.forEach((card) => card.refresh());
    this.lanes.forEach((lane) => {
      this.#toPlay.add(lane);
      lane.start();
    });
  }

  invalidate() {
    this.views.forEach((view) => view.invalidate());
  }

  /** A message to the reader. @param {string} message @param {"info" | "good" | "error"} [kind] */
  say(message, kind = "info") {
    const toast = make(
      `div.toast.is-${kind}`,
      {},
      make("span", {}, message),
      make("button.icon-button", { type: "button", "aria-label": "Dismiss", onclick: () => toast.remove() }, "×"),
    );
    $("toasts").append(toast);
    while ($("toasts").childElementCount > 3) $("toasts").firstElementChild.remove();
    setTimeout(() => toast.remove(), TOAST_MS);
  }

  /** Another planner or other keys for a lane. A spec that cannot be read is said in its card, and the lane goes on as it was. */
  setSpec(place, spec) {
    const [lane, card] = [this.lanes[place], this.cards[place]];
    try {
      this.octile?.parseSpec(spec);
    } catch (error) {
      card.refresh();
      card.showError(error.message);
      return false;
    }
    this.#toPlay.add(lane);
    lane.setSpec(spec);
    return true;
  }

  /** Another planner, with the keys that it cannot do without. @param {string} name */
  setPlanner(place, name) {
    const info = this.planners.find((planner) => planner.name === name);
    return this.setSpec(place, info ? firstSpec(info, this.octile.parseSpec) : name);
  }

  /** What a spec promises, or nothing if it cannot be read. */
  promiseOf(spec) {
    try {
      return this.octile?.parseSpec(spec) ?? null;
    } catch {
      return null;
    }
  }

  /** The planner that a lane is compared with at first. @param {Lane} lane */
  rivalOf(lane) {
    return lane.planner === SECOND ? FIRST : SECOND;
  }

  setCompare(isWanted, spec) {
    if (isWanted === this.isComparing) return;
    if (isWanted) {
      this.#addLane(spec ?? this.rivalOf(this.lanes[0]));
      if (this.octile) this.lanes[1].start();
      this.lanes.forEach((lane) => this.#toPlay.add(lane));
    } else {
      this.#removeLane();
    }
    $("button-compare").setAttribute("aria-pressed", String(isWanted));
    document.body.classList.toggle("is-comparing", isWanted);
    this.#arrange();
  }

  /** Two lanes stand side by side or one above the other, whichever shows more of the map. */
  #arrange() {
    const { width, height } = $("lanes").getBoundingClientRect();
    const scale = (w, h) => Math.min(w / this.world.width, h / this.world.height);
    const [beside, above] = [scale(width / 2 - 40, height - 80), scale(width - 80, height / 2 - 60)];
    document.body.classList.toggle("is-stacked", this.isComparing && above > beside * 1.4);
    requestAnimationFrame(() => this.camera.isFitted && this.fit());
  }

  /** Another mode hides the search, and brings its own layer to the views. */
  setMode(mode) {
    this.mode = mode;
    document.body.dataset.mode = mode;
    for (const view of this.views) view.showsSearch = mode === "search";
    if (mode !== "search") this.transport.pause();
    this.#showSheetTitle();
    this.invalidate();
  }

  fit() {
    const [isNarrow, isShort] = [innerWidth <= NARROW, innerHeight <= SHORT];
    const besideTools = { left: isNarrow ? 108 : 62, right: isNarrow ? 8 : 24 };
    this.camera.fit(
      this.world,
      this.view.size,
      isNarrow && !isShort
        ? { left: 8, right: 8, top: 8, bottom: 8 }
        : { ...besideTools, top: isShort ? 8 : 24, bottom: isShort ? 8 : 24 },
    );
  }

  zoom(factor) {
    this.camera.zoomAt(factor, 0, 0);
  }

  setOverlay(name, isOn) {
    this.settings.overlays[name] = isOn;
    this.lanes.forEach((lane) => lane.refreshExtras());
    this.cards.forEach((card) => card.refresh());
    this.invalidate();
  }

  /** @param {"start" | "goal" | null} end */
  selectEnd(end, takesFocus = false) {
    this.selectedEnd = end;
    this.cursor = null;
    for (const view of this.views) view.cursor = null;
    for (const view of this.views) view.selectedEnd = takesFocus || this.#keyboardOnMap ? end : null;
    if (takesFocus && !document.activeElement?.matches("canvas.map")) this.panels[0].canvas.focus();
    this.invalidate();
  }

  /** A cell that arrows move and Enter paints: drawing without a pointer. */
  takeCursor() {
    this.selectEnd(null);
    this.panels[0].canvas.focus();
    this.cursor = { x: Math.floor(this.camera.x), y: Math.floor(this.camera.y) };
    this.moveCursor(0, 0);
  }

  moveCursor(dx, dy) {
    const { width, height } = this.world;
    this.cursor = {
      x: Math.min(Math.max(this.cursor.x + dx, 0), width - 1),
      y: Math.min(Math.max(this.cursor.y + dy, 0), height - 1),
    };
    for (const view of this.views) view.cursor = this.cursor;
    const { x, y } = this.cursor;
    $("spoken").textContent =
      `Cell ${x}, ${y}: ${this.world.isFree(x, y) ? `free, price ${this.world.priceAt(x, y)}` : "wall"}`;
    this.invalidate();
  }

  paintAtCursor() {
    const { x, y } = this.cursor;
    const { tool, price } = this.settings;
    const brush = tool === "terrain" ? { price } : { blocked: tool === "wall" && this.world.isFree(x, y) };
    this.world.paint(x, y, brush);
    this.moveCursor(0, 0);
  }

  get #keyboardOnMap() {
    return document.activeElement?.matches("canvas.map:focus-visible") ?? false;
  }

  hoverCell(cell) {
    if (!cell || !this.world.isFree(cell.x, cell.y)) return;
    for (const lane of this.lanes) if (lane.planner === "cpd" && lane.built) lane.hover(cell.x, cell.y);
  }

  openAbout(name) {
    const planner = this.planners.find((one) => one.name === name);
    if (planner)
      openAbout(dialog("about-dialog"), planner, (spec) =>
        this.setSpec(
          Math.max(
            0,
            this.lanes.findIndex((lane) => lane.planner === name),
          ),
          spec,
        ),
      );
  }

  openHelp() {
    openHelp(dialog("help-dialog"));
  }

  cancelBuild(place) {
    this.say(`${about(this.lanes[place].planner).title} was cancelled. Corner sweep goes on.`);
    this.#toPlay.add(this.lanes[place]);
    this.lanes[place].cancel();
  }

  remedies(lane, place) {
    return remedies(this, lane, place);
  }

  /** Told by the transport. */
  filmMoved() {
    this.panels.forEach((panel) => panel.showCaption());
  }

  filmEnded() {
    this.#speak();
    if (!this.#isTouched) $("hint").classList.remove("is-gone");
  }

  /** Colours of swatches are the canvas's: style sheets do not know them. */
  paintSwatches() {
    const { inks, stops, moves, openCss, touchedCss, seenCss, prunedCss, terrain } = this.palette;
    const root = document.documentElement.style;
    const colours = {
      age: `linear-gradient(90deg, ${stops.join(", ")})`,
      open: openCss,
      touched: touchedCss,
      seen: seenCss,
      node: inks.node,
      jump: inks.jump,
      taut: inks.taut,
      hub: inks.hub,
      path: inks.path,
      pruned: prunedCss,
      pocket: inks.pocket,
      moves: `conic-gradient(${moves.join(", ")})`,
    };
    for (const [name, colour] of Object.entries(colours)) root.setProperty(`--swatch-${name}`, colour);
    terrain.forEach((colour, i) => root.setProperty(`--terrain-${i + 2}`, colour));
    moves.forEach((colour, i) => root.setProperty(`--move-${i}`, colour));
  }

  #addLane(spec) {
    const place = this.lanes.length;
    const lane = new Lane(this.world, spec, () => this.#wantedBy(lane));
    const panel = new Panel(lane, place, this);
    const { world, ground, camera, settings } = this;
    const view = new View(panel.canvas, { world, ground, camera, lane, settings, palette: this.palette });
    this.lanes.push(lane);
    this.panels.push(panel);
    this.views.push(view);
    this.cards.push(new Card(lane, place, this));
    $("lanes").append(panel.element);
    $("lane-cards").append(this.cards[place].element);
    installPointer(view, this);
    lane.addEventListener("answer", () => this.#answered(lane));
    lane.addEventListener("spec", () => this.#renamed(place));
    lane.addEventListener("measured", () => {
      this.#showSheetTitle();
      this.filmMoved();
    });
    lane.addEventListener("state", () => view.invalidate());
    lane.addEventListener("complaint", (/** @type {CustomEvent} */ event) => this.say(event.detail, "error"));
    panel.canvas.addEventListener("blur", () => this.selectEnd(null));
  }

  #removeLane() {
    const [lane, panel, view, card] = [this.lanes.pop(), this.panels.pop(), this.views.pop(), this.cards.pop()];
    lane.close();
    view.close();
    panel.element.remove();
    card.element.remove();
    this.transport.reset();
  }

  #renamed(place) {
    this.cards[place]?.refresh();
    this.panels[place]?.rename();
    this.#showSheetTitle();
  }

  /** A film is played when the planner is new; while the map is drawn its end is shown at once. */
  #answered(lane) {
    const isNew = this.#toPlay.has(lane) && Boolean(lane.answer);
    if (isNew) this.#toPlay.delete(lane);
    if (isNew && this.mode === "search") this.transport.reset({ play: true });
    else this.transport.reset();
    this.#showSheetTitle();
    clearTimeout(this.#spoken);
    this.#spoken = setTimeout(() => this.#speak(), SPEAK_AFTER_MS);
  }

  /** For readers who hear the page: the result, once the hand rests. */
  #speak() {
    if (this.transport.isPlaying) return;
    $("spoken").textContent = this.panels.map((panel) => panel.text.textContent).join(" ");
  }

  /** Which overlays a lane needs: those that are switched on, and what its planner prunes by. */
  #wantedBy(lane) {
    const { overlays } = this.settings;
    const pruning = lane.spec.match(/prune=([^,]*)/)?.[1] ?? "";
    return {
      field: overlays.field,
      gates: overlays.gates || pruning.includes("gates"),
      areas: overlays.areas || pruning.includes("blocked-areas"),
      live: overlays.field && this.world.blocked.length < 20_000,
    };
  }

  /** The same by the names of the legend. */
  overlaysOf(lane) {
    const { field, gates, areas } = this.#wantedBy(lane);
    return [gates && "pruned", areas && "pocket", field && "field"].filter(Boolean);
  }

  #listen() {
    const { world, camera } = this;
    camera.addEventListener("change", () => {
      camera.hold(world);
      this.invalidate();
    });
    world.addEventListener("map", () => {
      this.#arrange();
      this.fit();
      this.#showMap();
      this.lanes.forEach((lane) => this.#toPlay.add(lane));
    });
    world.addEventListener("cells", () => {
      this.invalidate();
      this.#showMap();
    });
    world.addEventListener("ends", () => this.invalidate());
    world.addEventListener("history", () => this.#showMap());
    $("lanes").addEventListener("viewresize", () => camera.isFitted && this.fit());
    $("lanes").addEventListener(
      "pointerdown",
      () => {
        this.#isTouched = true;
        $("hint").classList.add("is-gone");
      },
      { once: true },
    );
    addEventListener("resize", () => this.#arrange());
    onTheme((name) => this.#recolour(name));
    matchMedia("(prefers-reduced-motion: reduce)").addEventListener(
      "change",
      (event) => (this.settings.isStill = event.matches),
    );
    installToolbar(this);
    installKeyboard(this);
    document.querySelectorAll(".menu").forEach(installMenu);
    document.querySelectorAll("dialog").forEach(installDialog);
    this.#showMap();
  }

  #recolour(name) {
    this.palette = palette(name);
    this.ground.setPalette(this.palette);
    this.views.forEach((view) => view.setPalette(this.palette));
    this.paintSwatches();
  }

  #showMap() {
    const { world } = this;
    $("map-name").textContent = world.name;
    $("map-size").textContent = `${world.width} × ${world.height}`;
    $("movement").value = world.movement;
    $("convention").value = world.convention;
    $("convention-field").hidden = !world.prices;
    $("button-clear-terrain").disabled = !world.prices;
    $("button-undo").disabled = !world.canUndo;
    $("button-redo").disabled = !world.canRedo;
  }

  #showSheetTitle() {
    $("sheet-title").textContent =
      this.mode !== "search"
        ? "Map"
        : this.lanes
            .map(
              (lane) => `${about(lane.planner).title}${lane.time ? ` · ${duration(lane.time.micros).join(" ")}` : ""}`,
            )
            .join("   ");
  }
}

/** Modules that are not there are no errors of the page; modules that fail are. */
async function installModules(app) {
  for (const [path, name] of MODULES) {
    try {
      const module = await import(path);
      await module[name](app);
    } catch (error) {
      app.say(`${name.replace("install", "")} is not available: ${error.message}`, "error");
    }
  }
}

async function load(app) {
  try {
    const octile = await import("./octile/octile.js");
    await octile.init();
    app.begin(octile);
    await installModules(app);
  } catch (error) {
    app.say(`The planners could not be loaded: ${error.message}`, "error");
  }
}

export const app = new App();
addEventListener("unhandledrejection", (event) => app.say(String(event.reason?.message ?? event.reason), "error"));
addEventListener("error", (event) => event.message?.startsWith("ResizeObserver") || app.say(event.message, "error")); // that one only says that it waited a frame
const ready = load(app);

globalThis.octilePlayground = {
  app,
  ready,
  stats: () => ({
    frames: app.views.map((view) => view.frameMs),
    answers: app.lanes.map((lane) => lane.answers),
    paths: app.lanes.map(
      (lane) => lane.answer && { found: lane.answer.found, length: lane.answer.length, cost: lane.answer.cost },
    ),
    problems: app.lanes.map((lane) => lane.problem),
    events: app.lanes.map((lane) => lane.film?.length ?? 0),
    film: { at: app.transport.at, length: app.transport.length, isPlaying: app.transport.isPlaying },
  }),
};
