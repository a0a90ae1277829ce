// The package in a real browser: every planner of the catalog answers as the library does on this machine.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { launch, serve } from "../../../playground/tests/browser.mjs";
import { generated } from "./octile.mjs";

const NATIVE =
    process.env.OCTILE_NATIVE ?? fileURLToPath(new URL("../../../target/debug/octile-js-native", import.meta.url));

let server, browser, page, asked;

before(async () => {
    const answers = spawnSync(NATIVE, ["answers"], { encoding: "utf8", maxBuffer: 1 << 28 });
    assert.equal(answers.status, 0, `${NATIVE} answers: ${answers.error ?? answers.stderr}`);
    asked = JSON.parse(answers.stdout);
    [server, browser] = [await serve(), await launch()];
    page = await browser.newPage();
    await page.goto(`${server.url}octile/package.json`);
    await page.addScriptTag({ type: "module", content: `globalThis.generated = ${generated}` });
    await page.evaluate(async (maps) => {
        globalThis.octile = await import("/octile/octile.js");
        await octile.init();
        globalThis.maps = maps.map(({ map, queries }) => ({ grid: generated(octile, map), queries }));
    }, asked.maps);
});

after(async () => {
    await browser?.close();
    server?.close();
});

test("maps by chance are the same in the browser", async () => {
    const prints = await page.evaluate(() => maps.map(({ grid }) => grid.fingerprint.toString()));
    assert.deepEqual(
        prints,
        asked.maps.map(({ fingerprint }) => fingerprint),
    );
});

test("every planner gives the paths that it gives natively, a thousand queries each", async (context) => {
    const planners = await page.evaluate(() => octile.planners().map(({ name }) => name));
    for (const { spec, map, answers } of asked.runs) {
        assert.equal(answers.length, 1000);
        await context.test(`${spec} on map ${map}`, async () => {
            const found = await page.evaluate(
                ([spec, map]) => {
                    const { grid, queries } = maps[map];
                    const [engine, answers] = [new octile.Engine(grid, spec), []];
                    // `auto` chooses by time: only costs are the same.
                    const told = (path) =>
                        spec === "auto" ? path.cost : `${path.cost} ${path.length} ${path.points.join(" ")}`;
                    for (let at = 0; at < queries.length; at += 4) {
                        const path = engine.path(...queries.slice(at, at + 4));
                        path?.check(grid);
                        answers.push(path ? told(path) : "none");
                        path?.free();
                    }
                    engine.free();
                    return answers;
                },
                [spec, map],
            );
            assert.deepEqual(found, answers);
        });
    }
    assert.deepEqual(new Set(asked.runs.map(({ spec }) => spec.split(":")[0])), new Set(planners));
});

test("workers have a package of their own", async () => {
    const distance = await page.evaluate(() => {
        const script = `
            const octile = await import("${location.origin}/octile/octile.js");
            await octile.init();
            const engine = new octile.Engine(octile.Grid.open(9, 9), "jump-graph");
            postMessage(engine.distance(0, 0, 8, 3));`;
        const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), {
            type: "module",
        });
        return new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = reject;
        });
    });
    assert.equal(distance, 5 + 3 * Math.SQRT2);
});

test("the file with the binary inside needs no other", async () => {
    const found = await page.evaluate(async () => {
        const frame = document.body.appendChild(document.createElement("iframe"));
        frame.src = "/octile/package.json";
        await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
        const before = performance.getEntriesByType("resource").length;
        const other = await frame.contentWindow.eval(`import("/octile/compat.js")`);
        await other.init();
        const files = frame.contentWindow.performance
            .getEntriesByType("resource")
            .map(({ name }) => name.split("/").at(-1));
        return { before, files, distance: new other.Engine(other.Grid.open(5, 5)).distance(0, 0, 4, 4) };
    });
    assert(!found.files.includes("octile_bg.wasm"), `${found.files}`);
    assert.equal(found.distance, 4 * Math.SQRT2);
});

test("a binary that cannot be loaded is said so, and can be tried again", async () => {
    const said = await page.evaluate(async () => {
        const frame = document.body.appendChild(document.createElement("iframe"));
        frame.src = "/octile/package.json";
        await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
        const other = await frame.contentWindow.eval(`import("/octile/octile.js")`);
        const message = await other.init("/octile/nowhere.wasm").catch((error) => error.message);
        // As in a browser that is too old.
        const { WebAssembly } = frame.contentWindow;
        const { validate } = WebAssembly;
        WebAssembly.validate = () => false;
        const tooOld = await other.init().catch((error) => error.message);
        WebAssembly.validate = validate;
        await other.init();
        return [message, tooOld, other.version()];
    });
    assert.match(said[0], /nowhere\.wasm answers 404/);
    assert.match(said[1], /needs WebAssembly with vectors \(simd128\): Chrome 91/);
    assert.match(said[2], /^\d/);
});
