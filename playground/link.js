// A scene as the text of a link and back: map, ends, planners, settings. No page, no planners: bytes only.
//
//   fragment  = "scene=" base64url(version byte, CRC-32 of the body, deflate-raw(body))
//   body      = varint length of the header, header as JSON, cells
//   cells     = nothing if the header names a recipe, else a layer of walls and, if the header says so, one of prices
//   layer     = byte that says how it is written, varint length, bytes

/** @typedef {import("./world.js").MapData} MapData */
/**
 * What a link holds beside the map. `recipe` names a generated map; its cells are then not in the link.
 * @typedef {object} Scene
 * @property {MapData | null} map null: `recipe` says how to make it
 * @property {object | null} recipe
 * @property {number | null} print checksum of the cells that the recipe made
 * @property {{start: {x: number, y: number}, goal: {x: number, y: number}}} ends
 * @property {object} settings planners and the like: plain data, not looked at here
 */

export const PREFIX = "scene=";
export const MAX_LINK = 1_500_000;
const VERSION = 1;
const MAX_SIDE = 4096;
/** A link that unpacks to more than any map of the page needs is refused while it is unpacked, not after. */
const MAX_BODY = 2 * MAX_SIDE * MAX_SIDE + (1 << 20);
const MAX_HEADER = 1 << 16;

const LAYER = { BITS: 0, RUNS: 1, BYTES: 2, VALUE_RUNS: 3 };

/** The link cannot be read; the message says why. */
export class LinkError extends Error {
  name = "LinkError";
}

/** @param {Scene} scene @returns {Promise<string>} the fragment, without "#" */
export async function encodeScene(scene) {
  const tries = await Promise.all(
    bodies(scene).map(async (body) => ({ body, packed: await pipe(body, new CompressionStream("deflate-raw")) })),
  );
  const { body, packed } = tries.reduce((a, b) => (b.packed.length < a.packed.length ? b : a));
  const bytes = new Uint8Array(5 + packed.length);
  bytes[0] = VERSION;
  new DataView(bytes.buffer).setUint32(1, crc32(body));
  bytes.set(packed, 5);
  return PREFIX + toBase64url(bytes);
}

/** @param {string} fragment with or without "#" @returns {Promise<Scene>} */
export async function decodeScene(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text.startsWith(PREFIX)) throw new LinkError("the link holds no scene");
  const bytes = fromBase64url(text.slice(PREFIX.length));
  if (bytes.length < 6) throw new LinkError("the link is cut short");
  if (bytes[0] !== VERSION)
    throw new LinkError(`the link is of version ${bytes[0]}, this page reads version ${VERSION}`);
  const body = await unpack(bytes.subarray(5));
  if (crc32(body) !== new DataView(bytes.buffer, bytes.byteOffset).getUint32(1))
    throw new LinkError("the link is damaged");
  return readBody(new Reader(body));
}

/** Checksum of the cells of a map: tells whether a generated map is still what its recipe makes. @param {MapData} map */
export function cellsPrint(map) {
  const walls = crc32(map.blocked, crc32(new Uint8Array(new Uint32Array([map.width, map.height]).buffer)));
  return hasPrices(map) ? crc32(map.prices, walls) : walls;
}

/** Layers can be written in two ways each; which is shorter shows only after packing. */
function bodies({ map, recipe, print, ends, settings }) {
  if (recipe) return [writeBody({ recipe, print, ends, settings }, [])];
  const { width, height, movement, convention, name } = map;
  const header = { width, height, movement, convention, name, prices: Boolean(map.prices), ends, settings };
  const walls = [layer(LAYER.BITS, toBits(map.blocked)), layer(LAYER.RUNS, toRuns(map.blocked))];
  const land = map.prices ? [layer(LAYER.BYTES, map.prices), layer(LAYER.VALUE_RUNS, toValueRuns(map.prices))] : [null];
  return walls.flatMap((wall) => land.map((price) => writeBody(header, price ? [wall, price] : [wall])));
}

function writeBody(header, layers) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  return concat([varint(text.length), text, ...layers.flat()]);
}

function layer(kind, bytes) {
  return [Uint8Array.of(kind), varint(bytes.length), bytes];
}

function readBody(reader) {
  const header = readHeader(reader);
  const { ends } = header;
  const settings = header.settings && typeof header.settings === "object" ? header.settings : {};
  if (header.recipe)
    return {
      map: null,
      recipe: header.recipe,
      print: header.print ?? null,
      ends: checkEnds(ends, MAX_SIDE, MAX_SIDE),
      settings,
    };
  const { width, height, movement, convention, name } = header;
  for (const side of [width, height]) {
    if (!(Number.isInteger(side) && side >= 1 && side <= MAX_SIDE))
      throw new LinkError(`the link is for a map of ${width} by ${height} cells`);
  }
  const blocked = readLayer(reader, width * height, [LAYER.BITS, LAYER.RUNS]);
  const prices = header.prices ? readLayer(reader, width * height, [LAYER.BYTES, LAYER.VALUE_RUNS]) : null;
  if (prices?.includes(0)) throw new LinkError("the link has a price of 0");
  // Names of movements and conventions that the library does not know are refused where the map is used.
  const rules = /** @type {Pick<MapData, "movement" | "convention">} */ ({
    movement: asText(movement),
    convention: asText(convention),
  });
  const map = { width, height, blocked, prices, ...rules, name: asText(name) };
  return { map, recipe: null, print: null, ends: checkEnds(ends, width, height), settings };
}

function readHeader(reader) {
  const length = reader.varint();
  if (length > MAX_HEADER) throw new LinkError("the link is damaged");
  try {
    const header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(reader.take(length)));
    if (header && typeof header === "object") return header;
  } catch (error) {
    if (error instanceof LinkError) throw error;
  }
  throw new LinkError("the link is damaged");
}

function checkEnds(ends, width, height) {
  for (const end of [ends?.start, ends?.goal]) {
    const fits =
      Number.isInteger(end?.x) &&
      Number.isInteger(end?.y) &&
      end.x >= 0 &&
      end.y >= 0 &&
      end.x < width &&
      end.y < height;
    if (!fits) throw new LinkError("the link has a start or goal that is off its map");
  }
  return { start: { x: ends.start.x, y: ends.start.y }, goal: { x: ends.goal.x, y: ends.goal.y } };
}

function asText(value) {
  return typeof value === "string" ? value.slice(0, 200) : undefined;
}

function readLayer(reader, cells, kinds) {
  const kind = reader.byte();
  if (!kinds.includes(kind)) throw new LinkError("the link is damaged");
  const bytes = reader.take(reader.varint());
  if (kind === LAYER.BITS) return fromBits(bytes, cells);
  if (kind === LAYER.RUNS) return fromRuns(bytes, cells);
  if (kind === LAYER.VALUE_RUNS) return fromValueRuns(bytes, cells);
  if (bytes.length !== cells) throw new LinkError("the link has too few cells for its map");
  return bytes.slice();
}

function toBits(cells) {
  const bits = new Uint8Array(Math.ceil(cells.length / 8));
  for (let i = 0; i < cells.length; i++) if (cells[i]) bits[i >> 3] |= 1 << (i & 7);
  return bits;
}

function fromBits(bits, cells) {
  if (bits.length !== Math.ceil(cells / 8)) throw new LinkError("the link has too few cells for its map");
  return Uint8Array.from({ length: cells }, (_, i) => (bits[i >> 3] >> (i & 7)) & 1);
}

/** Lengths of runs, free and blocked in turn, free first. */
function toRuns(cells) {
  const out = new Writer();
  let [value, run] = [0, 0];
  for (const cell of cells) {
    if (Boolean(cell) === Boolean(value)) run += 1;
    else {
      out.varint(run);
      [value, run] = [1 - value, 1];
    }
  }
  out.varint(run);
  return out.bytes();
}

function fromRuns(bytes, cells) {
  const out = new Uint8Array(cells);
  fill(new Reader(bytes), out, (place) => place % 2);
  return out;
}

/** A value and how often it comes, again and again. */
function toValueRuns(values) {
  const out = new Writer();
  for (let i = 0; i < values.length; ) {
    let end = i + 1;
    while (end < values.length && values[end] === values[i]) end += 1;
    out.byte(values[i]);
    out.varint(end - i);
    i = end;
  }
  return out.bytes();
}

function fromValueRuns(bytes, cells) {
  const out = new Uint8Array(cells);
  const reader = new Reader(bytes);
  fill(reader, out, () => reader.byte());
  return out;
}

function fill(reader, out, valueAt) {
  let at = 0;
  for (let place = 0; !reader.isDone; place++) {
    const value = valueAt(place);
    const run = reader.varint();
    if (run > out.length - at) throw new LinkError("the link has too many cells for its map");
    out.fill(value, at, (at += run));
  }
  if (at !== out.length) throw new LinkError("the link has too few cells for its map");
}

class Writer {
  #bytes = new Uint8Array(1024);
  #length = 0;

  byte(value) {
    if (this.#length === this.#bytes.length) {
      const more = new Uint8Array(2 * this.#bytes.length);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#bytes[this.#length++] = value;
  }

  varint(value) {
    for (; value >= 128; value = Math.floor(value / 128)) this.byte((value % 128) + 128);
    this.byte(value);
  }

  bytes() {
    return this.#bytes.subarray(0, this.#length);
  }
}

class Reader {
  #at = 0;

  constructor(bytes) {
    this.all = bytes;
  }

  get isDone() {
    return this.#at >= this.all.length;
  }

  byte() {
    if (this.isDone) throw new LinkError("the link is cut short");
    return this.all[this.#at++];
  }

  varint() {
    let [value, scale] = [0, 1];
    for (let i = 0; i < 5; i++, scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new LinkError("the link is damaged");
  }

  take(length) {
    if (length > this.all.length - this.#at) throw new LinkError("the link is cut short");
    return this.all.subarray(this.#at, (this.#at += length));
  }
}

function varint(value) {
  const out = new Writer();
  out.varint(value);
  return out.bytes();
}

/** @param {MapData} map */
function hasPrices({ prices }) {
  return Boolean(prices) && prices.some((price) => price !== 1);
}

async function unpack(bytes) {
  try {
    return await pipe(bytes, new DecompressionStream("deflate-raw"), MAX_BODY);
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError("the link is damaged");
  }
}

async function pipe(bytes, stream, most = Infinity) {
  const writer = stream.writable.getWriter();
  // What goes wrong here comes out of the reading side as well.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const chunks = [];
  let length = 0;
  for (const reader = stream.readable.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) return concat(chunks);
    length += value.length;
    if (length > most) {
      await reader.cancel().catch(() => {});
      throw new LinkError("the link unpacks to more than a map");
    }
    chunks.push(value);
  }
}

function concat(chunks) {
  const out = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}

function toBase64url(bytes) {
  let text = "";
  // In pieces: a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text) {
  if (/[^A-Za-z0-9_-]/.test(text)) throw new LinkError("the link has letters that do not belong there");
  if (text.length > 4 * MAX_LINK) throw new LinkError("the link is too long");
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  } catch {
    throw new LinkError("the link is cut short");
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let crc = i;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** @param {Uint8Array} bytes @param {number} [before] checksum of what comes before */
export function crc32(bytes, before = 0) {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = CRC_TABLE[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}
