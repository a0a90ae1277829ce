import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { LANGUAGES, codeFor, question } from "../code.js";
import { folderOfPackage, missing } from "./package.mjs";
import { fileStem, mapFiles, toDrawing, toMapText } from "../mapfile.js";

function arena(more = {}) {
  const blocked = Uint8Array.from("........@@......", (letter) => Number(letter === "@"));
  return {
    width: 4,
    height: 4,
    blocked,
    prices: null,
    movement: "octile",
    convention: "average",
    start: { x: 0, y: 0 },
    goal: { x: 3, y: 3 },
    name: "arena.map",
    ...more,
  };
}

const CASES = {
  plain: [arena(), { spec: "corner-sweep", isAnyAngle: false }],
  tile: [arena({ movement: "tile" }), { spec: "astar:open=buckets", isAnyAngle: false }],
  cutting: [arena({ movement: "octile-cutting" }), { spec: "dijkstra", isAnyAngle: false }],
  angle: [arena(), { spec: "taut-sight:ends=centres", isAnyAngle: true }],
  digits: [arena({ prices: new Uint8Array(16).fill(3) }), { spec: "terrain-jump", isAnyAngle: false }],
  enter: [
    arena({ prices: new Uint8Array(16).fill(7), convention: "enter" }),
    { spec: "terrain-jump", isAnyAngle: false },
  ],
  letters: [
    arena({
      prices: Uint8Array.from({ length: 16 }, (_, i) => 10 * i + 1),
      convention: "enter",
      movement: "octile-cutting",
    }),
    { spec: "astar", isAnyAngle: false },
  ],
  // What only a hostile link could bring: nothing of it may leave its quotes.
  odd: [arena({ name: '../"; rm -rf \\ *\n' }), { spec: 'x"; import os\n\\', isAnyAngle: false }],
};

const has = (command) => spawnSync(command, ["--version"]).status === 0;

/** Writes a case's map and program into a folder of its own, and lets `look` at it. */
function inFolder(name, id, look) {
  const [map, planner] = CASES[name];
  const folder = mkdtempSync(join(tmpdir(), "octile-code-"));
  try {
    for (const { name: file, text } of mapFiles(map)) writeFileSync(join(folder, file), text);
    const file = join(folder, LANGUAGES.find((language) => language.id === id).file);
    writeFileSync(file, codeFor(id, question(map, planner)));
    look(file, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("files hold the map as it is", () => {
  assert.equal(toMapText(arena()), "type octile\nheight 4\nwidth 4\nmap\n....\n....\n@@..\n....\n");
  assert.equal(toDrawing(arena()), "....\n....\n@@..\n....\n");
  assert.equal(toDrawing(CASES.digits[0]), "3333\n3333\n@@33\n3333\n");
  assert.deepEqual(
    mapFiles(arena()).map(({ name }) => name),
    ["arena.map"],
  );
  assert.deepEqual(
    mapFiles(CASES.digits[0]).map(({ name }) => name),
    ["arena.txt"],
  );
  const [map, prices] = mapFiles(CASES.letters[0]);
  assert.deepEqual([map.name, prices.name], ["arena.map", "arena.map.prices"]);
  const priceOf = Object.fromEntries(
    prices.text
      .trim()
      .split("\n")
      .map((line) => line.split(" ")),
  );
  const cells = [...map.text.split("\n").slice(4).join("")].map((letter) => Number(priceOf[letter]));
  assert.deepEqual(
    cells,
    [...CASES.letters[0].prices].map((price, i) => (CASES.letters[0].blocked[i] ? 0 : price)),
  );
});

test("more prices than letters are refused by name", () => {
  const map = arena({
    width: 16,
    height: 16,
    blocked: new Uint8Array(256),
    prices: Uint8Array.from({ length: 256 }, (_, i) => Math.max(1, i)),
  });
  assert.throws(() => mapFiles(map), /255 different prices/);
});

test("prices below walls do not count", () => {
  const prices = new Uint8Array(16).fill(1);
  prices[8] = 200;
  assert.deepEqual(
    mapFiles(arena({ prices })).map(({ name }) => name),
    ["arena.map"],
  );
});

test("names of files are plain", () => {
  assert.equal(fileStem("rooms-8-512-1"), "rooms-8-512-1");
  assert.equal(fileStem("../Übersicht 2.png"), "U-bersicht-2");
  assert.equal(fileStem("...map"), "map");
  assert.equal(fileStem(CASES.odd[0].name), "rm--rf");
});

test("the Rust program has the shape of the README's", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const program = codeFor("rust", question(...CASES.plain));
  for (const line of [
    "fn main() -> Result<(), Box<dyn std::error::Error>> {",
    "&grid)?;",
    "engine.find((",
    "path.cost()",
    "    Ok(())\n}",
  ]) {
    assert.ok(program.includes(line) && readme.includes(line), line);
  }
  assert.ok(program.includes('octile::load("arena.map")?.grid') && readme.includes('octile::load("arena.map")?.grid'));
  assert.match(program, /Engine::new\("corner-sweep", &grid\)\?/);
  assert.match(program, /engine\.find\(\(0, 0\), \(3, 3\)\)\?/);
  assert.match(codeFor("rust", question(...CASES.angle)), /path\.spots\(\)\?/);
});

test("Rust programs are formatted", { skip: !has("rustfmt") }, () => {
  for (const name of Object.keys(CASES)) {
    inFolder(name, "rust", (file) =>
      execFileSync("rustfmt", [
        "--check",
        "--edition",
        "2024",
        "--config",
        "max_width=160,use_small_heuristics=Max",
        file,
      ]),
    );
  }
});

test("Python programs are Python, and run where octile is installed", { skip: !has("python3") }, () => {
  const isThere = spawnSync("python3", ["-c", "import octile"]).status === 0;
  for (const name of Object.keys(CASES)) {
    inFolder(name, "python", (file, folder) => {
      execFileSync("python3", ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", file]);
      if (!isThere || name === "odd") return;
      assert.match(execFileSync("python3", [file], { cwd: folder, encoding: "utf8" }), /^cost .*, length \d+\.\d{3}\n/);
    });
  }
});

test("JavaScript programs are JavaScript", () => {
  for (const name of Object.keys(CASES)) inFolder(name, "js", (file) => execFileSync("node", ["--check", file]));
});

/** What every language must print first. */
const ANSWERS = {
  plain: "cost 2+2√2, length 4.828",
  tile: "cost 6, length 6.000",
  angle: "cost 4.2426, length 4.243",
  digits: "cost 6+6√2, length 14.485",
  letters: "cost 294+71√2, length 394.409",
};

test("JavaScript programs run", { skip: missing }, () => {
  for (const [name, answer] of Object.entries(ANSWERS)) {
    inFolder(name, "js", (file, folder) => {
      mkdirSync(join(folder, "node_modules"));
      symlinkSync(folderOfPackage, join(folder, "node_modules", "octile"));
      const [first, ...points] = execFileSync("node", [file], { cwd: folder, encoding: "utf8" }).trim().split("\n");
      assert.equal(first, answer, name);
      assert.match(points[0], /^(0 0|0.5 0.5)$/, name);
      assert.match(points.at(-1), /^(3 3|3.5 3.5)$/, name);
    });
  }
});

const HEADERS = new URL("../../bindings/c/include", import.meta.url).pathname;
/** liboctile, where it was built: the programs of C are linked with it and run. */
const LIBRARY = process.env.OCTILE_C_LIBRARY;
const COMPILER = process.env.CC ?? "cc";

test("C programs are C", { skip: !has(COMPILER) }, () => {
  for (const name of Object.keys(CASES)) {
    inFolder(name, "c", (file) =>
      execFileSync(COMPILER, [
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-pedantic",
        "-fsyntax-only",
        `-I${HEADERS}`,
        file,
      ]),
    );
  }
});

test("C programs run", { skip: !LIBRARY && "OCTILE_C_LIBRARY is not set: tools/c-test runs them" }, () => {
  for (const name of Object.keys(CASES)) {
    inFolder(name, "c", (file, folder) => {
      const program = join(folder, "ask");
      execFileSync(COMPILER, [
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        `-I${HEADERS}`,
        file,
        LIBRARY,
        "-lpthread",
        "-ldl",
        "-lm",
        "-o",
        program,
      ]);
      if (name === "odd") return assert.match(spawnSync(program, { cwd: folder, encoding: "utf8" }).stderr, /\S/);
      const [first, ...points] = execFileSync(program, { cwd: folder, encoding: "utf8" }).trim().split("\n");
      assert.match(first, /^cost .*, length \d+\.\d{3}$/, name);
      if (ANSWERS[name]) assert.equal(first, ANSWERS[name], name);
      assert.match(points[0], /^(0 0|0.5 0.5)$/, name);
      assert.match(points.at(-1), /^(3 3|3.5 3.5)$/, name);
    });
  }
});
