// How the binary becomes the package: what all entries share.

import * as glue from "./octile_bg.js";
import { OctileError } from "./errors.js";

/** @typedef {URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module} Source where a binary comes from */
/** @typedef {Exclude<Source, URL | string> | Promise<BufferSource>} Opened a source whose bytes are on their way */
/** @typedef {{memory: WebAssembly.Memory, __wbindgen_start(): void}} Binary what is used of a binary that runs */

/** Gives the glue its binary; the types of the package do not show this. */
const useBinary = /** @type {{__wbg_set_wasm(binary: object): void}} */ (/** @type {unknown} */ (glue)).__wbg_set_wasm;

// A call before `init` says so.
useBinary(
    new Proxy(
        {},
        {
            get(_, name) {
                throw new OctileError(
                    `octile is not loaded yet: \`await init()\` comes before all else (${String(name)})`,
                );
            },
        },
    ),
);

/** A module with a vector in it, as the binary has them. */
const WITH_VECTORS = Uint8Array.of(
    0,
    97,
    115,
    109,
    1,
    0,
    0,
    0,
    1,
    5,
    1,
    96,
    0,
    1,
    123,
    3,
    2,
    1,
    0,
    10,
    10,
    1,
    8,
    0,
    65,
    0,
    253,
    15,
    253,
    98,
    11,
);

/** The module of a source: a module, bytes, a response or a promise of one. @param {Opened} source */
async function compile(source) {
    const found = await source;
    if (found instanceof WebAssembly.Module) {
        return found;
    }
    if (typeof Response === "function" && found instanceof Response) {
        if (!found.ok) {
            throw new OctileError(`the binary of octile cannot be loaded: ${found.url} answers ${found.status}`);
        }
        const isNamed = found.headers.get("Content-Type")?.startsWith("application/wasm");
        // Servers that do not know WebAssembly still give its bytes.
        return isNamed ? WebAssembly.compileStreaming(found) : WebAssembly.compile(await found.arrayBuffer());
    }
    return WebAssembly.compile(/** @type {BufferSource} */ (found));
}

/** @type {Binary} */
let loaded;

/** The memory of the package. */
export function memory() {
    return loaded.memory;
}

/** @param {Opened} source */
async function load(source) {
    if (!WebAssembly.validate(WITH_VECTORS)) {
        throw new OctileError(
            "octile needs WebAssembly with vectors (simd128): Chrome 91, Firefox 89, Safari 16.4, Node 16.4 or later",
        );
    }
    const imports = /** @type {WebAssembly.Imports} */ (/** @type {unknown} */ ({ "./octile_bg.js": glue }));
    const { exports } = await WebAssembly.instantiate(await compile(source), imports);
    useBinary(exports);
    loaded = /** @type {Binary} */ (/** @type {unknown} */ (exports));
    loaded.__wbindgen_start();
}

/** @type {Promise<void> | undefined} */
let loading;

/**
 * Loads the binary once, from what `open` makes of a source; a try that fails can be repeated.
 * @param {() => Opened} open
 */
export function loadOnce(open) {
    loading ??= load(open()).catch((error) => {
        loading = undefined;
        throw error;
    });
    return loading;
}
