// A search as a film: what is known of each cell after any number of events. Going from one place in the film to another costs what lies
// between them, in both directions: for each cell and kind of mark the first event that made it is kept, and for each event the cells
// that it marked first. There is nothing to copy and nothing to play from the beginning.

export const STRIDE = 7;
const [REACHED, IMPROVED, EXPANDED, LINE, AREA, SIGHT, TAUT_HOP, SEES, HOP, TOUCHED] = Array.from(
  { length: 10 },
  (_, i) => i,
);
const NEVER = 0x7fffffff;
const MARK_OF = {
  [REACHED]: "open",
  [LINE]: "open",
  [EXPANDED]: "closed",
  [AREA]: "area",
  [SEES]: "seen",
  [TOUCHED]: "touched",
};

export class Film {
  /** How many events there are. */
  length;
  /** How many have happened. */
  at = 0;
  /** How many of each kind have happened. */
  counts = new Uint32Array(10);
  /** First event that made a mark, by cell; a kind that does not occur has no table. @type {Record<string, Int32Array>} */
  marks = {};
  /** Events with something to draw as dots, lines and rectangles, in order. */
  reached;
  areas;
  hops;
  sights;
  pathHops;
  /** Cells that were reached by a jump, with where it began. */
  jumps;
  isSparse = false;

  /**
   * @param {Int32Array} events rows of 7
   * @param {number} width @param {number} height
   * @param {{isAnyAngle?: boolean, isCut?: boolean, isBlocks?: boolean}} [options] isBlocks: a cell that is reached stands for its block
   * @param {Film | null} [former] a film that is over: its tables are used again, which saves clearing all cells of the map
   */
  constructor(events, width, height, { isAnyAngle = false, isCut = false, isBlocks = false } = {}, former = null) {
    this.events = events;
    this.width = width;
    this.height = height;
    this.isAnyAngle = isAnyAngle;
    this.isCut = isCut;
    this.isBlocks = isBlocks;
    this.length = Math.floor(events.length / STRIDE);
    if (former?.width === width && former.height === height) this.#takeOver(former);
    this.#index();
    this.#listVectors();
  }

  #takeOver(former) {
    for (const [name, table] of Object.entries(former.marks)) {
      for (const cell of former.changes) table[cell] = NEVER;
      this.marks[name] = table;
    }
    former.marks = {};
  }

  /** Goes to a place in the film, and tells every cell whose look may have changed. @param {(cell: number) => void} changed */
  moveTo(at, changed) {
    const target = Math.min(Math.max(Math.round(at), 0), this.length);
    const [low, high] = [Math.min(this.at, target), Math.max(this.at, target)];
    const step = target > this.at ? 1 : -1;
    for (let i = low; i < high; i++) this.counts[this.events[i * STRIDE]] += step;
    this.at = target;
    for (let k = this.offsets[low]; k < this.offsets[high]; k++) changed(this.changes[k]);
  }

  /** What is to be seen of a cell now: the strongest mark, and how late in the film it was made (0 to 1). */
  look(cell) {
    const { closed, open, area, touched, seen } = this.marks;
    if (closed && closed[cell] < this.at) return ["closed", closed[cell] / this.length];
    if (open && open[cell] < this.at) return ["open", 0];
    if (area && area[cell] < this.at) return ["area", area[cell] / this.length];
    if (touched && touched[cell] < this.at) return ["touched", 0];
    if (seen && seen[cell] < this.at) return ["seen", 0];
    return null;
  }

  /** The cells that have any mark by the end. */
  cells() {
    return this.changes;
  }

  /** The next event after (or the last before) a place that expands something. */
  nextExpansion(from, direction) {
    for (let i = direction > 0 ? from : from - 2; i >= 0 && i < this.length; i += direction) {
      const kind = this.events[i * STRIDE];
      if (kind === EXPANDED || kind === AREA) return i + 1;
    }
    return direction > 0 ? this.length : 0;
  }

  /** How many of a sorted list of events have happened. */
  happened(list) {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] < this.at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #index() {
    const changes = new Growing();
    this.offsets = new Uint32Array(this.length + 1);
    for (let i = 0; i < this.length; i++) {
      this.#mark(i, changes);
      this.offsets[i + 1] = changes.length;
    }
    this.changes = changes.trimmed();
  }

  #mark(i, changes) {
    const at = i * STRIDE;
    const kind = this.events[at];
    const mark = MARK_OF[kind];
    if (!mark || (kind === AREA && this.isAnyAngle) || (this.isBlocks && kind !== AREA)) return;
    const table = (this.marks[mark] ??= new Int32Array(this.width * this.height).fill(NEVER));
    const [x0, y0, x1, y1] = this.#box(at, kind);
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const cell = y * this.width + x;
        if (table[cell] !== NEVER) continue;
        table[cell] = i;
        changes.push(cell);
      }
    }
  }

  /** The cells of an event, on the map. Corners at the far edges of the map have no cell and are left out. */
  #box(at, kind) {
    const e = this.events;
    const [first, second] =
      kind === SEES ? [at + 3, at + 5] : [at + 1, kind === LINE || kind === AREA ? at + 3 : at + 1];
    return [
      Math.max(Math.min(e[first], e[second]), 0),
      Math.max(Math.min(e[first + 1], e[second + 1]), 0),
      Math.min(Math.max(e[first], e[second]), this.width - 1),
      Math.min(Math.max(e[first + 1], e[second + 1]), this.height - 1),
    ];
  }

  #listVectors() {
    const lists = {
      [REACHED]: new Growing(),
      [AREA]: new Growing(),
      [TAUT_HOP]: new Growing(),
      [SIGHT]: new Growing(),
      [HOP]: new Growing(),
    };
    const [jumps, from] = [new Growing(), new Growing()];
    let expanded = -1;
    for (let i = 0; i < this.length; i++) {
      const kind = this.events[i * STRIDE];
      lists[kind]?.push(i);
      if (kind === EXPANDED) expanded = i;
      // What is reached after an expansion was found by it: farther than one move away, it was a jump.
      if ((kind === REACHED || kind === IMPROVED) && expanded >= 0 && this.#distance(i, expanded) > 1) {
        jumps.push(i);
        from.push(expanded);
      }
    }
    [this.reached, this.areas, this.hops, this.sights, this.pathHops] = [REACHED, AREA, TAUT_HOP, SIGHT, HOP].map(
      (kind) => lists[kind].trimmed(),
    );
    this.jumps = { at: jumps.trimmed(), from: from.trimmed() };
    this.isSparse = this.jumps.at.length > 0 && this.areas.length === 0;
  }

  #distance(i, j) {
    const [a, b] = [i * STRIDE, j * STRIDE];
    return Math.max(
      Math.abs(this.events[a + 1] - this.events[b + 1]),
      Math.abs(this.events[a + 2] - this.events[b + 2]),
    );
  }
}

export const KINDS = { REACHED, IMPROVED, EXPANDED, LINE, AREA, SIGHT, TAUT_HOP, SEES, HOP, TOUCHED };

/** An array of whole numbers that grows, without a boxed number each. */
class Growing {
  length = 0;
  #data = new Int32Array(256);

  push(value) {
    if (this.length === this.#data.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[this.length++] = value;
  }

  trimmed() {
    return this.#data.slice(0, this.length);
  }
}
