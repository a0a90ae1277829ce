// What part of the map is looked at. All lanes share one, so that they show the same place.

const MIN_SCALE = 0.08;
const MAX_SCALE = 72;

/** Event: "change". `scale` is in CSS pixels a cell; `x`, `y` is the place on the map in the middle of a view. */
export class Camera extends EventTarget {
  scale = 10;
  x = 0;
  y = 0;
  /** Whether the map was only ever fitted: then a resized window fits it again. */
  isFitted = true;

  /** @param {{width: number, height: number}} map @param {{width: number, height: number}} view @param {{left: number, top: number, right: number, bottom: number}} margin */
  fit(map, view, margin) {
    const room = {
      width: Math.max(view.width - margin.left - margin.right, 40),
      height: Math.max(view.height - margin.top - margin.bottom, 40),
    };
    const scale = clamp(Math.min(room.width / map.width, room.height / map.height), MIN_SCALE, 40);
    const aside = { x: (margin.right - margin.left) / 2 / scale, y: (margin.bottom - margin.top) / 2 / scale };
    this.set({ scale, x: map.width / 2 + aside.x, y: map.height / 2 + aside.y });
    this.isFitted = true;
  }

  set({ scale = this.scale, x = this.x, y = this.y }) {
    Object.assign(this, { scale: clamp(scale, MIN_SCALE, MAX_SCALE), x, y, isFitted: false });
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** Zooms so that the place under a point of the view stays there; dx, dy: pixels from the view's middle. */
  zoomAt(factor, dx, dy) {
    const scale = clamp(this.scale * factor, MIN_SCALE, MAX_SCALE);
    this.set({ scale, x: this.x + dx / this.scale - dx / scale, y: this.y + dy / this.scale - dy / scale });
  }

  panBy(dx, dy) {
    this.set({ x: this.x - dx / this.scale, y: this.y - dy / this.scale });
  }

  /** Keeps some of the map in view. */
  hold(map) {
    this.x = clamp(this.x, 0, map.width);
    this.y = clamp(this.y, 0, map.height);
  }
}

function clamp(value, least, most) {
  return Math.min(Math.max(value, least), most);
}
