// What is to be seen, in words: for each planner a title, a line, a page about it, what its colours mean, and a sentence for any place
// in the film.

/**
 * @typedef {object} About
 * @property {string} title
 * @property {string} line one or two sentences
 * @property {string[]} page short paragraphs: the idea, what you see, what it promises
 * @property {(keyof typeof LEGEND)[]} legend
 * @property {boolean} [hasShortcuts] whether the steps of its graph are drawn as the crow flies
 * @property {"cells" | "jumps" | "areas" | "blocks" | "corners" | "taut" | "graph" | "climb" | "lookup" | "labels"} told how its film is told
 */

/** What a colour stands for. `swatch` names a colour of the canvas. */
export const LEGEND = {
  age: { swatch: "age", text: "expanded, early to late" },
  open: { swatch: "open", text: "open: reached, not yet expanded" },
  openBlock: { swatch: "open", text: "open block" },
  touched: { swatch: "touched", text: "looked at in passing" },
  node: { swatch: "node", text: "expanded jump point" },
  jump: { swatch: "jump", text: "jump" },
  corner: { swatch: "node", text: "expanded corner" },
  arc: { swatch: "jump", text: "step of the graph" },
  area: { swatch: "age", text: "rectangle expanded as one" },
  block: { swatch: "age", text: "block expanded as one" },
  seen: { swatch: "seen", text: "in sight of the path" },
  taut: { swatch: "taut", text: "taut line" },
  sight: { swatch: "taut", text: "line of sight that was checked" },
  hubs: { swatch: "hub", text: "ways to the hubs of the goal; those of the start are green" },
  moves: { swatch: "moves", text: "first move from the cell under the pointer" },
  path: { swatch: "path", text: "path" },
  pruned: { swatch: "pruned", text: "left out: behind a gate" },
  pocket: { swatch: "pocket", text: "blocked area: left out unless an end is in it" },
  field: { swatch: "age", text: "distance to the goal, far to near" },
};

/** @type {Record<string, About>} */
export const ABOUT = {
  dijkstra: {
    title: "Dijkstra",
    line: "The search knows nothing of where the goal lies, so it spreads evenly in all directions until it arrives.",
    told: "cells",
    legend: ["age", "open", "path"],
    page: [
      "Take the cell that is nearest to the start and was not looked at yet; note what it costs to step from it to each neighbour; repeat. When the goal is the one that you take, its cost is the least there is.",
      "The colours grow like rings in water: every cell nearer than the goal is expanded before it. All other searches on this page are ways to avoid that work.",
      "Paths are optimal. It needs no preparation, takes prices and every movement rule, and follows each edit at once.",
    ],
  },
  astar: {
    title: "A*",
    line: "The search prefers cells that look close to the goal: it adds the distance still to go, as the crow flies on the grid, to the distance so far.",
    told: "cells",
    legend: ["age", "open", "path"],
    page: [
      "A* expands cells in the order of cost so far plus estimate of the rest. The estimate is never too high, so the first time the goal is taken from the open list its cost is the least.",
      "Where nothing is in the way it heads straight for the goal. At a wall it fills the pocket in front of it, as every cell in there still looks promising. That filling is what the faster planners leave out.",
      "Paths are optimal, in exact arithmetic. Ties go to the cell that is farther along. Try open=buckets, which replaces the heap, and prune, which tells the search where it need not look.",
    ],
  },
  "weighted-astar": {
    title: "Weighted A*",
    line: "The estimate of the rest counts more than it should: the search hurries towards the goal, and its path may be longer by as much.",
    told: "cells",
    legend: ["age", "open", "path"],
    page: [
      "Multiply the estimate of A* by a weight of 1 or more. A larger weight makes the search greedier: it keeps going in a promising direction and turns back late.",
      "Raise the weight and watch the coloured area shrink, and the path stray. Compare it with A* side by side.",
      "The path costs at most weight times the least. No cell is expanded twice.",
    ],
  },
  jps: {
    title: "Jump point search",
    line: "On open ground many paths are equally short. The search keeps one of each kind, and runs along rows, columns and diagonals until an obstacle makes a turn possible.",
    told: "jumps",
    legend: ["node", "open", "jump", "touched", "path"],
    page: [
      "Moves can be reordered on open ground without changing the cost, so a search may insist on one order: diagonal first, then straight. Then it need only stop where an obstacle ends beside it, at a jump point, and all that lies between is skipped.",
      "Each line is a jump: along the diagonal, then straight to a jump point. Faint cells are those that a diagonal walk passed. Compare the number of dots with the cells that A* expands.",
      "Paths are optimal. It uses no memory beside the map but for what a query reaches; rows and columns are scanned 57 cells at a time. Prices would break its argument, so it refuses them: terrain jump has one that holds.",
    ],
  },
  "corner-sweep": {
    title: "Corner sweep",
    line: "Jump point search that knows beforehand, in a bit for each cell and direction, where a jump ends: 64 cells of a diagonal are looked at in one step.",
    told: "jumps",
    legend: ["node", "open", "jump", "touched", "path"],
    page: [
      "Whether a run along a row or column meets a corner of an obstacle does not depend on the question. So there is a bit for it, for every cell and direction, and a diagonal walk reads 64 of them at a time and makes only runs that find something.",
      "You see the jumps from corner to corner, and nothing else: there is nothing else that the search does. Draw a wall while you look at the time.",
      "Paths are optimal. The bits take a fraction of a millisecond to prepare, and an edit changes only those of cells that can see it: this is the planner for maps that change all the time.",
    ],
  },
  "jump-graph": {
    title: "Jump graph",
    line: "All jump points and the ways between them are found beforehand; dead ends and chains are left out of the search.",
    told: "graph",
    legend: ["node", "open", "arc", "path"],
    page: [
      "What comes after each jump point is found once, for the whole map. States that lead nowhere, and links of chains with one way to go on, never enter the open list. On maps with gates, free rows and columns with nothing behind them for this question, it looks behind none.",
      "Few dots remain: mostly those where there is a true choice.",
      "Paths are optimal. It takes milliseconds to prepare, and mends what an edit touches. On dense random obstacles there is no graph: it searches as corner sweep does.",
    ],
  },
  "core-search": {
    title: "Core search",
    line: "Most corners are taken out beforehand and replaced by shortcuts; landmarks at the rim guide the search over those that are left.",
    told: "graph",
    hasShortcuts: true,
    legend: ["corner", "open", "arc", "path"],
    page: [
      "Shortest paths bend at corners of obstacles. Take corners out one by one, and put a shortcut where a shortest path went through. A small core is left. For some corners at the rim of the map the distances to all others are stored; by the triangle inequality they give an estimate that knows about walls.",
      "The search climbs from the start into the core, crosses it, and meets what the goal has climbed to. Lines are shortcuts: they may pass over walls, and are unpacked into moves at the end.",
      "Paths are optimal. It suits maps full of corners, such as rooms and random obstacles, takes milliseconds to prepare, and is made again after an edit.",
    ],
  },
  "terrain-jump": {
    title: "Terrain jump",
    line: "Jump search where cells have prices: inside a patch of one price it jumps, and it stops at borders.",
    told: "jumps",
    legend: ["node", "open", "jump", "touched", "path"],
    page: [
      "From the prices of the 3 by 3 cells around a place it can be told which moves may go on a cheapest path. In the middle of a patch that is only straight on, so the search runs until the prices change.",
      "Paint some terrain: dots gather along its borders. On a map without prices it is corner sweep, and where every cell has its own price it is A*.",
      "Paths are the cheapest, exactly. A move costs the average of the prices of its two cells, or what the cell it enters costs, times its length. Edits of walls and prices are followed at once.",
    ],
  },
  "rea-star": {
    title: "REA*",
    line: "Rectangle expansion A*: free rectangles are grown and crossed in one step; the search goes on where an obstacle at their edge ends.",
    told: "areas",
    legend: ["area", "node", "open", "path"],
    page: [
      "Inside a free rectangle every shortest path is known without searching. So a rectangle is grown as far as it goes, and only the openings in its walls are of interest. Here a node is a root, a cell where an obstacle ends and an opening begins.",
      "You see the squares that were expanded and how far their walls went on. With fronts=cells the search is as it was published: costs on every wall cell, and lines of cells on the open list.",
      "Paths are optimal on the grid. It prepares nothing, and follows edits at once.",
    ],
  },
  "theta-star": {
    title: "Theta*",
    line: "A* over the corners of cells, where a corner may have any corner in sight as its parent: paths cut across the grid.",
    told: "corners",
    legend: ["age", "open", "sight", "path"],
    page: [
      "When a corner is expanded, each neighbour is offered the straight line from the parent of that corner, if nothing is in the way, or else the single move. So the path is pulled straight while the search runs.",
      "The colours are those of A*, half a cell to the upper left, as corners are searched and not cells. Fine lines are lines of sight that were checked.",
      "The path is never longer than the best one along corners, and mostly close to the shortest. Corners that get cheaper are opened again, which that promise needs.",
    ],
  },
  "lazy-theta-star": {
    title: "Lazy Theta*",
    line: "Theta* that believes in a line of sight until it comes to use it: it looks along far fewer lines.",
    told: "corners",
    legend: ["age", "open", "sight", "path"],
    page: [
      "Theta* checks a line for every neighbour that it reaches. Most of these are never expanded. The lazy one takes the line for granted, and looks when the corner itself is expanded; if it was wrong, it takes the best neighbour instead.",
      "Compare it with Theta* side by side: about as many coloured cells, fewer lines.",
      "The promise is that of Theta*: never longer than the best path along corners.",
    ],
  },
  "block-astar": {
    title: "Block A*",
    line: "The map is cut into blocks, and the distances inside every possible block are in a database: the search goes from block to block.",
    told: "blocks",
    legend: ["block", "openBlock", "path"],
    page: [
      "Each block of cells is a small pattern of free and blocked. For every pattern the distances between the cells at its rim are known, so that a block is crossed by looking them up. The open list holds blocks.",
      "You see blocks light up one after the other. A block can be expanded again when a cheaper way into it turns up.",
      "What comes out depends on the database: octile or tile paths, which are optimal, or any-angle ones that are never longer than the best path along corners. An edit reads its own block again, and nothing else.",
    ],
  },
  "taut-graph": {
    title: "Taut graph",
    line: "Shortest paths in any direction over lines between corners that a tight string could follow, all found beforehand.",
    told: "taut",
    legend: ["taut", "corner", "seen", "path"],
    page: [
      "A shortest path is a string pulled tight: it turns only at corners of obstacles, and around the obstacle at each. So of all lines between corners in sight of each other only those that are taut at both ends are of use.",
      "Lines are those that the search put on its open list. Lines into a pocket are left out unless the goal is in there.",
      "Paths are the shortest in any direction; sight is decided in whole numbers. The graph takes milliseconds to make, and is made again after an edit.",
    ],
  },
  "taut-sight": {
    title: "Taut sight",
    line: "Shortest paths in any direction with nothing prepared: the search looks around a corner when it first comes there, and remembers.",
    told: "taut",
    legend: ["seen", "taut", "corner", "path"],
    page: [
      "A tight string turns only at corners of obstacles. The search looks around from the start, then around each corner that it expands, as far as the turn there allows, and finds the next corners in sight.",
      "The shaded parts are in sight of the start, the goal or an expanded corner; lines are the taut ones between them.",
      "Paths are the shortest in any direction. What was seen is kept for the next question, and an edit makes it forget only what the changed cells were seen from.",
    ],
  },
  "taut-labels": {
    title: "Taut labels",
    line: "Shortest paths in any direction without a search: two lists of hubs are compared.",
    told: "labels",
    legend: ["taut", "path"],
    page: [
      "For every corner there is a list of hubs with their distances, chosen so that any two corners have a hub in common on a shortest path between them. A question sees which corners its ends see, and compares lists.",
      "There is hardly anything to film, as nothing is searched.",
      "Paths are the shortest in any direction. The index takes seconds for large maps and refuses those where very many corners see each other. When the map changes it goes stale: it still answers where it is certain, and is renewed beside your drawing.",
    ],
  },
  cpd: {
    title: "Path database",
    line: "For every pair of cells the first move of a shortest path is stored. A path is read off, move by move.",
    told: "lookup",
    legend: ["moves", "touched", "path"],
    page: [
      "A search from every cell tells the first move towards every other. Neighbouring targets mostly share it, so the table compresses well: into runs, rectangles or a quad-tree.",
      "Move the pointer over the map: every cell is coloured by the first move towards it from there. Large regions of one colour are why it compresses.",
      "Paths are optimal, at one lookup a turn. Building takes a search from every cell, so large maps are refused here. Where the map has changed since, it searches anew unless the path is certain to be optimal still.",
    ],
  },
  "hub-labels": {
    title: "Hub labels",
    line: "Any two cells have a hub in common that lies on a shortest path between them. A query compares two lists.",
    told: "labels",
    legend: ["hubs", "path"],
    page: [
      "Every cell has a short list of hubs, with the distance to each. The lists are made so that for any two cells some hub in both lies on a shortest path. The best sum of two distances is the answer, and the path follows from the hubs' trees.",
      "You see the ways from the start and from the goal to all hubs of their lists. Where two trees meet, the path goes through.",
      "Paths are optimal, in about a microsecond. The index takes seconds for large maps, and refuses random obstacles, whose lists would be too long. When the map changes it goes stale, answers where it is certain, and is renewed when your hand rests.",
    ],
  },
  "core-table": {
    title: "Core table",
    line: "Corners are taken out one by one until a small core is left, and a table has all distances between its corners.",
    told: "climb",
    hasShortcuts: true,
    legend: ["corner", "open", "arc", "path"],
    page: [
      "As core search, but the distances between all corners of the core are in a table. A question climbs from both ends to the core, a few dozen steps, and looks up what lies between.",
      "You see two short climbs, one at each end. The middle of the path is looked up, not searched.",
      "Paths are optimal. It is made for random obstacles and rooms. Open maps whose corners see dozens of others are refused.",
    ],
  },
  auto: {
    title: "Auto",
    line: "Planners are tried on this map, and the fastest that fits is used.",
    told: "graph",
    legend: ["node", "open", "jump", "path"],
    page: [
      "Building and asking is measured for those planners that suit the map, within the memory and the rate of changes that you state.",
      "What you see is the film of the planner that was chosen.",
      "Paths are optimal, or any-angle if you ask for that. Choosing takes a moment, as indexes are built to be tried.",
    ],
  },
};

/** @param {string} name */
export function about(name) {
  return ABOUT[name] ?? { title: name, line: "", told: "cells", legend: ["age", "open", "path"], page: [] };
}

const number = new Intl.NumberFormat("en");

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${number.format(count)} ${count === 1 ? one : many}`;
}

/**
 * The sentence under the picture.
 * @param {string} name of a planner
 * @param {{film: import("./film.js").Film | null, answer: any, isAtEnd: boolean, isPriced?: boolean}} seen
 */
export function sentence(name, { film, answer, isAtEnd, isPriced = false }) {
  const { title, told } = about(name);
  if (!answer) return `${title} is getting ready.`;
  const cut = film?.isCut && isAtEnd ? ` The film shows the first ${number.format(film.length)} events.` : "";
  const done = film ? `${TELL[told](film, title)}${cut}` : `${title} is on its way.`;
  if (!isAtEnd) return `${done}${film && film.at === 0 ? " Nothing has happened yet." : ""}`;
  if (!answer.found) return `${done} Start and goal are not connected: there is no path.`;
  return `${done} ${ending(told, answer, isPriced)}`;
}

function ending(told, { length, cost }, isPriced) {
  const amount = length.toLocaleString("en", { maximumFractionDigits: 2 });
  const exact = /√/.test(cost) ? `, exactly ${cost}` : "";
  const path = told === "lookup" || told === "labels" ? "The path" : "The path it found";
  return isPriced ? `${path} costs ${amount}${exact}.` : `${path} is ${amount} cells long${exact}.`;
}

const done = (film, kind) => film.counts[kind];
const [REACHED, , EXPANDED, , AREA, SIGHT, TAUT_HOP, , , TOUCHED] = Array.from({ length: 10 }, (_, i) => i);

const TELL = {
  cells: (film, title) =>
    `${title} has expanded ${counted(done(film, EXPANDED), "cell")} and reached ${number.format(done(film, REACHED))}.`,
  jumps: (film, title) => {
    const passed = done(film, TOUCHED);
    return `${title} has expanded ${counted(done(film, EXPANDED), "jump point")} of ${number.format(done(film, REACHED))} that it reached${passed ? `, and passed ${counted(passed, "cell")}` : ""}.`;
  },
  graph: (film, title) =>
    `${title} has expanded ${counted(done(film, EXPANDED), "corner")} of ${number.format(done(film, REACHED))} that it reached.`,
  climb: (film, title) =>
    `${title} has climbed over ${counted(done(film, EXPANDED), "corner")} from the two ends to its table.`,
  areas: (film, title) =>
    `${title} has expanded ${counted(done(film, AREA), "rectangle")} from ${counted(done(film, EXPANDED), "root")}.`,
  blocks: (film, title) => `${title} has expanded ${counted(done(film, AREA), "block")}.`,
  corners: (film, title) =>
    `${title} has expanded ${counted(done(film, EXPANDED), "corner")} and looked along ${counted(done(film, SIGHT), "line")}.`,
  taut: (film, title) =>
    `${title} has expanded ${counted(done(film, EXPANDED), "corner")} and followed ${counted(done(film, TAUT_HOP), "taut line")}.`,
  lookup: (film, title) =>
    film.length === 0
      ? `${title} looks up the path, without a search.`
      : `${title} has looked up ${counted(done(film, TOUCHED), "move")}, without a search.`,
  labels: (_, title) => `${title} compare two lists of hubs, without a search.`,
};
