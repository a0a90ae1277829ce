// The map as pixels, one a cell, kept up with the world. All lanes draw the same one.

import { Pixels } from "./pixels.js";

export class Ground {
  /** @type {Pixels | null} */
  #walls = null;

  /** @param {import("./world.js").World} world */
  constructor(world, palette) {
    this.world = world;
    this.palette = palette;
    this.pixels = new Pixels(1, 1);
    world.addEventListener("map", () => this.redraw());
    world.addEventListener("cells", (/** @type {CustomEvent} */ event) => this.#update(event.detail.edits));
    this.redraw();
  }

  /** The walls alone, to be drawn over what must not cover them. Made when first wanted. */
  get walls() {
    if (!this.#walls) {
      this.#walls = new Pixels(this.world.width, this.world.height);
      const { words } = this.#walls;
      for (let i = 0; i < words.length; i++) words[i] = this.world.blocked[i] ? this.palette.blocked : 0;
      this.#walls.touchAll();
    }
    return this.#walls;
  }

  setPalette(palette) {
    this.palette = palette;
    this.redraw();
  }

  redraw() {
    const { width, height, blocked, prices } = this.world;
    if (this.pixels.width !== width || this.pixels.height !== height) this.pixels = new Pixels(width, height);
    this.#walls = null;
    const { words } = this.pixels;
    for (let i = 0; i < words.length; i++)
      words[i] = blocked[i] ? this.palette.blocked : this.palette.ground[prices ? prices[i] : 1];
    this.pixels.touchAll();
  }

  #update(edits) {
    for (const { x, y, blocked, price } of edits) {
      const cell = y * this.world.width + x;
      this.pixels.set(cell, blocked ? this.palette.blocked : this.palette.ground[price]);
      this.#walls?.set(cell, blocked ? this.palette.blocked : 0);
    }
  }
}
