// One lane's canvas: the map, the film over it as pixels, and over both what is drawn as lines. It draws when told that something
// changed, once a frame.

import { Pixels } from "./pixels.js";
import { drawEnds, drawFilm, drawOverlays, drawPath } from "./drawings.js";
import { fieldPixels, movePixels, prunedPixels } from "./tints.js";

const MAX_RATIO = 2;
const GRID_FROM = 7; // pixels a cell from which on lines between cells are drawn

export class View {
  /** Functions (context, view) that draw over everything, in cells: for modes that other modules add. */
  layers = [];
  /** What is shown of the search; a mode of its own may hide it. */
  showsSearch = true;
  /** Share of the path that is drawn, 0 to 1. */
  pathShare = 1;
  frameMs = 0;
  /** The end that the keyboard moves, and the cell that it draws at. @type {"start" | "goal" | null} */
  selectedEnd = null;
  /** @type {{x: number, y: number} | null} */
  cursor = null;
  #isDue = false;
  #film = null;
  #filmPixels = null;
  #tints = new Map();

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {object} parts
   * @param {import("./world.js").World} parts.world
   * @param {import("./ground.js").Ground} parts.ground
   * @param {import("./camera.js").Camera} parts.camera
   * @param {import("./lane.js").Lane} parts.lane
   * @param {import("./main.js").App["settings"]} parts.settings
   * @param {ReturnType<typeof import("./palette.js").palette>} parts.palette
   */
  constructor(canvas, { world, ground, camera, lane, settings, palette }) {
    this.world = world;
    this.ground = ground;
    this.camera = camera;
    this.lane = lane;
    this.settings = settings;
    this.palette = palette;
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.size = { width: 1, height: 1 };
    this.resizes = new ResizeObserver(() => this.#resize());
    this.resizes.observe(canvas);
    this.lane.addEventListener("answer", () => this.#takeFilm());
    this.lane.addEventListener("extras", () => this.#forgetTints());
    this.world.addEventListener("map", () => this.#forgetTints());
  }

  close() {
    this.resizes.disconnect();
  }

  setPalette(palette) {
    this.palette = palette;
    this.#forgetTints();
    this.#repaintFilm();
    this.invalidate();
  }

  /** Draws in the next frame, once, however often it is asked. */
  invalidate() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      const began = performance.now();
      this.draw();
      this.frameMs = performance.now() - began;
    });
  }

  /** The place on the map, in cells with fractions, under a point of the window. */
  placeAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const { scale, x, y } = this.camera;
    return { x: x + (clientX - box.left - box.width / 2) / scale, y: y + (clientY - box.top - box.height / 2) / scale };
  }

  cellAt(clientX, clientY) {
    const place = this.placeAt(clientX, clientY);
    return { x: Math.floor(place.x), y: Math.floor(place.y) };
  }

  /** Where a place on the map is, in pixels of the canvas's box. */
  toView(x, y) {
    return {
      x: (x - this.camera.x) * this.camera.scale + this.size.width / 2,
      y: (y - this.camera.y) * this.camera.scale + this.size.height / 2,
    };
  }

  /** The cells in view. */
  bounds() {
    const { scale, x, y } = this.camera;
    const [w, h] = [this.size.width / 2 / scale, this.size.height / 2 / scale];
    return { x0: x - w, y0: y - h, x1: x + w, y1: y + h };
  }

  /** Goes to a place in the film. */
  seek(at) {
    const film = this.#film;
    if (!film) return;
    const pixels = this.#filmPixels;
    film.moveTo(at, (cell) => pixels.set(cell, this.#look(film, cell)));
    this.invalidate();
  }

  draw() {
    const { context, size, palette, camera, world } = this;
    const ratio = this.ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.inks.void;
    context.fillRect(0, 0, size.width, size.height);
    const corner = this.toView(0, 0);
    // Whole device pixels: cells and the lines between them stay crisp while the map is moved.
    const [left, top] = [Math.round(corner.x * ratio) / ratio, Math.round(corner.y * ratio) / ratio];
    const [width, height] = [world.width * camera.scale, world.height * camera.scale];
    context.imageSmoothingEnabled = camera.scale * ratio < 1;
    context.drawImage(this.ground.pixels.flushed(), left, top, width, height);
    if (this.showsSearch) this.#drawPixels(left, top, width, height);
    if (camera.scale >= GRID_FROM) this.#drawGrid(left, top);
    context.setTransform(ratio * camera.scale, 0, 0, ratio * camera.scale, left * ratio, top * ratio);
    if (this.showsSearch) this.#drawSearch();
    for (const layer of this.layers) layer(context, this);
    drawEnds(context, this);
  }

  get film() {
    return this.#film;
  }

  /** Length of a CSS pixel in cells. */
  get pixel() {
    return 1 / this.camera.scale;
  }

  #drawPixels(left, top, width, height) {
    const { context, camera } = this;
    for (const tint of this.#tintsNow()) context.drawImage(tint, left, top, width, height);
    if (!this.#film || this.settings.overlays.field) return; // one colour a cell can say one thing
    // Marks of any-angle planners are corners: their pixels lie around these, half a cell up and to the left.
    const shift = this.#film.isAnyAngle ? camera.scale / 2 : 0;
    if (this.world.prices) context.globalAlpha = 0.66; // terrain shines through
    context.drawImage(this.#filmPixels.flushed(), left - shift, top - shift, width, height);
    context.globalAlpha = 1;
    if (shift > 0) context.drawImage(this.ground.walls.flushed(), left, top, width, height);
  }

  #drawSearch() {
    drawOverlays(this.context, this);
    if (this.#film) drawFilm(this.context, this, this.#film);
    drawPath(this.context, this);
  }

  /** Colours of whole cells besides the film: distances, first moves, what gates leave out. */
  #tintsNow() {
    const { lane, settings, world, palette } = this;
    const tints = [];
    const add = (name, data, make) => {
      if (!data) return;
      if (!this.#tints.has(name)) this.#tints.set(name, make(world, data, palette));
      tints.push(this.#tints.get(name));
    };
    if (settings.overlays.field) add("field", lane.extras.field, fieldPixels);
    if (settings.overlays.gates || lane.spec.includes("gates")) add("gates", lane.extras.gates?.pruned, prunedPixels);
    if (lane.planner === "cpd") add("moves", lane.extras.firstMoves?.moves, movePixels);
    return tints;
  }

  #forgetTints() {
    this.#tints.clear();
    this.invalidate();
  }

  #drawGrid(left, top) {
    const { context, camera, palette, world } = this;
    const { x0, y0, x1, y1 } = this.bounds();
    const [cx0, cy0, cx1, cy1] = [
      Math.max(0, Math.floor(x0)),
      Math.max(0, Math.floor(y0)),
      Math.min(world.width, Math.ceil(x1)),
      Math.min(world.height, Math.ceil(y1)),
    ];
    context.fillStyle = palette.inks.grid;
    const thin = 1 / this.ratio;
    const snap = (value) => Math.round(value * this.ratio) / this.ratio;
    const [w, h] = [(cx1 - cx0) * camera.scale, (cy1 - cy0) * camera.scale];
    for (let x = cx0; x <= cx1; x++) context.fillRect(snap(left + x * camera.scale), top + cy0 * camera.scale, thin, h);
    for (let y = cy0; y <= cy1; y++) context.fillRect(left + cx0 * camera.scale, snap(top + y * camera.scale), w, thin);
  }

  #takeFilm() {
    const film = this.lane.film;
    const { width, height } = this.world;
    if (this.#filmPixels && (this.#filmPixels.width !== width || this.#filmPixels.height !== height))
      this.#filmPixels = null;
    if (this.#filmPixels && this.#film) for (const cell of this.#film.cells()) this.#filmPixels.set(cell, 0);
    if (film && !this.#filmPixels) this.#filmPixels = new Pixels(width, height);
    this.#film = film;
    this.invalidate();
  }

  #repaintFilm() {
    const film = this.#film;
    if (film) for (const cell of film.cells()) this.#filmPixels.set(cell, this.#look(film, cell));
  }

  #look(film, cell) {
    const look = film.look(cell);
    if (!look) return 0;
    const [mark, age] = look;
    if (mark === "closed") return this.palette.age[(age * 255) | 0];
    if (mark === "area") return this.palette.area[(age * 255) | 0];
    return this.palette[mark];
  }

  get ratio() {
    return Math.min(globalThis.devicePixelRatio || 1, MAX_RATIO);
  }

  #resize() {
    const { width, height } = this.canvas.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    this.size = { width, height };
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    this.canvas.dispatchEvent(new CustomEvent("viewresize", { bubbles: true }));
    this.draw(); // a resized canvas is empty: not a frame may show that
  }
}
