// Measures queries in Chromium beside the same queries natively: `npm run bench` in playground/. It prints and records, and nothing fails.
//
// A thousand queries on caves of 256 x 256 cells, in the browser and natively in turns, the best of some rounds of each.

import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { launch, serve } from "../../../playground/tests/browser.mjs";
import { record } from "../../../playground/tests/record.mjs";
import { generated } from "./octile.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PLANNERS = [
    "corner-sweep",
    "jump-graph",
    "core-search",
    "hub-labels",
    "jps",
    "astar",
    "taut-sight",
    "block-astar",
    "rea-star",
];
const ROUNDS = 5;

/** How many microseconds a query takes in the browser: all of them, some times, of which the best counts. */
function timeInBrowser(page, spec) {
    return page.evaluate((spec) => {
        const { grid, queries } = globalThis.map;
        const engine = new octile.Engine(grid, spec);
        let best = Infinity;
        // A clock of some microseconds is fine for a thousand queries.
        for (let round = 0; round < 4; round += 1) {
            const clock = performance.now();
            for (let at = 0; at < queries.length; at += 4) {
                engine.find(queries[at], queries[at + 1], queries[at + 2], queries[at + 3]);
            }
            best = Math.min(best, ((performance.now() - clock) * 4000) / queries.length);
        }
        engine.free();
        return best;
    }, spec);
}

execFileSync("cargo", ["build", "--quiet", "--release", "--locked", "--package", "octile-js-native"], {
    cwd: ROOT,
    stdio: "inherit",
});
const program = `${ROOT}target/release/octile-js-native`;
const asked = JSON.parse(execFileSync(program, ["answers"], { encoding: "utf8", maxBuffer: 1 << 28 }));
const native = spawn(program, ["times"], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: native.stdout })[Symbol.asyncIterator]();
const timeNatively = async (spec) => {
    native.stdin.write(`${spec}\n`);
    return Number((await lines.next()).value);
};

const [server, browser] = [await serve(), await launch()];
try {
    const page = await browser.newPage();
    await page.goto(`${server.url}octile/package.json`);
    await page.addScriptTag({ type: "module", content: `globalThis.generated = ${generated}` });
    await page.evaluate(async ({ map, queries }) => {
        globalThis.octile = await import("/octile/octile.js");
        await octile.init();
        globalThis.map = { grid: generated(octile, map), queries };
    }, asked.maps[1]);
    for (const spec of PLANNERS) {
        let [here, there] = [Infinity, Infinity];
        for (let round = 0; round < ROUNDS; round += 1) {
            there = Math.min(there, await timeNatively(spec));
            here = Math.min(here, await timeInBrowser(page, spec));
        }
        record(`query ${spec}`, { browserMicros: here, nativeMicros: there, times: here / there });
    }
} finally {
    native.stdin.end();
    await browser.close();
    server.close();
}
