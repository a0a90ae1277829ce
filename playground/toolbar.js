// The tools beside the map and the switches of the map's card.

import { byId as $, make } from "./dom.js";

const NAMES = { 2: "meadow", 3: "grass", 4: "scrub", 5: "sand", 6: "gravel", 7: "mud", 8: "marsh", 9: "swamp" };

/** @param {import("./main.js").App} app */
export function installToolbar(app) {
  installTools(app);
  installSwatches(app);
  const click = (id, action) => $(id).addEventListener("click", action);
  click("button-undo", () => app.world.undo());
  click("button-redo", () => app.world.redo());
  click("button-zoom-in", () => app.zoom(1.4));
  click("button-zoom-out", () => app.zoom(1 / 1.4));
  click("button-fit", () => app.fit());
  click("button-compare", () => app.setCompare(!app.isComparing));
  click("button-theme", () => app.toggleTheme());
  click("button-help", () => app.openHelp());
  click("button-clear-walls", () => app.world.clearWalls());
  click("button-clear-terrain", () => app.world.clearPrices());
  click("sheet-handle", () => toggleSheet());
  for (const name of ["field", "gates", "areas"])
    $(`overlay-${name}`).addEventListener("change", () => app.setOverlay(name, $(`overlay-${name}`).checked));
  const [movement, convention] = [$("movement"), $("convention")];
  movement.addEventListener("change", () =>
    app.world.setMovement(/** @type {import("./world.js").Movement} */ (movement.value)),
  );
  convention.addEventListener("change", () => {
    app.world.replace({
      ...app.world.snapshot(),
      convention: /** @type {import("./world.js").Convention} */ (convention.value),
    });
  });
}

function installTools(app) {
  const tools = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-tool]")]);
  app.setTool = (name) => {
    app.settings.tool = name;
    for (const tool of tools) {
      tool.setAttribute("aria-checked", String(tool.dataset.tool === name));
      tool.tabIndex = tool.dataset.tool === name ? 0 : -1;
    }
    $("swatches").hidden = name !== "terrain";
    document.querySelector("[data-tool=terrain]").setAttribute("aria-expanded", String(name === "terrain"));
  };
  for (const tool of tools) tool.addEventListener("click", () => app.setTool(tool.dataset.tool));
  roving(tools, (tool) => app.setTool(tool.dataset.tool));
  app.setTool(app.settings.tool);
}

function installSwatches(app) {
  const swatches = Object.entries(NAMES).map(([price, name]) => {
    const swatch = make(
      "button.terrain",
      {
        type: "button",
        role: "radio",
        title: `${name}, price ${price} (${price})`,
        "aria-label": `${name}, price ${price}`,
      },
      price,
    );
    swatch.dataset.price = price;
    return swatch;
  });
  $("swatches").append(...swatches);
  app.setPrice = (price) => {
    app.settings.price = price;
    for (const swatch of swatches) {
      const isChosen = Number(swatch.dataset.price) === price;
      swatch.setAttribute("aria-checked", String(isChosen));
      swatch.tabIndex = isChosen ? 0 : -1;
    }
  };
  for (const swatch of swatches) swatch.addEventListener("click", () => app.setPrice(Number(swatch.dataset.price)));
  roving(swatches, (swatch) => app.setPrice(Number(swatch.dataset.price)));
  app.setPrice(app.settings.price);
}

/** Arrows go through a group of which only the chosen one is reached by Tab. */
function roving(buttons, choose) {
  buttons.forEach((button, i) =>
    button.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = buttons[(i + step + buttons.length) % buttons.length];
      choose(next);
      next.focus();
    }),
  );
}

/** On a phone the cards are a sheet that is pulled up. */
function toggleSheet() {
  const isOpen = document.body.classList.toggle("is-sheet-open");
  $("sheet-handle").setAttribute("aria-expanded", String(isOpen));
}
