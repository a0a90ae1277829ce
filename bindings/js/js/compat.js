// The package with the binary inside, for bundlers and pages that can load no file beside a script. It is larger, and the same otherwise.

import { loadOnce } from "./load.js";

export * from "./api.js";

// The binary, deflated, in base64: tools/js-build puts it here.
const BINARY = "@BINARY@";

/** @param {string} text */
async function inflate(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).arrayBuffer();
}

/**
 * Loads the binary; await it once before all else, in every worker.
 * @param {import("./load.js").Source} [source] @returns {Promise<void>}
 */
export function init(source) {
    return loadOnce(() => source ?? inflate(BINARY));
}
