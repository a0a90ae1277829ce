// What node.js uses of Node, for type checks: the types of all of Node are not needed.

declare module "node:fs/promises" {
    export function readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>;
}
