// What is drawn of a crowd: camps, buildings, units in the colour of where they go.

const LEAST_PX = 2.2;
/** Units of one camp would walk in one line: each keeps a little to one side of its path. */
const SIDE = 0.3;

export class CrowdLayer {
  /** @type {{x: number, y: number}[]} */
  camps = [];
  xy = new Float32Array(0);
  aims = new Uint8Array(0);
  /** @type {[number, number, number, number][]} */
  buildings = [];

  clear() {
    Object.assign(this, { camps: [], xy: new Float32Array(0), aims: new Uint8Array(0), buildings: [] });
  }

  take(xy, aims, buildings) {
    Object.assign(this, { xy, aims });
    if (buildings) this.buildings = buildings;
  }

  /** A layer of a view. One unit of the context is one cell. @param {CanvasRenderingContext2D} context @param {import("./view.js").View} view */
  draw = (context, view) => {
    this.#drawCamps(context, view);
    this.#drawBuildings(context, view);
    this.#drawUnits(context, view);
  };

  #colour(camp, theme) {
    const hue = (camp * 360) / Math.max(1, this.camps.length);
    return `oklch(${theme === "dark" ? 0.78 : 0.58} 0.17 ${Math.round(hue + 20) % 360})`;
  }

  #drawCamps(context, { pixel, palette }) {
    const radius = Math.max(2.5, 9 * pixel);
    this.camps.forEach(({ x, y }, camp) => {
      context.beginPath();
      context.arc(x + 0.5, y + 0.5, radius, 0, 2 * Math.PI);
      context.lineWidth = Math.max(0.5, 2 * pixel);
      context.strokeStyle = this.#colour(camp, palette.theme);
      context.stroke();
    });
  }

  #drawBuildings(context, { palette, pixel }) {
    context.fillStyle = palette.inks.gate;
    context.strokeStyle = palette.inks.halo;
    context.lineWidth = pixel;
    for (const [x0, y0, x1, y1] of this.buildings) {
      context.fillRect(x0, y0, x1 - x0 + 1, y1 - y0 + 1);
      context.strokeRect(x0, y0, x1 - x0 + 1, y1 - y0 + 1);
    }
  }

  /** Camp by camp: a change of colour costs more than looking through all units once more. */
  #drawUnits(context, view) {
    const { xy, aims } = this;
    const size = Math.max(0.7, LEAST_PX * view.pixel);
    const { x0, y0, x1, y1 } = view.bounds();
    for (let camp = 0; camp < this.camps.length; camp++) {
      context.fillStyle = this.#colour(camp, view.palette.theme);
      for (let unit = 0; unit < aims.length; unit++) {
        if (aims[unit] !== camp) continue;
        const x = xy[2 * unit];
        const y = xy[2 * unit + 1];
        if (x < x0 || x > x1 || y < y0 || y > y1) continue;
        const side = (((unit * 2654435761) >>> 16) & 255) / 127.5 - 1;
        context.fillRect(x + SIDE * side - size / 2, y - SIDE * side - size / 2, size, size);
      }
    }
  }
}
