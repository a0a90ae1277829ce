// Where benchmarks write what they measure: one line of JSON each, at the end of target/bench/javascript.jsonl.

import { appendFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FILE = fileURLToPath(new URL("../../target/bench/javascript.jsonl", import.meta.url));

/** Prints measured values, and adds them to the record. @param {string} name @param {Record<string, number>} values */
export function record(name, values) {
  const rounded = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Number(value.toPrecision(4))]));
  console.log(
    `${name}: ${Object.entries(rounded)
      .map(([key, value]) => `${key} ${value}`)
      .join(", ")}`,
  );
  mkdirSync(new URL("../../target/bench/", import.meta.url), { recursive: true });
  appendFileSync(FILE, `${JSON.stringify({ at: new Date().toISOString(), name, ...rounded })}\n`);
}
