// What to offer when a planner does not take a map: always something that works.

const SMALL = 64;

/** @param {import("./main.js").App} app @param {import("./lane.js").Lane} lane @param {number} place @returns {[string, () => void][]} */
export function remedies(app, lane, place) {
  const { world } = app;
  const offers = [];
  const info = app.planners.find(({ name }) => name === lane.planner);
  if (world.hasPrices && info && !info.takesPrices) {
    offers.push(
      ["Clear terrain", () => world.clearPrices()],
      ["Use terrain jump", () => app.setSpec(place, "terrain-jump")],
    );
  }
  if (info && !info.movements.includes(world.movement)) {
    offers.push([`Move by ${info.movements[0]}`, () => world.setMovement(info.movements[0])]);
  }
  const isLarge = lane.problem?.during === "build" && world.width * world.height > SMALL * SMALL && offers.length === 0;
  if (isLarge) offers.push([`Cut out ${SMALL} × ${SMALL} cells`, () => world.replace(cutOut(world, SMALL))]);
  const spare = world.hasPrices ? "terrain-jump" : world.movement === "octile" ? "corner-sweep" : "astar";
  if (lane.planner !== spare && !(world.hasPrices && offers.length > 0))
    offers.push([`Use ${spare.replace("-", " ")}`, () => app.setSpec(place, spare)]);
  return offers;
}

/** A part of a map around its start, for planners that only take small ones. */
export function cutOut(world, side) {
  const [width, height] = [Math.min(side, world.width), Math.min(side, world.height)];
  const x0 = Math.min(Math.max(world.start.x - (width >> 1), 0), world.width - width);
  const y0 = Math.min(Math.max(world.start.y - (height >> 1), 0), world.height - height);
  const cut = (cells) => {
    const part = new Uint8Array(width * height);
    for (let y = 0; y < height; y++)
      part.set(cells.subarray((y0 + y) * world.width + x0, (y0 + y) * world.width + x0 + width), y * width);
    return part;
  };
  const { convention, movement, name } = world;
  return {
    width,
    height,
    blocked: cut(world.blocked),
    prices: world.prices ? cut(world.prices) : null,
    convention,
    movement,
    name: `part of ${name}`,
  };
}
