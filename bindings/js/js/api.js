// What the package gives, however its binary was loaded.

import { memory } from "./load.js";
import { Edits, Engine } from "./octile_bg.js";

export {
    Answer,
    Edits,
    Engine,
    Field,
    Grid,
    Index,
    Path,
    Paths,
    Scenario,
    Trace,
    advise,
    indexKinds,
    parseSpec,
    planners,
    version,
} from "./octile_bg.js";
export {
    ArgumentError,
    BuildError,
    DrawError,
    EditError,
    GridError,
    IndexFileError,
    LoadError,
    OctileError,
    PathError,
    QueryError,
    SpecError,
} from "./errors.js";

/** The eight moves [dx, dy] by number: north, then clockwise. */
export const MOVES = Object.freeze(
    [
        [0, -1],
        [1, -1],
        [1, 0],
        [1, 1],
        [0, 1],
        [-1, 1],
        [-1, 0],
        [-1, -1],
    ].map(Object.freeze),
);

/** The names of movement rules. */
export const MOVEMENTS = Object.freeze(["octile", "tile", "octile-cutting"]);

/** The names of conventions of prices. */
export const CONVENTIONS = Object.freeze(["average", "enter"]);

/** The kinds of events of a trace, by name. */
export const EVENTS = Object.freeze({
    REACHED: 0,
    IMPROVED: 1,
    EXPANDED: 2,
    LINE: 3,
    AREA: 4,
    SIGHT: 5,
    TAUT_HOP: 6,
    SEES: 7,
    HOP: 8,
    TOUCHED: 9,
});

// A path as a view of memory: made here it takes a third of the time. What is wrong, the call that is replaced says.
const ASK = -(2 ** 31);
const findSlowly = Engine.prototype.find;
/** @this {Engine & {_find(...ends: number[]): number, _place(): number}} what the types of the package do not show */
Engine.prototype.find = function (x0, y0, x1, y1) {
    const count = this._find(x0, y0, x1, y1);
    if (count > 0) {
        return new Uint32Array(memory().buffer, this._place(), count);
    }
    if (count === 0) {
        return null;
    }
    return count === ASK
        ? findSlowly.call(this, x0, y0, x1, y1)
        : new Float64Array(memory().buffer, this._place(), -count);
};

// Edits are written in a row: `new Edits().block(1, 2).block(1, 3)`.
const inRow = /** @type {Record<string, (this: Edits, ...numbers: number[]) => void>} */ (
    /** @type {unknown} */ (Edits.prototype)
);
for (const name of ["block", "unblock", "blockRect", "unblockRect", "price", "priceRect", "clear"]) {
    const add = inRow[name];
    inRow[name] = function (...numbers) {
        add.apply(this, numbers);
        return this;
    };
}
