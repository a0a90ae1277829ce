// The package for browsers, workers and bundlers: the binary is a file beside this one.

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
        return typeof found === "string" || found instanceof URL ? fetch(found) : found;
    });
}
