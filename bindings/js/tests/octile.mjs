// The package as Node loads it, for all tests.

import * as octile from "../dist/node.js";

await octile.init();

export default octile;

/** The map of a list as octile-js-native says it: a generator and its numbers. */
export function generated({ Grid }, [kind, width, height, value, seed]) {
    if (kind === "rooms+regions") {
        return Grid.rooms(width, height, value, seed).withRegions(Uint8Array.of(1, 2, 5), 8, "average", 9);
    }
    return Grid[kind](width, height, value, seed);
}
