// What can be taken away: pictures, map files, the search as a trace, and the program that asks the same.

import { LANGUAGES, codeFor, question } from "./code.js";
import { make } from "./dom.js";
import { runErrand, settingOf } from "./errands.js";
import { MOST_DRAWN, fileStem, greatestPrice, mapFiles, toDrawing, toMapText } from "./mapfile.js";
import { menuItem } from "./menu.js";
import { parseSpec } from "./octile/octile.js";
import { copyText, fillMenu, saveFile } from "./widgets.js";

const PICTURE_PX = 2048;
const MOST_SCALE = 16;

/** @param {import("./main.js").App} app */
export function installExport(app) {
  const exporter = new Exporter(app);
  const dialog = new CodeDialog(app);
  app.exporter = exporter;
  fillMenu("menu-export", [
    menuItem("Picture, PNG", () => exporter.picture("png"), "map, search and path"),
    menuItem("Picture, SVG", () => exporter.picture("svg"), "lines stay sharp"),
    menuItem("Map, .map", () => exporter.map(), "MovingAI; no prices"),
    menuItem("Drawing, .txt", () => exporter.drawing(), "digits are prices"),
    menuItem("Search trace", () => exporter.trace(), "for the Posthoc visualiser"),
    menuItem("Code…", () => dialog.open(), "Rust, Python, JavaScript, C"),
  ]);
}

/** Makes files. Each method answers when the file is on its way, and says what went wrong. */
export class Exporter {
  #app;

  constructor(app) {
    this.#app = app;
  }

  /** @param {"png" | "svg"} kind */
  picture(kind) {
    const { width, height } = this.#app.world;
    const scale = Math.max(1, Math.min(MOST_SCALE, Math.floor(PICTURE_PX / Math.max(width, height))));
    return this.#guarded("picture", async () => {
      const content = await this.#errand(kind, { scale, withSearch: true });
      saveFile(`${this.#stem()}.${kind}`, content, kind === "png" ? "image/png" : "image/svg+xml");
    });
  }

  map() {
    const { world } = this.#app;
    saveFile(`${fileStem(world.name)}.map`, toMapText(world));
    if (world.hasPrices)
      this.#app.say("A .map file has no prices: the drawing, or the files that come with the code, have them.");
  }

  drawing() {
    const { world } = this.#app;
    saveFile(`${fileStem(world.name)}.txt`, toDrawing(world));
    if (greatestPrice(world) > MOST_DRAWN)
      this.#app.say("Drawings have prices up to 9: this map's go beyond, and were left out.");
  }

  trace() {
    return this.#guarded("trace", async () => {
      const { text, isCut } = await this.#errand("posthoc", {});
      saveFile(`${this.#stem()}.trace.json`, text, "application/json");
      if (isCut) this.#app.say("The search is longer than the trace: its first 300,000 events are in the file.");
    });
  }

  #errand(job, about) {
    return runErrand(job, { ...settingOf(this.#app), ...about });
  }

  #stem() {
    return `${fileStem(this.#app.world.name)}-${this.#app.lanes[0].planner}`;
  }

  async #guarded(what, work) {
    try {
      await work();
    } catch (error) {
      this.#app.say(`The ${what} could not be made: ${error.message}`, "error");
    }
  }
}

/** The program that asks what lane 1 asks, in one language at a time. */
class CodeDialog {
  #app;
  #language = LANGUAGES[0];
  #parts;

  constructor(app) {
    this.#app = app;
    this.#parts = this.#draw();
    document.body.append(this.#parts.dialog);
  }

  open() {
    this.#show(this.#language);
    this.#parts.dialog.showModal();
  }

  #draw() {
    const dialog = make("dialog.dialog.code-dialog", { id: "code-dialog", "aria-labelledby": "code-title" });
    const tabs = LANGUAGES.map((language) =>
      make(
        "button.chip",
        { type: "button", role: "tab", "data-language": language.id, onclick: () => this.#show(language) },
        language.label,
      ),
    );
    const list = make("div.code-tabs", { role: "tablist", "aria-label": "Language" }, ...tabs);
    list.addEventListener("keydown", (event) => this.#moveTab(event, tabs));
    const code = make("pre.code", { tabIndex: 0, role: "tabpanel", "aria-label": "Program" });
    const note = make("p.share-note", { role: "status" });
    const actions = make(
      "div.panel-actions",
      {},
      make("button.button", { type: "button", id: "code-copy", onclick: () => this.#copy() }, "Copy"),
      make(
        "button.button",
        { type: "button", id: "code-save", onclick: () => saveFile(this.#language.file, code.textContent) },
        "Save program",
      ),
      make("button.button", { type: "button", id: "code-map", onclick: () => this.#saveMap() }, "Save its map"),
    );
    const close = make(
      "button.icon-button",
      { type: "button", "aria-label": "Close", onclick: () => dialog.close() },
      "×",
    );
    dialog.append(
      make("div.dialog-head", {}, make("h2", { id: "code-title" }, "The code that asks this"), close),
      list,
      code,
      actions,
      note,
    );
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    return { dialog, tabs, code, note };
  }

  #show(language) {
    const { tabs, code, note } = this.#parts;
    this.#language = language;
    for (const tab of tabs) {
      const isChosen = tab.dataset.language === language.id;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    try {
      code.textContent = codeFor(language.id, this.#question());
      note.textContent = "";
    } catch (error) {
      code.textContent = "";
      note.textContent = error.message;
    }
  }

  #question() {
    const { world, lanes } = this.#app;
    const { spec } = lanes[0];
    return question(world, { spec, isAnyAngle: parseSpec(spec).isAnyAngle });
  }

  #moveTab(event, tabs) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next =
      tabs[(tabs.findIndex((tab) => tab.dataset.language === this.#language.id) + step + tabs.length) % tabs.length];
    next.click();
    next.focus();
  }

  async #copy() {
    const isCopied = await copyText(this.#parts.code.textContent);
    this.#parts.note.textContent = isCopied
      ? "Copied."
      : "This browser does not let the page copy: save the program instead.";
  }

  #saveMap() {
    for (const { name, text } of mapFiles(this.#app.world)) saveFile(name, text);
  }
}
