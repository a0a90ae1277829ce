"""Engines: every planner against a search too simple to be wrong, and every kind of question."""

from __future__ import annotations

import itertools
import math
import os
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import (
    Cell,
    Convention,
    Movement,
    Oracle,
    compare,
    free_cells,
    length,
    pair_of,
    random_land,
    random_map,
    shown,
    some_pairs,
    tuples,
)

import octile

PLANNERS = {planner["name"]: planner for planner in octile.planners()}
RULES: list[Movement] = ["octile", "tile", "octile-cutting"]


def spec_of(name: str) -> str:
    """The planner with the keys it needs.

    By default any-angle paths may pass between two blocked cells that touch diagonally, where no grid path leads.
    """
    if name == "weighted-astar":
        return "weighted-astar:weight=1.5"
    return f"{name}:squeeze=forbidden" if PLANNERS[name]["guarantee"].startswith("any-angle") else name


def ways(*, prices: bool = False) -> list[tuple[str, Movement]]:
    """All planners with each rule that they say they know."""
    return [
        (name, rule)
        for name, one in PLANNERS.items()
        for rule in RULES
        if rule in one["movements"] and (one["takes_prices"] or not prices)
    ]


def check_answer(
    grid: octile.Grid, path: octile.Path | None, start: Cell, goal: Cell, guarantee: str, oracle: Oracle, known: Any
) -> None:
    """Holds an answer against all distances from the start."""
    best = known.get(goal)
    if best is None:
        assert path is None, f"{start} to {goal}: there is no path"
        return
    assert path is not None, f"{start} to {goal}: there is a path"
    assert (path.start, path.goal) == (start, goal)
    path.check(grid)
    if path.is_any_angle:
        assert isinstance(path.cost, float) and path.cost == path.length
        assert path.length <= length(best) + 2.0 + 1e-9, "it may begin and end at corners of cells"
        assert path.length >= math.hypot(goal[0] - start[0], goal[1] - start[1]) - math.sqrt(2) - 1e-9
        return
    cells = tuples(path.cells)
    assert (cells[0], cells[-1]) == (start, goal)
    cost = path.cost
    assert isinstance(cost, octile.Cost)
    scale = oracle.parts // cost.parts  # a cost may be in fewer parts than the oracle's
    found = (cost.straight * scale, cost.diagonal * scale)
    assert oracle.cost_of(cells) == found, "it costs what its moves cost"
    assert path.length == pytest.approx(length(best, oracle.parts)) or guarantee != "grid-optimal"
    assert compare(found, best) == 0 if guarantee == "grid-optimal" else compare(found, best) >= 0
    if guarantee.startswith("bounded"):
        assert length(found) <= 1.5 * length(best) + 1e-9, "that is the weight"


# Every planner


@pytest.mark.parametrize(("name", "movement"), ways(), ids=str)
def test_planners_against_the_oracle(name: str, movement: Movement) -> None:
    for seed, (height, width) in enumerate([(9, 14), (13, 6), (1, 9)]):
        grid = random_map(seed, height, width, 0.25, movement)
        engine, oracle = octile.Engine(grid, spec_of(name)), Oracle(grid)
        for start in free_cells(grid)[::11]:
            known = oracle.distances(start)
            for goal in free_cells(grid)[::3]:
                check_answer(grid, engine.find(start, goal), start, goal, engine.guarantee, oracle, known)


@pytest.mark.parametrize("convention", ["average", "enter"])
@pytest.mark.parametrize(("name", "movement"), ways(prices=True), ids=str)
def test_planners_over_terrain(name: str, movement: Movement, convention: Convention) -> None:
    for seed, (height, width) in enumerate([(10, 13), (7, 16)]):
        grid = random_land(seed, height, width, convention, movement)
        engine, oracle = octile.Engine(grid, spec_of(name)), Oracle(grid)
        for start in free_cells(grid)[::17]:
            known = oracle.distances(start)
            for goal in free_cells(grid)[::3]:
                check_answer(grid, engine.find(start, goal), start, goal, engine.guarantee, oracle, known)


@pytest.mark.parametrize("name", [name for name, one in PLANNERS.items() if one["on_edit"] != "refuses"])
def test_planners_on_a_map_that_changes(name: str) -> None:
    rng = np.random.default_rng(5)
    grid = random_map(5, 10, 15, 0.2)
    engine = octile.Engine(grid, spec_of(name))
    for step in range(6):
        y, x = int(rng.integers(0, 9)), int(rng.integers(0, 13))
        if step % 2:
            engine.apply(octile.Edits().block_rect((x, y), (x + 1, y)).free((14, 9)))
        else:
            engine.block[y : y + 2, x] = bool(rng.random() < 0.7)
        now = engine.grid
        oracle = Oracle(now)
        for start in free_cells(now)[step::23]:
            known = oracle.distances(start)
            for goal in free_cells(now)[::7]:
                check_answer(now, engine.find(start, goal), start, goal, engine.guarantee, oracle, known)
    assert engine.edits >= 1
    assert engine.last_edit is None or engine.last_edit >= 0
    if engine.is_stale:
        engine.renew()
        assert not engine.is_stale
    for start, goal in some_pairs(engine.grid, 20):
        check_answer(
            engine.grid,
            engine.find(start, goal),
            start,
            goal,
            engine.guarantee,
            Oracle(engine.grid),
            Oracle(engine.grid).distances(start),
        )


@pytest.mark.parametrize("name", ["astar", "terrain-jump", "dijkstra"])
def test_prices_that_change(name: str) -> None:
    engine = octile.Engine(random_land(8, 9, 12), name)
    engine.price[2:5, 3:9] = 30
    engine.apply(octile.Edits().price_rect((0, 0), (11, 1), 2).price((5, 5), 255).block((0, 8)))
    engine.price[7] = np.arange(1, 13)
    now = engine.grid
    assert now.price[3, 4] in (0, 30) and engine.price[7, 11] in (0, 12)
    oracle = Oracle(now)
    for start, goal in some_pairs(now, 30):
        check_answer(now, engine.find(start, goal), start, goal, "grid-optimal", oracle, oracle.distances(start))


def test_planners_refuse_rules_that_they_do_not_know() -> None:
    for name, one in PLANNERS.items():
        for movement in RULES:
            if movement not in one["movements"]:
                with pytest.raises(octile.BuildError, match=movement):
                    octile.Engine(random_map(1, 4, 5, movement=movement), name)
        if not one["takes_prices"]:
            with pytest.raises(octile.BuildError, match="price|terrain"):
                octile.Engine(random_land(1, 4, 5), name)


def test_the_list_of_planners() -> None:
    for one in octile.planners():
        assert set(one) == {
            "name",
            "summary",
            "paper",
            "guarantee",
            "movements",
            "takes_prices",
            "on_edit",
            "index",
            "keys",
        }
        assert one["summary"] and set(one["movements"]) <= set(RULES)
        assert one["on_edit"] in {"follows", "rebuilds", "goes-stale", "refuses"}
        for key in one["keys"]:
            assert set(key) == {"name", "takes", "help"} and all(key.values())
        engine = octile.Engine(octile.Grid.open(5, 5), spec_of(one["name"]))
        assert one["name"] == "auto" or engine.planner == one["name"]
        assert engine.guarantee and engine.index_bytes >= 0 and engine.scratch_bytes >= 0
        assert one["name"] == "auto" or engine.on_edit == one["on_edit"]


# Keys


@pytest.mark.parametrize(
    ("planner", "keys", "spec"),
    [
        ("weighted-astar", {"weight": 2}, "weighted-astar:weight=2"),
        ("weighted-astar", {"weight": 2.5}, "weighted-astar:weight=2.5"),
        ("weighted-astar", {"weight": "1.5"}, "weighted-astar:weight=1.5"),
        ("weighted-astar", {"weight": np.float64(1.5)}, "weighted-astar:weight=1.5"),
        ("weighted-astar", {"weight": np.float32(1.5)}, "weighted-astar:weight=1.5"),
        ("weighted-astar", {"weight": np.int64(3)}, "weighted-astar:weight=3"),
        ("corner-sweep", {"cache": True}, "corner-sweep:cache=on"),
        ("corner-sweep", {"cache": False}, "corner-sweep:cache=off"),
        ("corner-sweep", {"cache": np.True_}, "corner-sweep:cache=on"),
        ("rea-star", {"fronts": "cells", "swap": True}, "rea-star:fronts=cells,swap=on"),
        ("rea-star", {"fronts": "cells", "semi_closed": "skip"}, "rea-star:fronts=cells,semi-closed=skip"),
        ("core-search", {"landmarks": 4}, "core-search:landmarks=4"),
        ("astar:open=buckets", {"heuristic": "octile"}, "astar:open=buckets,heuristic=octile"),
    ],
)
def test_keys_as_keywords(planner: str, keys: dict[str, Any], spec: str) -> None:
    engine = octile.Engine(octile.Grid.open(8, 5), planner, **keys)
    assert engine.spec == spec
    assert octile.Engine(octile.Grid.open(8, 5), spec).spec == spec
    path = engine.find((0, 0), (7, 4))
    assert path is not None and path.length >= 7


@pytest.mark.parametrize(
    ("planner", "keys", "words"),
    [
        ("nope", {}, ["nope", "corner-sweep", "hub-labels"]),
        ("Astar", {}, ["Astar", "astar"]),
        ("", {}, ["spec"]),
        ("astar:", {}, ["astar:"]),
        ("astar", {"nope": 3}, ["nope", "heuristic", "open"]),
        ("astar:nope=3", {}, ["nope", "heuristic"]),
        ("astar", {"heuristic": "manhattan"}, ["manhattan", "euclidean"]),
        ("weighted-astar", {"weight": 0}, ["weight=0", "1 to 1000"]),
        ("weighted-astar", {"weight": -1.0}, ["weight=-1"]),
        ("weighted-astar", {"weight": math.nan}, ["weight"]),
        ("weighted-astar", {"weight": math.inf}, ["weight"]),
        ("weighted-astar", {"weight": True}, ["weight"]),
        ("astar", {"prune": True}, ["prune", "gates"]),
        ("core-search", {"landmarks": 5}, ["landmarks", "16"]),
        ("corner-sweep", {"cache": 2}, ["cache", "on or off"]),
        ("astar:open=heap", {"open": "buckets"}, ["open"]),
    ],
)
def test_unknown_planners_and_keys_name_the_known(planner: str, keys: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(octile.SpecError) as raised:
        octile.Engine(octile.Grid.open(4, 4), planner, **keys)
    for word in words:
        assert word in str(raised.value)


@pytest.mark.parametrize("value", [None, [2], {}, object(), 1j, b"2", 2**80], ids=shown)
def test_values_that_no_key_takes(value: Any) -> None:
    with pytest.raises((TypeError, octile.SpecError)):
        octile.Engine(octile.Grid.open(4, 4), "weighted-astar", weight=value)


def test_budgets_and_other_keywords() -> None:
    for budget in ["brief", "at-once", "beforehand", "unlimited"]:
        assert octile.Engine(octile.Grid.open(4, 4), "cpd", budget=budget).planner == "cpd"  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at-once"):
        octile.Engine(octile.Grid.open(4, 4), budget="large")  # type: ignore[arg-type]
    with pytest.raises(octile.BuildError):
        octile.Engine(octile.generate.random(700, 700, 25), "cpd", budget="brief")
    assert octile.Engine(octile.Grid.open(4, 4)).planner == "corner-sweep"


# Questions


def test_find() -> None:
    engine = octile.Engine(octile.Grid.parse("..@.\n..@.\n....\n@@@@\n...."), "corner-sweep")
    path = engine.find((0, 0), (3, 0))
    assert path is not None and pair_of(path.cost) == (5, 1)
    assert engine.find((0, 0), (0, 4)) is None
    same = engine.find((1, 1), (1, 1))
    assert same is not None and same.length == 0 and same.cells.tolist() == [[1, 1]]
    for start, goal, words in [
        ((0, 0), (2, 0), "goal 2,0 is blocked"),
        ((2, 0), (0, 0), "start 2,0 is blocked"),
        ((0, 0), (4, 0), "goal 4,0"),
        ((0, 5), (0, 0), "start 0,5"),
        ((-1, 0), (0, 0), "start -1,0"),
        ((0, 0), (0, -7), "goal 0,-7"),
        ((0, 0), (2**31, 0), "goal 2147483648,0"),
        ((0, 0), (2**32 + 1, 0), "goal 4294967297,0"),
    ]:
        with pytest.raises(octile.QueryError, match=words):
            engine.find(start, goal)


@pytest.mark.parametrize(
    "point",
    [
        (3, 1),
        [3, 1],
        np.array([3, 1]),
        np.array([3, 1], dtype=np.uint8),
        (np.int32(3), np.uint16(1)),
        np.array([[3, 1]])[0],
    ],
    ids=shown,
)
def test_points_of_all_sorts(point: Any) -> None:
    engine = octile.Engine(octile.Grid.open(5, 4), "astar")
    path = engine.find((0, 0), point)
    assert path is not None and path.goal == (3, 1)
    answer = engine.ask(point, point)
    assert answer.start == answer.goal == (3, 1)


@pytest.mark.parametrize("output", ["waypoints", "cells", "cost"])
def test_output(output: Any) -> None:
    grid = octile.Grid.parse(".....\n.@@@.\n.....")
    path = octile.Engine(grid, "jps").find((0, 1), (4, 1), output=output)
    assert (
        path is not None
        and path.cost == octile.Cost(6, 0)
        and path.length == 6
        and path.start == (0, 1)
        and path.goal == (4, 1)
    )
    if output == "cost":
        for name in ["cells", "waypoints", "points"]:
            with pytest.raises(octile.PointsError):
                getattr(path, name)
    else:
        assert len(path.cells) == 7 and path.cells.dtype == np.int32
        path.check(grid)
    with pytest.raises(ValueError, match="waypoints"):
        octile.Engine(grid).find((0, 0), (1, 0), output=output + "x")


def test_waypoints_are_the_turns_of_the_cells() -> None:
    grid = random_map(3, 20, 30, 0.25)
    engine = octile.Engine(grid, "corner-sweep")
    for start, goal in some_pairs(grid, 60):
        path = engine.find(start, goal)
        if path is None:
            continue
        cells = path.cells
        assert np.array_equal(path.points, path.waypoints)
        moves = np.diff(cells, axis=0)
        assert len(moves) == 0 or np.abs(moves).max() == 1
        turns = [0, *(np.nonzero((moves[1:] != moves[:-1]).any(axis=1))[0] + 1).tolist(), len(cells) - 1]
        expected = cells[turns] if len(cells) > 1 else cells
        assert path.waypoints.tolist() == expected.tolist()


def test_ask_for_the_nearest_of_many_goals() -> None:
    grid = random_map(7, 12, 17, 0.25)
    engine, oracle = octile.Engine(grid, "corner-sweep"), Oracle(grid)
    cells = free_cells(grid)
    rng = np.random.default_rng(1)
    for _ in range(20):
        start = cells[rng.integers(len(cells))]
        goals = [cells[place] for place in rng.integers(len(cells), size=5)]
        known = oracle.distances(start)
        reached = [place for place, goal in enumerate(goals) if goal in known]
        answer = engine.ask(start, goals)
        assert bool(answer) == bool(reached)
        if not reached:
            assert (answer.status, answer.path, answer.place) == ("no-path", None, None)
            continue
        best = min(reached, key=lambda place: (length(known[goals[place]]), place))
        assert (answer.status, answer.place, answer.goal) == ("found", best, goals[best])
        assert answer.cost is not None and pair_of(answer.cost) == known[goals[best]]
        assert answer.away == 0 and answer.limit is None
        assert answer.path is not None
        answer.path.check(grid)


def test_ask_as_near_as_one_can_get() -> None:
    grid = random_map(11, 9, 12, 0.4)
    engine, oracle = octile.Engine(grid, "jump-graph"), Oracle(grid)
    for start in free_cells(grid)[::9]:
        known = oracle.distances(start)
        for goal in itertools.product(range(0, 12, 2), range(0, 9, 2)):
            answer = engine.ask(start, goal, nearest=True)
            away = {cell: (cell[0] - goal[0]) ** 2 + (cell[1] - goal[1]) ** 2 for cell in known}
            least = min(away.values())
            assert answer.goal is not None and away[answer.goal] == least
            assert answer.away == pytest.approx(math.sqrt(least))
            assert answer.status == ("found" if least == 0 else "nearest")
            ties = [known[cell] for cell in known if away[cell] == least]
            assert answer.cost is not None and all(compare(pair_of(answer.cost), other) <= 0 for other in ties)
    start = free_cells(grid)[0]
    blocked = (int(np.argmax(grid.blocked[0])), 0)
    for no in [None, False]:
        with pytest.raises(octile.QueryError, match="blocked"):
            engine.ask(start, blocked, nearest=no)
    with pytest.raises(octile.QueryError, match="start"):
        engine.ask(blocked, start, nearest="goal")
    answer = engine.ask(blocked, start, nearest="both")
    assert answer and answer.start != blocked and answer.start is not None and grid.is_free(answer.start)
    with pytest.raises(ValueError, match="both"):
        engine.ask(start, blocked, nearest="near")  # type: ignore[arg-type]


def test_ask_with_limits() -> None:
    engine = octile.Engine(octile.Grid.open(64, 64), "astar")
    answer = engine.ask((0, 0), (63, 9), max_cost=40.0)
    assert (answer.status, answer.limit, answer.path, bool(answer)) == ("limit", "cost", None, False)
    assert engine.ask((0, 0), (40, 0), max_cost=40.0).status == "found"
    assert engine.ask((0, 0), (63, 9), max_expanded=3).limit == "expanded"
    assert engine.ask((0, 0), (63, 9), max_expanded=10_000, timeout=60, max_cost=math.inf).status == "found"
    assert engine.ask((0, 0), (63, 9), timeout=0).limit == "deadline"
    answer = engine.ask((0, 0), (63, 0), max_cost=40.0, nearest=True)
    assert (answer.status, answer.goal) == ("nearest", (40, 0))
    with pytest.raises(octile.QueryError, match="no goals"):
        engine.ask((0, 0), np.zeros((0, 2), dtype=int))
    with pytest.raises(ValueError):
        engine.ask((0, 0), (1, 1), max_cost=math.nan)
    for timeout in [-1.0, math.nan, -math.inf]:
        with pytest.raises(ValueError):
            engine.ask((0, 0), (1, 1), timeout=timeout)
    assert engine.ask((0, 0), (1, 1), timeout=math.inf).status == "found", "no limit of time"
    assert engine.ask((0, 0), (1, 1), timeout=1e30).status == "found"


def test_nearest() -> None:
    grid = random_map(13, 12, 17, 0.25)
    engine, oracle = octile.Engine(grid, "hub-labels"), Oracle(grid)
    cells = free_cells(grid)
    targets = cells[::7]
    for start in cells[::31]:
        known = oracle.distances(start)
        reached = [place for place, target in enumerate(targets) if target in known]
        expected = sorted(reached, key=lambda place: (length(known[targets[place]]), place))
        for count in [0, 1, 4, 1000]:
            places, lengths = engine.nearest(start, targets, count)
            assert places.tolist() == expected[:count]
            assert lengths.tolist() == pytest.approx([length(known[targets[place]]) for place in expected[:count]])
            assert places.dtype == np.int64 and lengths.dtype == np.float64
    places, lengths = engine.nearest(cells[0], [])
    assert len(places) == len(lengths) == 0


@pytest.mark.parametrize(
    ("planner", "make"),
    [("corner-sweep", random_map), ("hub-labels", random_map), ("terrain-jump", random_land), ("cpd", random_map)],
)
def test_matrix_and_costs(planner: str, make: Any) -> None:
    grid = make(17, 10, 13)
    engine, oracle = octile.Engine(grid, planner), Oracle(grid)
    cells = free_cells(grid)
    for sources, targets in [(cells[::9], cells[::5]), (cells[::5], cells[::9]), (cells[:1], cells)]:
        costs = engine.matrix(sources, targets)
        assert costs.shape == (len(sources), len(targets)) == costs.straight.shape == costs.diagonal.shape
        assert np.asarray(costs) is costs.lengths or np.array_equal(np.asarray(costs), costs.lengths)
        for row, source in enumerate(sources):
            known = oracle.distances(source)
            for column, target in enumerate(targets):
                best = known.get(target)
                found = (int(costs.straight[row, column]), int(costs.diagonal[row, column]))
                if best is None:
                    assert found == (-1, -1) and costs.lengths[row, column] == math.inf
                else:
                    scale = oracle.parts // costs.parts
                    assert (found[0] * scale, found[1] * scale) == best
                    assert costs.lengths[row, column] == pytest.approx(length(best, oracle.parts))
        paired = engine.costs(sources[:3], targets[:3]) if len(sources) >= 3 else engine.costs(sources[0], targets)
        expected = np.diagonal(costs.lengths)[:3] if len(sources) >= 3 else costs.lengths[0]
        assert paired.lengths.tolist() == expected.tolist() and paired.shape == expected.shape
    assert engine.matrix([], cells[:3]).shape == (0, 3) and engine.matrix(cells[:3], []).shape == (3, 0)
    assert np.asarray(engine.matrix(cells[:2], cells[:2]), dtype=np.float32).dtype == np.float32
    with pytest.raises(octile.QueryError, match="source 1"):
        engine.matrix([cells[0], (99, 99)], [cells[0]])


@pytest.mark.parametrize("land", [False, True])
def test_fields(land: bool) -> None:
    grid = random_land(19, 9, 14) if land else random_map(19, 9, 14)
    engine, oracle = octile.Engine(grid, "astar"), Oracle(grid)
    goals = free_cells(grid)[::40]
    field = engine.field(goals)
    assert tuples(field.goals) == goals
    to_goal = [oracle.distances(goal) for goal in goals]  # under `average` the way back costs the same
    for y, x in itertools.product(range(9), range(14)):
        options = [known[x, y] for known in to_goal if (x, y) in known]
        if not options:
            assert (
                field.lengths[y, x] == math.inf
                and field.straight[y, x] == field.diagonal[y, x] == field.moves[y, x] == -1
            )
            assert field.step((x, y)) is None and field.path((x, y)) is None
            continue
        best = min(options, key=length)
        assert field.lengths[y, x] == pytest.approx(length(best, oracle.parts))
        assert length((int(field.straight[y, x]), int(field.diagonal[y, x]))) == pytest.approx(length(best))
        path = field.path((x, y))
        assert path is not None and path.start == (x, y) and path.goal in goals
        path.check(grid)
        step = field.step((x, y))
        if (x, y) in goals:
            assert field.moves[y, x] == -1 and step is None
        else:
            dx, dy = octile.MOVES[field.moves[y, x]]
            assert step == (x + dx, y + dy)
            direction = field.direction(x + 0.5, y + 0.5)
            assert direction is not None and math.hypot(*direction) == pytest.approx(1)
    assert field.step((-1, 0)) is None and field.path((99, 99)) is None and field.direction(-5.0, math.nan) is None
    assert field._repr_png_().startswith(b"\x89PNG")


def test_fields_follow_edits_and_goals() -> None:
    grid = octile.Grid.open(8, 5)
    engine = octile.Engine(grid, "astar")
    field = engine.field((0, 0))
    edits = octile.Edits().block_rect((3, 0), (3, 3))
    field.apply(edits)
    engine.apply(edits)
    assert np.array_equal(field.lengths, engine.field([(0, 0)]).lengths)
    field.set_goals([(7, 4), (7, 0)])
    assert np.array_equal(field.lengths, engine.field([(7, 4), (7, 0)]).lengths)
    near = engine.field((0, 0), max_cost=2.0)
    assert np.isfinite(near.lengths).sum() == (engine.field((0, 0)).lengths <= 2).sum()
    with pytest.raises(octile.QueryError):
        engine.field([(3, 0)])
    with pytest.raises(octile.QueryError):
        field.set_goals([(8, 0)])
    with pytest.raises(ValueError):
        engine.field((0, 0), max_cost=math.nan)


def test_traces() -> None:
    grid = random_map(23, 10, 14, 0.2)
    for name in ["astar", "jps", "corner-sweep", "hub-labels", "taut-sight", "rea-star"]:
        engine = octile.Engine(grid, name)
        start, goal = free_cells(grid)[0], free_cells(grid)[-1]
        trace, path = engine.trace(start, goal), engine.find(start, goal)
        assert (trace.path is None) == (path is None)
        assert path is None or trace.path is not None and trace.path.length == path.length
        assert trace.counts["expanded"] >= len(trace.expanded)
        assert (
            trace.expanded.shape[1] == trace.seen.shape[1] == 2
            and trace.areas.shape[1] == trace.lines.shape[1] == trace.taut_hops.shape[1] == 4
        )
        assert trace._repr_png_().startswith(b"\x89PNG")
        assert engine.picture(trace=trace, path=path, scale=3).png().startswith(b"\x89PNG")
    expanded = octile.Engine(grid, "astar").trace(start, goal).expanded
    assert not grid.blocked[expanded[:, 1], expanded[:, 0]].any()


def test_agents() -> None:
    grid = random_map(29, 14, 18, 0.08)
    engine = octile.Engine(grid, "corner-sweep")
    wagon, ogre = engine.for_agent("square:2"), engine.for_agent("disc:1.0")
    engine.block[3:9, 8] = True
    for agent, name in [(wagon, "square:2"), (ogre, "disc:1.0")]:
        room = engine.grid.for_agent(name)
        oracle = Oracle(room)
        for start, goal in some_pairs(room, 12):
            check_answer(room, agent.find(start, goal), start, goal, "grid-optimal", oracle, oracle.distances(start))
        assert name in repr(agent)
    with pytest.raises(octile.QueryError, match="17,0|room|fit|blocked"):
        wagon.find((17, 0), (0, 0))
    for agent_name in [
        "",
        "square",
        "square:0",
        "square:-1",
        "disc:nan",
        "disc:-1",
        "disc:inf",
        "circle:2",
        "square:1.5",
        "square:2\0",
    ]:
        with pytest.raises(ValueError):
            engine.for_agent(agent_name)
        with pytest.raises(ValueError):
            grid.for_agent(agent_name)


# Changes


def test_edits_of_an_engine() -> None:
    engine = octile.Engine(octile.Grid.open(6, 4), "corner-sweep")
    path = engine.find((0, 0), (5, 0))
    assert path is not None and engine.still_valid(path) and engine.edits == 0 and engine.last_edit is None
    engine.block[0:3, 3] = True
    assert not engine.still_valid(path) and engine.edits == 1 and engine.last_edit is not None
    with pytest.raises(octile.PathError):
        path.check(engine.grid)
    around = engine.find((0, 0), (5, 0))
    assert around is not None and around.length > 5 and engine.still_valid(around)
    engine.block[3, 3] = True
    assert engine.find((0, 0), (5, 0)) is None and not engine.connected((0, 0), (5, 0))
    engine.apply(octile.Edits().free_rect((3, 0), (3, 3)))
    assert engine.find((0, 0), (5, 0)) == path
    before = engine.grid
    with pytest.raises(octile.EditError, match="6,0"):
        engine.apply(octile.Edits().block((0, 0)).block((6, 0)))
    assert engine.grid == before
    with pytest.raises(octile.EditError):
        octile.Edits().block((-1, 0))


def test_keep_fresh() -> None:
    engine = octile.Engine(octile.Grid.open(12, 12), "cpd")
    engine.keep_fresh(None)
    engine.block[2:9, 5] = True
    assert engine.is_stale
    engine.renew(timeout=60)
    assert not engine.is_stale
    engine.keep_fresh(0.0, at_latest=None)
    engine.keep_fresh(None)
    for quiet in [-1.0, math.nan]:
        with pytest.raises(ValueError):
            engine.keep_fresh(quiet)


# Paths and costs


def test_any_angle_paths() -> None:
    grid = octile.Grid.parse(".....\n.@@..\n.....")
    for name in ["taut-sight", "taut-graph", "taut-labels", "theta-star", "lazy-theta-star"]:
        path = octile.Engine(grid, name).find((0, 1), (4, 2))
        assert path is not None and path.is_any_angle and isinstance(path.cost, float)
        assert path.spots.dtype == np.float64 and path.spots.shape[1] == 2 and np.array_equal(path.points, path.spots)
        assert path.corners.dtype == np.int32
        lengths = np.hypot(*np.diff(path.spots, axis=0).T)
        assert lengths.sum() == pytest.approx(path.length)
        for missing in ["cells", "waypoints"]:
            with pytest.raises(octile.PointsError):
                getattr(path, missing)
            assert not hasattr(path, missing)
        path.check(grid)
    grid_path = octile.Engine(grid, "jps").find((0, 1), (4, 2))
    assert grid_path is not None and not grid_path.is_any_angle
    for missing in ["corners", "spots"]:
        with pytest.raises(octile.PointsError):
            getattr(grid_path, missing)
    smooth = grid_path.smooth(grid)
    assert smooth.is_any_angle and smooth.length <= grid_path.length + 1e-9 and not grid_path.is_any_angle
    with pytest.raises(octile.PathError):
        grid_path.smooth(octile.Grid(np.ones((3, 5), dtype=bool)))


def test_path_through_and_check() -> None:
    path = octile.path_through([(0, 0), (2, 2), (5, 2)])
    assert pair_of(path.cost) == (3, 2) and path.start == (0, 0) and path.goal == (5, 2)
    path.check(octile.Grid.open(6, 3))
    for grid in [
        octile.Grid.open(5, 3),
        octile.Grid.open(6, 2),
        octile.Grid.parse("......\n.@....\n......"),
        octile.Grid.open(6, 3, movement="tile"),
    ]:
        with pytest.raises(octile.PathError):
            path.check(grid)
    assert octile.path_through([(3, 3)]).length == 0
    assert octile.path_through(np.array([[0, 0], [1, 1], [2, 2]])).waypoints.tolist() == [[0, 0], [2, 2]]
    for wrong in [[], [(0, 0), (1, 2)], [(-1, 0), (0, 0)]]:
        with pytest.raises(ValueError):
            octile.path_through(wrong)


def test_paths_are_compared_by_what_they_are() -> None:
    engine = octile.Engine(octile.Grid.open(6, 4), "astar")
    a, b, c = engine.find((0, 0), (5, 3)), engine.find((0, 0), (5, 3)), engine.find((0, 0), (5, 2))
    assert a == b and a != c and a is not None and (a == 3) is False
    with pytest.raises(TypeError):
        hash(a)
    assert repr(a) == "Path(2+3√2, (0, 0) to (5, 3))"
    assert a._repr_png_() is not None


def test_paths_are_equal_however_they_are_kept() -> None:
    """By turning points or cell by cell, it is the same path."""
    engine = octile.Engine(octile.Grid.parse("......\n.@@@@.\n......"), "astar")
    turns, cells = engine.find((0, 1), (5, 1)), engine.find((0, 1), (5, 1), output="cells")
    assert turns is not None and cells is not None and np.array_equal(turns.cells, cells.cells)
    assert turns == cells
    assert octile.path_through([(0, 0), (0, 5)]) == octile.path_through([(0, y) for y in range(6)])


def test_costs_are_compared_exactly() -> None:
    rng = np.random.default_rng(1)
    pell = [
        (1, 1),
        (3, 2),
        (7, 5),
        (17, 12),
        (41, 29),
        (99, 70),
        (8119, 5741),
        (665857, 470832),
        (22619537, 15994428),
        (768398401, 543339720),
        (1855077841, 1311738121),
    ]
    pairs = (
        [(p, 0) for p, _ in pell]
        + [(0, q) for _, q in pell]
        + [(p - 1, q) for p, q in pell]
        + [(2 * p - 1 if p < 2**30 else p, 0) for p, _ in pell]
    )
    pairs += [(int(a), int(b)) for a, b in rng.integers(0, 40, (40, 2))]
    costs = [(octile.Cost(a, b, parts), a, b, parts) for a, b in pairs for parts in [1, 2, 3, 4, 7]]
    for (one, a, b, p), (two, c, d, q) in itertools.product(costs[::3], costs):
        order = compare((a * q, b * q), (c * p, d * p))
        assert ((one > two) - (one < two), one == two, one <= two, one >= two, one != two) == (
            order,
            order == 0,
            order <= 0,
            order >= 0,
            order != 0,
        ), (one, two)


def test_equal_costs_have_equal_hashes() -> None:
    for straight, diagonal in itertools.product(range(12), range(12)):
        costs = [octile.Cost(straight * parts, diagonal * parts, parts) for parts in range(1, 8)]
        assert len(set(costs)) == 1, f"{costs} are all equal"


def test_costs() -> None:
    cost = octile.Cost(2, 1)
    assert (cost.straight, cost.diagonal, cost.parts) == (2, 1, 1) and float(cost) == pytest.approx(2 + math.sqrt(2))
    assert str(cost) == "2+1√2" and repr(cost) == "Cost(2+1√2)"
    assert octile.Cost(30, 11, 4).parts == 4 and str(octile.Cost(30, 11, 4)) == "(30+11√2)/4"
    assert (cost == 3) is False and (cost != 3) is True and (cost == "2") is False
    assert len({cost, octile.Cost(2, 1), octile.Cost(4, 2, 2)}) == 1
    comparisons: list[Callable[[], object]] = [
        lambda: cost < 3,  # type: ignore[operator]
        lambda: cost >= 3.0,  # type: ignore[operator]
        lambda: 3 < cost,  # type: ignore[operator]  # noqa: SIM300
        lambda: cost <= None,  # type: ignore[operator]
    ]
    for compared in comparisons:
        with pytest.raises(TypeError):
            compared()
    for wrong in [(-1, 0), (0, -1), (2**32, 0), (0, 0, 0), (0, 0, -1), (2**70, 0)]:
        with pytest.raises((ValueError, OverflowError)):
            octile.Cost(*wrong)
    assert sorted([octile.Cost(3, 0), octile.Cost(0, 2), octile.Cost(1, 1)]) == [
        octile.Cost(1, 1),
        octile.Cost(0, 2),
        octile.Cost(3, 0),
    ]


def test_places_in_the_world() -> None:
    place = octile.Georeference(width=6, height=4, resolution=0.5, origin=(10.0, 20.0, 0.0))
    assert place.cell_to_world((0, 3)) == (10.25, 20.25) and place.cell_to_world((0, 0)) == (10.25, 21.75)
    for cell in itertools.product(range(6), range(4)):
        assert place.world_to_cell(*place.cell_to_world(cell)) == cell
    assert place.world_to_cell(9.9, 20.1) is None and place.world_to_cell(13.1, 20.1) is None
    assert place.metres_to_cells(2.0) == 4.0 and place.cells_to_metres(4.0) == 2.0
    engine = octile.Engine(octile.Grid.open(6, 4), "astar")
    path = engine.find((0, 3), (5, 3))
    assert (
        path is not None
        and path.to_world(place).tolist() == [[10.25, 20.25], [12.75, 20.25]]
        and path.metres(place) == 2.5
    )
    assert place.to_world(path.waypoints).tolist() == path.to_world(place).tolist()
    any_angle = octile.Engine(octile.Grid.open(6, 4), "taut-sight", ends="centres").find((0, 3), (5, 0))
    assert any_angle is not None
    assert np.allclose(place.to_world(any_angle.spots), any_angle.to_world(place))
    points = np.array([[0, 3], [5, 3], [2, 2]])
    expected = [place.cell_to_world((int(x), int(y))) for x, y in points]
    for layout in [
        points,
        np.asfortranarray(points),
        points.T.copy().T,
        np.repeat(points, 2, axis=1)[:, ::2],
        points.astype(np.uint8),
        points.tolist(),
    ]:
        assert np.allclose(place.to_world(layout), expected)
    assert place.to_world(np.zeros((0, 2), dtype=int)).shape == (0, 2)
    turned = octile.Georeference(width=6, height=4, resolution=2.0, origin=(0.0, 0.0, math.pi / 2))
    assert np.allclose(turned.cell_to_world((1, 3)), (-1.0, 3.0))
    assert np.allclose(turned.to_world([(1, 3)]), [(-1.0, 3.0)])
    no_points: list[Any] = [[1, 2], [[1, 2, 3]], [["a", "b"]], 3]
    for wrong in no_points:
        with pytest.raises((ValueError, TypeError)):
            place.to_world(wrong)
    for resolution in [0.0, -1.0, math.nan, math.inf]:
        with pytest.raises(ValueError):
            octile.Georeference(width=3, height=3, resolution=resolution)
    assert place == octile.Georeference(width=6, height=4, resolution=0.5, origin=(10.0, 20.0, 0.0)) and place != turned


# Scenarios


def test_scenarios(tmp_path: pathlib.Path) -> None:
    grid = octile.generate.rooms(40, 30, 6, seed=2)
    scenario = octile.generate.scenario(grid, seed=3, per_bucket=4, name="rooms.map")
    assert len(scenario) > 10 and scenario.map_name == "rooms.map"
    assert scenario.starts.shape == scenario.goals.shape == (len(scenario), 2)
    scenario.check_fits(grid)
    paths = octile.Engine(grid, "corner-sweep").find_many(scenario.starts, scenario.goals)
    assert scenario.agrees(paths.costs).all()
    wrong = paths.costs + 0.5
    wrong[0], wrong[1] = math.nan, math.inf
    assert not scenario.agrees(wrong).any()
    assert np.allclose(scenario.lengths, paths.costs)
    scenario.save(tmp_path / "rooms.map.scen")
    again = octile.load_scenario(tmp_path / "rooms.map.scen")
    assert again.starts.tolist() == scenario.starts.tolist() and again.agrees(paths.costs).all()
    table = scenario.to_dict()
    assert list(table) == ["bucket", "start_x", "start_y", "goal_x", "goal_y", "length"]
    assert np.array_equal(np.stack([table["goal_x"], table["goal_y"]], axis=1), scenario.goals)
    with pytest.raises(octile.LoadError):
        scenario.check_fits(octile.Grid.open(30, 40))
    with pytest.raises(ValueError, match="cost for each"):
        scenario.agrees(paths.costs[1:])


def test_advice() -> None:
    advice = octile.advise(octile.generate.rooms(40, 40, 8, seed=1), memory="10MB", changes=True)
    assert octile.Engine(octile.Grid.open(5, 5), advice.spec).find((0, 0), (4, 4)) is not None
    assert advice.reasons and advice.candidates and advice.spec in repr(advice)
    for one in advice.candidates:
        assert "left_out" in one or one["mean"] > 0


def movingai() -> pathlib.Path | None:
    """The folder of MovingAI's benchmarks, if there is one."""
    named = os.environ.get("OCTILE_MOVINGAI")
    folders = (
        [pathlib.Path(named)]
        if named
        else [parent / "shared" / "movingai" for parent in pathlib.Path(__file__).resolve().parents]
    )
    return next((folder for folder in folders if folder.is_dir()), None)


def test_scenarios_of_movingai() -> None:
    folder = movingai()
    if folder is None:
        pytest.skip("there are no MovingAI benchmarks: set OCTILE_MOVINGAI to their folder")
    files = sorted(folder.rglob("*.map.scen"), key=lambda file: (file.stat().st_size, file))[:3]
    if not files:
        pytest.skip(f"{folder} has no files that end in .map.scen")
    for file in files:
        scenario = octile.load_scenario(file)
        maps = sorted(folder.rglob(file.name.removesuffix(".scen")))
        assert maps, f"the map of {file} is missing"
        grid = octile.load(maps[0])
        scenario.check_fits(grid)
        some = slice(None, None, max(1, len(scenario) // 100))
        paths = octile.Engine(grid, "corner-sweep").find_many(scenario.starts[some], scenario.goals[some])
        assert np.allclose(paths.costs, scenario.lengths[some], rtol=0, atol=1e-3 + 1e-6 * scenario.lengths[some]), file
