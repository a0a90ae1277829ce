// Files from outside: dropped anywhere, or chosen. Whatever is wrong with one is said with its name, and the page stays as it was.

import { make } from "./dom.js";
import { count, size as sized } from "./format.js";
import { checkIndex } from "./indexes.js";
import { Grid, Index, Scenario, planners } from "./octile/octile.js";
import { menuItem } from "./menu.js";
import { sortFiles } from "./openers.js";
import { misfit } from "./scenario.js";
import { ScenarioPanel } from "./scenario-panel.js";
import { fillMenu } from "./widgets.js";

export const MOST_BYTES = 64_000_000;
const ACCEPTED = ".map,.txt,.png,.pgm,.yaml,.yml,.scen,.octx";

/** @param {import("./main.js").App} app */
export function installFiles(app) {
  app.scenario = new ScenarioPanel(app);
  const input = make("input", {
    type: "file",
    multiple: true,
    accept: ACCEPTED,
    hidden: true,
    id: "file-input",
    "aria-label": "Files",
  });
  input.addEventListener("change", async () => {
    await openFiles(app, [...input.files]);
    input.value = "";
  });
  document.body.append(input);
  fillMenu("menu-open", [
    menuItem("Choose files…", () => input.click(), "or drop them anywhere on the page"),
    make(
      "ul.formats",
      {},
      format(".map", "MovingAI map"),
      format(".txt", "drawing: . free, @ blocked, digits are prices"),
      format(".png .pgm", "picture: white is free, black blocked"),
      format(".yaml", "ROS map, together with its picture"),
      format(".scen", "MovingAI scenario for the map that is shown"),
      format(".octx", "index of the map that is shown"),
    ),
  ]);
  acceptDrops(app);
}

const inBytes = (length) => sized(length).join(" ");

function format(names, meaning) {
  return make("li", {}, make("code", {}, names), ` ${meaning}`);
}

function acceptDrops(app) {
  const veil = make(
    "div.drop-veil",
    { hidden: true, "aria-hidden": "true" },
    make("p", {}, "Drop a map, a scenario or an index"),
  );
  document.body.append(veil);
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) veil.hidden = true;
  });
  addEventListener("drop", (event) => {
    veil.hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    openFiles(app, [...event.dataTransfer.files]);
  });
}

/** Opens what belongs together: a map first, then what is for it. @param {import("./main.js").App} app @param {File[]} files @param {object} [reading] how the map is read, as `Grid.load` has it */
export async function openFiles(app, files, reading = {}) {
  const tooLarge = files.find(({ size }) => size > MOST_BYTES);
  if (tooLarge)
    return app.say(
      `${tooLarge.name}: ${inBytes(tooLarge.size)} is more than this page opens (${inBytes(MOST_BYTES)}).`,
      "error",
    );
  const { map, yaml, scenarios, indexes, strangers } = sortFiles(files);
  if (strangers.length > 0)
    app.say(
      `${strangers[0].name}: not a kind of file that this page knows (${ACCEPTED.replaceAll(",", " ")}).`,
      "error",
    );
  if ((map || yaml) && !(await guarded(app, yaml ?? map, () => openMap(app, map, yaml, reading)))) return;
  for (const file of scenarios.slice(0, 1)) await guarded(app, file, () => openScenario(app, file));
  for (const file of indexes) await guarded(app, file, () => openIndex(app, file));
}

async function guarded(app, file, open) {
  try {
    await open();
    return true;
  } catch (error) {
    const message = error.message.startsWith(file.name) ? error.message : `${file.name}: ${error.message}`;
    app.say(message, "error");
    return false;
  }
}

async function openMap(app, map, yaml, reading) {
  if (!map) throw new Error(`a ROS map is two files: drop it together with its picture${await pictureOf(yaml)}`);
  const content = new Uint8Array(await map.arrayBuffer());
  const grid = Grid.load(content, { name: map.name, ...(yaml && { yaml: await yaml.text() }), ...reading });
  const { width, height, movement, convention } = grid;
  const data = {
    width,
    height,
    blocked: grid.blocked,
    prices: convention ? grid.prices : null,
    convention: convention ?? "average",
    movement,
    name: (yaml ?? map).name,
  };
  const { components, freeCells } = grid;
  grid.free();
  if (freeCells === 0) throw new Error("no cell of this map is free");
  app.world.replace(data);
  app.say(
    `${data.name}: ${width} by ${height} cells, ${count(freeCells)} of them free${components > 1 ? ` in ${count(components)} parts` : ""}.`,
    "good",
  );
}

async function pictureOf(yaml) {
  const name = (await yaml.text()).match(/^\s*image:\s*["']?([^"'\n#]+)/m)?.[1]?.trim();
  return name ? `, ${name.split("/").at(-1)}` : "";
}

async function openScenario(app, file) {
  const text = await file.text();
  if (/^\uFEFF?\s*version\s+2/.test(text))
    throw new Error("a scenario of version 2 has a map that changes; this page opens version 1");
  const parsed = Scenario.parse(text);
  const scenario = { name: file.name, text, map: parsed.map, problems: parsed.problems.slice() };
  parsed.free();
  const problem = misfit(scenario, app.world);
  if (problem) throw new Error(problem);
  app.scenario.open(scenario);
}

async function openIndex(app, file) {
  const content = new Uint8Array(await file.arrayBuffer());
  const index = Index.from(content);
  const { kind } = index;
  try {
    const { width, height, blocked, movement } = app.world;
    const grid = Grid.from(width, height, blocked, { movement });
    checkIndex(index, grid);
    grid.free();
  } finally {
    index.free();
  }
  for (const lane of app.lanes) lane.addIndex(content);
  const planner = planners().find(({ name }) => name === kind);
  if (planner && !app.lanes.some((lane) => lane.planner === kind)) app.setSpec(0, kind);
  app.say(
    `${file.name}: an index of kind ${kind}. ${planner ? `${kind} answers from it.` : "Planners that use it take it from now on."}`,
    "good",
  );
}
