// What the address asks for: `octile play` opens the page with a map, a scenario, two cells and a planner in it (docs/command.md has the list).

import { openFiles } from "./files.js";
import { PREFIX } from "./link.js";

/** @param {import("./main.js").App} app */
export async function installQuery(app) {
  const asked = new URLSearchParams(location.search);
  if (asked.size === 0 || location.hash.startsWith(`#${PREFIX}`)) return; // a scene has all that the page shows
  try {
    const [files, reading] = await Promise.all([fetched(asked, ["map", "image", "scen"]), readingOf(asked)]);
    if (files.length > 0) await openFiles(app, files, reading);
    moveEnds(app, asked);
    const planner = asked.get("planner");
    if (planner && !app.setSpec(0, planner))
      app.say(`The planner ${planner} that the address asks for is not known.`, "error");
  } catch (error) {
    app.say(`What the address asks for cannot be opened: ${error.message}`, "error");
  }
}

/** The files of some parameters, with their names. @param {URLSearchParams} asked @param {string[]} names */
function fetched(asked, names) {
  const addresses = names.map((name) => asked.get(name)).filter(Boolean);
  return Promise.all(
    addresses.map(async (address) => new File([await (await fetchHere(address)).blob()], nameOf(address))),
  );
}

const nameOf = (address) => decodeURIComponent(address.split("/").at(-1));

/** A file of this server; the page asks no other. */
async function fetchHere(address) {
  const url = new URL(address, document.baseURI);
  if (url.origin !== location.origin) throw new Error(`${address} is not on this server`);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${nameOf(address)} is not there (${response.status})`);
  return response;
}

/** How the map is to be read. @param {URLSearchParams} asked */
async function readingOf(asked) {
  const { movement, unknown, convention, prices } = Object.fromEntries(asked);
  const isFile = prices && !["costmap", "occupancy"].includes(prices);
  const text = isFile ? await (await fetchHere(prices)).text() : prices;
  return Object.fromEntries(
    Object.entries({ movement, unknown, convention, prices: text }).filter(([, value]) => value),
  );
}

function moveEnds(app, asked) {
  for (const [name, move] of [
    ["from", "moveStart"],
    ["to", "moveGoal"],
  ]) {
    const cell = asked.get(name)?.match(/^(\d+),(\d+)$/);
    if (cell) app.world[move](Number(cell[1]), Number(cell[2]));
  }
}
