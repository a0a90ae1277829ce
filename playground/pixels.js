// A picture with a pixel for every cell, of which only what changed is sent to its canvas.

const TILE = 128;

export class Pixels {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.canvas = new OffscreenCanvas(width, height);
    this.context = this.canvas.getContext("2d");
    this.image = new ImageData(width, height);
    this.words = new Uint32Array(this.image.data.buffer);
    this.across = Math.ceil(width / TILE);
    this.dirty = new Uint8Array(this.across * Math.ceil(height / TILE));
    this.isDirty = false;
  }

  set(cell, word) {
    this.words[cell] = word;
    const y = Math.floor(cell / this.width);
    this.dirty[Math.floor(y / TILE) * this.across + Math.floor((cell - y * this.width) / TILE)] = 1;
    this.isDirty = true;
  }

  /** All of it changed, and was written into `words`. */
  touchAll() {
    this.dirty.fill(1);
    this.isDirty = true;
  }

  /** The canvas, up to date. */
  flushed() {
    if (!this.isDirty) return this.canvas;
    if (this.dirty.every((tile) => tile === 1)) {
      this.context.putImageData(this.image, 0, 0);
    } else {
      this.dirty.forEach((tile, i) => tile && this.#send(i % this.across, Math.floor(i / this.across)));
    }
    this.dirty.fill(0);
    this.isDirty = false;
    return this.canvas;
  }

  #send(column, row) {
    this.context.putImageData(this.image, 0, 0, column * TILE, row * TILE, TILE, TILE);
  }
}
