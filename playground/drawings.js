// What is drawn as lines over the cells: paths, ends, and the parts of a film that are no cells. The context is in cells: one unit is one.

import { about } from "./explain.js";
import { STRIDE } from "./film.js";

const MOST_LINES = 3000; // of one kind in one frame: the latest
const MOST_DISCS = 1500;
const DUST = 3; // pixels of the screen that a node colours where there are more
const MOVES = [
  [0, -1],
  [1, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
];

/** @typedef {import("./view.js").View} View */

/** Middle of a cell, or a corner for any-angle planners. */
const middle = (film) => (film.isAnyAngle ? 0 : 0.5);

/** @param {CanvasRenderingContext2D} context @param {View} view @param {import("./film.js").Film} film */
export function drawFilm(context, view, film) {
  drawAreas(context, view, film);
  if (film.isBlocks) {
    drawOpenBlocks(context, view, film);
    return;
  }
  drawSpots(context, view, film, film.sights, Math.min(Math.max(80 / film.happened(film.sights), 0.07), 0.5));
  drawSpots(context, view, film, film.hops, 0.85);
  if (film.jumps.at.length > 0 && film.hops.length === 0) drawJumps(context, view, film);
  if (film.isSparse || film.areas.length > 0) drawNodes(context, view, film);
}

function latest(film, list) {
  const end = film.happened(list);
  return [Math.max(0, end - MOST_LINES), end];
}

function drawAreas(context, view, film) {
  const [begin, end] = latest(film, film.areas);
  if (begin === end) return;
  context.beginPath();
  for (let k = begin; k < end; k++) {
    const at = film.areas[k] * STRIDE;
    const [x0, y0, x1, y1] = film.events.subarray(at + 1, at + 5);
    context.rect(x0, y0, x1 + 1 - x0, y1 + 1 - y0);
  }
  if (film.isAnyAngle) {
    context.globalAlpha = 0.16;
    context.fillStyle = view.palette.inks.taut;
    context.fill();
    context.globalAlpha = 1;
  }
  context.strokeStyle = view.palette.inks.area;
  context.lineWidth = view.pixel;
  context.stroke();
}

/** Blocks that were reached and not yet expanded: as large as those that were. */
function drawOpenBlocks(context, view, film) {
  const expanded = new Set();
  let side = 8;
  for (let k = 0; k < film.happened(film.areas); k++) {
    const [x0, y0, x1, y1] = film.events.subarray(film.areas[k] * STRIDE + 1, film.areas[k] * STRIDE + 5);
    side = Math.max(x1 - x0, y1 - y0) + 1;
    expanded.add(y0 * film.width + x0);
  }
  context.beginPath();
  const [begin, end] = latest(film, film.reached);
  for (let k = begin; k < end; k++) {
    const [x, y] = film.events.subarray(film.reached[k] * STRIDE + 1, film.reached[k] * STRIDE + 3);
    const [x0, y0] = [x - (x % side), y - (y % side)];
    if (!expanded.has(y0 * film.width + x0))
      context.rect(x0, y0, Math.min(side, film.width - x0), Math.min(side, film.height - y0));
  }
  context.fillStyle = view.palette.openCss;
  context.globalAlpha = 0.4;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = view.palette.openCss;
  context.lineWidth = 1.5 * view.pixel;
  context.stroke();
}

/** Lines between spots, which events have in halves of a cell. The more there are, the fainter. */
function drawSpots(context, view, film, list, alpha) {
  const [begin, end] = latest(film, list);
  if (begin === end) return;
  context.beginPath();
  for (let k = begin; k < end; k++) {
    const at = list[k] * STRIDE;
    const [x0, y0, x1, y1] = film.events.subarray(at + 1, at + 5);
    context.moveTo(x0 / 2, y0 / 2);
    context.lineTo(x1 / 2, y1 / 2);
  }
  context.strokeStyle = view.palette.inks.taut;
  context.globalAlpha = alpha;
  context.lineWidth = 1.1 * view.pixel;
  context.stroke();
  context.globalAlpha = 1;
}

/** Jumps go diagonally first, then straight, as the planners make them. */
function drawJumps(context, view, film) {
  const [begin, end] = latest(film, film.jumps.at);
  const m = middle(film);
  const isStraight = film.isAnyAngle || about(view.lane.planner).hasShortcuts;
  context.beginPath();
  for (let k = begin; k < end; k++) {
    const [to, from] = [film.jumps.at[k] * STRIDE, film.jumps.from[k] * STRIDE];
    const [x0, y0, x1, y1] = [film.events[from + 1], film.events[from + 2], film.events[to + 1], film.events[to + 2]];
    context.moveTo(x0 + m, y0 + m);
    if (!isStraight) {
      const diagonal = Math.min(Math.abs(x1 - x0), Math.abs(y1 - y0));
      context.lineTo(x0 + m + diagonal * Math.sign(x1 - x0), y0 + m + diagonal * Math.sign(y1 - y0));
    }
    context.lineTo(x1 + m, y1 + m);
  }
  context.strokeStyle = view.palette.inks.jump;
  context.globalAlpha = Math.min(Math.max(500 / (end - begin), 0.16), 0.5);
  context.lineWidth = Math.max(view.pixel, 0.06);
  context.stroke();
  context.globalAlpha = 1;
}

/** Dots where a search has few nodes: single cells would be too small to be seen. */
function drawNodes(context, view, film) {
  const count = film.happened(film.reached);
  if (count <= MOST_DISCS) drawDiscs(context, view, film, count);
  else if (view.camera.scale < DUST) drawDust(context, view, film, count);
}

function drawDiscs(context, view, film, count) {
  const m = middle(film);
  const radius = Math.max(2.4 * view.pixel, film.isAnyAngle ? 0.22 : 0.3);
  for (const wantsClosed of [false, true]) {
    context.beginPath();
    for (let k = 0; k < count; k++) {
      const [x, y, isClosed] = nodeAt(film, k);
      if (isClosed !== wantsClosed) continue;
      context.moveTo(x + m + radius, y + m);
      context.arc(x + m, y + m, radius, 0, 7);
    }
    context.fillStyle = wantsClosed ? view.palette.inks.node : view.palette.openCss;
    context.fill();
  }
}

function nodeAt(film, k) {
  const at = film.reached[k] * STRIDE;
  const [x, y] = [film.events[at + 1], film.events[at + 2]];
  return [x, y, film.marks.closed ? film.marks.closed[y * film.width + x] < film.at : false];
}

/** Very many nodes on a map that is seen from afar: each colours a small square of the screen, which costs the same for one node or a hundred. */
function drawDust(context, view, film, count) {
  const { camera, palette, size } = view;
  const [columns, rows] = [Math.ceil(size.width / DUST), Math.ceil(size.height / DUST)];
  const image = new ImageData(columns, rows);
  const words = new Uint32Array(image.data.buffer);
  const { x0, y0 } = view.bounds();
  const share = camera.scale / DUST;
  for (let k = 0; k < count; k++) {
    const at = film.reached[k] * STRIDE;
    const [x, y] = [film.events[at + 1], film.events[at + 2]];
    const [column, row] = [Math.floor((x + 0.5 - x0) * share), Math.floor((y + 0.5 - y0) * share)];
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
    const closedAt = film.marks.closed?.[y * film.width + x] ?? film.length;
    words[row * columns + column] =
      closedAt < film.at ? palette.age[((closedAt / film.length) * 255) | 0] : palette.open;
  }
  const dust = new OffscreenCanvas(columns, rows);
  dust.getContext("2d").putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(dust, x0, y0, columns / share, rows / share);
}

/** @param {CanvasRenderingContext2D} context @param {View} view */
export function drawPath(context, view) {
  const answer = view.lane.answer;
  if (!answer?.found || view.pathShare <= 0) return;
  const points = screenPoints(answer);
  if (points.length < 2) return;
  const width = Math.min(Math.max(2.6 * view.pixel, 0.22), 9 * view.pixel);
  context.lineJoin = "round";
  context.lineCap = "round";
  const line = partOf(points, view.pathShare);
  trace(context, line);
  context.strokeStyle = view.palette.inks.halo;
  context.lineWidth = width * 2.1;
  context.globalAlpha = 0.85;
  context.stroke();
  context.globalAlpha = 1;
  context.strokeStyle = view.palette.inks.path;
  context.lineWidth = width;
  context.stroke();
  if (view.camera.scale > 4) drawTurns(context, view, line, width);
}

/** Points of an answer in cells; grid paths go through the middles of cells. @returns {[number, number][]} */
export function screenPoints(answer) {
  const shift = answer.isAnyAngle ? 0 : 0.5;
  const points = [];
  for (let i = 0; i < answer.points.length; i += 2)
    points.push([answer.points[i] + shift, answer.points[i + 1] + shift]);
  return points;
}

function trace(context, points) {
  context.beginPath();
  points.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
}

/** The first share of a line, by length. */
function partOf(points, share) {
  if (share >= 1) return points;
  const lengths = points.slice(1).map(([x, y], i) => Math.hypot(x - points[i][0], y - points[i][1]));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  const part = [points[0]];
  for (let i = 0; i < lengths.length && left > 0; i++) {
    const t = Math.min(1, left / lengths[i]);
    const [[x0, y0], [x1, y1]] = [points[i], points[i + 1]];
    part.push([x0 + (x1 - x0) * t, y0 + (y1 - y0) * t]);
    left -= lengths[i];
  }
  return part;
}

function drawTurns(context, view, points, width) {
  context.fillStyle = view.palette.inks.halo;
  context.beginPath();
  for (const [x, y] of points.slice(1, -1)) {
    context.moveTo(x + width * 0.28, y);
    context.arc(x, y, width * 0.28, 0, 7);
  }
  context.fill();
}

/** The start is a disc, the goal a ring: they differ by more than colour. */
export function drawEnds(context, view) {
  if (!view.showsSearch) return;
  const { world, palette, lane } = view;
  const isAtCorner = lane.built?.isAnyAngle && !lane.built.endsAtCentres;
  const m = isAtCorner ? 0 : 0.5;
  const radius = Math.min(Math.max(6.5 * view.pixel, 0.46), 11 * view.pixel);
  disc(context, world.start.x + m, world.start.y + m, radius * 1.25, palette.inks.halo);
  disc(context, world.start.x + m, world.start.y + m, radius, palette.inks.start);
  disc(context, world.goal.x + m, world.goal.y + m, radius * 1.25, palette.inks.halo);
  disc(context, world.goal.x + m, world.goal.y + m, radius, palette.inks.goal);
  disc(context, world.goal.x + m, world.goal.y + m, radius * 0.52, palette.inks.halo);
  if (view.selectedEnd) selection(context, view, world[view.selectedEnd], m, radius);
  if (view.cursor) drawCursor(context, view, view.cursor);
}

function drawCursor(context, view, { x, y }) {
  for (const [colour, width] of [
    [view.palette.inks.halo, 5],
    [view.palette.inks.path, 2.5],
  ]) {
    context.strokeStyle = colour;
    context.lineWidth = width * view.pixel;
    context.strokeRect(x, y, 1, 1);
  }
}

function disc(context, x, y, radius, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fill();
}

function selection(context, view, end, m, radius) {
  context.beginPath();
  context.arc(end.x + m, end.y + m, radius * 1.25 + 3 * view.pixel, 0, 7);
  context.strokeStyle = view.palette.inks.ink;
  context.lineWidth = 2 * view.pixel;
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {View} view */
export function drawOverlays(context, view) {
  const { lane, settings } = view;
  const { areas, gates, field, hubs, firstMoves } = lane.extras;
  if (areas && (settings.overlays.areas || lane.spec.includes("blocked-areas"))) drawPockets(context, view, areas);
  if (gates && (settings.overlays.gates || lane.spec.includes("gates"))) drawGates(context, view, gates);
  if (hubs && lane.planner === "hub-labels") hubs.forEach((tree, i) => tree && drawHubs(context, view, tree, i));
  if (firstMoves?.rectangles && lane.planner === "cpd") drawRectangles(context, view, firstMoves.rectangles);
  if (field && settings.overlays.field && view.camera.scale >= 10) drawArrows(context, view, field);
}

/** Blocked areas: the free cells inside shaded, the entrance dashed. */
function drawPockets(context, view, areas) {
  context.fillStyle = view.palette.inks.pocket;
  context.globalAlpha = 0.2;
  context.beginPath();
  for (const { cells } of areas) for (let i = 0; i < cells.length; i += 2) context.rect(cells[i], cells[i + 1], 1, 1);
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  for (const { entrance } of areas) {
    const [x0, y0, x1, y1] = entrance;
    context.moveTo(x0 + 0.5, y0 + 0.5);
    context.lineTo(x1 + 0.5, y1 + 0.5);
  }
  dashed(context, view, view.palette.inks.pocket);
}

/** Where gates close for this question: between cells that are left out and cells that are not. A map has gates in almost every row and column. */
function drawGates(context, view, gates) {
  gates.edges ??= prunedEdges(gates.pruned, view.world);
  context.beginPath();
  for (const [x0, y0, x1, y1] of gates.edges) {
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
  }
  context.lineCap = "round";
  context.lineWidth = Math.max(1.6 * view.pixel, 0.14);
  context.strokeStyle = view.palette.inks.gate;
  context.stroke();
}

function prunedEdges(pruned, { width, height, blocked }) {
  const edges = [];
  const isEdge = (i, j) => !blocked[i] && !blocked[j] && pruned[i] !== pruned[j];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (x + 1 < width && isEdge(i, i + 1)) edges.push([x + 1, y, x + 1, y + 1]);
      if (y + 1 < height && isEdge(i, i + width)) edges.push([x, y + 1, x + 1, y + 1]);
    }
  }
  return edges;
}

function dashed(context, view, colour) {
  context.setLineDash([4 * view.pixel, 3 * view.pixel]);
  context.strokeStyle = colour;
  context.lineWidth = 1.5 * view.pixel;
  context.stroke();
  context.setLineDash([]);
}

/** The ways to the hubs of a label, and the hubs at their ends. */
function drawHubs(context, view, { offsets, points }, which) {
  const colour = which === 0 ? view.palette.inks.start : view.palette.inks.hub;
  context.beginPath();
  for (let k = 0; k + 1 < offsets.length; k++) {
    for (let i = offsets[k]; i < offsets[k + 1]; i++) {
      const [x, y] = [points[2 * i] + 0.5, points[2 * i + 1] + 0.5];
      if (i === offsets[k]) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
  }
  context.strokeStyle = colour;
  context.globalAlpha = 0.75;
  context.lineWidth = Math.max(1.3 * view.pixel, 0.1);
  context.lineJoin = "round";
  context.stroke();
  context.globalAlpha = 1;
  for (let k = 0; k + 1 < offsets.length; k++) {
    const last = offsets[k + 1] - 1;
    if (last < offsets[k]) continue;
    disc(context, points[2 * last] + 0.5, points[2 * last + 1] + 0.5, Math.max(3 * view.pixel, 0.3), colour);
  }
}

function drawRectangles(context, view, rectangles) {
  context.beginPath();
  for (let i = 0; i < rectangles.length; i += 4) {
    const [x0, y0, x1, y1] = rectangles.subarray(i, i + 4);
    context.rect(x0, y0, x1 + 1 - x0, y1 + 1 - y0);
  }
  context.strokeStyle = view.palette.inks.area;
  context.lineWidth = view.pixel;
  context.stroke();
}

/** Where a unit in each cell in view would go next. */
function drawArrows(context, view, { moves }) {
  const { world } = view;
  const bounds = view.bounds();
  context.beginPath();
  for (let y = Math.max(0, Math.floor(bounds.y0)); y < Math.min(world.height, bounds.y1); y++) {
    for (let x = Math.max(0, Math.floor(bounds.x0)); x < Math.min(world.width, bounds.x1); x++) {
      const move = moves[y * world.width + x];
      if (move >= 0) arrow(context, x + 0.5, y + 0.5, MOVES[move]);
    }
  }
  context.strokeStyle = view.palette.inks.arrow;
  context.lineWidth = Math.max(0.06, view.pixel);
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {readonly number[]} move */
function arrow(context, x, y, [dx, dy]) {
  const n = 0.28 / Math.hypot(dx, dy);
  const [ux, uy] = [dx * n, dy * n];
  context.moveTo(x - ux, y - uy);
  context.lineTo(x + ux, y + uy);
  context.moveTo(x + ux - (ux + uy) * 0.55, y + uy - (uy - ux) * 0.55);
  context.lineTo(x + ux, y + uy);
  context.lineTo(x + ux - (ux - uy) * 0.55, y + uy - (uy + ux) * 0.55);
}
