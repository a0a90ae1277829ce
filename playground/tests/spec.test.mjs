// Specs as forms read and write them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { firstSpec, isUsable, readSpec, writeSpec } from "../spec.js";
import { ABOUT, LEGEND, sentence } from "../explain.js";
import { Film } from "../film.js";

test("a spec is read and written", () => {
  assert.deepEqual(readSpec("astar:open=buckets,prune=blocked-areas+gates"), {
    name: "astar",
    values: { open: "buckets", prune: "blocked-areas+gates" },
  });
  assert.deepEqual(readSpec("jps"), { name: "jps", values: {} });
  assert.equal(writeSpec("astar", { open: "buckets", prune: "" }), "astar:open=buckets");
  assert.equal(writeSpec("jps", {}), "jps");
});

test("a key waits for what it needs", () => {
  const gates = { name: "gates", needs: { key: "prune", value: "gates" }, needsAnyAngle: false };
  assert.ok(!isUsable(gates, {}, false));
  assert.ok(isUsable(gates, { prune: "blocked-areas+gates" }, false));
  const ends = { name: "ends", needs: null, needsAnyAngle: true };
  assert.ok(isUsable(ends, {}, true));
  assert.ok(!isUsable(ends, {}, false));
  assert.ok(isUsable({ name: "cache", needs: null, needsAnyAngle: false }, {}, false));
  const rows = { name: "default", needs: { key: "layout", value: "rectangles", only: "move" }, needsAnyAngle: false };
  assert.ok(isUsable(rows, { default: "none" }, false));
  assert.ok(!isUsable(rows, { default: "move" }, false));
  assert.ok(isUsable(rows, { default: "move", layout: "rectangles" }, false));
});

test("a planner that cannot do without a key begins with one", () => {
  const check = (spec) => {
    if (!spec.includes("weight=")) throw new Error("weight must be given");
  };
  assert.equal(
    firstSpec({ name: "weighted-astar", variants: ["weighted-astar:weight=1.5"] }, check),
    "weighted-astar:weight=1.5",
  );
  assert.equal(
    firstSpec({ name: "jps", variants: ["jps:prune=gates"] }, () => {}),
    "jps",
  );
});

test("every planner has a page, and a sentence for every place in a film", () => {
  const film = new Film(new Int32Array(0), 1, 1);
  for (const [name, about] of Object.entries(ABOUT)) {
    assert.ok(about.page.length >= 2, name);
    assert.ok(
      about.legend.every((key) => key in LEGEND),
      name,
    );
    const told = sentence(name, { film, answer: { found: true, length: 3, cost: "1+√2" }, isAtEnd: true });
    assert.match(told, /path.* is 3 cells long, exactly 1\+√2\./, name);
    assert.match(sentence(name, { film, answer: { found: false }, isAtEnd: true }), /no path/, name);
  }
});
