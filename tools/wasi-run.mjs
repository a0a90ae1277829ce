// Runs a program for wasm32-wasip1, with its arguments and the files of the repository: the runner that `tools/wasm-test` gives to cargo.
//
//   node --no-warnings --no-turbo-fast-api-calls tools/wasi-run.mjs PROGRAM.wasm ARGUMENT...

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { WASI } from "node:wasi";

const [program, ...programArguments] = process.argv.slice(2);
if (program === undefined) {
    console.error("wasi-run: expected a program: wasi-run.mjs PROGRAM.wasm ARGUMENT...");
    process.exit(2);
}
const repository = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const wasi = new WASI({
    version: "preview1",
    args: [program, ...programArguments],
    env: process.env,
    preopens: { [repository]: repository },
    returnOnExit: true,
});
// While the program runs nothing else holds it, and what it has open: Node would collect it in the middle of a write, and die of that.
globalThis.wasi = wasi;
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
