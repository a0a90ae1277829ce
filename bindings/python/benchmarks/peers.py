"""How fast and how right octile is beside the Python packages people use for paths on grids.

    python benchmarks/peers.py                        # on four maps made here
    python benchmarks/peers.py dao/*.map --every 20   # on MovingAI maps, with FILE.map.scen beside each

Build octile as it is handed out before you measure: `maturin develop --release`.

Everyone gets the same problems under the same rule: eight neighbours, a straight move costs 1, a diagonal one the
square root of 2, and a diagonal move needs both cells beside it free. A time is that of one call that ends with all
cells of the path in hand, made the way a user of that package would make it. What a package builds once a map (its
grid, graph or index) is timed apart. The contenders take turns, several rounds, and the best time of each problem
counts. In each turn a contender first warms up on problems that are never timed. A slow one stops when its budget for
the map is used up. Problems are asked in a shuffled order, so what it answered is a fair part of them, and "faster"
always compares the same problems. What rests on very few of them is marked as rough: give it a larger `--budget`, or do
not quote it.

Answers are judged here, against the map, not by what a package says of them. An answer is *legal* if every step obeys
the rule, and *optimal* if it is legal and has as many straight and diagonal moves as octile's path, whose length is
held against the scenario file first. If octile's length is wrong, or another's legal path is shorter, the exit code is
1.

Every package is set up as well as it can be; the notes below the table say how. A package that is not installed
is named and left out: `pip install -r benchmarks/requirements.txt`.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import platform
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import octile

Cell = tuple[int, int]
"""A cell as (x, y)."""
Blocked = npt.NDArray[np.bool_]
"""The map as [y, x]."""
Cells = npt.NDArray[np.int64]
"""A path as rows of (x, y)."""
Ask = Callable[[Cell, Cell], Any]
"""One call for one path, answered in the package's own terms."""

SQRT2 = math.sqrt(2)
FILE_TOLERANCE = 0.0051
"""Lengths in scenario files are rounded, some to two decimals."""
FEW = 10
"""What rests on fewer problems of a map is marked as rough."""
WARM_UP = 0.01
"""Seconds of asking before times are taken, in every turn."""


# --- the packages: each function builds what the package needs for a map and returns the call for a path ---


def pyastar2d(blocked: Blocked, *, diagonal: bool) -> Ask:
    package: Any = import_module("pyastar2d")
    weights = np.where(blocked, np.inf, 1.0).astype(np.float32)
    return lambda start, goal: package.astar_path(weights, start[::-1], goal[::-1], allow_diagonal=diagonal)


def tcod_astar(blocked: Blocked) -> Ask:
    package: Any = import_module("tcod.path")
    finder = package.AStar((~blocked).astype(np.int8), diagonal=SQRT2)
    return lambda start, goal: finder.get_path(start[1], start[0], goal[1], goal[0])


def tcod_simple_graph(blocked: Blocked) -> Ask:
    package: Any = import_module("tcod.path")
    return tcod_ask(package.SimpleGraph(cost=(~blocked).astype(np.int8), cardinal=70, diagonal=99))


def tcod_custom_graph(blocked: Blocked) -> Ask:
    package: Any = import_module("tcod.path")
    straight, diagonal = (
        5741,
        8119,
    )  # their ratio is the square root of 2, closely enough to order all paths here rightly
    free = (~blocked).astype(np.int8)
    graph = package.CustomGraph(blocked.shape)
    graph.add_edges(edge_map=[[0, straight, 0], [straight, 0, straight], [0, straight, 0]], cost=free)
    for dy, dx in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        both = shifted(free, dy, 0) & shifted(free, 0, dx)
        graph.add_edge((dy, dx), diagonal, cost=free, condition=both)
    graph.set_heuristic(cardinal=straight, diagonal=diagonal)
    return tcod_ask(graph)


def tcod_ask(graph: Any) -> Ask:
    finder = import_module("tcod.path").Pathfinder(graph)

    def ask(start: Cell, goal: Cell) -> Any:
        finder.clear()
        finder.add_root(start[::-1])
        return finder.path_to(goal[::-1])

    return ask


def shifted(free: npt.NDArray[np.int8], dy: int, dx: int) -> npt.NDArray[np.int8]:
    """At each cell what its neighbour is; nothing is free outside."""
    height, width = free.shape
    return np.pad(free, 1)[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]


def w9_pathfinding(blocked: Blocked, *, finder: str) -> Ask:
    envs: Any = import_module("w9_pathfinding.envs")
    finders: Any = import_module("w9_pathfinding.pf")
    grid = envs.Grid(
        np.where(blocked, -1.0, 1.0).tolist(),
        diagonal_movement=envs.DiagonalMovement.only_when_no_obstacle,
        diagonal_movement_cost_multiplier=SQRT2,
    )
    ask: Ask = getattr(finders, finder)(grid).find_path
    return ask


def networkx(blocked: Blocked) -> Ask:
    package: Any = import_module("networkx")
    graph = package.Graph()
    for ends, cost in neighbours(blocked):
        graph.add_weighted_edges_from((one, other, cost) for one, other in ends)

    def distance(one: Cell, other: Cell) -> float:
        dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
        return dx + dy - (2 - SQRT2) * min(dx, dy)

    return lambda start, goal: package.astar_path(graph, start, goal, heuristic=distance)


def neighbours(blocked: Blocked) -> Iterator[tuple[Iterator[tuple[Cell, Cell]], float]]:
    """All pairs of cells with a legal move between them, by direction, and what the move costs."""
    free = ~blocked
    square = free[:-1, :-1] & free[:-1, 1:] & free[1:, :-1] & free[1:, 1:]
    yield pairs(free[:, :-1] & free[:, 1:], (0, 0), (1, 0)), 1.0
    yield pairs(free[:-1] & free[1:], (0, 0), (0, 1)), 1.0
    yield pairs(square, (0, 0), (1, 1)), SQRT2
    yield pairs(square, (1, 0), (0, 1)), SQRT2


def pairs(where: Blocked, one: Cell, other: Cell) -> Iterator[tuple[Cell, Cell]]:
    ys, xs = where.nonzero()
    ends = [zip((xs + dx).tolist(), (ys + dy).tolist(), strict=True) for dx, dy in (one, other)]
    return zip(*ends, strict=True)


def pathfinding(blocked: Blocked) -> Ask:
    grids: Any = import_module("pathfinding.core.grid")
    movement: Any = import_module("pathfinding.core.diagonal_movement")
    finders: Any = import_module("pathfinding.finder.a_star")
    grid = grids.Grid(matrix=(~blocked).astype(int).tolist())
    finder = finders.AStarFinder(diagonal_movement=movement.DiagonalMovement.only_when_no_obstacle)
    return lambda start, goal: finder.find_path(grid.node(*start), grid.node(*goal), grid)[0]


def scikit_image(blocked: Blocked) -> Ask:
    package: Any = import_module("skimage.graph")
    finder = package.MCP_Geometric(np.where(blocked, -1.0, 1.0))

    def ask(start: Cell, goal: Cell) -> Any:
        finder.find_costs([start[::-1]], [goal[::-1]])
        return finder.traceback(goal[::-1])

    return ask


# --- their answers as rows of (x, y), start and goal among them ---


def xy(answer: Any, _start: Cell) -> Cells:
    return np.asarray(answer, dtype=np.int64).reshape(-1, 2)


def yx(answer: Any, start: Cell) -> Cells:
    return xy(answer, start)[:, ::-1]


def yx_after_start(answer: Any, start: Cell) -> Cells:
    return yx([start[::-1], *answer], start)


def nodes(answer: Any, start: Cell) -> Cells:
    return xy([(node.x, node.y) for node in answer], start)


@dataclass(frozen=True)
class Contender:
    """Somebody who finds paths: how to set it up for a map, and how to read its answers."""

    name: str
    package: str
    settings: str
    build: Callable[[Blocked], Ask]
    cells: Callable[[Any, Cell], Cells] = xy

    @property
    def version(self) -> str:
        try:
            return metadata.version(self.package)
        except metadata.PackageNotFoundError:
            return str(getattr(import_module(self.package), "__version__", "?"))


PEERS = (
    Contender(
        "pyastar2d",
        "pyastar2d",
        "`allow_diagonal=True`, blocked cells weigh infinity. Diagonal moves cost as much as straight ones, and "
        "corners are cut; no setting changes that.",
        lambda blocked: pyastar2d(blocked, diagonal=True),
        yx,
    ),
    Contender(
        "pyastar2d, straight",
        "pyastar2d",
        "`allow_diagonal=False`: the one way to keep it off the corners.",
        lambda blocked: pyastar2d(blocked, diagonal=False),
        yx,
    ),
    Contender(
        "tcod AStar",
        "tcod",
        "`tcod.path.AStar` with `diagonal` the square root of 2. It cuts corners; only a callback in Python for every "
        "move could stop it.",
        tcod_astar,
        yx_after_start,
    ),
    Contender(
        "tcod SimpleGraph",
        "tcod",
        "`cardinal=70, diagonal=99` and one `Pathfinder`, cleared for each path. It cuts corners; no setting "
        "changes that.",
        tcod_simple_graph,
        yx,
    ),
    Contender(
        "tcod CustomGraph",
        "tcod",
        "`cardinal=5741, diagonal=8119`, an edge rule for each diagonal with a `condition` that both cells beside it "
        "are free; one `Pathfinder`, cleared for each path.",
        tcod_custom_graph,
        yx,
    ),
    Contender(
        "w9-pathfinding AStar",
        "w9-pathfinding",
        "`diagonal_movement=only_when_no_obstacle`, `diagonal_movement_cost_multiplier` the square root of 2.",
        lambda blocked: w9_pathfinding(blocked, finder="AStar"),
    ),
    Contender(
        "w9-pathfinding BiAStar",
        "w9-pathfinding",
        "The same grid, searched from both ends.",
        lambda blocked: w9_pathfinding(blocked, finder="BiAStar"),
    ),
    Contender(
        "networkx",
        "networkx",
        "`astar_path` on a `Graph` of cells that holds the legal moves only, with the octile distance as `heuristic`.",
        networkx,
    ),
    Contender(
        "pathfinding",
        "pathfinding",
        "`AStarFinder` with `diagonal_movement=only_when_no_obstacle`; its heuristic is then the octile distance.",
        pathfinding,
        nodes,
    ),
    Contender(
        "scikit-image",
        "scikit-image",
        "`MCP_Geometric`, made once a map: `route_through_array` makes it anew for each path and is slower. It cuts "
        "corners; no setting changes that.",
        scikit_image,
        yx,
    ),
)


def planner(spec: str) -> Contender:
    """One of octile's planners. An index may take minutes to build: that is what `beforehand` allows."""

    def build(blocked: Blocked) -> Ask:
        engine = octile.Engine(octile.Grid(blocked), spec, budget="beforehand")

        def ask(start: Cell, goal: Cell) -> Any:
            path = engine.find(start, goal)
            return () if path is None else path.cells

        return ask

    settings = f'`octile.Engine(grid, "{spec}", budget="beforehand")`, `find(start, goal).cells`.'
    return Contender(f"octile {spec}", "octile", settings, build)


# --- the judge ---


def is_legal(blocked: Blocked, cells: Cells, start: Cell, goal: Cell) -> bool:
    """Whether the cells are a path from start to goal that obeys the rule at every step."""
    if len(cells) == 0 or tuple(cells[0]) != start or tuple(cells[-1]) != goal:
        return False
    xs, ys = cells[:, 0], cells[:, 1]
    height, width = blocked.shape
    inside = (xs >= 0) & (xs < width) & (ys >= 0) & (ys < height)
    if not inside.all() or blocked[ys, xs].any():
        return False
    steps = np.abs(np.diff(cells, axis=0))
    beside = blocked[ys[:-1], xs[1:]] | blocked[ys[1:], xs[:-1]]
    return bool((steps.max(axis=1, initial=0) == 1).all() and not beside.any())


def moves(cells: Cells) -> tuple[int, int]:
    """How many straight and how many diagonal moves."""
    steps = np.abs(np.diff(cells, axis=0)).sum(axis=1)
    return int((steps == 1).sum()), int((steps == 2).sum())


def length(counted: tuple[int, int]) -> float:
    return counted[0] + counted[1] * SQRT2


@dataclass(frozen=True)
class Problem:
    start: Cell
    goal: Cell
    best: tuple[int, int]
    """Straight and diagonal moves of a shortest path."""


@dataclass
class Arena:
    """A map and its problems in the order they are asked."""

    name: str
    blocked: Blocked
    problems: list[Problem]
    spare: list[Problem] = field(default_factory=list)
    """Other problems, for the warm-up, which is not timed: the same ones would flatter packages that ask them all."""
    faults: list[str] = field(default_factory=list)
    """What speaks against octile: there should be nothing."""


# --- maps and problems ---


def made_maps(size: int) -> Iterator[tuple[str, octile.Grid, octile.Scenario]]:
    """Maps and problems made here: name, grid, scenario."""
    generate = octile.generate
    makers: dict[str, Callable[..., octile.Grid]] = {
        "rooms": generate.rooms,
        "maze": generate.maze,
        "random": generate.random,
        "caves": generate.caves,
    }
    for name, make in makers.items():
        grid = make(size, size, seed=1)
        yield f"{name} {size}x{size}", grid, generate.scenario(grid, seed=1)


def read_maps(files: Sequence[Path]) -> Iterator[tuple[str, octile.Grid, octile.Scenario]]:
    """Maps from files with the problems beside them, or else with problems made here."""
    for file in dict.fromkeys(path.resolve() for path in files):
        grid = octile.load(str(file))
        beside = [file.with_name(file.name + ".scen"), file.with_suffix(".scen")]
        found = next((path for path in beside if path.exists()), None)
        scenario = octile.load_scenario(str(found)) if found else octile.generate.scenario(grid, seed=1)
        yield f"{file.parent.name}/{file.stem}", grid, scenario


def arena(name: str, grid: octile.Grid, scenario: octile.Scenario, every: int) -> Arena:
    """Every so many problems, shuffled, with the reference for each; those without a path or a move are left out."""
    made = Arena(name, np.asarray(grid.blocked, dtype=np.bool_), [])
    ask = planner("corner-sweep").build(made.blocked)
    starts, goals = (map(tuple, column.tolist()) for column in (scenario.starts, scenario.goals))
    rows = list(zip(starts, goals, scenario.lengths.tolist(), strict=True))
    stride = every if every > 1 else 5
    spare = rows[stride // 2 :: stride]
    kept = {row[:2] for row in spare} if len(rows) > 1 else set()
    for start, goal, told in [row for row in rows[::every] if row[:2] not in kept]:
        made.problems += referenced(made, ask, start, goal, told)
    for start, goal, told in spare:
        made.spare += referenced(made, ask, start, goal, told)
    random.Random(1).shuffle(made.problems)
    return made


def referenced(made: Arena, ask: Ask, start: Cell, goal: Cell, told: float) -> list[Problem]:
    """The problem with its reference, if it has a path with a move."""
    cells = xy(ask(start, goal), start)
    if fault := reference_fault(made.blocked, cells, start, goal, told):
        made.faults.append(f"{made.name}: {start} to {goal}: {fault}")
    return [Problem(start, goal, moves(cells))] if len(cells) > 1 else []


def reference_fault(blocked: Blocked, cells: Cells, start: Cell, goal: Cell, told: float) -> str | None:
    """What is wrong with octile's answer, going by the rule and by the length that the scenario tells."""
    if len(cells) == 0:
        return f"octile finds no path, the scenario one of length {told}" if math.isfinite(told) else None
    if not is_legal(blocked, cells, start, goal):
        return "octile's path is not legal"
    found = length(moves(cells))
    if not abs(found - told) <= FILE_TOLERANCE:  # nor if the scenario says that there is no path
        return f"octile's path has length {found}, the scenario says {told}"
    return None


# --- the race ---


@dataclass
class Run:
    """What a contender did on a map: the first problems, up to where its budget ended."""

    arena: str
    asked: int
    setup: float
    times: list[float]
    legal: list[bool]
    optimal: list[bool]
    lengths: list[float]
    """Length of each answer over that of a shortest path; not a number where there was no answer."""


def warm_up(ask: Ask, spare: Sequence[Problem]) -> None:
    """Asks problems for a moment without timing them: the first timed one should not pay for memory used before."""
    deadline = time.perf_counter() + WARM_UP
    for problem in spare:
        ask(problem.start, problem.goal)
        if time.perf_counter() > deadline:
            break


def timed(ask: Ask, place: Arena, most: int, seconds: float) -> list[tuple[float, Any]]:
    """Time and answer of each of so many problems until the seconds are used up; at least one."""
    clock, done = time.perf_counter, []
    gc.collect()
    gc.disable()  # as timeit does
    try:
        warm_up(ask, place.spare)
        deadline = clock() + seconds
        for problem in place.problems[:most]:
            begin = clock()
            answer = ask(problem.start, problem.goal)
            end = clock()
            done.append((end - begin, answer))
            if end > deadline:
                break
    finally:
        gc.enable()
    return done


def set_up(contenders: Sequence[Contender], blocked: Blocked) -> Iterator[tuple[Contender, float, Ask]]:
    """Each contender ready for the map, and how long that took; one that refuses the map is named and left out."""
    for contender in contenders:
        begin = time.perf_counter()
        try:
            ask = contender.build(blocked)
        except octile.BuildError as refusal:
            say(f"  {contender.name} does not take this map: {refusal}")
            continue
        yield contender, time.perf_counter() - begin, ask


def race(contenders: Sequence[Contender], place: Arena, rounds: int, budget: float) -> dict[str, Run]:
    """All contenders on one map, in turns."""
    ready = list(set_up(contenders, place.blocked))
    gc.freeze()  # the collector need not walk what stays, such as a graph of a million moves
    first = [timed(ask, place, len(place.problems), budget / rounds) for _, _, ask in ready]
    best = [[taken for taken, _ in done] for done in first]
    for _ in range(rounds - 1):
        for (_, _, ask), times in zip(ready, best, strict=True):
            again = timed(ask, place, len(times), math.inf)
            times[:] = [min(one, taken) for one, (taken, _) in zip(times, again, strict=True)]
    gc.unfreeze()
    runs = {}
    for (contender, setup, _), done, times in zip(ready, first, best, strict=True):
        run = Run(place.name, len(place.problems), setup, times, [], [], [])
        runs[contender.name] = judge(contender, place, [answer for _, answer in done], run)
    return runs


def judge(contender: Contender, place: Arena, answers: Sequence[Any], run: Run) -> Run:
    for problem, answer in zip(place.problems, answers, strict=False):
        cells = contender.cells(() if answer is None else answer, problem.start)
        legal, counted = is_legal(place.blocked, cells, problem.start, problem.goal), moves(cells)
        run.legal.append(legal)
        run.optimal.append(legal and counted == problem.best)
        run.lengths.append(length(counted) / length(problem.best) if len(cells) > 1 else math.nan)
        if legal and counted != problem.best and length(counted) < length(problem.best):
            place.faults.append(
                f"{place.name}: {problem.start} to {problem.goal}: {contender.name} is shorter than octile"
            )
    return run


# --- the report ---


def estimated(run: Run, answered: int) -> float:
    """The time of all problems of the map, going by the first so many."""
    return sum(run.times[:answered]) / answered * run.asked


def mean_time(runs: Sequence[Run]) -> float | None:
    """A mean over all problems asked, so that a contender gains nothing by answering fewer on the harder maps."""
    asked = sum(run.asked for run in runs)
    return sum(estimated(run, len(run.times)) for run in runs if run.times) / asked if asked else None


def compared(runs: Sequence[Run], others: Sequence[Run]) -> float | None:
    """The time of the runs over that of the others, going by the problems that both answered."""
    by_arena = {other.arena: other for other in others}
    both = [(run, by_arena[run.arena]) for run in runs if run.arena in by_arena]
    both = [(run, other) for run, other in both if run.times and other.times]
    if not both:
        return None
    shared = [min(len(run.times), len(other.times)) for run, other in both]
    mine = sum(estimated(run, answered) for (run, _), answered in zip(both, shared, strict=True))
    return mine / sum(estimated(other, answered) for (_, other), answered in zip(both, shared, strict=True))


def mean(values: Sequence[float]) -> float | None:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else None


def summary(
    contender: Contender, runs: Sequence[Run], asked: int, planners: Mapping[str, Sequence[Run]]
) -> dict[str, Any]:
    """One line of the table, as numbers."""

    def over(column: str) -> list[Any]:
        return [value for run in runs for value in getattr(run, column)]

    return {
        "name": contender.name,
        "version": contender.version,
        "settings": contender.settings,
        "setup_seconds": mean([run.setup for run in runs]),
        "answered": len(over("times")),
        "asked": asked,
        "rough": any(len(run.times) < min(FEW, run.asked) for run in runs),
        "mean_seconds": mean_time(runs),
        "times_faster": {name: compared(runs, others) for name, others in planners.items()},
        "legal": mean(over("legal")),
        "optimal": mean(over("optimal")),
        "length": mean(over("lengths")),
    }


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    value, unit = (
        (seconds, "s") if seconds >= 1 else (seconds * 1e3, "ms") if seconds >= 1e-3 else (seconds * 1e6, "µs")
    )
    return f"{significant(value)} {unit}"


def significant(value: float) -> str:
    """Three digits that count, or all before the point."""
    digits = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:,.{max(digits, 0)}f}"


def share(value: float | None) -> str:
    """In per cent; all and none are said only if it is all or none."""
    if value is None:
        return "-"
    percent = value * 100 if value in (0, 1) else min(max(value * 100, 0.1), 99.9)
    return f"{percent:.3g} %"


def table(rows: Sequence[dict[str, Any]], planners: Sequence[str]) -> list[str]:
    heads = ["package", "version", "set-up a map", "answered", "mean time a path"]
    heads += [f"{name.removeprefix('octile ')} is faster" for name in planners] + ["legal", "optimal", "mean length"]
    lines = [heads, ["---"] * len(heads)]
    for row in rows:
        faster = [row["times_faster"][name] for name in planners]
        answered = f"{row['answered']:,} of {row['asked']:,}"
        about = "~ " if row["rough"] else ""
        line = [
            row["name"],
            row["version"],
            duration(row["setup_seconds"]),
            answered,
            about + duration(row["mean_seconds"]),
        ]
        line += ["-" if times is None else f"{about}{significant(times)} times" for times in faster]
        line += [share(row["legal"]), share(row["optimal"]), "-" if row["length"] is None else f"{row['length']:.3f}"]
        lines.append(line)
    return ["| " + " | ".join(line) + " |" for line in lines]


def machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        named = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = named[0] if named else model
    return f"{model}; Python {platform.python_version()}; {platform.system()}; {date.today()}"


def command(options: argparse.Namespace) -> str:
    """What was run, with maps by their names alone."""
    given = [file.name for file in options.maps] or [f"--size {options.size}"]
    given += [f"--planner {name}" for name in options.planner or []] + [f"--peer {name}" for name in options.peer or []]
    return " ".join(
        [
            "python benchmarks/peers.py",
            *given,
            f"--every {options.every}",
            f"--rounds {options.rounds}",
            f"--budget {options.budget:g}",
        ]
    )


def report(
    rows: Sequence[dict[str, Any]],
    planners: Sequence[str],
    arenas: Sequence[str],
    missing: Sequence[str],
    options: argparse.Namespace,
) -> str:
    """Table, notes and settings as Markdown."""
    asked = max((row["asked"] for row in rows), default=0)
    lines = table(rows, planners)
    lines += [
        "",
        f"{asked:,} problems on {', '.join(arenas) if len(arenas) < 9 else f'{len(arenas)} maps'}. {machine()}.",
        "",
    ]
    lines += [f"`{command(options)}`", ""]
    lines += [
        "A time is that of one call, the best of several, up to all cells of the path in hand. Who answered fewer "
        "problems ran out of time: the mean is estimated from those, map by map, and the comparison is on the same "
        f"problems. ~ is rough: it rests on fewer than {FEW} problems of some map, and may be off by some times. "
        "Optimal answers are legal ones of the shortest length. Mean length is over that of a shortest legal path: "
        "below 1 where corners were cut.",
        "",
    ]
    lines += [f"- {row['name']}: {row['settings']}" for row in rows]
    if missing:
        lines += ["", f"Not installed: {', '.join(missing)}. To have them: `{install()}`."]
    return "\n".join(lines) + "\n"


def install() -> str:
    return "pip install -r benchmarks/requirements.txt"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# --- the command ---


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="octile beside other Python packages for paths on grids")
    parser.add_argument(
        "maps", nargs="*", type=Path, metavar="MAP.map", help="MovingAI maps; without any, maps are made"
    )
    parser.add_argument("--planner", action="append", metavar="NAME", help="of octile: corner-sweep and hub-labels")
    parser.add_argument("--peer", action="append", metavar="NAME", help="packages whose names have this in them: all")
    parser.add_argument("--every", type=positive, default=10, metavar="N", help="take every Nth problem (%(default)s)")
    parser.add_argument("--size", type=positive, default=256, metavar="N", help="side of the made maps (%(default)s)")
    parser.add_argument("--rounds", type=positive, default=3, metavar="N", help="the best of so many (%(default)s)")
    parser.add_argument(
        "--budget", type=float, default=5.0, metavar="S", help="seconds of a package on a map (%(default)s)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers, for each map")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table")
    return parser.parse_args(argv)


def positive(text: str) -> int:
    if (value := int(text)) < 1:
        raise ValueError(text)
    return value


def chosen(names: Sequence[str] | None) -> tuple[list[Contender], list[str]]:
    """The wanted packages that are installed, tried once so that no import is timed; and those that are missing."""
    wanted = [peer for peer in PEERS if not names or any(name in peer.name for name in names)]
    there, missing = [], []
    for peer in wanted:
        try:
            peer.build(np.zeros((3, 3), dtype=np.bool_))((0, 0), (2, 2))
            there.append(peer)
        except ImportError:
            missing.append(peer.package)
    return there, list(dict.fromkeys(missing))


def main(argv: Sequence[str] | None = None) -> int:
    options = arguments(argv)
    try:
        return compare(options)
    except (octile.LoadError, octile.SpecError) as wrong:  # a map that cannot be read, a planner that there is not
        say(f"error: {wrong}")
        return 2


def compare(options: argparse.Namespace) -> int:
    ours = [planner(spec) for spec in options.planner or ("corner-sweep", "hub-labels")]
    theirs, missing = chosen(options.peer)
    if missing:
        say(f"not installed: {', '.join(missing)}; to have them: {install()}")
    contenders = ours + theirs
    runs: dict[str, list[Run]] = {contender.name: [] for contender in contenders}
    arenas: list[Arena] = []
    for name, grid, scenario in read_maps(options.maps) if options.maps else made_maps(options.size):
        place = arena(name, grid, scenario, options.every)
        say(f"{place.name}: {len(place.problems)} problems")
        for who, run in race(contenders, place, options.rounds, options.budget).items():
            runs[who].append(run)
        arenas.append(place)
    return finish(options, contenders, ours, runs, arenas, missing)


def finish(
    options: argparse.Namespace,
    contenders: Sequence[Contender],
    ours: Sequence[Contender],
    runs: dict[str, list[Run]],
    arenas: Sequence[Arena],
    missing: Sequence[str],
) -> int:
    """Print and write the results; 1 if anything speaks against octile."""
    planners: Mapping[str, Sequence[Run]] = {one.name: runs[one.name] for one in ours}
    asked = sum(len(place.problems) for place in arenas)
    rows = [summary(one, runs[one.name], asked, planners) for one in contenders]
    text = report(rows, list(planners), [place.name for place in arenas], missing, options)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    if options.json:
        options.json.write_text(
            json.dumps(numbers(rows, contenders, runs, arenas, planners), indent=1), encoding="utf-8"
        )
    print(text)
    faults = [fault for place in arenas for fault in place.faults]
    for fault in faults:
        say(f"WRONG: {fault}")
    return 1 if faults else 0


def numbers(
    rows: Sequence[dict[str, Any]],
    contenders: Sequence[Contender],
    runs: dict[str, list[Run]],
    arenas: Sequence[Arena],
    planners: Mapping[str, Sequence[Run]],
) -> dict[str, Any]:
    """Everything measured: over all maps, and map by map."""
    maps = {}
    for place in arenas:
        here = {name: [run for run in all_runs if run.arena == place.name] for name, all_runs in runs.items()}
        with_us = {name: here[name] for name in planners}
        maps[place.name] = [
            summary(one, here[one.name], len(place.problems), with_us) for one in contenders if here[one.name]
        ]
    return {"machine": machine(), "all": list(rows), "maps": maps}


if __name__ == "__main__":
    sys.exit(main())
