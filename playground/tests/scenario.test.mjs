import assert from "node:assert/strict";
import test from "node:test";

import { sortFiles } from "../openers.js";
import { COLUMNS, agrees, misfit, problemAt, sample, sizeOf } from "../scenario.js";
import { World } from "../world.js";

const TEXT = "version 1\n0\tmaps/a b.map\t4\t3\t0\t0\t3\t2\t4.41421\n1 maps/a.map 4 3 0 0 1 0 1\n";
const problems = (...rows) => Float64Array.from(rows.flat());

function world(blockedCells = []) {
  const made = new World();
  const blocked = new Uint8Array(12);
  for (const cell of blockedCells) blocked[cell] = 1;
  made.load({ width: 4, height: 3, blocked });
  return made;
}

test("lengths agree as exactly as files are", () => {
  const problem = { x0: 0, y0: 0, x1: 3, y1: 2, length: 3.83 };
  assert.ok(agrees(problem, 3.8284271247));
  assert.ok(!agrees(problem, 3.84));
  assert.ok(!agrees(problem, Infinity));
  assert.ok(agrees({ ...problem, length: 0 }, Infinity), "0 between different cells: no path");
  assert.ok(!agrees({ ...problem, length: 0 }, 4));
  assert.ok(agrees({ x0: 1, y0: 1, x1: 1, y1: 1, length: 0 }, 0));
});

test("a file says which size its map has", () => {
  assert.deepEqual(sizeOf(TEXT), { width: 4, height: 3 });
  assert.deepEqual(sizeOf(TEXT.replaceAll("\n", "\r\n")), { width: 4, height: 3 });
  assert.equal(sizeOf("version 1\n"), null);
});

test("a file for another map is told by name", () => {
  const scenario = { text: TEXT, map: "maps/a b.map", problems: problems([0, 0, 3, 2, 4.4], [0, 0, 1, 0, 1]) };
  assert.equal(misfit(scenario, world()), null);
  assert.match(misfit(scenario, world([1])), /goal of problem 2, \(1, 0\), is blocked.*maps\/a b\.map/);
  assert.match(
    misfit({ ...scenario, problems: problems([0, 0, 4, 0, 1]) }, world()),
    /goal of problem 1, \(4, 0\), is off this map/,
  );
  assert.match(misfit({ ...scenario, text: TEXT.replaceAll("\t4\t3", "\t512\t512") }, world()), /512 by 512.*4 by 3/);
  assert.match(misfit({ ...scenario, problems: new Float64Array() }, world()), /no problems/);
});

test("a sample has short and long problems", () => {
  const all = problems(...Array.from({ length: 1000 }, (_, i) => [i, 0, 0, 0, i]));
  const { places, problems: picked } = sample(all, 200);
  assert.equal(picked.length, 200 * COLUMNS);
  assert.ok(places[0] < 5 && places.at(-1) > 990);
  places.forEach((place, i) => assert.equal(problemAt(picked, i).length, place));
  assert.deepEqual(sample(all.slice(0, 15), 200).places, [0, 1, 2]);
});

test("files that came together are told apart", () => {
  const named = (...names) => sortFiles(names.map((name) => ({ name })));
  const look = ({ map, yaml, scenarios, indexes, strangers }) => [
    map?.name,
    yaml?.name,
    scenarios.length,
    indexes.length,
    strangers.length,
  ];
  assert.deepEqual(look(named("a.map.scen", "a.MAP", "a.octx")), ["a.MAP", undefined, 1, 1, 0]);
  assert.deepEqual(look(named("b.pgm", "hall.png", "hall.yaml")), ["hall.png", "hall.yaml", 0, 0, 0]);
  assert.deepEqual(look(named("hall.yml")), [undefined, "hall.yml", 0, 0, 0]);
  assert.deepEqual(look(named("x.exe", "y.png")), ["y.png", undefined, 0, 0, 1]);
});
