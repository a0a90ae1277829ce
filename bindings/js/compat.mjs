// Puts the binary into compat.js: `node compat.mjs DIR`.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";

const [folder] = process.argv.slice(2);
const binary = deflateRawSync(await readFile(join(folder, "octile_bg.wasm")), { level: 9 }).toString("base64");
const compat = join(folder, "compat.js");
await writeFile(compat, (await readFile(compat, "utf8")).replace("@BINARY@", binary));
