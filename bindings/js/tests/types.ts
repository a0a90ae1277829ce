// The types of the package, used as programs use them: what does not compile here does not compile there.

import { Edits, Engine, EVENTS, Grid, Index, MOVES, QueryError, Scenario, init, parseSpec, planners } from "octile";
import type { Answer, Field, OctileError, PlannerInfo, Trace } from "octile";

await init();
await init(new URL("octile_bg.wasm", "https://example.com/"));

const grid: Grid = Grid.from(3, 1, Uint8Array.of(0, 0, 1), { movement: "octile" });
const engine = new Engine(grid, "corner-sweep", {
    budget: "brief",
    onProgress: (_stage: string, done: number, all: number) => done < all,
});
const found: Uint32Array | Float64Array | null = engine.find(0, 0, 1, 0);
const length: number | undefined = engine.path(0, 0, 1, 0)?.length;
const answer: Answer = engine.ask(0, 0, [1, 0], { nearest: "both", maxCost: 3 });
const status: "found" | "nearest" | "no-path" | "limit" = answer.status;
const lengths: Float64Array = engine.findMany(Uint32Array.of(0, 0, 1, 0), { errors: "skip" }).lengths;
engine.apply(new Edits().block(1, 0).unblockRect(0, 0, 1, 0));
const field: Field = engine.field(Uint32Array.of(0, 0));
const trace: Trace = engine.trace(0, 0, 1, 0, { most: 10 });
const isExpanded: boolean = trace.events[0] === EVENTS.EXPANDED && trace.counts.expanded > 0;
const index: Index = Index.build("hub-labels", grid);
using kept = new Engine(grid, "hub-labels", { index: [index] });
const info: PlannerInfo[] = planners();
const choices: string[] = info.flatMap((planner) => planner.keys.flatMap((key) => key.choices));
const kinds: string[] = parseSpec("jps").indexKinds;
const scenario: Float64Array = Scenario.generate(grid, { perBucket: 1 }).problems;
const [dx]: readonly [number, number] = MOVES[0]!;
const print: bigint = grid.fingerprint;
try {
    engine.find(0, 0, 9, 9);
} catch (error) {
    if (error instanceof QueryError) {
        const one: OctileError = error;
        throw one;
    }
}

// @ts-expect-error a planner is a name
new Engine(grid, 5);
// @ts-expect-error there is no such option
Grid.open(3, 3, { diagonal: true });
// @ts-expect-error bytes, not a list
Grid.from(3, 1, [0, 0, 1]);

export { choices, dx, field, found, isExpanded, kept, kinds, length, lengths, print, scenario, status };
