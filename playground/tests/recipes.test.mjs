import assert from "node:assert/strict";
import test from "node:test";

import { cellsPrint } from "../link.js";
import { KINDS, checkRecipe, makeMap, recipeName } from "../recipes.js";
import { World } from "../world.js";
import { loadOctile, missing } from "./package.mjs";

const SIZES = { rooms: 8, maze: 2, caves: 45, random: 25, city: 12, storehouse: 2, spiral: 4 };

test("every kind makes a map that can be walked, the same each time", { skip: missing }, async () => {
  const octile = await loadOctile();
  for (const kind of Object.keys(KINDS)) {
    const recipe = checkRecipe({ kind, width: 96, height: 64, size: SIZES[kind], seed: 5 });
    const [one, other] = [makeMap(octile, recipe), makeMap(octile, recipe)];
    assert.equal(cellsPrint(one), cellsPrint(other), kind);
    const world = new World();
    world.load(one);
    const { start, goal } = world;
    const grid = octile.Grid.from(one.width, one.height, one.blocked);
    assert.ok(grid.connected(start.x, start.y, goal.x, goal.y), kind);
    assert.ok(Math.hypot(start.x - goal.x, start.y - goal.y) > 20, `${kind}: ends are far apart`);
    grid.free();
  }
});

test("land gives prices", { skip: missing }, async () => {
  const octile = await loadOctile();
  const recipe = checkRecipe({
    kind: "rooms",
    width: 64,
    height: 64,
    size: 8,
    seed: 5,
    land: { prices: [1, 4], size: 8 },
  });
  const { prices, convention } = makeMap(octile, recipe);
  assert.deepEqual([...new Set(prices)].sort(), [1, 4]);
  assert.equal(convention, "average");
});

test("names are good for files", () => {
  assert.equal(recipeName({ kind: "rooms", width: 64, height: 32, size: 8, seed: 3 }), "rooms-8-64x32-3");
  assert.equal(
    recipeName({ kind: "open", width: 64, height: 64, seed: 3, land: { prices: [1], size: 2 } }),
    "open-land-64-3",
  );
});

test("recipes from outside are checked", () => {
  const good = { kind: "maze", width: 64, height: 64, size: 4, seed: 1 };
  assert.deepEqual(checkRecipe({ ...good, extra: "ignored" }), good);
  const bad = [
    null,
    3,
    "maze",
    {},
    { ...good, kind: "constructor" },
    { ...good, kind: "__proto__" },
    { ...good, width: 1e9 },
    { ...good, width: 63.5 },
    { ...good, size: 0 },
    { ...good, seed: -1 },
    { ...good, land: null },
    { ...good, land: { prices: [0], size: 3 } },
    { ...good, land: { prices: [], size: 3 } },
    { ...good, land: { prices: [1], size: 3, convention: "x" } },
  ];
  for (const recipe of bad) assert.equal(checkRecipe(recipe), null, JSON.stringify(recipe));
});
