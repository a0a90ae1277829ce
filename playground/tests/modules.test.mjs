// Maps, files, links, exports, the crowd and the tour, in a browser.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { deflateSync } from "node:zlib";
import { crc32 } from "../link.js";
import { WATCHDOG, frames, launch, openPage, serve, untilAnswered, untilReady } from "./browser.mjs";

let server, browser;

before(async () => {
  server = await serve();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
});

function onPage(name, act, options) {
  test(name, { timeout: WATCHDOG }, async () => {
    const { page, complaints, context } = await openPage(browser, server.url, options);
    try {
      await act(page, context);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  });
}

/** All of the world that a link or a file can carry, as text. */
const world = (page) =>
  page.evaluate(() => {
    const { width, height, blocked, prices, convention, movement, start, goal, name } = octilePlayground.app.world;
    return JSON.stringify({
      width,
      height,
      blocked: [...blocked].join(""),
      prices: prices && [...prices].join(),
      convention,
      movement,
      start,
      goal,
      name,
    });
  });
const specs = (page) => page.evaluate(() => octilePlayground.app.lanes.map((lane) => lane.spec));
const toasts = (page) => page.evaluate(() => toastsSeen.map(({ text }) => text));
const lastToast = async (page) => (await page.waitForFunction(() => toastsSeen.at(-1)?.text)).jsonValue();
const dismiss = (page) => page.evaluate(() => void (toastsSeen.length = 0));

/** @param {{name: string, content: string | Buffer}[]} files */
async function open(page, ...files) {
  await dismiss(page);
  await page.setInputFiles(
    "#file-input",
    files.map(({ name, content }) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) })),
  );
}

async function drop(page, ...files) {
  await dismiss(page);
  await page.evaluate(
    (all) => {
      const transfer = new DataTransfer();
      for (const { name, bytes } of all) transfer.items.add(new File([Uint8Array.from(bytes)], name));
      for (const type of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    files.map(({ name, content }) => ({ name, bytes: [...Buffer.from(content)] })),
  );
}

const DRAWING = "..........\n.@@@@@@@@.\n..........\n.@@@@@@@..\n..........\n";
const MAP = { name: "arena.map", content: `type octile\nheight 5\nwidth 10\nmap\n${DRAWING}` };
const scen = (...rows) => ({
  name: "arena.map.scen",
  content: `version 1\n${rows.map((row) => row.join("\t")).join("\n")}\n`,
});
const row = (x0, y0, x1, y1, length, width = 10, height = 5) => [0, "arena.map", width, height, x0, y0, x1, y1, length];

/** A grey picture of 8 bits. */
function png(width, height, levelOf) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.concat(
    Array.from({ length: height }, (_, y) =>
      Buffer.from([0, ...Array.from({ length: width }, (_, x) => levelOf(x, y))]),
    ),
  );
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

// Maps

onPage("built-in maps are shown, and others are made", async (page) => {
  await page.click("#menu-maps .menu-button");
  await page.click('[data-map="maze-4-256-1"]');
  await untilAnswered(page);
  assert.match(await world(page), /"width":256,"height":256.*"name":"maze-4-256-1"/);
  await page.click("#menu-maps .menu-button");
  await page.selectOption("[name=kind]", "city");
  await page.fill("[name=width]", "100");
  await page.fill("[name=height]", "80");
  await page.click(".maker .button");
  await untilAnswered(page);
  assert.match(await world(page), /"width":100,"height":80.*"name":"city-18-100x80-1"/);
  assert.ok(await page.isHidden("#menu-maps .menu-panel"));
});

onPage("a large map is made beside the page, and the last choice counts", async (page) => {
  const order = await page.evaluate(async () => {
    const { maps } = octilePlayground.app;
    const order = [];
    const large = maps
      .show({ kind: "random", width: 1024, height: 1024, size: 20, seed: 1 })
      .then(() => order.push("large"));
    const small = maps.show({ kind: "open", width: 40, height: 30, seed: 1 }).then(() => order.push("small"));
    await Promise.all([large, small]);
    return order;
  });
  assert.deepEqual(order, ["small", "large"], "the page does not wait for a large map");
  assert.match(await world(page), /"width":40,"height":30/);
  await page.evaluate(() =>
    octilePlayground.app.maps.show({ kind: "rooms", width: 1024, height: 1024, size: 16, seed: 1 }),
  );
  await untilAnswered(page);
  assert.equal(await page.evaluate(() => octilePlayground.app.world.width), 1024);
});

// Files

onPage("maps are opened from files of every kind", async (page) => {
  await open(page, MAP);
  assert.match(await lastToast(page), /^arena\.map: 10 by 5 cells, 35 of them free\.$/);
  await untilAnswered(page);
  const cells = DRAWING.replaceAll("\n", "").replaceAll(".", "0").replaceAll("@", "1");
  assert.ok((await world(page)).includes(cells));
  await drop(page, { name: "land.txt", content: "1193\n1@91\n1111\n" });
  assert.match(await lastToast(page), /^land\.txt: 4 by 3 cells/);
  assert.match(await world(page), /"prices":"1,1,9,3,/);
  await open(page, { name: "cave.png", content: png(6, 4, (x, y) => (x === 3 && y > 0 ? 0 : 255)) });
  assert.match(await lastToast(page), /^cave\.png: 6 by 4 cells, 21 of them free/);
  await open(page, {
    name: "cave.pgm",
    content: Buffer.concat([Buffer.from("P5\n3 2\n255\n"), Buffer.from([255, 0, 255, 255, 255, 255])]),
  });
  assert.match(await lastToast(page), /^cave\.pgm: 3 by 2 cells, 5 of them free/);
});

onPage("a ROS map is two files", async (page) => {
  const yaml = { name: "hall.yaml", content: "image: hall.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n" };
  const image = {
    name: "hall.pgm",
    content: Buffer.concat([Buffer.from("P5\n3 1\n255\n"), Buffer.from([254, 205, 0])]),
  };
  const before = await world(page);
  await open(page, yaml);
  assert.match(
    await lastToast(page),
    /^hall\.yaml: a ROS map is two files: drop it together with its picture, hall\.pgm$/,
  );
  assert.equal(await world(page), before);
  await drop(page, yaml, image);
  assert.match(await lastToast(page), /^hall\.yaml: 3 by 1 cells, 1 of them free/);
});

onPage("bad files are named, and leave the page as it was", async (page) => {
  const before = await world(page);
  const cases = [
    [
      { name: "short.map", content: "type octile\nheight 3\nwidth 4\nmap\n....\n" },
      /^short\.map: .*expected 3 rows, found 1/,
    ],
    [
      { name: "letters.map", content: "type octile\nheight 1\nwidth 4\nmap\n..x.\n" },
      /^letters\.map: .*line 5, column 3.*`x`/,
    ],
    [{ name: "noise.png", content: "not a picture" }, /^noise\.png: /],
    [{ name: "walls.txt", content: "@@@\n@@@\n" }, /^walls\.txt: no cell of this map is free/],
    [
      { name: "broad.map", content: `type octile\nheight 1\nwidth 5000\nmap\n${".".repeat(5000)}\n` },
      /^broad\.map: .*5000 by 1/,
    ],
    [{ name: "song.mp3", content: "la" }, /^song\.mp3: not a kind of file/],
    [{ name: "empty.map", content: "" }, /^empty\.map: /],
    [{ name: "torn.octx", content: "octile?" }, /^torn\.octx: /],
    [{ name: "bad.scen", content: "version 1\n0\ta.map\t1\n" }, /^bad\.scen: .*line 2/],
    [{ name: "moving.scen", content: "version 2\nheight 2\n" }, /^moving\.scen: .*version 2/],
  ];
  for (const [file, message] of cases) {
    await open(page, file);
    assert.match(await lastToast(page), message);
    assert.equal(await world(page), before, file.name);
  }
});

onPage("what is too large is refused before it is read", async (page) => {
  const message = await page.evaluate(async () => {
    const { openFiles } = await import("./files.js");
    const said = [];
    const huge = { name: "huge.map", size: 65_000_001, arrayBuffer: () => said.push("read") };
    await openFiles({ ...octilePlayground.app, say: (text) => said.push(text) }, [huge]);
    return said;
  });
  assert.deepEqual(message, ["huge.map: 65.0 MB is more than this page opens (64.0 MB)."]);
});

// Scenarios

onPage("a scenario's problems are asked, compared and checked", async (page) => {
  await page.evaluate(() => octilePlayground.app.setSpec(0, "corner-sweep"));
  const problems = [row(0, 0, 9, 0, 9), row(0, 2, 9, 4, 10.4142), row(0, 0, 0, 4, 5.5), row(3, 2, 3, 2, 0)];
  await drop(page, scen(...problems), MAP);
  await page.waitForSelector("#scenario-card:not([hidden])");
  await page.waitForFunction(() => document.querySelector(".verdict").dataset.kind === "good");
  const lengths = () => page.$$eval(".lengths output", (nodes) => nodes.map((node) => node.textContent));
  assert.deepEqual(await lengths(), ["9", "9"]);
  await page.click("[aria-label='Next problem']");
  await page.waitForFunction(() => document.querySelector(".verdict").dataset.kind === "good");
  assert.deepEqual((await lengths())[0], "10.4142");
  await page.click("[aria-label='Next problem']");
  await page.waitForFunction(() => document.querySelector(".verdict").dataset.kind === "bad");
  assert.deepEqual(await lengths(), ["5.5", "4"]);
  await page.click("[aria-label='Previous problem']");
  await page.fill("[aria-label=Problem]", "4");
  await page.press("[aria-label=Problem]", "Enter");
  await page.waitForFunction(() => document.querySelector(".verdict").dataset.kind === "good");
  assert.match(await world(page), /"start":\{"x":3,"y":2\},"goal":\{"x":3,"y":2\}/);
  await page.click(".scenario-card .card-actions button");
  await page.waitForFunction(() => /equal/.test(document.querySelectorAll(".verdict")[1].textContent));
  assert.match(
    await page.textContent(".verdict >> nth=1"),
    /^3 equal, 1 different, .* each with corner-sweep\. The first is problem 3: 4, not 5\.5\.$/,
  );
});

onPage("a scenario for another map says so", async (page) => {
  await open(page, MAP);
  await lastToast(page);
  await open(page, scen(row(0, 0, 9, 0, 9, 512, 512)));
  assert.match(
    await lastToast(page),
    /^arena\.map\.scen: it is for a map of 512 by 512 cells \(arena\.map\), and this one has 10 by 5/,
  );
  await open(page, scen(row(0, 0, 3, 1, 9)));
  assert.match(await lastToast(page), /the goal of problem 1, \(3, 1\), is blocked/);
  assert.ok(await page.isHidden("#scenario-card"));
});

onPage("a map that changes makes a scenario's lengths old", async (page) => {
  await drop(page, MAP, scen(row(0, 0, 9, 0, 9)));
  await page.waitForFunction(() => document.querySelector(".verdict").dataset.kind === "good");
  await page.evaluate(() => octilePlayground.app.world.rect(5, 0, 5, 0, { blocked: true }));
  await page.waitForFunction(() => /has changed/.test(document.querySelector(".verdict").textContent));
});

// Indexes

onPage("an index file serves its planner", async (page) => {
  await open(page, MAP);
  await lastToast(page);
  const bytes = await page.evaluate(async () => {
    const { Grid, Index } = octilePlayground.app.octile;
    const { width, height, blocked } = octilePlayground.app.world;
    const grid = Grid.from(width, height, blocked);
    return [...Index.build("hub-labels", grid).bytes];
  });
  await open(page, { name: "arena.octx", content: Uint8Array.from(bytes) });
  assert.match(await lastToast(page), /^arena\.octx: an index of kind hub-labels/);
  await untilAnswered(page);
  assert.deepEqual(await specs(page), ["hub-labels"]);
  assert.equal(await page.evaluate(() => octilePlayground.app.lanes[0].problem), null);
  await open(page, { name: "other.txt", content: "....\n....\n" });
  await lastToast(page);
  await open(page, { name: "arena.octx", content: Uint8Array.from(bytes) });
  assert.match(await lastToast(page), /^arena\.octx: .*another map/);
});

// Links

async function linkOf(page) {
  await page.click("#menu-share .menu-button");
  await page.waitForFunction(() => /characters/.test(document.querySelector(".share-note").textContent));
  const link = await page.inputValue(".share-link");
  await page.keyboard.press("Escape");
  return link;
}

onPage("a link brings back map, ends, planners and overlays", async (page, context) => {
  await page.evaluate(() => {
    const { app } = octilePlayground;
    const [width, height] = [37, 23];
    const blocked = Uint8Array.from({ length: width * height }, (_, i) => Number(i % 7 === 5));
    const prices = Uint8Array.from({ length: width * height }, (_, i) => 1 + (i % 9));
    app.world.replace({
      width,
      height,
      blocked,
      prices,
      convention: "enter",
      movement: "octile-cutting",
      start: { x: 0, y: 0 },
      goal: { x: 36, y: 22 },
      name: "Straße <b>",
    });
    app.setSpec(0, "astar");
    app.setCompare(true, "dijkstra");
    app.setOverlay("field", true);
  });
  await untilAnswered(page);
  const [link, before] = [await linkOf(page), await world(page)];
  const other = await context.newPage();
  await other.goto(link);
  await untilReady(other);
  assert.equal(await world(other), before);
  assert.deepEqual(await specs(other), ["astar", "dijkstra"]);
  assert.equal(await other.isChecked("#overlay-field"), true);
});

onPage("a generated map makes a short link until it is changed", async (page, context) => {
  await page.click("#menu-maps .menu-button");
  await page.click('[data-map="random-30-512-1"]');
  await untilAnswered(page);
  const short = await linkOf(page);
  assert.ok(short.length < 500, String(short.length));
  const before = await world(page);
  await page.evaluate(() =>
    octilePlayground.app.world.paint(100, 100, { blocked: octilePlayground.app.world.isFree(100, 100) }),
  );
  const long = await linkOf(page);
  assert.ok(long.length > 10_000, String(long.length));
  const after = await world(page);
  const other = await context.newPage();
  for (const [link, wanted] of [
    [short, before],
    [long, after],
  ]) {
    await other.goto(link);
    await untilReady(other);
    assert.equal(await world(other), wanted);
  }
  await other.evaluate(
    (hash) =>
      new Promise((resolve) => {
        octilePlayground.app.world.addEventListener("map", resolve, { once: true });
        location.hash = hash;
      }),
    short.split("#")[1],
  );
  assert.equal(await world(other), before, "another address, the same page");
});

onPage("a damaged link says so, and the first scene is there", async (page, context) => {
  const before = await world(page);
  const link = await linkOf(page);
  const other = await context.newPage();
  for (const damaged of [link.slice(0, -30), `${link.slice(0, -9)}AAAAAAAAA`, `${server.url}#scene=zzzz`]) {
    await other.goto("about:blank");
    await other.goto(damaged);
    await untilReady(other);
    assert.match(await lastToast(other), /^This link cannot be opened: the link is /);
    assert.equal(await world(other), before);
  }
});

onPage("a map too large for a link is offered as a file", async (page) => {
  await page.evaluate(() => {
    const side = 2400;
    let state = 7;
    const bytes = () =>
      Uint8Array.from({ length: side * side }, () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 24);
    const prices = bytes().map((value) => Math.max(1, value));
    octilePlayground.app.world.replace({
      width: side,
      height: side,
      blocked: new Uint8Array(side * side),
      prices,
      start: { x: 0, y: 0 },
      goal: { x: 9, y: 9 },
    });
  });
  await page.click("#menu-share .menu-button");
  await page.waitForFunction(() => /Save it as a file/.test(document.querySelector(".share-note").textContent));
  assert.ok(await page.isVisible("#share-map"));
  assert.ok(await page.isDisabled("#share-copy"));
});

onPage("a link is copied, by the clipboard or without it", async (page, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#menu-share .menu-button");
  await page.waitForFunction(() => /characters/.test(document.querySelector(".share-note").textContent));
  await page.click("#share-copy");
  await page.waitForFunction(() => document.querySelector(".share-note").textContent === "Copied.");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#scene=/);
  await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error("forbidden"))));
  await page.click("#share-copy");
  await page.waitForFunction(() => /Copied|Ctrl C/.test(document.querySelector(".share-note").textContent));
});

// Exports

async function download(page, item) {
  await page.click("#menu-export .menu-button");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.click(`#menu-export .menu-item >> nth=${item}`),
  ]);
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

onPage("pictures, maps and traces are exported", async (page) => {
  await open(page, MAP);
  await lastToast(page);
  await page.evaluate(() => octilePlayground.app.setSpec(0, "astar"));
  await untilAnswered(page);
  const picture = await download(page, 0);
  assert.equal(picture.name, "arena-astar.png");
  assert.deepEqual([...picture.content.subarray(0, 4)], [137, 80, 78, 71]);
  const svg = await download(page, 1);
  assert.equal(svg.name, "arena-astar.svg");
  assert.match(svg.content.toString(), /^(<\?xml[^>]*>\s*)?<svg/);
  const map = await download(page, 2);
  assert.deepEqual([map.name, map.content.toString()], ["arena.map", MAP.content]);
  const drawing = await download(page, 3);
  assert.deepEqual([drawing.name, drawing.content.toString()], ["arena.txt", DRAWING]);
  const trace = await download(page, 4);
  assert.equal(trace.name, "arena-astar.trace.json");
  const { version, events } = JSON.parse(trace.content);
  assert.ok(version && events.length > 5);
  assert.ok(events.every(({ type, id }) => type && id !== undefined));
});

onPage("the code that asks this names the map, the planner and the cells", async (page, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, MAP);
  await lastToast(page);
  await page.evaluate(() => {
    octilePlayground.app.setSpec(0, "jps:prune=gates");
    octilePlayground.app.world.moveStart(0, 4);
  });
  await page.click("#menu-export .menu-button");
  await page.click("#menu-export .menu-item >> nth=5");
  for (const language of ["rust", "python", "js", "c"]) {
    await page.click(`[data-language=${language}]`);
    const code = await page.textContent("pre.code");
    for (const part of ["arena.map", "jps:prune=gates", "0, 4"]) assert.ok(code.includes(part), `${language}: ${part}`);
  }
  await page.press("[data-language=c]", "ArrowRight");
  assert.match(await page.textContent("pre.code"), /^use octile::Engine;/);
  await page.click("#code-copy");
  await page.waitForFunction(() => document.querySelector("#code-dialog .share-note").textContent === "Copied.");
  const [program] = await Promise.all([page.waitForEvent("download"), page.click("#code-save")]);
  assert.equal(program.suggestedFilename(), "main.rs");
  const [map] = await Promise.all([page.waitForEvent("download"), page.click("#code-map")]);
  assert.equal(map.suggestedFilename(), "arena.map");
  await page.keyboard.press("Escape");
  assert.ok(await page.isHidden("#code-dialog"));
});

// Crowd

const crowdStats = (page) =>
  page.$$eval("[data-stat]", (nodes) => Object.fromEntries(nodes.map((node) => [node.dataset.stat, node.textContent])));

onPage("a crowd walks, tells what it costs, and leaves the map as it was", async (page) => {
  const before = await world(page);
  await page.click("#button-crowd");
  await page.waitForFunction(() => octilePlayground.app.crowd.positions().length > 0);
  const one = await page.evaluate(() => octilePlayground.app.crowd.positions());
  assert.equal(one.length, 6000);
  await page.waitForFunction((one) => {
    const now = octilePlayground.app.crowd.positions();
    return one.filter((value, i) => Math.abs(value - now[i]) > 0.5).length > 2000;
  }, one);
  await page.waitForFunction((shape) => {
    const [mean, edit, rate, fps] = ["mean", "edit", "rate", "fps"].map(
      (name) => document.querySelector(`[data-stat=${name}]`).textContent,
    );
    return (
      [mean, edit].every((text) => new RegExp(shape).test(text)) &&
      [rate, fps].every((text) => Number(text.replaceAll(",", "")) > 0)
    );
  }, "^(< )?[\\d.,]+ (µs|ms)$");
  assert.equal((await crowdStats(page)).units, "3,000");
  await page.uncheck("#crowd-buildings");
  const place = await page.evaluate(() => {
    const { world, view, crowd } = octilePlayground.app;
    const isTaken = (x, y) => crowd.buildings().some(([x0, y0, x1, y1]) => x >= x0 && x <= x1 && y >= y0 && y <= y1);
    const cells = Array.from({ length: world.width * world.height }, (_, i) => [
      i % world.width,
      Math.floor(i / world.width),
    ]);
    const [x, y] = cells.find(([x, y]) => x > 20 && y > 20 && world.isFree(x, y) && !isTaken(x, y));
    const [box, { x: left, y: top }] = [view.canvas.getBoundingClientRect(), view.toView(x + 0.5, y + 0.5)];
    return { x, y, left: box.left + left, top: box.top + top };
  });
  await page.mouse.click(place.left, place.top);
  await page.waitForFunction(
    ({ x, y }) =>
      octilePlayground.app.crowd.buildings().some(([x0, y0, x1, y1]) => x >= x0 && x <= x1 && y >= y0 && y <= y1),
    place,
  );
  await page.click("#button-crowd");
  assert.equal(await world(page), before);
  assert.ok(await page.isHidden("#crowd-panel"));
  assert.equal(await page.evaluate(() => octilePlayground.app.views[0].layers.length), 0);
});

onPage("a crowd takes other planners, more units, and one goal", async (page) => {
  await page.click("#button-crowd");
  await page.waitForFunction(() => /µs|ms/.test(document.querySelector("[data-stat=mean]").textContent));
  for (const spec of ["jps", "astar", "jump-graph"]) {
    await page.selectOption("#crowd-planner", spec);
    await page.waitForFunction((name) => document.querySelector(".crowd-status").textContent.startsWith(name), spec);
  }
  await page.locator("#crowd-units").fill("8000");
  await page.waitForFunction(() => document.querySelector("[data-stat=units]").textContent === "8,000");
  await page.check("#crowd-one-goal");
  await page.waitForFunction(
    () =>
      document.querySelector(".crowd-stat dt").textContent === "a field update" &&
      /µs|ms/.test(document.querySelector("[data-stat=mean]").textContent),
  );
  await page.evaluate(() =>
    octilePlayground.app.world.replace({
      width: 60,
      height: 40,
      blocked: new Uint8Array(2400),
      prices: new Uint8Array(2400).fill(3),
    }),
  );
  await page.waitForFunction(() => document.querySelector("#crowd-planner").value === "terrain-jump");
  assert.deepEqual(await toasts(page), []);
});

// Tour

onPage("the tour goes through five steps and drives the page", async (page) => {
  assert.ok(await page.$("#button-tour.is-new"));
  await page.click("#button-tour");
  const title = () => page.textContent("#tour-title");
  const fact = (pattern) =>
    page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector(".tour-fact").textContent),
      pattern.source,
    );
  assert.match(await title(), /map is a grid/);
  await page.evaluate(() => octilePlayground.app.world.rect(25, 8, 25, 25, { blocked: true }));
  await fact(/what you drew/);
  await page.press("#tour-next", "ArrowRight");
  assert.deepEqual(await specs(page), ["dijkstra"]);
  await fact(/looked at [\d,]+ cells/);
  assert.ok(await page.evaluate(() => octilePlayground.app.transport.length > 100));
  await page.press("#tour-next", "ArrowRight");
  assert.deepEqual(await specs(page), ["astar"]);
  await fact(/looked at [\d,]+ cells, Dijkstra's search at [\d,]+/);
  await page.click("#tour-next");
  assert.deepEqual(await specs(page), ["astar", "corner-sweep"]);
  await fact(/A\* expanded [\d,]+ cells.*corner sweep [\d,]+/);
  await page.click("#tour-next");
  assert.deepEqual(await specs(page), ["corner-sweep"]);
  await page.evaluate(() => octilePlayground.app.world.moveGoal(40, 4));
  await fact(/new search/);
  assert.equal(await page.textContent("#tour-next"), "Done");
  await page.click("#tour-next");
  assert.ok(await page.isHidden("#tour"));
  assert.equal(await page.$$eval(".is-tour-target", (nodes) => nodes.length), 0);
  await page.reload();
  await untilReady(page);
  assert.equal(await page.$("#button-tour.is-new"), null, "it was seen");
});

onPage("the tour can be left at any time, and never blocks", async (page) => {
  await page.click("#button-tour");
  await page.click("#tour-next");
  await page.click("#menu-maps .menu-button");
  await page.click('[data-map="rooms-8-64-3"]');
  await untilAnswered(page);
  await page.focus("#tour-next");
  await page.keyboard.press("Escape");
  assert.ok(await page.isHidden("#tour"));
  assert.equal(await page.evaluate(() => document.activeElement.id), "button-tour");
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

onPage(
  "on a phone the crowd and the tour stand below the map, not over it",
  async (page) => {
    for (const [button, panel] of [
      ["#button-crowd", "#crowd-panel"],
      ["#button-tour", "#tour"],
    ]) {
      await page.click(button);
      await page.waitForSelector(`${panel}:not([hidden])`);
      await frames(page, 5); // the map takes the size that is left to it
      const [map, box] = [
        await page.locator("canvas.map").first().boundingBox(),
        await page.locator(panel).boundingBox(),
      ];
      assert.ok(box.y >= map.y + map.height - 1, panel);
      assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844, panel);
      assert.ok(map.height > 150, `${panel} leaves ${map.height} for the map`);
    }
  },
  PHONE,
);

test("a page without storage has its tour all the same", { timeout: WATCHDOG }, async () => {
  const context = await browser.newContext();
  await context.addInitScript(() =>
    Object.defineProperty(globalThis, "localStorage", {
      get: () => {
        throw new Error("closed");
      },
    }),
  );
  const page = await context.newPage();
  await page.goto(server.url);
  await untilReady(page);
  await page.click("#button-tour");
  assert.ok(await page.isVisible("#tour"));
  await context.close();
});
