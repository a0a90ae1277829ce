// What the package gives, call by call, in Node.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as glue from "../dist/octile_bg.js";
import octile from "./octile.mjs";

const { Edits, Engine, Grid, Index, Scenario, EVENTS, MOVES, planners } = octile;

const drawing = "......\n.@@@@.\n......";

/** The class and the message of what a call throws. */
function thrown(call) {
    try {
        call();
    } catch (error) {
        assert(error instanceof octile.OctileError && error instanceof Error, `${error}`);
        assert.equal(error.name, error.constructor.name);
        return `${error.name}: ${error.message}`;
    }
    assert.fail("nothing was thrown");
}

test("maps come from arrays, drawings and files, and go back", () => {
    const blocked = Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 7, 0);
    const grid = Grid.from(3, 3, blocked);
    assert.deepEqual([grid.width, grid.height, grid.freeCells, grid.components], [3, 3, 7, 1]);
    assert.deepEqual([...grid.blocked], [0, 1, 0, 0, 0, 0, 0, 1, 0]);
    assert.deepEqual([...Grid.parse(grid.toText()).blocked], [...grid.blocked]);
    const load = (text) => Grid.load(new TextEncoder().encode(text));
    assert.equal(load(grid.toMap()).fingerprint, grid.fingerprint);
    assert.equal(Grid.load(grid.toPgm()).fingerprint, grid.fingerprint);
    assert.equal(Grid.load(new Engine(grid).png({ scale: 1 }).slice().buffer).width, 3);
    assert.equal(Grid.open(4, 5, { movement: "tile" }).movement, "tile");
    assert.equal(grid.withMovement("octile-cutting").movement, "octile-cutting");
    assert(grid.isFree(0, 0) && !grid.isFree(1, 0) && !grid.isFree(9, 9) && !grid.isFree(-1, 0));
    assert(grid.connected(0, 0, 2, 0) && !grid.connected(0, 0, 1, 0));
});

test("a ROS map is a text and an image", () => {
    const yaml =
        "image: a.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";
    const image = Uint8Array.from([..."P5\n3 1\n255\n"].map((letter) => letter.charCodeAt(0)).concat([254, 0, 205]));
    assert.deepEqual([...Grid.load(image, { yaml }).blocked], [0, 1, 1]);
    assert.deepEqual([...Grid.load(image, { yaml, unknown: "free" }).blocked], [0, 1, 0]);
    const priced = Grid.load(image, { yaml, prices: "costmap" });
    assert(priced.convention === "average" && priced.prices.length === 3);
    assert.match(
        thrown(() => Grid.load(image, { yaml: "image: [", name: "room.yaml" })),
        /^LoadError: room.yaml: /,
    );
});

test("paths are views, copies, cells and costs", () => {
    const engine = new Engine(Grid.parse(drawing), "corner-sweep");
    const view = engine.find(0, 1, 5, 1);
    assert(view instanceof Uint32Array);
    assert.deepEqual([...view], [0, 1, 0, 0, 5, 0, 5, 1]);
    assert.equal(engine.findCells(0, 1, 5, 1).length, 2 * 8);
    assert.equal(engine.distance(0, 1, 5, 1), 7);
    const path = engine.path(0, 1, 5, 1);
    assert.deepEqual([path.length, path.cost, path.straight, path.diagonal, path.isAnyAngle], [7, "7", 7, 0, false]);
    path.check(engine.grid);
    assert.deepEqual([...path.cells], [0, 1, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 5, 1]);
    const smooth = path.smooth(engine.grid);
    assert(smooth.isAnyAngle && smooth.points instanceof Float64Array && smooth.length <= 7);
    assert.match(
        thrown(() => smooth.cells),
        /^PathError: /,
    );
    assert.match(
        thrown(() => path.check(Grid.open(2, 2))),
        /^PathError: /,
    );
});

test("no path is an answer, and ends that cannot be are errors", () => {
    const engine = new Engine(Grid.parse("..@."), "jps");
    assert.equal(engine.find(0, 0, 3, 0), null);
    assert.equal(engine.path(0, 0, 3, 0), undefined);
    assert.equal(engine.distance(0, 0, 3, 0), Infinity);
    assert.match(
        thrown(() => engine.find(0, 0, 2, 0)),
        /^QueryError: goal 2,0 is blocked/,
    );
    assert.match(
        thrown(() => engine.find(0, 0, 4, 0)),
        /^QueryError: goal 4,0 is off the map/,
    );
    for (const x of [-1, 0.5, NaN, Infinity, 2 ** 32, "1x", undefined]) {
        assert.match(
            thrown(() => engine.find(x, 0, 0, 0)),
            /^QueryError: start .* is no cell/,
            `${x}`,
        );
    }
});

test("any-angle paths are places in cells", () => {
    const engine = new Engine(Grid.parse("....\n.@@.\n...."), "taut-sight:ends=centres");
    const found = engine.find(0, 1, 3, 2);
    assert(found instanceof Float64Array && engine.isAnyAngle && engine.endsAtCentres);
    assert.deepEqual([...found], [0.5, 1.5, 1, 2, 3.5, 2.5]);
    assert.match(
        thrown(() => engine.findCells(0, 1, 3, 2)),
        /^PathError: /,
    );
});

test("a question can be more than a path", () => {
    const engine = new Engine(Grid.parse("...@."), "corner-sweep");
    const nearest = engine.ask(0, 0, [4, 0], { nearest: true });
    assert.deepEqual([nearest.status, [...nearest.goal], nearest.away, nearest.path.length], ["nearest", [2, 0], 2, 2]);
    const any = engine.ask(1, 0, Uint32Array.of(2, 0, 0, 0));
    assert.deepEqual([any.status, any.place, [...any.start]], ["found", 0, [1, 0]]);
    const limited = engine.ask(0, 0, [2, 0], { maxCost: 1 });
    assert.deepEqual([limited.status, limited.limit, limited.path], ["limit", "cost", undefined]);
    assert.equal(engine.ask(0, 0, [2, 0], { timeoutMs: 3_600_000, maxExpanded: 100, output: "cost" }).status, "found");
    const open = new Engine(Grid.open(30, 30), "dijkstra");
    const cut = open.ask(0, 0, [29, 29], { maxExpanded: 5 });
    assert.deepEqual([cut.status, cut.limit, cut.path], ["limit", "expanded", undefined]);
    const late = engine.ask(0, 0, [2, 0], { timeoutMs: 0 });
    assert.deepEqual([late.status, late.limit, late.path], ["limit", "deadline", undefined]);
    assert.match(
        thrown(() => engine.ask(0, 0, [])),
        /^QueryError: /,
    );
    assert.match(
        thrown(() => engine.ask(0, 0, [1])),
        /^ArgumentError: goal: expected x, y/,
    );
    assert.match(
        thrown(() => engine.ask(0, 0, 7)),
        /^ArgumentError: /,
    );
    assert.match(
        thrown(() => engine.ask(0, 0, [1, 0], { nearst: true })),
        /^ArgumentError: there is no option `nearst`/,
    );
});

test("a batch comes in columns", () => {
    const engine = new Engine(Grid.parse("....\n.@@.\n....\n@@@@\n...."), "corner-sweep");
    const paths = engine.findMany(Uint32Array.of(0, 1, 3, 1, 0, 0, 0, 4, 0, 0, 3, 0));
    assert.deepEqual([...paths.lengths], [5, Infinity, 3]);
    assert.deepEqual([...paths.straight], [5, -1, 3]);
    assert.deepEqual([...paths.diagonal], [0, -1, 0]);
    assert.deepEqual([...paths.offsets], [0, 4, 4, 6]);
    assert.deepEqual([...paths.route(0)], [0, 1, 0, 0, 3, 0, 3, 1]);
    assert.deepEqual(paths.statuses, ["found", "no-path", "found"]);
    assert.match(
        thrown(() => engine.findMany([0, 1, 1, 1])),
        /^QueryError: query 0: goal 1,1 is blocked/,
    );
    assert.deepEqual([...engine.findMany([0, 1, 1, 1], { errors: "skip" }).lengths], [NaN]);
    assert.match(
        thrown(() => engine.findMany([0, 1, 1])),
        /^ArgumentError: /,
    );
    assert.deepEqual([...engine.matrix([0, 0, 3, 0], [0, 0, 3, 0])], [0, 3, 3, 0]);
    assert.deepEqual([...engine.matrix([0, 0, 0, 4], [3, 0, 3, 4, 0, 0])], [3, Infinity, 0, Infinity, 3, Infinity]);
    const near = engine.nearest(0, 0, [3, 0, 1, 0], 2);
    assert.deepEqual(
        [[...near.places], [...near.lengths]],
        [
            [1, 0],
            [1, 3],
        ],
    );
});

test("maps change, for agents of all sizes", () => {
    const engine = new Engine(Grid.parse("......\n.@....\n......"), "corner-sweep");
    const wagon = engine.forAgent("square:2");
    assert.match(
        thrown(() => wagon.find(0, 0, 4, 1)),
        /^QueryError: /,
    );
    const path = engine.path(0, 0, 5, 2);
    engine.apply(new Edits().unblock(1, 1).block(5, 0));
    assert.equal(engine.edits, 1);
    assert(engine.lastEditMicros >= 0);
    assert.equal(wagon.distance(0, 0, 1, 1), Math.SQRT2);
    assert(engine.stillValid(path));
    engine.apply(new Edits().blockRect(2, 0, 2, 2));
    assert(!engine.stillValid(path));
    assert.match(
        thrown(() => engine.apply(new Edits().block(0, 1).block(9, 9))),
        /^EditError: /,
    );
    assert(engine.grid.isFree(0, 1), "all or none");
    assert.equal(new Edits().block(1, 1).price(1, 1, 4).clear().length, 0);
    assert.match(
        thrown(() => new Edits().price(1, 1, 256)),
        /^ArgumentError: price is 256/,
    );
    assert.match(
        thrown(() => engine.forAgent("cube:2")),
        /^ArgumentError: /,
    );
});

test("letters have prices", () => {
    const grid = Grid.load(new TextEncoder().encode("type octile\nheight 1\nwidth 3\nmap\n.SG\n"), {
        prices: ". 1\nS 5\nG 2\n",
        convention: "enter",
    });
    assert.deepEqual([[...grid.prices], grid.convention], [[1, 5, 2], "enter"]);
    assert.match(
        thrown(() =>
            Grid.load(new TextEncoder().encode("type octile\nheight 1\nwidth 1\nmap\nS\n"), { prices: ". 1" }),
        ),
        /^LoadError: .*`S`/,
    );
    assert.match(
        thrown(() => Grid.load(new Uint8Array(1), { prices: "S much" })),
        /^LoadError: prices: line 1/,
    );
});

test("cells have prices", () => {
    const prices = Uint8Array.of(1, 9, 1, 1, 1, 1);
    const grid = Grid.from(3, 2, new Uint8Array(6), { prices, convention: "enter" });
    assert.deepEqual([grid.convention, [...grid.prices]], ["enter", [...prices]]);
    const engine = new Engine(grid, "terrain-jump");
    const before = engine.distance(0, 0, 2, 0);
    engine.apply(new Edits().price(1, 0, 1));
    assert(engine.distance(0, 0, 2, 0) < before);
    engine.apply(new Edits().priceRect(0, 0, 1, 1, 7));
    assert.deepEqual([...engine.grid.prices], [7, 7, 1, 7, 7, 1]);
    assert.match(
        thrown(() => new Engine(grid, "jps")),
        /^BuildError: .*prices/,
    );
    assert.equal(grid.withoutPrices().convention, undefined);
    assert.match(
        thrown(() => Grid.from(3, 2, new Uint8Array(6), { prices: new Uint8Array(5) })),
        /^ArgumentError: prices/,
    );
});

test("a field has distances and steps for all cells", () => {
    const field = new Engine(Grid.parse("...\n.@.\n..."), "jps").field([0, 0]);
    assert.deepEqual([...field.lengths], [0, 1, 2, 1, Infinity, 3, 2, 3, 4]);
    assert.deepEqual([...field.step(2, 1)], [2, 0]);
    assert.equal(field.step(0, 0), undefined);
    assert.deepEqual(MOVES[field.moves[2]], [-1, 0]);
    assert.equal(field.path(2, 2).length, 4);
    assert.equal(field.direction(2.5, 0.5).length, 2);
    field.apply(new Edits().unblock(1, 1));
    assert.equal(field.path(2, 2).length, 2 * Math.SQRT2);
    field.setGoals([2, 2, 0, 0]);
    assert.deepEqual([...field.goals], [2, 2, 0, 0]);
});

test("an index is built, kept as bytes, and used again", () => {
    const grid = Grid.caves(64, 64, 40, 1);
    const stages = new Set();
    const index = Index.build("hub-labels", grid, { onProgress: (stage) => void stages.add(stage) });
    assert(stages.size > 0);
    const kept = Index.from(index.bytes.slice().buffer);
    assert.deepEqual([kept.kind, kept.width, kept.fingerprint], ["hub-labels", 64, grid.fingerprint]);
    kept.verify();
    kept.verify(grid);
    const engine = new Engine(grid, "hub-labels", { index: kept });
    assert.equal(engine.indexBytes > 0, true);
    new Engine(grid, "hub-labels", { index: [kept] });
    assert.match(
        thrown(() => kept.verify(Grid.open(64, 64))),
        /^IndexFileError: /,
    );
    assert.match(
        thrown(() => new Engine(grid, "jps", { index: kept })),
        /^IndexFileError: planner `jps` has no use/,
    );
    assert.match(
        thrown(() => new Engine(Grid.open(9, 9), "hub-labels", { index: kept })),
        /^IndexFileError: /,
    );
    const damaged = index.bytes;
    damaged[damaged.length >> 1] ^= 1;
    assert.match(
        thrown(() => Index.from(damaged).verify()),
        /^IndexFileError: /,
    );
    assert.match(
        thrown(() => Index.from(new Uint8Array(3))),
        /^IndexFileError: /,
    );
    assert.match(
        thrown(() => Index.build("hubs", grid)),
        /^SpecError: /,
    );
});

test("a build can be ended, and refuses what takes too long", () => {
    const grid = Grid.caves(256, 256, 42, 1);
    let told = 0;
    const cancel = () => thrown(() => new Engine(grid, "hub-labels", { onProgress: () => ++told < 3 }));
    assert.match(cancel(), /^BuildError: /);
    assert.equal(told, 3, "it ended there");
    assert.match(
        thrown(() => new Engine(grid, "cpd")),
        /^BuildError: .*cpd/,
    );
    assert.match(
        thrown(() => new Engine(grid, "hub-labels", { budget: "some" })),
        /^ArgumentError: budget: .*unlimited/,
    );
});

test("an index that went stale is renewed in slices", () => {
    const engine = new Engine(Grid.caves(96, 96, 40, 1), "hub-labels");
    assert(engine.renew());
    engine.apply(new Edits().blockRect(40, 40, 50, 50));
    assert(engine.isStale && engine.hubs(...firstFree(engine.grid)) === null);
    while (!engine.renew(1));
    assert(!engine.isStale);
});

/** The first cell of a map that is free. */
function firstFree(grid) {
    const place = grid.blocked.indexOf(0);
    return [place % grid.width, Math.floor(place / grid.width)];
}

test("a trace has every event, in order", () => {
    const engine = new Engine(Grid.open(9, 9), "astar");
    const trace = engine.trace(0, 0, 8, 8);
    assert.equal(trace.events.length, trace.length * 7);
    const rows = Array.from({ length: trace.length }, (_, row) => [...trace.events.subarray(row * 7, row * 7 + 7)]);
    const expanded = rows.filter(([kind]) => kind === EVENTS.EXPANDED);
    assert.deepEqual(
        expanded.map(([, x, y]) => [x, y]),
        Array.from({ length: 9 }, (_, place) => [place, place]),
    );
    assert.deepEqual([trace.counts.expanded, trace.isCut, trace.path.cost], [9, false, "8√2"]);
    assert(engine.trace(0, 0, 8, 8, { most: 3 }).isCut);
    const posthoc = JSON.parse(trace.posthoc());
    assert.deepEqual([posthoc.version, posthoc.events[0].type], ["1.4.0", "source"]);
    assert(engine.svg({ trace, path: trace.path, field: engine.field([8, 8]) }).startsWith("<svg"));
    assert.match(
        thrown(() => engine.svg({ path: {} })),
        /^ArgumentError: path: expected a Path/,
    );
});

test("indexes show what they hold", () => {
    const grid = Grid.parse("....\n.@@.\n....");
    const cpd = new Engine(grid, "cpd:layout=rectangles");
    const moves = cpd.firstMoves(0, 1);
    assert.deepEqual(MOVES[moves[0]], [0, -1]);
    assert.equal(moves[4], -1, "that is the cell itself");
    assert(cpd.rectangles(0, 1).length % 4 === 0);
    const hubs = new Engine(grid, "hub-labels").hubs(0, 1);
    assert.equal(hubs.points.length, 2 * hubs.offsets.at(-1));
    assert(hubs.offsets.length > 1);
    assert.deepEqual([...hubs.points.subarray(0, 2)], [0, 1], "ways begin at the cell");
    const engine = new Engine(grid, "jps");
    assert.deepEqual([engine.firstMoves(0, 1), engine.rectangles(0, 1), engine.hubs(0, 1)], [null, null, null]);
    const rooms = Grid.rooms(64, 64, 8, 1);
    const gates = rooms.gates();
    assert(gates.rows.length > 0 && gates.share > 0);
    assert.equal(rooms.prunedByGates(...firstFree(rooms), ...firstFree(rooms)).length, 64 * 64);
    const cave = Grid.parse("..........\n.@@@@@@@..\n.......@..\n.......@..\n.@@@@@@@..\n..........");
    for (const area of cave.blockedAreas()) {
        assert(area.outline.length > 0 && area.entrance.length === 4 && area.cells.length > 0);
    }
});

test("scenarios are read, made and written", () => {
    const grid = Grid.rooms(48, 48, 8, 1);
    const made = Scenario.generate(grid, { perBucket: 3, seed: 4 });
    const read = Scenario.parse(made.toText());
    assert.deepEqual([read.count, [...read.problems.slice(0, 4)]], [made.count, [...made.problems.slice(0, 4)]]);
    read.checkFits(grid);
    assert.match(
        thrown(() => read.checkFits(Grid.open(9, 9))),
        /^LoadError: /,
    );
    assert.match(
        thrown(() => Scenario.parse("version 1\n1\t2", { name: "a.scen" })),
        /^LoadError: a.scen: line 2/,
    );
    const engine = new Engine(grid, "corner-sweep");
    for (let row = 0; row < read.problems.length; row += 5) {
        const [x0, y0, x1, y1, length] = read.problems.subarray(row, row + 5);
        assert(Math.abs(engine.distance(x0, y0, x1, y1) - length) < 1e-6 * length + 1e-6);
    }
});

test("the catalog says what controls are made from", () => {
    const all = planners();
    const jps = all.find(({ name }) => name === "jps");
    assert.deepEqual([jps.onEdit, jps.index, jps.takesPrices, jps.isAnyAngle], ["follows", "none", false, false]);
    const rescan = all.find(({ name }) => name === "rea-star").keys.find(({ name }) => name === "rescan");
    const ways = ["allow", "shorten", "stop", "whole-stop", "cut", "cut-stop"];
    assert.deepEqual([rescan.choices, rescan.needs], [ways, { key: "fronts", value: "cells" }]);
    assert.equal(rescan.takes, "allow, shorten, stop, whole-stop, cut or cut-stop, together with fronts=cells");
    const rows = all.find(({ name }) => name === "cpd").keys.find(({ name }) => name === "default");
    assert.deepEqual(rows.choices, ["move", "none"]);
    assert.deepEqual(rows.needs, { key: "layout", value: "rectangles", only: "move" });
    const forAnyAngle = jps.keys.filter((key) => key.needsAnyAngle);
    assert.equal(forAnyAngle.map(({ name }) => name).join(), "squeeze,ends");
    assert.deepEqual(all.find(({ name }) => name === "weighted-astar").required, ["weight"]);
    const spec = octile.parseSpec("jps:prune=gates");
    assert.deepEqual([spec.name, spec.canonical, spec.indexKinds], ["jps", "jps:prune=gates", ["gates"]]);
    assert.match(
        thrown(() => octile.parseSpec("jsp")),
        /^SpecError: .*did you mean `jps`/,
    );
    assert(octile.indexKinds().includes("cpd"));
    assert.match(octile.version(), /^\d+\.\d+\.\d+$/);
    const advice = octile.advise(Grid.rooms(48, 48, 8, 1), { memory: "10MB" });
    assert(advice.reasons.length > 0 && octile.parseSpec(advice.spec));
    assert.match(
        thrown(() => octile.advise(Grid.open(9, 9), { changes: "often" })),
        /^ArgumentError: /,
    );
});

test("constants are those of the library", () => {
    assert.deepEqual(MOVES.flat(), [...glue.moves()]);
    assert.deepEqual(octile.MOVEMENTS, glue.movements());
    assert.deepEqual(octile.CONVENTIONS, glue.conventions());
    const names = glue.eventKinds().map((name) => name.toUpperCase().replace("-", "_"));
    assert.deepEqual(
        Object.entries(EVENTS),
        names.map((name, number) => [name, number]),
    );
});

test("wrong arguments are refused, with what was expected", () => {
    assert.match(
        thrown(() => Grid.from(3, 3, new Uint8Array(8))),
        /^ArgumentError: blocked: expected 9 bytes/,
    );
    assert.match(
        thrown(() => Grid.from(3, 3, [0, 0])),
        /^ArgumentError: blocked: expected a Uint8Array/,
    );
    assert.match(
        thrown(() => Grid.open(0, 5)),
        /^GridError: /,
    );
    assert.match(
        thrown(() => Grid.open(1e6, 1e6)),
        /^GridError: .*too large/,
    );
    assert.match(
        thrown(() => Grid.open(2.5, 5)),
        /^ArgumentError: width is 2.5/,
    );
    assert.match(
        thrown(() => Grid.open(5, 5, { movement: "hex" })),
        /^ArgumentError: movement: /,
    );
    assert.match(
        thrown(() => Grid.random(9, 9, 120)),
        /^GridError: /,
    );
    assert.match(
        thrown(() => Grid.parse(".x.\n?")),
        /^GridError: /,
    );
    assert.match(
        thrown(() => Grid.load(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1]))),
        /^LoadError: /,
    );
    assert.match(
        thrown(() => new Engine(Grid.open(3, 3), "jps:prune=areas")),
        /^SpecError: /,
    );
    assert.match(
        thrown(() => new Engine(Grid.open(3, 3), "jps", 5)),
        /^ArgumentError: expected an object/,
    );
    assert.throws(() => new Engine({}, "jps"));
});

test("memory is given back", () => {
    const wasm = () => process.memoryUsage().arrayBuffers;
    const round = () => {
        for (let turn = 0; turn < 20; turn += 1) {
            const grid = Grid.open(500, 500);
            const engine = new Engine(grid, "astar");
            engine.path(0, 0, 499, 250).free();
            engine.free();
            grid.free();
        }
    };
    round();
    const before = wasm();
    round();
    round();
    assert(wasm() - before < 4_000_000, `${before} bytes became ${wasm()}`);
    const grid = Grid.open(3, 3);
    assert.equal(typeof grid[Symbol.dispose ?? "free"], "function");
    grid.free();
    assert.throws(() => grid.width, "freed");
});
