#!/usr/bin/env node
// Films the playground for README.md:
//
//   tools/playground-film.mjs [FILE.gif] [--frames DIR]
//
// It drives the page frame by frame, as a hand would, and takes as long for each frame as it needs: nothing in the film depends on how fast this machine is, but
// for the times that planners take, which the page measures and shows. Without FILE it writes docs/playground.gif; --frames keeps every frame as a PNG, to look at.
// Needs what tools/js-test needs: bindings/js/dist, Chromium, and playground/node_modules.

import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch, openPage, serve, untilAnswered } from "../playground/tests/browser.mjs";

const require = createRequire(new URL("../playground/package.json", import.meta.url));
const { GIFEncoder, applyPalette, quantize } = require("gifenc");
const { PNG } = require("pngjs");

const SIZE = { width: 900, height: 480 };
const FRAME_MS = 80;
const COLOURS = 128;
/** Frames whose colours stand for all. */
const SAMPLE_EVERY = 8;
/** The stage fills the window: two maps and what is said of them. A hand is drawn, which screenshots do not show. */
const STYLE = `
  .desk { grid-template-columns: minmax(0, 1fr); }
  .inspector, .toasts, #button-tour::after { display: none; }
  * { transition: none !important; animation: none !important; }
  #hand { position: fixed; z-index: 99; left: 0; top: 0; width: 26px; height: 26px; pointer-events: none; stroke: none; filter: drop-shadow(0 1px 2px #0008); }
  #hand.is-down { scale: 0.86; }`;
const HAND = `<svg id="hand" viewBox="0 0 24 24"><path d="M4 2.5v17.2l4.4-4.1 2.8 6.4 3.2-1.4-2.8-6.2h6.2z" fill="#fff" stroke="#1d2029" stroke-width="1.6" stroke-linejoin="round"/></svg>`;

/** Cells that the goal is dragged through. */
const DRAG = [
  [97, 47],
  [96, 30],
  [93, 14],
  [88, 9],
  [83, 16],
  [84, 32],
  [81, 48],
];
/** A wall across the way. */
const WALL = [
  [56, 19],
  [56, 42],
];

const { values: options, positionals } = parseArgs({ options: { frames: { type: "string" } }, allowPositionals: true });
const target = positionals[0] ?? fileURLToPath(new URL("../docs/playground.gif", import.meta.url));

/** A page and what has been seen of it. */
class Film {
  frames = [];
  at = { x: 0, y: 0 };

  constructor(page) {
    this.page = page;
  }

  async shoot() {
    await this.page.evaluate(({ x, y }) => {
      document.getElementById("hand").style.translate = `${x - 4}px ${y - 2}px`;
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, this.at);
    this.frames.push(await this.page.screenshot());
  }

  async rest(ms) {
    for (let passed = 0; passed < ms; passed += FRAME_MS) await this.shoot();
  }

  /** So many frames, each with how far it is: 0 to 1. */
  async during(ms, step) {
    const count = Math.round(ms / FRAME_MS);
    for (let i = 1; i <= count; i++) {
      await step(i / count);
      await this.shoot();
    }
  }

  async to({ x, y }) {
    this.at = { x, y };
    await this.page.mouse.move(x, y);
  }

  async glide(goal, ms) {
    const from = this.at;
    await this.during(ms, (t) => this.to(between(from, goal, smooth(t))));
  }

  async press(isDown) {
    await this.page.evaluate((is) => document.getElementById("hand").classList.toggle("is-down", is), isDown);
    if (isDown) await this.page.mouse.down();
    else await this.page.mouse.up();
  }

  async click() {
    await this.press(true);
    await this.shoot();
    await this.press(false);
    await untilSettled(this.page);
  }

  /** Along cells with the button held; both lanes have answered before a frame is taken. */
  async drag(cells, ms) {
    const places = [];
    for (const cell of cells) places.push(await placeOf(this.page, cell));
    await this.press(true);
    await this.during(ms, async (t) => {
      await this.to(along(places, smooth(t)));
      await untilSettled(this.page, 900);
    });
    await this.press(false);
    await untilSettled(this.page);
  }
}

const smooth = (t) => t * t * (3 - 2 * t);
const between = (a, b, t) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });

/** The place on a line through points, at a share of its length. */
function along(points, share) {
  const lengths = points.slice(1).map((point, i) => Math.hypot(point.x - points[i].x, point.y - points[i].y));
  let rest = share * lengths.reduce((sum, length) => sum + length, 0);
  const leg = lengths.findIndex((length) => rest <= length || ((rest -= length), false));
  return leg < 0 ? points.at(-1) : between(points[leg], points[leg + 1], rest / lengths[leg]);
}

/** The middle of a cell of the first lane, in the window. */
function placeOf(page, [x, y]) {
  return page.evaluate(
    ([x, y]) => {
      const { view } = octilePlayground.app;
      const box = view.canvas.getBoundingClientRect();
      const place = view.toView(x + 0.5, y + 0.5);
      return { x: box.left + place.x, y: box.top + place.y };
    },
    [x, y],
  );
}

/** The middle of a button, in the window. */
async function middleOf(page, selector) {
  const box = await page.locator(selector).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Until the times are those of planners at rest: measured several times, and compiled by the browser. */
async function untilSettled(page, ms = 3400) {
  await page.waitForTimeout(ms);
  await untilAnswered(page);
}

/** The least times of several measurements of what is asked at the beginning and at the end, as the page itself takes the least of a few. */
async function timesAtRest(page) {
  let times = [Infinity, Infinity];
  for (let i = 0; i < 5; i++) {
    await page.evaluate(() => octilePlayground.app.lanes.forEach((lane) => lane.ask({ live: false })));
    await untilSettled(page);
    const now = await page.evaluate(() => octilePlayground.app.lanes.map((lane) => lane.time.micros));
    times = times.map((time, i) => Math.min(time, now[i]));
  }
  return times;
}

function showTimes(page, times) {
  return page.evaluate((times) => {
    const { app } = octilePlayground;
    app.lanes.forEach((lane, i) => (lane.time = { ...lane.time, micros: times[i] }));
    app.filmMoved();
  }, times);
}

/** The search as a film: slowly at first, so that the lane with little to do is seen doing it. */
async function search(film, ms) {
  const { page } = film;
  const aside = { x: SIZE.width * 0.56, y: SIZE.height - 34 };
  const begin = film.at;
  const paths = [0, 0];
  await film.during(ms, async (t) => {
    await film.to(between(begin, aside, smooth(Math.min(1, t * 3))));
    await seek(page, t ** 2.4);
    await drawPaths(page, paths);
  });
  while (paths[0] < 1) {
    await drawPaths(page, paths);
    await film.shoot();
  }
}

function seek(page, share) {
  return page.evaluate((share) => {
    const { transport } = octilePlayground.app;
    transport.scrub(Math.round(transport.length * share));
    transport.playButton.dataset.playing = String(share < 1);
  }, share);
}

/** Paths of lanes that are done grow, frame by frame. */
async function drawPaths(page, paths) {
  const isDone = await page.evaluate(() => octilePlayground.app.views.map((view) => view.film.at >= view.film.length));
  isDone.forEach((is, i) => (paths[i] = is ? Math.min(1, paths[i] + 1 / 6) : 0));
  await page.evaluate(
    (paths) =>
      octilePlayground.app.views.forEach((view, i) => {
        view.pathShare = 1 - (1 - paths[i]) ** 3;
        view.invalidate();
      }),
    paths,
  );
}

/** Play, drag the goal, draw a wall, take both back: the end is the beginning. */
async function shootAll(page, times) {
  const film = new Film(page);
  await showTimes(page, times);
  const [play, undo] = [await middleOf(page, "#button-play"), await middleOf(page, "#button-undo")];
  await film.to(play);
  await film.rest(400);
  await film.press(true);
  await seek(page, 0);
  await film.shoot();
  await film.press(false);
  await search(film, 2900);
  await page.evaluate(() => octilePlayground.app.filmEnded());
  await film.rest(800);
  await film.glide(await placeOf(page, DRAG[0]), 480);
  await film.drag(DRAG, 1900);
  await film.glide(await placeOf(page, WALL[0]), 480);
  await film.drag(WALL, 900);
  await film.rest(900);
  await film.glide(undo, 480);
  await film.click();
  await film.rest(160);
  await film.click();
  await showTimes(page, times);
  await film.rest(160);
  await film.glide(play, 480);
  return film.frames;
}

async function prepare(page) {
  await page.addStyleTag({ content: STYLE });
  await page.evaluate((hand) => document.body.insertAdjacentHTML("beforeend", hand), HAND);
  await page.evaluate(() => octilePlayground.app.setCompare(true));
  await untilAnswered(page);
  return timesAtRest(page);
}

/** Frames after the first hold only what changed: the rest is transparent. */
function encode(frames) {
  const images = frames.map((frame) => PNG.sync.read(frame).data);
  const samples = images.filter((_, i) => i % SAMPLE_EVERY === 0 || i === images.length - 1);
  const all = new Uint8Array(samples.reduce((sum, { length }) => sum + length, 0));
  samples.reduce((at, sample) => (all.set(sample, at), at + sample.length), 0);
  const colours = quantize(all, COLOURS - 1);
  const transparentIndex = colours.length;
  const palette = [...colours, [0, 0, 0]];
  const gif = GIFEncoder();
  let before = null;
  for (const image of images) {
    const now = applyPalette(image, colours);
    const changed = before ? now.map((colour, i) => (colour === before[i] ? transparentIndex : colour)) : now;
    gif.writeFrame(changed, SIZE.width, SIZE.height, {
      palette: before ? undefined : palette,
      transparent: before !== null,
      transparentIndex,
      delay: FRAME_MS,
      dispose: 1,
    });
    before = now;
  }
  gif.finish();
  return gif.bytes();
}

const server = await serve();
const browser = await launch();
try {
  const { page, complaints } = await openPage(browser, server.url, {
    viewport: SIZE,
    colorScheme: "light",
    reducedMotion: "reduce",
    bypassCSP: true,
  });
  const frames = await shootAll(page, await prepare(page));
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  if (options.frames) {
    mkdirSync(options.frames, { recursive: true });
    frames.forEach((frame, i) => writeFileSync(`${options.frames}/${String(i).padStart(3, "0")}.png`, frame));
  }
  const gif = encode(frames);
  writeFileSync(target, gif);
  console.error(
    `${target}: ${frames.length} frames, ${((frames.length * FRAME_MS) / 1000).toFixed(1)} s, ${(gif.length / 1e6).toFixed(2)} MB`,
  );
} finally {
  await browser.close();
  server.close();
}
