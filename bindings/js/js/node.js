// The package for Node: the binary is read from the file beside this one.

import { readFile } from "node:fs/promises";

import { loadOnce } from "./load.js";

export * from "./api.js";

/**
 * Loads the binary; await it once before all else, in every worker.
 * Without a source it is the file `octile_bg.wasm` beside this one.
 * @param {import("./load.js").Source} [source] @returns {Promise<void>}
 */
export function init(source) {
    return loadOnce(() => {
        const found = source ?? new URL("./octile_bg.wasm", import.meta.url);
        const isFile = typeof found === "string" || (found instanceof URL && found.protocol === "file:");
        if (isFile) {
            return readFile(found);
        }
        return found instanceof URL ? fetch(found) : found;
    });
}
