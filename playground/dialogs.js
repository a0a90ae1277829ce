// The two dialogs: the page about a planner, and help with all keys.

import { make } from "./dom.js";
import { about } from "./explain.js";

/** @param {HTMLDialogElement} dialog @param {import("./octile/octile.js").PlannerInfo} planner its catalog entry */
export function openAbout(dialog, planner, onUse) {
  const { title, line, page } = about(planner.name);
  dialog.replaceChildren(
    head(dialog, "about-title", title, make("code", {}, planner.name)),
    make("p.lead", {}, line),
    ...page.map((text) => make("p", {}, text)),
    facts(planner),
    make("p.citation", {}, make("b", {}, "From "), planner.paper || "this project"),
    variants(planner, (spec) => {
      dialog.close();
      onUse(spec);
    }),
  );
  dialog.showModal();
  dialog.scrollTop = 0;
}

function facts({ guarantee, movements, takesPrices, onEdit, index }) {
  const rows = [
    ["Promise", guarantee],
    ["Moves", movements.join(", ")],
    ["Terrain", takesPrices ? "takes prices" : "no prices"],
    [
      "When the map changes",
      {
        follows: "follows at once",
        rebuilds: "prepares again",
        "goes-stale": "goes stale, answers where that is certain",
        refuses: "refuses edits",
      }[onEdit] ?? onEdit,
    ],
    [
      "Prepares",
      {
        none: "nothing to speak of",
        map: "an index, in the time of a few searches",
        corners: "an index, seconds on large maps",
        "all-pairs": "an index by a search from every cell",
      }[index] ?? index,
    ],
  ];
  return make("dl.facts", {}, ...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function variants({ variants: all }, use) {
  if (!all || all.length === 0) return null;
  const list = make(
    "div.variants",
    {},
    ...all.slice(0, 10).map((spec) => make("button.chip", { type: "button", onclick: () => use(spec) }, spec)),
  );
  return make("div", {}, make("p.card-label", {}, "Try"), list);
}

const KEYS = [
  ["Space", "play or pause the film; hold it and drag to move the view"],
  ["← →", "one event back or on; with Shift to the next expansion"],
  ["W  E  T  H", "wall, erase, terrain, move the view"],
  ["2 to 9 with T", "the price of terrain"],
  ["S  G", "select the start or the goal; arrows then move it"],
  ["X  Enter", "a cell that arrows move, and that Enter paints with the brush"],
  ["Ctrl Z  Ctrl Y", "undo, redo"],
  ["+  −  F", "nearer, farther, show all"],
  ["1  2", "go to the planner of a lane"],
  ["C  D", "compare two planners; light or dark"],
  ["?", "this help"],
];

export function openHelp(dialog) {
  const rows = KEYS.flatMap(([keys, what]) => [
    make("dt", {}, ...keys.split("  ").flatMap((key) => [make("kbd", {}, key), " "])),
    make("dd", {}, what),
  ]);
  dialog.replaceChildren(
    head(dialog, "help-title", "How to use this page"),
    make("p.lead", {}, "Draw on the map. Drag the green start and the ring of the goal. The path follows."),
    make(
      "p",
      {},
      "One finger draws, two move and zoom. With a mouse the wheel zooms, the right button erases. A wall brush that begins on a wall erases.",
    ),
    make("dl.key-list", {}, ...rows),
    make(
      "p",
      {},
      "Times are means of many runs of the question that you see, in WebAssembly on your machine, while nobody watches the search. Everything runs in this page; nothing is sent anywhere.",
    ),
  );
  dialog.showModal();
}

function head(dialog, id, title, extra = null) {
  const close = make(
    "button.icon-button",
    { type: "button", "aria-label": "Close", onclick: () => dialog.close() },
    "×",
  );
  return make("div.dialog-head", {}, make("h2", { id }, title), extra, close);
}

/** A click beside the dialog closes it. */
export function installDialog(dialog) {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}
