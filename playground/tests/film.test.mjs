// A film that was scrubbed to a place looks as one that was played to it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Film, KINDS, STRIDE } from "../film.js";

const [WIDTH, HEIGHT] = [40, 25];

/** The same numbers every time. */
function dice(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomEvents(count, seed) {
  const roll = dice(seed);
  const events = new Int32Array(count * STRIDE);
  for (let i = 0; i < count; i++) {
    const [x, y] = [roll(WIDTH), roll(HEIGHT)];
    const kind = roll(10);
    const far =
      kind === KINDS.LINE || kind === KINDS.AREA
        ? [Math.min(x + roll(4), WIDTH - 1), kind === KINDS.LINE ? y : Math.min(y + roll(3), HEIGHT - 1)]
        : [x, y];
    events.set([kind, x, y, ...far, kind === KINDS.SEES ? Math.min(x + roll(5), WIDTH) : 0, y], i * STRIDE);
  }
  return events;
}

const looks = (film) => Array.from({ length: WIDTH * HEIGHT }, (_, cell) => film.look(cell));

/** What a canvas would show that is only told of changes. */
function canvasOf(film) {
  const shown = new Array(WIDTH * HEIGHT).fill(null);
  return { shown, moveTo: (at) => film.moveTo(at, (cell) => (shown[cell] = film.look(cell))) };
}

test("scrubbing there and back is as playing", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const events = randomEvents(400, seed);
    const film = new Film(events, WIDTH, HEIGHT);
    const canvas = canvasOf(film);
    const roll = dice(seed + 99);
    for (const at of [400, 0, 250, ...Array.from({ length: 20 }, () => roll(401))]) {
      canvas.moveTo(at);
      const played = new Film(events, WIDTH, HEIGHT);
      for (let i = 0; i <= at; i++) played.moveTo(i, () => {});
      assert.deepEqual(canvas.shown, looks(played), `seed ${seed}, at ${at}`);
      assert.deepEqual(film.counts, played.counts);
    }
  }
});

test("going to a place costs what lies between, in both directions", () => {
  const film = new Film(randomEvents(2000, 7), WIDTH, HEIGHT);
  const cost = (at) => {
    let cells = 0;
    film.moveTo(at, () => (cells += 1));
    return cells;
  };
  const all = film.cells().length;
  assert.equal(cost(2000), all);
  assert.equal(cost(2000), 0);
  assert.equal(cost(0), all);
  const there = [500, 1000, 1500, 2000].map(cost);
  assert.deepEqual([1500, 1000, 500, 0].map(cost).reverse(), there);
  assert.equal(
    there.reduce((sum, cells) => sum + cells),
    all,
  );
});

test("a film keeps to its ends", () => {
  const film = new Film(randomEvents(10, 3), WIDTH, HEIGHT);
  film.moveTo(Infinity, () => {});
  assert.equal(film.at, 10);
  film.moveTo(-5, () => {});
  assert.equal(film.at, 0);
  assert.deepEqual([...film.counts], new Array(10).fill(0));
});

test("an empty film has nothing to show", () => {
  const film = new Film(new Int32Array(0), WIDTH, HEIGHT);
  film.moveTo(1, () => assert.fail());
  assert.equal(film.look(0), null);
});

test("cells that are reached from afar were jumped to", () => {
  const row = (kind, x, y) => [kind, x, y, 0, 0, 0, 0];
  const film = new Film(
    Int32Array.from([...row(KINDS.EXPANDED, 1, 1), ...row(KINDS.REACHED, 2, 2), ...row(KINDS.REACHED, 9, 4)]),
    WIDTH,
    HEIGHT,
  );
  assert.deepEqual([...film.jumps.at], [2]);
  assert.deepEqual([...film.jumps.from], [0]);
  assert.ok(film.isSparse);
});

test("the next expansion is found in both directions", () => {
  const row = (kind) => [kind, 1, 1, 0, 0, 0, 0];
  const film = new Film(
    Int32Array.from([...row(KINDS.REACHED), ...row(KINDS.EXPANDED), ...row(KINDS.REACHED), ...row(KINDS.EXPANDED)]),
    WIDTH,
    HEIGHT,
  );
  assert.equal(film.nextExpansion(0, 1), 2);
  assert.equal(film.nextExpansion(2, 1), 4);
  assert.equal(film.nextExpansion(4, -1), 2);
  assert.equal(film.nextExpansion(2, -1), 0);
});

test("corners beside the map leave no mark", () => {
  const film = new Film(Int32Array.from([KINDS.SEES, 0, 0, WIDTH - 1, HEIGHT - 1, WIDTH, HEIGHT - 1]), WIDTH, HEIGHT, {
    isAnyAngle: true,
  });
  film.moveTo(1, () => {});
  assert.deepEqual(film.look(WIDTH * HEIGHT - 1), ["seen", 0]);
});
