// The programs of docs/javascript.md and of the package's README: each page is one program, and a comment `// => value` is what its line gives.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "octile-docs-"));
after(() => rmSync(folder, { recursive: true }));

const PACKAGE = new URL("../dist/node.js", import.meta.url).href;

/** Numbers of typed arrays as a plain list. */
globalThis.plainly = (value) => (ArrayBuffer.isView(value) ? [...value] : value);

/** The program of a page, whose lines check what they promise. */
function program(page) {
    const text = readFileSync(fileURLToPath(new URL(page, import.meta.url)), "utf8");
    const blocks = [...text.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, block]) => block);
    const checks = blocks.join("\n").match(/\/\/ => /g)?.length ?? 0;
    const code = blocks
        .join("\n")
        .replace(/^(.+); \/\/ => (.+)$/gm, "assert.deepEqual(plainly($1), $2);")
        .replaceAll('from "octile"', `from "${PACKAGE}"`);
    return { checks, code: `import assert from "node:assert/strict";\n${code}` };
}

for (const [page, least] of [
    ["../../../docs/javascript.md", 20],
    ["../README.md", 0],
]) {
    test(`the programs of ${page}`, async () => {
        const { checks, code } = program(page);
        assert(checks >= least, `${checks} lines promise something`);
        const file = join(folder, `${page.replaceAll("/", "-")}.mjs`);
        writeFileSync(file, code);
        await import(pathToFileURL(file));
    });
}
