// The colours of the canvas, for light and for dark. Those of the page around it are in style.css.

/** @typedef {{paper: string, void: string, wall: string, grid: string, path: string, halo: string, start: string, goal: string, node: string, jump: string, taut: string,
 *   area: string, gate: string, pocket: string, hub: string, ink: string, arrow: string}} Inks */

const STEPS = 256;
const MOVE_HUES = [262, 300, 345, 20, 48, 95, 150, 205]; // N, NE, E, ...: neighbours are told apart, opposites are far apart

const LIGHT = {
  inks: {
    paper: "#fdfcf8",
    void: "#232732",
    wall: "#2b2f3a",
    grid: "#2b2f3a14",
    path: "#d81e5b",
    halo: "#fffdf9",
    start: "#17803d",
    goal: "#d81e5b",
    node: "#2743b8",
    jump: "#3a57d0",
    taut: "#3a63d6",
    area: "#2b2f3a70",
    gate: "#c2570c",
    pocket: "#c2570c",
    hub: "#7c3aed",
    ink: "#1d2029",
    arrow: "#1d2029b0",
  },
  age: ["#a9dcc3", "#8ccfc6", "#72b6cd", "#5f93cf", "#566fcd", "#5a53c2"],
  marks: {
    open: [244, 193, 84, 255],
    touched: [88, 120, 190, 70],
    seen: [95, 160, 120, 82],
    pruned: [120, 112, 96, 90],
  },
  ageAlpha: 235,
  areaAlpha: 150,
  free: [253, 252, 248],
  blocked: [43, 47, 58],
  terrain: [
    [222, 226, 178],
    [207, 214, 150],
    [214, 199, 134],
    [214, 184, 121],
    [200, 164, 108],
    [179, 141, 94],
    [146, 120, 88],
    [112, 101, 86],
  ],
  bands: ["#f4efe2", "#e3d9c4"],
  moves: { chroma: 0.095, light: 0.85 },
};

const DARK = {
  inks: {
    paper: "#14161c",
    void: "#262b37",
    wall: "#2f3543",
    grid: "#ffffff09",
    path: "#ffd166",
    halo: "#12141a",
    start: "#4ade80",
    goal: "#ffd166",
    node: "#c3d0ff",
    jump: "#93a9ff",
    taut: "#8fb0ff",
    area: "#ffffff50",
    gate: "#fb923c",
    pocket: "#fb923c",
    hub: "#c4a5ff",
    ink: "#eceae3",
    arrow: "#ecebe5a8",
  },
  age: ["#2d2a66", "#343d8c", "#2c5fa6", "#1f84a6", "#22a38f", "#6cc07a"],
  marks: {
    open: [224, 109, 86, 255],
    touched: [150, 170, 255, 60],
    seen: [90, 190, 140, 60],
    pruned: [170, 160, 140, 34],
  },
  ageAlpha: 235,
  areaAlpha: 165,
  free: [18, 20, 26],
  blocked: [47, 53, 67],
  terrain: [
    [40, 48, 38],
    [52, 58, 38],
    [66, 62, 38],
    [80, 66, 40],
    [92, 66, 42],
    [96, 60, 44],
    [88, 54, 50],
    [72, 50, 58],
  ],
  bands: ["#1d212b", "#262c39"],
  moves: { chroma: 0.11, light: 0.55 },
};

/** @param {"light" | "dark"} theme */
export function palette(theme) {
  const base = theme === "dark" ? DARK : LIGHT;
  return {
    theme,
    inks: base.inks,
    /** Expanded early to expanded late, as pixels. */
    age: gradient(base.age, base.ageAlpha),
    area: gradient(base.age, base.areaAlpha),
    open: pixel(base.marks.open),
    touched: pixel(base.marks.touched),
    seen: pixel(base.marks.seen),
    pruned: pixel(base.marks.pruned),
    ground: ground(base),
    blocked: pixel([...base.blocked, 255]),
    bands: base.bands.map((text) => pixel([...rgb(text), 255])),
    moves: MOVE_HUES.map((hue) => `oklch(${base.moves.light} ${base.moves.chroma} ${hue})`),
    stops: base.age,
    terrain: base.terrain.map(([r, g, b]) => `rgb(${r} ${g} ${b})`),
    openCss: `rgb(${base.marks.open.slice(0, 3).join(" ")})`,
    touchedCss: `rgb(${base.marks.touched.slice(0, 3).join(" ")} / ${base.marks.touched[3] / 255})`,
    prunedCss: `rgb(${base.marks.pruned.slice(0, 3).join(" ")} / ${base.marks.pruned[3] / 255})`,
    seenCss: `rgb(${base.marks.seen.slice(0, 3).join(" ")} / ${base.marks.seen[3] / 255})`,
  };
}

/** The pixel of every price: 1 is plain ground, 2 to 9 have their own colour, dearer ones grow darker still. */
function ground({ free, terrain }) {
  const table = new Uint32Array(256);
  for (let price = 0; price < 256; price++) {
    if (price <= 1) table[price] = pixel([...free, 255]);
    else if (price <= 9) table[price] = pixel([...terrain[price - 2], 255]);
    else
      table[price] = pixel([...terrain[7].map((c) => c * (1 - 0.5 * (Math.log(price / 9) / Math.log(255 / 9)))), 255]);
  }
  return table;
}

/** ImageData is red, green, blue, alpha in bytes: little-endian words, as every browser's machine has them. @param {number[]} colour */
function pixel([r, g, b, a]) {
  return ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

export function rgb(text) {
  return [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
}

function gradient(stops, alpha) {
  const colours = stops.map(rgb);
  return Uint32Array.from({ length: STEPS }, (_, i) => {
    const at = (i / (STEPS - 1)) * (colours.length - 1);
    const k = Math.min(Math.floor(at), colours.length - 2);
    const mixed = colours[k].map((c, j) => Math.round(c + (colours[k + 1][j] - c) * (at - k)));
    return pixel([...mixed, alpha]);
  });
}
