import assert from "node:assert/strict";
import test from "node:test";

import { Ground, crosses } from "../crowd-ground.js";
import { Crowd } from "../crowd-sim.js";
import { Timings, stepOf } from "../crowd-stats.js";
import { dice, makeMap } from "../recipes.js";
import { loadOctile, missing } from "./package.mjs";

const CAVES = { kind: "caves", width: 128, height: 96, size: 45, seed: 3 };

test("timings are means over what was counted, of the last second only", () => {
  const timings = new Timings(1000);
  timings.add(0, 100, 50);
  timings.add(1500, 90, 0.9);
  timings.add(1600, 10, 1.1);
  const { count, micros, p99Micros, perSecond } = timings.summary(2000);
  assert.deepEqual([count, perSecond], [100, 100]);
  assert.ok(Math.abs(micros - 20) < 1e-9, "2 ms for 100");
  assert.ok(Math.abs(p99Micros - 110) < 1e-9, "the slow batch is 10 of 100");
  assert.ok(Number.isNaN(timings.summary(9000).micros));
});

test("small quick batches say nothing about the slowest", () => {
  const timings = new Timings();
  timings.add(10, 2, 0.1);
  assert.ok(Number.isNaN(timings.summary(20).p99Micros));
  timings.add(11, 1, 4);
  assert.equal(timings.summary(20).p99Micros, 4000);
});

test("a clock's step is found out", () => {
  let reads = 0;
  assert.equal(
    stepOf(() => Math.floor(reads++ / 7) * 0.125),
    0.125,
  );
  assert.equal(
    stepOf(() => 3),
    0,
  );
});

test("a line crosses a box as sampled points say", () => {
  const roll = dice(4);
  for (let round = 0; round < 3000; round++) {
    const [ax, ay, bx, by] = Array.from({ length: 4 }, () => 10 * roll());
    const box = { x0: 4 * roll(), y0: 4 * roll(), x1: 5 + 4 * roll(), y1: 5 + 4 * roll() };
    const isHit = Array.from({ length: 400 }, (_, i) => i / 399).some((t) => {
      const [x, y] = [ax + t * (bx - ax), ay + t * (by - ay)];
      return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
    });
    if (isHit) assert.ok(crosses(ax, ay, bx, by, box));
    else if (crosses(ax, ay, bx, by, box)) {
      const near = { x0: box.x0 + 0.05, y0: box.y0 + 0.05, x1: box.x1 - 0.05, y1: box.y1 - 0.05 };
      assert.ok(!crosses(ax, ay, bx, by, near), "only grazed");
    }
  }
});

/** Takes edits as the package does, and shows what they come to. */
class Cells {
  constructor(blocked, width) {
    Object.assign(this, { blocked: blocked.slice(), width });
  }
  block(x, y) {
    this.blocked[y * this.width + x] = 1;
  }
  unblock(x, y) {
    this.blocked[y * this.width + x] = 0;
  }
  blockRect(x0, y0, x1, y1) {
    for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) this.block(x, y);
  }
  unblockRect(x0, y0, x1, y1) {
    for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) this.unblock(x, y);
  }
}

test("buildings that go leave the walls that were there", () => {
  const [width, height] = [40, 30];
  const roll = dice(9);
  const blocked = Uint8Array.from({ length: width * height }, () => Number(roll() < 0.3));
  const ground = new Ground({ width, height, blocked }, () => true, 1);
  const cells = new Cells(blocked, width);
  for (let round = 0; round < 200; round++) {
    const [x, y] = [Math.floor(roll() * width), Math.floor(roll() * height)];
    ground.putUp(ground.clip({ x0: x - 2, y0: y - 2, x1: x + 2, y1: y + 3 }), cells);
    assert.deepEqual(cells.blocked, ground.blocked);
  }
  const walls = ground.buildings.flatMap((building) => building.cells);
  for (const cell of walls) cells.blocked[cell] = 0;
  assert.deepEqual(cells.blocked, blocked, "what is left is the map");
});

test("camps are free, and none is another's", () => {
  const blocked = new Uint8Array(900);
  blocked.fill(1, 300, 330);
  const { camps } = new Ground({ width: 30, height: 30, blocked }, (a, b) => a < 300 === b < 300, 5);
  assert.ok(camps.length > 4);
  assert.equal(new Set(camps.map(({ x, y }) => 30 * y + x)).size, camps.length);
  for (const { cells } of camps) assert.ok(cells.every((cell) => !blocked[cell]));
});

/** A clock that goes on by a hundredth of a millisecond whenever it is read: what is timed does not depend on the machine. */
function steadyClock() {
  let reads = 0;
  return () => ++reads / 100;
}

/** @param {number} ticks @param {(crowd: Crowd) => void} [each] */
async function run(ticks, options, each = () => {}) {
  const octile = await loadOctile();
  const map = makeMap(octile, CAVES);
  const crowd = new Crowd(octile, {
    map,
    spec: "corner-sweep",
    units: 400,
    budgetMs: Infinity,
    clock: steadyClock(),
    pace: 10,
    seed: 2,
    ...options,
  });
  for (let tick = 0; tick < ticks; tick++) {
    crowd.tick();
    each(crowd);
  }
  return { crowd, map, octile };
}

test("the same seed gives the same crowd", { skip: missing }, async () => {
  const [one, other, another] = await Promise.all([run(300, {}), run(300, {}), run(300, { seed: 3 })]);
  assert.deepEqual(one.crowd.xy, other.crowd.xy);
  assert.notDeepEqual(one.crowd.xy, another.crowd.xy);
});

for (const spec of ["corner-sweep", "jump-graph", "jps", "astar", "taut-sight:ends=centres"]) {
  test(`${spec}: units walk, on free cells only, around what is built`, { skip: missing }, async () => {
    const before = [];
    const inWalls = ({ xy, ground, count }) => {
      if (before.length === 0) before.push(...xy);
      for (let unit = 0; unit < count; unit++)
        assert.ok(ground.freeCellAt(xy[2 * unit], xy[2 * unit + 1]) >= 0, `unit ${unit}`);
    };
    const { crowd } = await run(400, { spec }, inWalls);
    const moved = before.filter((value, i) => Math.abs(value - crowd.xy[i]) > 1).length;
    assert.ok(moved > 400, String(moved));
    const { paths, edits, units } = crowd.stats();
    assert.equal(units, 400);
    assert.ok(paths.count > 0 && paths.micros > 0 && edits.count > 5);
    crowd.free();
  });
}

test("all paths that are walked are legal after every building", { skip: missing }, async () => {
  const { crowd, octile, map } = await run(0, { pace: 0 });
  for (let round = 0; round < 30; round++) {
    crowd.build(10 + 3 * round, 20 + (round % 5) * 12, 7);
    for (let tick = 0; tick < 5; tick++) crowd.tick();
    const grid = octile.Grid.from(map.width, map.height, crowd.ground.blocked);
    for (const points of crowd.routes()) {
      const cells = Array.from(points, Math.floor);
      for (let i = 0; i + 3 < cells.length; i += 2) {
        const steps = Math.max(Math.abs(cells[i + 2] - cells[i]), Math.abs(cells[i + 3] - cells[i + 1]));
        for (let step = 0; step <= steps; step++) {
          const at = [0, 1].map((k) => cells[i + k] + (steps ? (step * (cells[i + 2 + k] - cells[i + k])) / steps : 0));
          assert.ok(grid.isFree(...at), `${at} of round ${round}`);
        }
      }
    }
    grid.free();
  }
  crowd.free();
});

test("one goal for all: everybody gets there by one field", { skip: missing }, async () => {
  const { crowd } = await run(1200, { oneGoal: true, pace: 60 });
  assert.ok(crowd.rallies > 0, "the goal moved on, since most had arrived");
  assert.ok(crowd.stats().field.count > 0);
  crowd.setOneGoal(false);
  crowd.tick();
  assert.ok(crowd.stats().paths.count > 0);
  crowd.free();
});

test("units come and go, planners change, and prices are walked on", { skip: missing }, async () => {
  const { crowd, map, octile } = await run(30, {});
  crowd.setUnits(900);
  crowd.tick();
  crowd.setUnits(100);
  for (const spec of ["jump-graph", "astar", "corner-sweep"]) {
    crowd.setPlanner(spec);
    for (let tick = 0; tick < 30; tick++) crowd.tick();
  }
  assert.equal(crowd.xy.length, 200);
  assert.throws(() => crowd.setPlanner("no-such-planner"));
  crowd.tick();
  crowd.free();
  const prices = Uint8Array.from(map.blocked, (_, i) => 1 + (i % 5));
  const priced = new Crowd(octile, {
    map: { ...map, prices, convention: "enter" },
    spec: "terrain-jump",
    units: 50,
    clock: steadyClock(),
  });
  for (let tick = 0; tick < 60; tick++) priced.tick();
  assert.ok(priced.stats().paths.count > 0);
  priced.free();
});
