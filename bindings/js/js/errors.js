// The errors of the package: one tree, so that `catch` can ask for a kind or for all. Messages are the library's own and say what to do.

export class OctileError extends Error {
    /** @param {string} message */
    constructor(message) {
        super(message);
        this.name = new.target.name;
    }
}
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

/** @type {Record<string, new (message: string) => OctileError>} */
const CLASSES = {
    GridError,
    SpecError,
    BuildError,
    QueryError,
    EditError,
    LoadError,
    IndexFileError,
    PathError,
    DrawError,
    ArgumentError,
};

/** What the WebAssembly calls to make one. @param {string} kind @param {string} message */
export function octileError(kind, message) {
    return new (CLASSES[kind] ?? OctileError)(message);
}
