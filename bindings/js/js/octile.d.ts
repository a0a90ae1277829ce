// The types of the package. Classes and functions are described where they are made, in octile_bg.d.ts.

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
export type {
    Advice,
    AskOptions,
    BlockedArea,
    BuildOptions,
    Candidate,
    Convention,
    Counts,
    GateRuns,
    GridOptions,
    KeyInfo,
    LoadOptions,
    Movement,
    OnEdit,
    PictureOptions,
    PlannerInfo,
    SpecInfo,
} from "./octile_bg.js";
import type { Convention, Movement } from "./octile_bg.js";

/** Loads the binary; await it once before all else, in every worker. Without a source it is the file `octile_bg.wasm` beside the package. */
export function init(
    source?: URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module,
): Promise<void>;

/** The eight moves [dx, dy] by number: north, then clockwise. */
export const MOVES: readonly (readonly [number, number])[];
/** The names of movement rules. */
export const MOVEMENTS: readonly Movement[];
/** The names of conventions of prices. */
export const CONVENTIONS: readonly Convention[];
/** The kinds of events of a trace, by name. */
export const EVENTS: {
    readonly REACHED: 0;
    readonly IMPROVED: 1;
    readonly EXPANDED: 2;
    readonly LINE: 3;
    readonly AREA: 4;
    readonly SIGHT: 5;
    readonly TAUT_HOP: 6;
    readonly SEES: 7;
    readonly HOP: 8;
    readonly TOUCHED: 9;
};

/** All errors of the package. Messages say what to do. */
export class OctileError extends Error {}
/** A map that cannot be: its size, its text, its chances. */
export class GridError extends OctileError {}
/** A planner, a key or a value that is not known, or that do not go together. */
export class SpecError extends OctileError {}
/** A planner that cannot be made for a map, or not within its budget. */
export class BuildError extends OctileError {}
/** A question that cannot be asked: an end that is off the map or blocked. */
export class QueryError extends OctileError {}
/** A change that cannot be made. */
export class EditError extends OctileError {}
/** A file that is no map or no scenario. */
export class LoadError extends OctileError {}
/** An index file that is damaged, or for another map. */
export class IndexFileError extends OctileError {}
/** A path that is not legal on a map, or that has not what it is asked for. */
export class PathError extends OctileError {}
/** A picture that is too large. */
export class DrawError extends OctileError {}
/** An argument that is not what it should be. */
export class ArgumentError extends OctileError {}
