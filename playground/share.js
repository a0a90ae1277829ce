// Links that hold the whole scene: nothing is kept anywhere else. The codec is in link.js.

import { byId, make } from "./dom.js";
import { count } from "./format.js";
import { LinkError, MAX_LINK, PREFIX, cellsPrint, decodeScene, encodeScene } from "./link.js";
import { toMapText, fileStem } from "./mapfile.js";
import { CONVENTIONS, MOVEMENTS, parseSpec } from "./octile/octile.js";
import { checkRecipe } from "./recipes.js";
import { copyText, fillMenu, saveFile } from "./widgets.js";

const OVERLAYS = ["field", "gates", "areas"];
const MOST_LANES = 2;

/** @param {import("./main.js").App} app */
export async function installShare(app) {
  const parts = drawPanel(app);
  fillMenu("menu-share", [parts.panel], () => showLink(app, parts));
  addEventListener("hashchange", () => restore(app));
  await restore(app);
}

/** The scene as it is now. @param {import("./main.js").App} app @returns {import("./link.js").Scene} */
export function sceneOf(app) {
  const { start, goal, ...map } = app.world.snapshot();
  const made = app.maps?.current();
  const settings = {
    planners: app.lanes.map((lane) => lane.spec),
    overlays: OVERLAYS.filter((name) => app.settings.overlays[name]),
  };
  return {
    map: made ? null : map,
    recipe: made?.recipe ?? null,
    print: made?.print ?? null,
    ends: { start, goal },
    settings,
  };
}

/** The link to the scene as it is now. What the address asked for besides is not in it: the scene has all. */
export async function linkTo(app) {
  return `${location.href.split(/[?#]/)[0]}#${await encodeScene(sceneOf(app))}`;
}

/** Shows the scene of the address, if it has one. A link that cannot be read leaves the page as it is. */
async function restore(app) {
  if (!location.hash.startsWith(`#${PREFIX}`)) return;
  try {
    await apply(app, await decodeScene(location.hash));
  } catch (error) {
    if (!(error instanceof LinkError || error instanceof RangeError || error.name.endsWith("Error"))) throw error;
    app.say(`This link cannot be opened: ${error.message}. The map is the one that was here before.`, "error");
  }
}

async function apply(app, { map, recipe, print, ends, settings }) {
  const specs = checkSpecs(settings.planners);
  const data = map ? checkMap(map) : await remake(app, recipe, print);
  const isFree = ({ x, y }) => x < data.width && y < data.height && !data.blocked[y * data.width + x];
  // A map that is made differently here may have walls where the ends were: the page then chooses its own.
  app.world.replace(map || (isFree(ends.start) && isFree(ends.goal)) ? { ...data, ...ends } : data);
  setPlanners(app, specs);
  for (const name of OVERLAYS)
    setOverlay(app, name, Array.isArray(settings.overlays) && settings.overlays.includes(name));
}

async function remake(app, recipe, print) {
  const checked = checkRecipe(recipe);
  if (!checked) throw new LinkError("it names a map that this page cannot make");
  const made = await app.maps.make(checked);
  if (print !== null && cellsPrint(made) !== print)
    app.say("This page makes that map a little differently from the one where the link was made.", "info");
  return made;
}

function checkMap(map) {
  const movement = MOVEMENTS.includes(map.movement) ? map.movement : "octile";
  const convention = CONVENTIONS.includes(map.convention) ? map.convention : "average";
  return { ...map, movement, convention, name: map.name || "map" };
}

/** A link with a planner that this page does not know still shows its map. */
function checkSpecs(specs) {
  const isKnown = (spec) => {
    try {
      return typeof spec === "string" && Boolean(parseSpec(spec));
    } catch {
      return false;
    }
  };
  return Array.isArray(specs) ? specs.slice(0, MOST_LANES).filter(isKnown) : [];
}

function setPlanners(app, specs) {
  if (specs.length === 0) return;
  app.setCompare(specs.length > 1, specs[1]);
  specs.forEach((spec, place) => app.lanes[place].spec !== spec && app.setSpec(place, spec));
}

function setOverlay(app, name, isOn) {
  const box = byId(`overlay-${name}`);
  if (box) box.checked = isOn;
  if (app.settings.overlays[name] !== isOn) app.setOverlay(name, isOn);
}

function drawPanel(app) {
  const field = make("textarea.share-link", {
    readOnly: true,
    rows: 3,
    spellcheck: false,
    "aria-label": "Link to this scene",
    onfocus: () => field.select(),
  });
  const note = make("p.share-note", { role: "status" });
  const copy = make("button.button", { type: "button", id: "share-copy" }, "Copy link");
  const save = make(
    "button.button",
    { type: "button", id: "share-map", hidden: true, onclick: () => saveMap(app) },
    "Save as .map",
  );
  copy.addEventListener("click", async () => {
    const isCopied = await copyText(field.value);
    if (!isCopied) field.select();
    note.textContent = isCopied
      ? "Copied."
      : "This browser does not let the page copy: the link is selected, copy it with Ctrl C.";
  });
  const panel = make(
    "div.share-panel",
    {},
    make("p", {}, "The link holds the map, both ends and the planners. Nothing is uploaded."),
    field,
    make("div.panel-actions", {}, copy, save),
    note,
  );
  return { panel, field, note, copy, save };
}

async function showLink(app, { field, note, copy, save }) {
  copy.disabled = true;
  note.textContent = "Packing…";
  const link = await linkTo(app);
  const isTooLong = link.length > MAX_LINK;
  field.value = isTooLong ? "" : link;
  copy.disabled = isTooLong;
  save.hidden = !isTooLong;
  note.textContent = isTooLong
    ? `This map makes a link of ${count(link.length)} characters, which is more than browsers take. Save it as a file instead.`
    : `${count(link.length)} characters${link.length > 8000 ? ": some mail and chat programs cut links of this length" : ""}.`;
  if (!isTooLong) history.replaceState(null, "", link);
}

function saveMap({ world }) {
  saveFile(`${fileStem(world.name)}.map`, toMapText(world));
}
