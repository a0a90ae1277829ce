// The program that asks what the page asks, in four languages. Text only: nothing here runs.

import { greatestPrice, mapFiles } from "./mapfile.js";

/**
 * @typedef {object} Question
 * @property {string} file name of the map file
 * @property {string | null} prices name of its price file
 * @property {string} spec
 * @property {boolean} isAnyAngle
 * @property {string} movement
 * @property {string | null} convention null on a map without prices
 * @property {{x: number, y: number}} start
 * @property {{x: number, y: number}} goal
 */

export const LANGUAGES = [
  { id: "rust", label: "Rust", file: "main.rs", write: rust },
  { id: "python", label: "Python", file: "ask.py", write: python },
  { id: "js", label: "JavaScript", file: "ask.mjs", write: javascript },
  { id: "c", label: "C", file: "ask.c", write: c },
];

/** @param {import("./world.js").MapData} map @param {{spec: string, isAnyAngle: boolean}} planner @returns {Question} */
export function question(map, { spec, isAnyAngle }) {
  const [file, prices] = mapFiles(map);
  const convention = greatestPrice(map) > 1 ? (map.convention ?? "average") : null;
  const { movement = "octile", start, goal } = map;
  return { file: file.name, prices: prices?.name ?? null, spec, isAnyAngle, movement, convention, start, goal };
}

/** @param {string} id @param {Question} asked */
export function codeFor(id, asked) {
  return LANGUAGES.find((language) => language.id === id).write(asked);
}

const RUST_MOVEMENTS = { tile: "Movement::Tile", "octile-cutting": "Movement::OctileCutting" };

function rust(asked) {
  const { spec, start, goal } = asked;
  const points = asked.isAnyAngle ? "path.spots()?" : "path.waypoints()?";
  return `${rustUse(asked)}

fn main() -> Result<(), Box<dyn std::error::Error>> {
${rustLoad(asked)}
    let engine = Engine::new(${quote(spec)}, &grid)?;
    let Some(path) = engine.find((${start.x}, ${start.y}), (${goal.x}, ${goal.y}))? else {
        println!("there is no path");
        return Ok(());
    };
    println!("cost {}, length {:.3}", path.cost(), path.length());
    for point in ${points} {
        println!("{point}");
    }
    Ok(())
}
`;
}

function rustUse({ movement, convention, prices }) {
  const names = ["Engine"];
  if (convention === "enter") names.push("Convention");
  if (prices || convention === "enter") names.push("LoadOptions");
  if (RUST_MOVEMENTS[movement]) names.push("Movement");
  const sorted = names.sort();
  return sorted.length === 1 ? `use octile::${sorted[0]};` : `use octile::{${sorted.join(", ")}};`;
}

function rustLoad({ file, prices, convention, movement }) {
  const rule = RUST_MOVEMENTS[movement] ? `.with_movement(${RUST_MOVEMENTS[movement]})` : "";
  const options = [
    prices && `.prices(octile::load_prices(${quote(prices)})?)`,
    convention === "enter" && ".convention(Convention::Enter)",
  ].filter(Boolean);
  if (options.length === 0) return `    let grid = octile::load(${quote(file)})?.grid${rule};`;
  return `    let options = LoadOptions::default()${options.join("")};
    let grid = octile::load_with(${quote(file)}, &options)?.grid${rule};`;
}

function python({ file, prices, convention, movement, spec, isAnyAngle, start, goal }) {
  const options = [
    prices && `prices=${quote(prices)}`,
    convention === "enter" && `convention="enter"`,
    movement !== "octile" && `movement=${quote(movement)}`,
  ].filter(Boolean);
  return `import octile

grid = octile.load(${[quote(file), ...options].join(", ")})
engine = octile.Engine(grid, ${quote(spec)})
path = engine.find((${start.x}, ${start.y}), (${goal.x}, ${goal.y}))
if path is None:
    print("there is no path")
else:
    print(f"cost {path.cost}, length {path.length:.3f}")
    for x, y in path.${isAnyAngle ? "spots" : "waypoints"}:
        print(x, y)
`;
}

function javascript(asked) {
  const { spec, start, goal } = asked;
  return `import { readFile } from "node:fs/promises";
import { init, Engine, Grid } from "octile";

await init();
${jsLoad(asked)}
const engine = new Engine(grid, ${quote(spec)});
const path = engine.path(${start.x}, ${start.y}, ${goal.x}, ${goal.y});
if (!path) console.log("there is no path");
else {
  console.log(\`cost \${path.cost}, length \${path.length.toFixed(3)}\`);
  const points = path.points; // x, y, x, y, ...
  for (let i = 0; i < points.length; i += 2) console.log(points[i], points[i + 1]);
}
`;
}

function jsLoad({ file, prices, convention, movement }) {
  const options = [
    prices && `prices: await readFile(${quote(prices)}, "utf8")`,
    convention === "enter" && `convention: "enter"`,
    movement !== "octile" && `movement: ${quote(movement)}`,
  ].filter(Boolean);
  return `const grid = Grid.load(${[`await readFile(${quote(file)})`, options.length > 0 && `{ ${options.join(", ")} }`].filter(Boolean).join(", ")});`;
}

function c(asked) {
  const { spec, isAnyAngle, start, goal } = asked;
  const [type, points, find, print] = isAnyAngle
    ? ["octile_point", "points", "octile_find_points", String.raw`printf("%g %g\n", points[i].x, points[i].y)`]
    : ["octile_cell", "cells", "octile_find", String.raw`printf("%" PRIu32 " %" PRIu32 "\n", cells[i].x, cells[i].y)`];
  return `#include <inttypes.h>
#include <octile.h>
#include <stdio.h>

enum { CAPACITY = 4096 };

int main(void) {
    octile_grid *grid = NULL;
    octile_engine *engine = NULL;
    octile_cell start = {${start.x}, ${start.y}}, goal = {${goal.x}, ${goal.y}};
    static ${type} ${points}[CAPACITY];
    size_t count = 0, length = 0;
    octile_cost cost;
    char text[64];

${cLoad(asked)}
    if (status == OCTILE_OK) status = octile_engine_new(grid, ${quote(spec)}, &engine);
    if (status == OCTILE_OK) status = ${find}(engine, start, goal, ${points}, CAPACITY, &count, &cost);
    if (status == OCTILE_OK) status = octile_cost_text(&cost, text, sizeof text, &length);
    if (status == OCTILE_OK) {
        printf("cost %s, length %.3f\\n", text, cost.length);
        for (size_t i = 0; i < count; i++) ${print};
    } else if (status == OCTILE_NO_PATH) {
        printf("there is no path\\n");
    } else {
        fprintf(stderr, "%s\\n", octile_error_message());
    }
    octile_engine_free(engine);
    octile_grid_free(grid);
    return status == OCTILE_OK || status == OCTILE_NO_PATH ? 0 : 1;
}
`;
}

function cLoad({ file, prices, convention, movement }) {
  const options = [
    prices && `options.prices = ${quote(prices)};`,
    convention === "enter" && `options.convention = "enter";`,
    movement !== "octile" && `options.movement = ${quote(movement)};`,
  ].filter(Boolean);
  if (options.length === 0) return `    octile_status status = octile_grid_load(${quote(file)}, NULL, &grid);`;
  const lines = [
    "octile_load_options options = OCTILE_LOAD_OPTIONS;",
    ...options,
    `octile_status status = octile_grid_load(${quote(file)}, &options, &grid);`,
  ];
  return lines.map((line) => `    ${line}`).join("\n");
}

/** A string literal that Rust, Python, JavaScript and C read alike: names and specs are plain ASCII without control characters. */
function quote(text) {
  return `"${text.replace(/[^ -~]/g, "?").replace(/["\\]/g, "\\$&")}"`;
}
