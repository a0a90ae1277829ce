import assert from "node:assert/strict";
import test from "node:test";

import { LinkError, MAX_LINK, cellsPrint, crc32, decodeScene, encodeScene } from "../link.js";

const dice = (seed) => () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;

/** @param {{width: number, height: number, percent: number, seed?: number, top?: number}} wish */
function scene({ width, height, percent, seed = 1, top = 0 }) {
  const roll = dice(seed);
  const blocked = Uint8Array.from({ length: width * height }, () => (roll() * 100 < percent ? 1 : 0));
  const prices = top ? Uint8Array.from({ length: width * height }, () => 1 + Math.floor(roll() * top)) : null;
  const map = { width, height, blocked, prices, movement: "tile", convention: "enter", name: "Häuser <1> \u{1f3d8}" };
  const ends = { start: { x: 0, y: height - 1 }, goal: { x: width - 1, y: 0 } };
  return { map, recipe: null, print: null, ends, settings: { planners: ["jps:prune=gates", "astar"], overlays: [] } };
}

test("CRC-32 is the usual one", () => assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926));

test("any scene comes back exactly", async () => {
  const wishes = [
    { width: 1, height: 1, percent: 0 },
    { width: 1, height: 1, percent: 100 },
    { width: 7, height: 3, percent: 50, top: 255 },
    { width: 9, height: 1, percent: 30, top: 2 },
    { width: 64, height: 64, percent: 0 },
    { width: 64, height: 65, percent: 100, top: 9 },
    { width: 257, height: 131, percent: 40 },
    { width: 512, height: 512, percent: 25, top: 3 },
  ];
  for (const wish of wishes) {
    const sent = scene(wish);
    const link = await encodeScene(sent);
    assert.match(link, /^scene=[A-Za-z0-9_-]+$/);
    assert.deepEqual(await decodeScene(`#${link}`), sent, JSON.stringify(wish));
  }
});

test("prices that are all 1 are still prices, and no prices are none", async () => {
  const sent = scene({ width: 4, height: 4, percent: 20, top: 1 });
  assert.deepEqual(await decodeScene(await encodeScene(sent)), sent);
});

test("a drawing makes a short link, and the largest random map fits", async () => {
  const drawing = scene({ width: 512, height: 512, percent: 0 });
  for (let y = 40; y < 400; y++) drawing.map.blocked[y * 512 + 300] = 1;
  assert.ok((await encodeScene(drawing)).length < 700);
  assert.ok((await encodeScene(scene({ width: 2048, height: 2048, percent: 40 }))).length < MAX_LINK);
});

test("a recipe stands for its cells", async () => {
  const { ends, settings } = scene({ width: 8, height: 8, percent: 0 });
  const sent = {
    map: null,
    recipe: { kind: "maze", width: 512, height: 512, size: 4, seed: 7 },
    print: 4000000000,
    ends,
    settings,
  };
  const link = await encodeScene(sent);
  assert.ok(link.length < 400, String(link.length));
  assert.deepEqual(await decodeScene(link), sent);
});

test("the print of a map tells every change", () => {
  const { map } = scene({ width: 16, height: 16, percent: 30 });
  const print = cellsPrint(map);
  assert.equal(cellsPrint({ ...map, prices: new Uint8Array(256).fill(1) }), print, "a price of 1 is no price");
  assert.notEqual(cellsPrint({ ...map, prices: new Uint8Array(256).fill(2) }), print);
  assert.notEqual(cellsPrint({ ...map, width: 8, height: 32 }), print);
  map.blocked[17] ^= 1;
  assert.notEqual(cellsPrint(map), print);
});

test("damaged links are refused, whatever the damage", async () => {
  const link = await encodeScene(scene({ width: 40, height: 30, percent: 35, top: 4 }));
  const roll = dice(5);
  for (let round = 0; round < 400; round++) {
    const at = 6 + Math.floor(roll() * (link.length - 6));
    const cut = round % 2 ? link.slice(0, at) : link.slice(0, at) + "AZaz09-_"[round % 8] + link.slice(at + 1);
    if (cut === link) continue;
    await assert.rejects(decodeScene(cut), LinkError, cut);
  }
});

test("links of other kinds are told apart", async () => {
  await assert.rejects(decodeScene("#about"), /holds no scene/);
  await assert.rejects(decodeScene("#scene="), /cut short/);
  await assert.rejects(decodeScene("#scene=Ay4uLi4uLi4u"), /version 3/);
  await assert.rejects(decodeScene("#scene=a%20b"), /letters/);
});

test("a link that unpacks without end is stopped", async () => {
  const zeros = new Uint8Array(60 << 20);
  const stream = new Blob([zeros]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = Buffer.from(await new Response(stream).arrayBuffer());
  const link = `scene=${Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), packed]).toString("base64url")}`;
  await assert.rejects(decodeScene(link), /more than a map/);
});
