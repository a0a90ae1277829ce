// The document: what is drawn, told and undone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { farApart, lineCells, World } from "../world.js";

function world(width = 8, height = 6) {
  const made = new World();
  made.load({
    width,
    height,
    blocked: new Uint8Array(width * height),
    start: { x: 0, y: 0 },
    goal: { x: width - 1, y: height - 1 },
  });
  return made;
}

const drawn = ({ blocked, prices }) => [[...blocked], prices ? [...prices] : null];

test("a stroke is one step of undo", () => {
  const one = world();
  const before = drawn(one);
  one.begin();
  one.paintLine(1, 1, 5, 3, { blocked: true });
  one.paint(6, 2, { blocked: true });
  one.end();
  const after = drawn(one);
  assert.notDeepEqual(after, before);
  one.undo();
  assert.deepEqual(drawn(one), before);
  assert.ok(!one.canUndo && one.canRedo);
  one.redo();
  assert.deepEqual(drawn(one), after);
});

test("edits are told as they are afterwards, with their rectangle", () => {
  const one = world();
  const told = [];
  one.addEventListener("cells", (event) => told.push(event.detail));
  one.rect(2, 1, 3, 2, { price: 4 });
  assert.equal(told.length, 1);
  const { x0, y0, x1, y1, edits } = told[0];
  assert.deepEqual([x0, y0, x1, y1], [2, 1, 3, 2]);
  assert.ok(edits.every(({ blocked, price }) => !blocked && price === 4));
  one.rect(2, 1, 3, 2, { price: 4 });
  assert.equal(told.length, 1, "nothing changed, nothing is told");
});

test("ends stay free, and do not move into walls", () => {
  const one = world();
  one.paint(0, 0, { blocked: true });
  assert.ok(one.isFree(0, 0));
  one.paint(3, 3, { blocked: true });
  assert.equal(one.moveGoal(3, 3), false);
  assert.equal(one.moveGoal(4, 3), true);
  assert.deepEqual(one.goal, { x: 4, y: 3 });
});

test("a drag of an end is one step of undo", () => {
  const one = world();
  for (let x = 6; x > 2; x--) one.moveGoal(x, 2);
  one.settle();
  one.moveGoal(1, 1);
  one.undo();
  assert.deepEqual(one.goal, { x: 3, y: 2 });
  one.undo();
  assert.deepEqual(one.goal, { x: 7, y: 5 });
});

test("the eraser takes a wall, and terrain when there is none", () => {
  const one = world();
  one.paint(2, 2, { price: 5 });
  one.paint(2, 2, { blocked: true });
  one.paint(2, 2, { blocked: false });
  assert.deepEqual([one.isFree(2, 2), one.priceAt(2, 2)], [true, 5]);
  one.paint(2, 2, { blocked: false });
  assert.equal(one.priceAt(2, 2), 1);
  assert.ok(!one.hasPrices);
});

test("maps follow each other, and strokes on them, through undo", () => {
  const one = world();
  one.paint(1, 1, { blocked: true });
  const first = drawn(one);
  one.replace({ width: 3, height: 3, blocked: new Uint8Array(9) });
  one.paint(1, 1, { blocked: true });
  one.setMovement("tile");
  one.paint(1, 0, { blocked: true });
  for (let i = 0; i < 4; i++) one.undo();
  assert.deepEqual(drawn(one), first);
  assert.equal(one.movement, "octile");
  for (let i = 0; i < 4; i++) one.redo();
  assert.deepEqual([one.movement, one.isFree(1, 0), one.isFree(1, 1)], ["tile", false, false]);
});

test("maps that are none are refused", () => {
  const one = world();
  assert.throws(() => one.replace({ width: 0, height: 3, blocked: new Uint8Array(0) }), RangeError);
  assert.throws(() => one.replace({ width: 3, height: 3, blocked: new Uint8Array(8) }), RangeError);
  assert.throws(
    () => one.replace({ width: 3, height: 3, blocked: new Uint8Array(9), start: { x: 3, y: 0 }, goal: { x: 0, y: 0 } }),
    RangeError,
  );
});

test("a line has no gap to slip through", () => {
  for (const [x1, y1] of [
    [7, 3],
    [-4, 9],
    [0, -6],
    [5, 5],
    [-8, -3],
  ]) {
    const cells = [...lineCells(0, 0, x1, y1)];
    assert.deepEqual(cells.at(-1), [x1, y1]);
    for (let i = 1; i < cells.length; i++)
      assert.equal(Math.abs(cells[i][0] - cells[i - 1][0]) + Math.abs(cells[i][1] - cells[i - 1][1]), 1);
  }
});

test("ends that are chosen are connected and far apart", () => {
  const blocked = Uint8Array.from("0000100001000010000100001".split("").map(Number)); // a wall in the last but one column, and a diagonal
  const { start, goal } = farApart(5, 5, blocked);
  assert.ok(!blocked[start.y * 5 + start.x] && !blocked[goal.y * 5 + goal.x]);
  assert.ok(start.x <= goal.x);
  assert.deepEqual(farApart(2, 1, Uint8Array.from([1, 1])).goal, { x: 1, y: 0 });
});
