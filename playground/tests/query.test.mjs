// What the address of the page asks for, as `octile play` opens it: a map, a scenario, cells, a planner.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { WATCHDOG, launch, openPage, serve, untilAnswered, untilReady } from "./browser.mjs";

const MAP = "type octile\nheight 5\nwidth 10\nmap\n..........\n.@@@@@@@@.\n..........\n.@@@@@@@..\n..........\n";
const SCENARIO = "version 1\n0\tarena.map\t10\t5\t0\t4\t9\t0\t12\n0\tarena.map\t10\t5\t0\t0\t9\t0\t9\n";
const FILES = {
  "/open/arena.map": MAP,
  "/open/arena.map.scen": SCENARIO,
  "/open/broken.map": "type octile\nheight 5\nwidth 10\nmap\n...\n",
  "/open/my%20house.txt": "....\n.@@.\n....\n",
  "/open/swamp.map": "type octile\nheight 2\nwidth 4\nmap\n.SS.\n....\n",
  "/open/prices.txt": ". 1\nS 4\n",
  "/open/robot.yaml":
    "image: robot.pgm\nresolution: 0.05\norigin: [0.0, 0.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n",
  "/open/robot.pgm": "P2\n4 2\n255\n254 205 254 254\n254 0 254 254\n",
};

let server, elsewhere, browser, shared;

before(async () => {
  [server, elsewhere] = await Promise.all([serve(FILES), serve(FILES)]);
  browser = await launch();
  shared = await openPage(browser, server.url, { reducedMotion: "reduce" });
});

after(async () => {
  await browser?.close();
  server?.close();
  elsewhere?.close();
});

/** What the page shows and says. */
function shownBy(page) {
  return page.evaluate(() => {
    const { world, lanes } = octilePlayground.app;
    const { name, width, height, start, goal, movement, convention, hasPrices, blocked } = world;
    const errors = toastsSeen.filter(({ isError }) => isError).map(({ text }) => text);
    const [cost, scenario] = [lanes[0].answer?.cost, document.querySelector(".scenario-card")?.textContent ?? ""];
    return {
      name,
      width,
      height,
      start,
      goal,
      movement,
      convention,
      hasPrices,
      walls: blocked.reduce((sum, is) => sum + is, 0),
      spec: lanes[0].spec,
      cost,
      scenario,
      errors,
    };
  });
}

/** The page as it opens with parameters. @param {Record<string, string>} asked */
async function opened(asked) {
  const { page, context, complaints } = await openPage(browser, `${server.url}?${new URLSearchParams(asked)}`, {
    reducedMotion: "reduce",
  });
  try {
    return { ...(await shownBy(page)), complaints };
  } finally {
    await context.close();
  }
}

/** The same in a page that is there already, with its first scene: most of opening it is not what is tested. */
async function asked(parameters) {
  const { page, complaints } = shared;
  complaints.length = 0;
  await page.evaluate(
    async (search) => {
      const { app } = octilePlayground;
      const [{ firstScene }, { installQuery }] = await Promise.all([import("./scene.js"), import("./query.js")]);
      app.setSpec(0, "astar");
      app.world.replace(firstScene());
      toastsSeen.length = 0;
      history.replaceState(null, "", `/?${search}`);
      await installQuery(app);
    },
    String(new URLSearchParams(parameters)),
  );
  await untilAnswered(page);
  return { ...(await shownBy(page)), complaints };
}

const opens = (name, parameters, check) =>
  test(name, { timeout: WATCHDOG }, async () => check(await opened(parameters)));
const asks = (name, parameters, check) => test(name, { timeout: WATCHDOG }, async () => check(await asked(parameters)));

/** Nothing was opened: the first scene is there, and one message says why. */
function assertRefused(shown, message) {
  assert.equal(shown.errors.length, 1, JSON.stringify(shown.errors));
  assert.match(shown.errors[0], message);
  assert.deepEqual([shown.name, shown.width], ["caves", 104]);
}

opens(
  "a map, its scenario, cells and a planner",
  { map: "open/arena.map", scen: "open/arena.map.scen", from: "0,4", to: "9,2", planner: "jps" },
  (shown) => {
    assert.deepEqual([shown.name, shown.width, shown.height, shown.walls], ["arena.map", 10, 5, 15]);
    assert.deepEqual(
      [shown.start, shown.goal, shown.spec, shown.cost],
      [{ x: 0, y: 4 }, { x: 9, y: 2 }, "jps", "9+1√2"],
    );
    assert.match(shown.scenario, /arena\.map\.scen/);
    assert.deepEqual([shown.errors, shown.complaints], [[], []]);
  },
);

asks(
  "a scenario's first problem is asked where no cells are given",
  { map: "open/arena.map", scen: "open/arena.map.scen" },
  (shown) => {
    assert.deepEqual(
      [shown.start, shown.goal],
      [
        { x: 0, y: 4 },
        { x: 9, y: 0 },
      ],
    );
    assert.deepEqual(shown.errors, []);
  },
);

asks("cells and a planner need no map", { from: "97,47", to: "8,49", planner: "theta-star:ends=centres" }, (shown) => {
  assert.deepEqual(
    [shown.name, shown.start, shown.goal, shown.spec],
    ["caves", { x: 97, y: 47 }, { x: 8, y: 49 }, "theta-star:ends=centres"],
  );
  assert.deepEqual([shown.errors, shown.complaints], [[], []]);
});

asks(
  "a name with a blank, and other moves",
  { map: "open/my%20house.txt", movement: "tile", from: "0,0", to: "3,2" },
  (shown) => {
    assert.deepEqual([shown.width, shown.walls, shown.movement, shown.cost], [4, 2, "tile", "5"]);
    assert.deepEqual(shown.errors, []);
  },
);

asks(
  "prices, and how a move pays",
  { map: "open/swamp.map", prices: "open/prices.txt", convention: "enter" },
  (shown) => {
    assert.deepEqual([shown.hasPrices, shown.convention, shown.errors], [true, "enter", []]);
  },
);

asks(
  "a ROS map with its image, unknown cells free",
  { map: "open/robot.yaml", image: "open/robot.pgm", unknown: "free" },
  (shown) => {
    assert.deepEqual([shown.width, shown.height, shown.walls, shown.errors], [4, 2, 1, []]);
  },
);

opens("a file that is not there", { map: "open/nowhere.map", planner: "jps" }, (shown) => {
  assertRefused(shown, /nowhere\.map is not there \(404\)/);
  assert.ok(
    shown.complaints.every((text) => text.includes("404")),
    shown.complaints.join("\n"),
  );
});

asks("a map that is damaged", { map: "open/broken.map" }, (shown) => assertRefused(shown, /broken\.map/));

test("another server is not asked", { timeout: WATCHDOG }, async () => {
  const before = elsewhere.requests.length;
  const shown = await asked({ map: `${elsewhere.url}open/arena.map` });
  assertRefused(shown, /is not on this server/);
  assert.equal(elsewhere.requests.length, before);
  for (const address of ["data:text/plain,....", "//example.invalid/arena.map"])
    assertRefused(await asked({ map: address }), /is not on this server/);
});

asks("a planner that nobody knows", { planner: "jsp" }, (shown) => {
  assert.match(shown.errors.join(), /The planner jsp .* is not known/);
  assert.equal(shown.spec, "astar");
});

asks(
  "cells on walls, off the map or of no shape leave the ends where they were",
  { map: "open/arena.map", from: "1,1", to: "99,0" },
  (shown) => {
    assert.ok(shown.cost, "there is a path");
    assert.ok(shown.start.x !== 1 && shown.goal.x < 10);
    assert.deepEqual(shown.complaints, []);
  },
);

test("a link to what was opened is the scene alone, and counts before what else is asked", {
  timeout: WATCHDOG,
}, async () => {
  const { page, context } = await openPage(browser, `${server.url}?map=open/arena.map&from=0,4`, {
    reducedMotion: "reduce",
  });
  try {
    await page.click("#menu-share .menu-button");
    await page.waitForFunction(() => document.querySelector(".share-link").value);
    const link = new URL(await page.inputValue(".share-link"));
    assert.equal(link.search, "");
    await page.goto(`${server.url}?map=open/swamp.map${link.hash}`);
    await untilReady(page);
    assert.equal(await page.textContent("#map-name"), "arena.map");
  } finally {
    await context.close();
  }
});
