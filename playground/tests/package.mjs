// The package of planners, for tests that run without a browser.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const folderOfPackage =
  process.env.OCTILE_PACKAGE ?? fileURLToPath(new URL("../../bindings/js/dist", import.meta.url));
const FILE = join(folderOfPackage, "node.js");

/** What a test says that cannot run without it. */
export const missing = existsSync(FILE) ? false : `${FILE} is missing: tools/js-build makes it`;

export async function loadOctile() {
  const octile = await import(pathToFileURL(FILE));
  await octile.init();
  return octile;
}
