// The menu of built-in maps, and the form that makes others.

import { make } from "./dom.js";
import { runErrand } from "./errands.js";
import { cellsPrint } from "./link.js";
import * as octile from "./octile/octile.js";
import { KINDS, checkRecipe, makeMap, recipeName } from "./recipes.js";
import { fillMenu } from "./widgets.js";

/** @returns {import("./recipes.js").Recipe} */
const square = (kind, side, size, seed = 1, more = {}) => ({
  kind,
  width: side,
  height: side,
  ...(size && { size }),
  seed,
  ...more,
});
/** Cells that are made while the page waits. */
const AT_ONCE = 400_000;
/** @type {import("./recipes.js").Recipe["land"]} */
const LAND = { prices: [1, 3, 6], size: 12, convention: "average" };

/** @type {{group: string, maps: {label: string, recipe: import("./recipes.js").Recipe}[]}[]} */
export const MAPS = [
  {
    group: "Rooms and houses",
    maps: [
      { label: "Small rooms", recipe: square("rooms", 64, 8, 3) },
      { label: "Rooms", recipe: { kind: "rooms", width: 192, height: 128, size: 16, seed: 4 } },
      { label: "A palace", recipe: square("rooms", 512, 16, 2) },
      { label: "City", recipe: { kind: "city", width: 240, height: 160, size: 18, seed: 5 } },
      { label: "Storehouse", recipe: { kind: "storehouse", width: 160, height: 96, size: 3, seed: 2 } },
    ],
  },
  {
    group: "Mazes",
    maps: [
      { label: "Narrow maze", recipe: square("maze", 64, 1, 2) },
      { label: "Maze", recipe: square("maze", 256, 4, 1) },
      { label: "Wide maze", recipe: square("maze", 512, 16, 1) },
      { label: "Spiral", recipe: square("spiral", 96, 5) },
    ],
  },
  {
    group: "Nature",
    maps: [
      { label: "Open field", recipe: { kind: "open", width: 96, height: 64, seed: 1 } },
      { label: "Caves", recipe: { kind: "caves", width: 192, height: 128, size: 45, seed: 7 } },
      { label: "Large caves", recipe: square("caves", 512, 45, 2) },
      { label: "Vast caves", recipe: square("caves", 2048, 45, 3) },
    ],
  },
  {
    group: "Random walls",
    maps: [
      { label: "10 %", recipe: square("random", 128, 10) },
      { label: "20 %", recipe: square("random", 256, 20) },
      { label: "30 %", recipe: square("random", 512, 30) },
      { label: "40 %", recipe: square("random", 512, 40) },
    ],
  },
  {
    group: "With terrain",
    maps: [
      { label: "Fields and swamps", recipe: { kind: "open", width: 128, height: 96, seed: 6, land: LAND } },
      {
        label: "Rooms with mud",
        recipe: { kind: "rooms", width: 160, height: 112, size: 16, seed: 4, land: { ...LAND, prices: [1, 1, 4] } },
      },
      {
        label: "Caves with water",
        recipe: square("caves", 384, 44, 5, { land: { prices: [1, 2, 8], size: 24, convention: "enter" } }),
      },
    ],
  },
];

/** @param {import("./main.js").App} app */
export function installMaps(app) {
  const maker = new Maker(app);
  app.maps = maker;
  const groups = MAPS.map(({ group, maps }) =>
    make(
      "div.menu-group",
      { role: "group", "aria-label": group },
      make("h3", {}, group),
      make("div.map-buttons", {}, ...maps.map((entry) => mapButton(maker, entry))),
    ),
  );
  maker.menu = fillMenu("menu-maps", [make("div.maps-panel", {}, ...groups, makerForm(maker))]);
}

/** Makes maps from recipes, and knows which of them the page still shows. */
export class Maker {
  /** @type {{recipe: import("./recipes.js").Recipe, print: number} | null} */
  #made = null;
  #turn = 0;
  menu = null;

  constructor(app) {
    this.app = app;
  }

  /** Puts a recipe's map on the page. @returns {Promise<boolean>} whether it could be made */
  async show(recipe) {
    const turn = ++this.#turn;
    try {
      const map = await this.make(recipe);
      if (turn === this.#turn) this.app.world.replace(map); // else another was chosen meanwhile
      return true;
    } catch (error) {
      this.app.say(`${recipeName(recipe)}: ${error.message}`, "error");
      return false;
    }
  }

  /** The cells of a recipe; remembered, so that a link can name it. Large ones are made away from the page's thread. */
  async make(recipe) {
    const isLarge = recipe.width * recipe.height > AT_ONCE;
    if (isLarge) this.app.say("Making the map…");
    const map = isLarge ? await runErrand("make", { recipe }) : makeMap(octile, recipe);
    this.#made = { recipe, print: cellsPrint(map) };
    return map;
  }

  /** The recipe that makes exactly the cells of the world, if there is one. */
  current() {
    const { world } = this.app;
    const made = this.#made;
    if (!made || world.movement !== "octile" || world.name !== recipeName(made.recipe)) return null;
    return cellsPrint(world) === made.print ? made : null;
  }

  close() {
    this.menu?.close();
  }
}

function mapButton(maker, { label, recipe }) {
  const size = recipe.width === recipe.height ? `${recipe.width}²` : `${recipe.width} × ${recipe.height}`;
  const choose = () => {
    maker.close();
    maker.show(recipe);
  };
  return make(
    "button.map-button",
    { type: "button", "data-map": recipeName(recipe), onclick: choose },
    label,
    " ",
    make("small", {}, size),
  );
}

/** Any kind, size and seed. */
function makerForm(maker) {
  const kind = make(
    "select",
    { name: "kind" },
    ...Object.entries(KINDS).map(([value, { says }]) => make("option", { value }, says)),
  );
  const fields = {
    width: numberField("Width", "width", 128, 8, 2048),
    height: numberField("Height", "height", 128, 8, 2048),
    size: numberField("", "size", 8, 1, 128),
    seed: numberField("Seed", "seed", 1, 0, 2 ** 31),
  };
  const land = make("input", { type: "checkbox", name: "land" });
  const form = make(
    "form.maker",
    { method: "dialog", "aria-label": "Make a map" },
    make("h3", {}, "Make one"),
    make(
      "div.fields",
      {},
      make("label", {}, "Kind ", kind),
      ...Object.values(fields),
      make("label.check", {}, land, " terrain"),
      make("button.button", { type: "submit" }, "Make"),
    ),
  );
  kind.addEventListener("change", () => adaptSize(fields.size, kind.value));
  kind.value = "rooms";
  adaptSize(fields.size, kind.value);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(maker, form);
  });
  return form;
}

const DEFAULT_SIZES = { rooms: 8, maze: 2, caves: 45, random: 25, city: 18, storehouse: 3, spiral: 5 };

function adaptSize(field, kind) {
  const { size, least, most } = KINDS[kind];
  const input = field.querySelector("input");
  field.hidden = !size;
  if (!size) return;
  field.firstChild.textContent = `${size[0].toUpperCase()}${size.slice(1)} `;
  Object.assign(input, { min: String(least), max: String(most), value: String(DEFAULT_SIZES[kind]) });
}

async function submit(maker, form) {
  const data = new FormData(form);
  const [width, height, size, seed] = ["width", "height", "size", "seed"].map((name) => Number(data.get(name)));
  const recipe = checkRecipe({
    kind: data.get("kind"),
    width,
    height,
    size,
    seed,
    land: data.get("land") ? LAND : undefined,
  });
  if (!recipe) return maker.app.say("A map has 8 to 2048 cells a side, and a seed is a whole number.", "error");
  if (await maker.show(recipe)) maker.close();
}

function numberField(label, name, value, min, max) {
  return make(
    "label",
    {},
    `${label} `,
    make("input", { type: "number", name, value: String(value), min: String(min), max: String(max), required: true }),
  );
}
