// The page in a browser: what a reader does, and what must come of it.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ABOUT } from "../explain.js";
import { WATCHDOG, frames, launch, openPage, serve, untilAnswered, untilReady } from "./browser.mjs";

const SHOTS = process.env.OCTILE_SHOTS;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

let server, browser;

before(async () => {
  server = await serve();
  browser = await launch();
  if (SHOTS) await mkdir(SHOTS, { recursive: true });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** A test on a page of its own, which must not complain. */
function onPage(name, act, options) {
  test(name, { timeout: WATCHDOG }, async (context) => {
    const { script, ...rest } = options ?? {};
    const { page, complaints, context: window } = await openPage(browser, server.url, rest);
    if (script) await page.evaluate(script);
    try {
      await act(page, context);
      assert.deepEqual(complaints, []);
    } finally {
      await window.close();
    }
  });
}

const stats = (page) => page.evaluate(() => octilePlayground.stats());
const rest = (page) => page.evaluate(() => octilePlayground.app.transport.scrub(Infinity));

async function shoot(page, name) {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** Where a cell is in the window. */
const at = (page, x, y) =>
  page.evaluate(
    ([x, y]) => {
      const { view } = octilePlayground.app;
      const box = view.canvas.getBoundingClientRect();
      const place = view.toView(x + 0.5, y + 0.5);
      return { x: box.left + place.x, y: box.top + place.y };
    },
    [x, y],
  );

async function drag(page, from, to, steps = 12) {
  const [a, b] = [await at(page, ...from), await at(page, ...to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(b.x, b.y, { steps });
  await page.mouse.up();
  await untilAnswered(page);
}

/** Puts a generated map on the page. */
async function show(page, kind, width, height, ...more) {
  await page.evaluate(
    async ([kind, width, height, more]) => {
      const { app } = octilePlayground;
      const grid = app.octile.Grid[kind](width, height, ...more);
      app.world.replace({ width, height, blocked: grid.blocked, name: kind });
      grid.free();
    },
    [kind, width, height, more],
  );
  await untilAnswered(page);
}

async function setSpec(page, place, spec) {
  await page.evaluate(([place, spec]) => octilePlayground.app.setSpec(place, spec), [place, spec]);
  await untilAnswered(page);
}

test("the map is drawn before the planners are there", { timeout: WATCHDOG }, async () => {
  const { page, context, complaints } = await openPage(browser, "about:blank", { ready: false });
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route("**/octile/*", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(server.url, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  await page.waitForFunction(() => {
    const canvas = document.querySelector("canvas.map");
    if (!canvas) return false;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size > 2; // free cells, walls, and what lies around the map
  });
  release();
  await untilReady(page);
  assert.deepEqual(complaints, []);
  await context.close();
});

onPage(
  "the first scene plays a search and finds its path",
  async (page) => {
    const { film, paths } = await stats(page);
    assert.ok(paths[0].found);
    assert.ok(film.length > 1000);
    await page.selectOption("#speed", "16");
    await page.waitForFunction(() => !octilePlayground.app.transport.isPlaying);
    assert.match(await page.textContent(".caption"), /A\* has expanded [\d,]+ cells/);
    await page.waitForFunction(() => /The path it found is/.test(document.querySelector("#spoken").textContent));
    await shoot(page, "light");
  },
  { colorScheme: "light" },
);

onPage("a wall changes the path, and undo takes it back", async (page) => {
  await rest(page);
  const before = (await stats(page)).paths[0].length;
  await page.keyboard.press("w");
  await drag(page, [70, 24], [70, 15]);
  const walled = (await stats(page)).paths[0];
  assert.ok(!walled.found || walled.length > before);
  await page.keyboard.press("Control+z");
  await untilAnswered(page);
  assert.equal((await stats(page)).paths[0].length, before);
});

onPage("the goal is dragged, and the arrows move it", async (page) => {
  await rest(page);
  const goal = () => page.evaluate(() => octilePlayground.app.world.goal);
  const from = await goal();
  await drag(page, [from.x, from.y], [70, 20]);
  assert.deepEqual(await goal(), { x: 70, y: 20 });
  await page.keyboard.press("g");
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await goal(), { x: 69, y: 20 });
});

onPage("terrain makes a path dearer, and planners without prices say so", async (page) => {
  await rest(page);
  await setSpec(page, 0, "terrain-jump");
  const before = (await stats(page)).paths[0].length;
  await page.evaluate(() => octilePlayground.app.world.rect(40, 0, 60, 59, { price: 7 }));
  await untilAnswered(page);
  assert.ok((await stats(page)).paths[0].length > before);
  await setSpec(page, 0, "jps");
  assert.ok((await stats(page)).problems[0].message.length > 10);
  await shoot(page, "refused");
  await page.click("text=Clear terrain >> nth=-1");
  await untilAnswered(page);
  await page.waitForFunction(() => octilePlayground.stats().paths[0]?.found);
});

onPage("every planner of the catalog answers, or says why not", async (page) => {
  await show(page, "rooms", 48, 32, 8, 3);
  const names = await page.evaluate(() => octilePlayground.app.planners.map(({ name }) => name));
  assert.deepEqual(names.toSorted(), Object.keys(ABOUT).toSorted(), "explain.js has something to say of each");
  const optimum = await page.evaluate(() => octilePlayground.stats().paths[0].length);
  for (const name of names) {
    await page.evaluate((name) => octilePlayground.app.setPlanner(0, name), name);
    await untilAnswered(page);
    assert.equal(await page.evaluate(() => octilePlayground.app.lanes[0].planner), name);
    const { paths, problems } = await stats(page);
    assert.ok(paths[0]?.found || problems[0]?.message, name);
    const most = name === "weighted-astar" ? optimum * 10 : optimum + 1e-9;
    if (paths[0]?.found) assert.ok(paths[0].length <= most, `${name}: ${paths[0].length}`);
    await rest(page);
    assert.ok((await page.textContent(".caption")).length > 20, name);
    await shoot(page, `planner-${name}`);
  }
});

onPage("a spec that cannot be read is refused in its place", async (page) => {
  await rest(page);
  await page.selectOption(".planner-picker", "weighted-astar");
  await untilAnswered(page);
  await page.click(".options summary");
  await page.fill(".key input[type=text]", "much");
  await page.keyboard.press("Enter");
  assert.match(await page.textContent(".spec-error:not([hidden])"), /weight/);
  assert.ok((await stats(page)).paths[0].found);
});

onPage("the film is scrubbed, stepped and played", async (page) => {
  await rest(page);
  await page.focus("#scrubber");
  await page.keyboard.press("Home");
  assert.equal((await stats(page)).film.at, 0);
  await page.click("#button-step");
  assert.equal((await stats(page)).film.at, 1);
  await page.click("#button-play");
  await page.waitForFunction(() => octilePlayground.stats().film.at > 100);
  await page.click("#button-play");
  const paused = (await stats(page)).film.at;
  await frames(page, 5);
  assert.equal((await stats(page)).film.at, paused);
});

onPage("two planners are compared on the same map", async (page) => {
  await page.click("#button-compare");
  await untilAnswered(page);
  await page.waitForFunction(() => octilePlayground.stats().paths.length === 2);
  await untilAnswered(page);
  const { paths, events } = await stats(page);
  assert.equal(paths[0].cost, paths[1].cost);
  assert.ok(events[1] < events[0], "corner sweep has less to do than A*");
  await shoot(page, "compare");
  await page.click("#button-compare");
  assert.equal((await stats(page)).paths.length, 1);
});

onPage("an index that edits make stale says so, and is renewed at rest", async (page) => {
  await rest(page);
  await setSpec(page, 0, "hub-labels");
  await page.evaluate(() => {
    const { app } = octilePlayground;
    globalThis.wasStale = false;
    app.lanes[0].addEventListener("state", () => (globalThis.wasStale ||= app.lanes[0].state?.isStale));
    app.world.rect(50, 20, 52, 30, { blocked: true });
  });
  await page.waitForFunction(() => globalThis.wasStale);
  await page.waitForFunction(() => octilePlayground.app.lanes[0].state?.isStale === false);
  await untilAnswered(page);
  const renewed = (await stats(page)).paths[0].length;
  await setSpec(page, 0, "astar");
  assert.equal((await stats(page)).paths[0].length, renewed);
});

onPage("a slow build shows its progress, and is cancelled", async (page) => {
  await show(page, "caves", 768, 768, 42, 5);
  await page.evaluate(() => octilePlayground.app.setSpec(0, "taut-labels"));
  await page.waitForSelector(".wait:not([hidden])");
  await shoot(page, "building");
  await page.click(".wait .button");
  await untilAnswered(page);
  assert.equal(await page.evaluate(() => octilePlayground.app.lanes[0].spec), "corner-sweep");
  assert.ok((await stats(page)).paths[0].found);
});

onPage("a database for a large map is refused, with a smaller map on offer", async (page) => {
  await show(page, "rooms", 256, 256, 16, 2);
  await setSpec(page, 0, "cpd");
  assert.ok((await stats(page)).problems[0].message.length > 10);
  await shoot(page, "too-large");
  await page.click("text=Cut out");
  await untilAnswered(page);
  assert.ok((await stats(page)).paths[0].found);
  await page.mouse.move(400, 300);
  await page.waitForFunction(() => octilePlayground.app.lanes[0].extras.firstMoves?.moves);
  await shoot(page, "first-moves");
});

onPage("overlays are drawn without an answer of their own", async (page) => {
  await rest(page);
  const before = (await stats(page)).film;
  for (const name of ["field", "gates", "areas"]) {
    await page.evaluate((name) => document.getElementById(`overlay-${name}`).click(), name);
    await page.waitForFunction((name) => octilePlayground.app.lanes[0].extras[name], name);
  }
  assert.deepEqual((await stats(page)).film, before);
  await shoot(page, "overlays");
});

onPage(
  "whatever is done in quick succession, the last answer is right",
  async (page) => {
    for (let seed = 1; seed <= 3; seed++) {
      await page.evaluate((seed) => hurry(seed, octilePlayground.app), seed);
      await untilAnswered(page);
      const { found, wanted, planners } = await page.evaluate(() => {
        const { world, octile, lanes } = octilePlayground.app;
        const engine = new octile.Engine(octile.Grid.from(world.width, world.height, world.blocked), "dijkstra");
        const path = engine.path(world.start.x, world.start.y, world.goal.x, world.goal.y);
        return {
          found: lanes.map(({ answer }) => answer.cost ?? "none"),
          wanted: path?.cost ?? "none",
          planners: lanes.map((lane) => lane.spec),
        };
      });
      for (const cost of found) assert.equal(cost, wanted, `seed ${seed}, ${planners}`);
    }
  },
  {
    script: `globalThis.hurry = async (seed, app) => {
    const names = ["astar", "jps", "corner-sweep", "jump-graph", "core-search", "hub-labels", "rea-star", "block-astar"];
    const roll = (below) => ((seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 8) % below;
    const acts = [
      () => { const grid = app.octile.Grid.random(24 + roll(60), 20 + roll(40), 15, 1 + roll(99)); app.world.replace({ width: grid.width, height: grid.height, blocked: grid.blocked }); grid.free(); },
      () => app.setPlanner(roll(app.lanes.length), names[roll(names.length)]),
      () => app.world.rect(roll(30), roll(20), roll(30), roll(20), { blocked: roll(2) === 0 }),
      () => app.setCompare(!app.isComparing),
      () => app.world.undo(),
      () => app.world.moveGoal(roll(app.world.width), roll(app.world.height)),
    ];
    for (let i = 0; i < 60; i++) {
      acts[roll(acts.length)]();
      await new Promise((done) => setTimeout(done, roll(50)));
    }
  }`,
  },
);

/** How often the first view draws while `act` runs in the page, which also gives what `act` gives. */
async function drawsDuring(page, act) {
  await page.evaluate(() => {
    const { view } = octilePlayground.app;
    globalThis.draws = 0;
    view.draw = () => {
      globalThis.draws += 1;
      Object.getPrototypeOf(view).draw.call(view);
    };
  });
  await frames(page, 2);
  // Counted inside the page: frames that pass on the way there and back are not the act's.
  return page.evaluate(`(async () => {
    const before = draws;
    const result = await (${act})();
    return { result, draws: draws - before };
  })()`);
}

onPage("a film of 100,000 events is scrubbed, and drawn once a frame", async (page) => {
  await show(page, "random", 512, 512, 10, 3);
  await setSpec(page, 0, "dijkstra");
  await page.waitForFunction(() => octilePlayground.stats().events[0] >= 100_000);
  await rest(page);
  const { result, draws } = await drawsDuring(page, async () => {
    const { transport, view } = octilePlayground.app;
    const places = [];
    for (const share of [0, 1, 0.5, 0.1, 0.9, 0.02, 0.98, 0.4, 0.6, 0]) {
      const wanted = Math.floor(transport.length * share);
      for (let short = 9; short >= 0; short--) transport.scrub(Math.max(0, wanted - 1000 * short));
      await new Promise(requestAnimationFrame);
      places.push([wanted, transport.at, view.film.at]);
    }
    return places;
  });
  for (const [wanted, ...places] of result) assert.deepEqual(places, [wanted, wanted]);
  assert.equal(draws, 10, "one for ten movements of the scrubber");
});

onPage("the path follows a dragged goal on 512 x 512 cells", async (page) => {
  await show(page, "caves", 512, 512, 40, 2);
  await setSpec(page, 0, "corner-sweep");
  await rest(page);
  const { followed, asked } = await page.evaluate(async () => {
    const {
      world,
      octile,
      lanes: [lane],
    } = octilePlayground.app;
    const grid = octile.Grid.from(world.width, world.height, world.blocked);
    const goals = Array.from({ length: 120 }, (_, i) => ({
      x: world.goal.x - (i % 60),
      y: world.goal.y - Math.floor(i / 6),
    })).filter(({ x, y }) => grid.connected(world.start.x, world.start.y, x, y));
    const isThere = ({ x, y }) => lane.answer?.points?.at(-2) === x && lane.answer.points.at(-1) === y;
    // While a goal is dragged slowly every step is answered; one more answer may have been under way.
    const followed = [];
    for (const goal of goals) {
      world.moveGoal(goal.x, goal.y);
      let answers = 0;
      while (!isThere(goal) && answers < 5) {
        await new Promise((resolve) => lane.addEventListener("answer", resolve, { once: true }));
        answers += 1;
      }
      followed.push(answers);
    }
    // While it is dragged quickly nothing queues up: the question under way, the last one, and again at rest.
    const before = lane.answers;
    for (const goal of goals) world.moveGoal(goal.x, goal.y);
    while (!lane.isAtRest) await new Promise(requestAnimationFrame);
    return { followed, asked: { moves: goals.length, sent: lane.answers - before, isThere: isThere(goals.at(-1)) } };
  });
  assert.ok(followed.length > 50, `${followed.length} cells to drag to`);
  assert.ok(Math.max(...followed) <= 2, `answers until the path is there: ${followed}`);
  assert.ok(asked.isThere);
  assert.ok(asked.sent <= 6, `${asked.sent} pieces of work for ${asked.moves} moves`); // three, and up to three that measure
});

onPage("a map of 2048 x 2048 cells is moved and zoomed, and drawn once a frame", async (page) => {
  await show(page, "caves", 2048, 2048, 40, 3);
  await setSpec(page, 0, "corner-sweep");
  await rest(page);
  const before = await page.evaluate(() => octilePlayground.app.camera.scale);
  await page.mouse.move(500, 350);
  for (let i = 0; i < 8; i++) await page.mouse.wheel(0, -300);
  await page.waitForFunction((least) => octilePlayground.app.camera.scale > least, before * 4);
  const { result, draws } = await drawsDuring(page, async () => {
    const { camera } = octilePlayground.app;
    const [x, y] = [camera.x, camera.y];
    for (let i = 0; i < 20; i++) {
      for (let k = 0; k < 10; k++) camera.panBy(k % 2 ? 14 : -6, 5);
      if (i % 5 === 0) camera.zoomAt(i % 10 ? 0.8 : 1.25, 20, 20);
      await new Promise(requestAnimationFrame);
    }
    return Math.hypot(camera.x - x, camera.y - y);
  });
  assert.ok(result > 1, `moved by ${result} cells`);
  assert.equal(draws, 20, "one a frame");
  await page.keyboard.press("f");
  await shoot(page, "large");
});

onPage("dialogs, menus and keys work without a pointer", async (page) => {
  await rest(page);
  await page.keyboard.press("?");
  assert.ok(await page.isVisible("#help-dialog[open]"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("1");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".planner-picker")));
  await page.focus(".caption .link");
  await page.keyboard.press("Enter");
  assert.ok(await page.isVisible("#about-dialog[open]"));
  await page.keyboard.press("Escape");
  await page.focus("#menu-maps .menu-button");
  await page.keyboard.press("Enter");
  assert.ok(await page.isVisible("#menu-maps .menu-panel"));
  await page.keyboard.press("Escape");
  assert.ok(!(await page.isVisible("#menu-maps .menu-panel")));
});

onPage("everything has a name for those who hear the page", async (page) => {
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, canvas, [role=radio]")]
      .filter((element) => element.offsetParent !== null)
      .filter(
        (element) =>
          !(
            element.getAttribute("aria-label") ||
            element.labels?.length ||
            element.textContent.trim() ||
            element.title
          ),
      )
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
});

onPage(
  "the dark page",
  async (page) => {
    await page.waitForFunction(() => octilePlayground.stats().film.at > 0);
    await shoot(page, "dark-film");
    await rest(page);
    await shoot(page, "dark");
    await page.click("#button-theme");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  },
  { colorScheme: "dark" },
);

onPage(
  "a phone: the sheet, a finger that draws, two that zoom",
  async (page) => {
    await rest(page);
    await shoot(page, "phone");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const before = await page.evaluate(() => octilePlayground.app.world.blocked.reduce((sum, one) => sum + one, 0));
    const point = await at(page, 20, 40);
    await page.touchscreen.tap(point.x, point.y);
    const drawn = await page.evaluate(() => octilePlayground.app.world.blocked.reduce((sum, one) => sum + one, 0));
    assert.equal(Math.abs(drawn - before), 1);
    await pinch(page, point);
    await page.click("#sheet-handle");
    assert.ok(await page.isVisible(".planner-picker"));
    await shoot(page, "phone-sheet");
  },
  PHONE,
);

async function pinch(page, { x, y }) {
  const client = await page.context().newCDPSession(page);
  const scale = () => page.evaluate(() => octilePlayground.app.camera.scale);
  const before = await scale();
  const touch = (type, apart) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints:
        apart === null
          ? []
          : [
              { x: x - apart, y, id: 0 },
              { x: x + apart, y, id: 1 },
            ],
    });
  await touch("touchStart", 20);
  for (let apart = 24; apart <= 60; apart += 6) await touch("touchMove", apart);
  await touch("touchEnd", null);
  assert.ok((await scale()) > before * 1.5);
}

onPage(
  "readers who want no motion see the end at once",
  async (page) => {
    const { film } = await stats(page);
    assert.equal(film.at, film.length);
    assert.ok(!film.isPlaying);
  },
  { reducedMotion: "reduce" },
);
