// The package in a bundler, as a tarball, and its size.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const { build } = createRequire(new URL("../../../playground/package.json", import.meta.url))("esbuild");

const folder = mkdtempSync(join(tmpdir(), "octile-bundle-"));
after(() => rmSync(folder, { recursive: true }));

const gzipped = (file) => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length;

/** What a page loads is under so many bytes. The aim is 600,000, which is not reached: docs/records/javascript.md has what was tried. */
const MOST_BYTES = 710_000;

test("what a page loads is small", (context) => {
    const files = ["octile.js", "api.js", "load.js", "errors.js", "octile_bg.js", "octile_bg.wasm"];
    const sizes = files.map((file) => [file, gzipped(file)]);
    const sum = sizes.reduce((sum, [, size]) => sum + size, 0);
    context.diagnostic(`${sum} bytes gzipped: ${sizes.map(([file, size]) => `${file} ${size}`).join(", ")}`);
    assert(sum < MOST_BYTES, `${sum} bytes`);
});

test("the binary names no source files, which only panics would", () => {
    const names = readFileSync(join(DIST, "octile_bg.wasm"), "latin1").match(/[\w/.-]{3,}\.rs\b/g);
    assert.deepEqual(names, null);
});

test("a bundler puts the package with the binary inside into one file", async () => {
    const entry = join(folder, "main.js");
    writeFileSync(
        entry,
        `import { init, Engine, Grid } from "octile/compat"; await init(); globalThis.distance = new Engine(Grid.open(5, 5)).distance(0, 0, 4, 4);`,
    );
    const outfile = join(folder, "bundle.mjs");
    await build({
        entryPoints: [entry],
        bundle: true,
        format: "esm",
        outfile,
        alias: { "octile/compat": join(DIST, "compat.js") },
        logLevel: "error",
    });
    await import(pathToFileURL(outfile));
    assert.equal(globalThis.distance, 4 * Math.SQRT2);
});

test("a bundler that is told so loads the binary as a file", async () => {
    const entry = join(folder, "app.js");
    writeFileSync(
        entry,
        `import { init, Engine, Grid } from "octile"; import binary from "octile/octile_bg.wasm"; await init(binary); export const distance = new Engine(Grid.open(5, 5)).distance(0, 0, 4, 4);`,
    );
    const outfile = join(folder, "app.mjs");
    const alias = { octile: join(DIST, "octile.js"), "octile/octile_bg.wasm": join(DIST, "octile_bg.wasm") };
    await build({
        entryPoints: [entry],
        bundle: true,
        format: "esm",
        outfile,
        alias,
        loader: { ".wasm": "binary" },
        target: "es2022",
        logLevel: "error",
    });
    assert.equal((await import(pathToFileURL(outfile))).distance, 4 * Math.SQRT2);
});

test("the tarball has what the package needs, and its own name loads it", () => {
    const [{ filename, files }] = JSON.parse(
        execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
            cwd: DIST,
            encoding: "utf8",
            stdio: ["ignore", "pipe", "ignore"],
        }),
    );
    const names = files.map(({ path }) => path);
    for (const name of [
        "octile.js",
        "node.js",
        "compat.js",
        "octile_bg.wasm",
        "octile_bg.js",
        "octile.d.ts",
        "octile_bg.d.ts",
        "README.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
    ]) {
        assert(names.includes(name), `${name} is missing in ${filename}`);
    }
    writeFileSync(join(folder, "package.json"), `{ "name": "app", "private": true, "type": "module" }`);
    execFileSync(
        "npm",
        ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", join(folder, filename)],
        { cwd: folder, stdio: "ignore" },
    );
    const program = `import { init, Engine, Grid } from "octile"; await init(); console.log(new Engine(Grid.open(9, 1)).distance(0, 0, 8, 0));`;
    const said = execFileSync("node", ["--input-type=module", "--eval", program], { cwd: folder, encoding: "utf8" });
    assert.equal(said, "8\n");
});
