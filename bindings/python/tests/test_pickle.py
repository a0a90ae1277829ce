"""Pickles: what comes back is equal and answers the same, in this process and in another."""

from __future__ import annotations

import copy
import multiprocessing
import pathlib
import pickle
from typing import Any

import numpy as np
import pytest
from oracle import WATCHDOG, random_land, random_map, some_pairs

import octile

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


def again(thing: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> Any:
    return pickle.loads(pickle.dumps(thing, protocol))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_things_that_are_equal_afterwards(protocol: int) -> None:
    grid = random_map(1, 9, 14)
    engine = octile.Engine(grid, "astar")
    path = next(
        path
        for start, goal in some_pairs(grid, 50)
        if (path := engine.find(start, goal)) is not None and path.length > 3
    )
    cells = engine.find(path.start, path.goal, output="cells")
    cost_only = engine.find(path.start, path.goal, output="cost")
    taut = octile.Engine(grid, "taut-sight").find(path.start, path.goal)
    priced = octile.Engine(random_land(1, 9, 14), "astar").find(*some_pairs(random_land(1, 9, 14), 1)[0])
    for thing in [
        grid,
        path,
        cells,
        cost_only,
        taut,
        priced,
        octile.Cost(3, 4),
        octile.Cost(2**32 - 1, 1, 4),
        octile.Georeference(width=3, height=4, resolution=0.1, origin=(1.5, -2.5, 0.7)),
        octile.generate.scenario(octile.Grid.open(12, 9), seed=1),
    ]:
        twin = again(thing, protocol)
        assert type(twin) is type(thing) and twin == thing
        assert repr(twin) == repr(thing)
    assert np.array_equal(again(path, protocol).cells, path.cells)
    assert again(path)._repr_png_() is None, "it has no map any more"
    assert taut is not None and np.array_equal(again(taut).spots, taut.spots)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_paths_and_costs(protocol: int) -> None:
    grid = random_map(2, 9, 14, 0.4)
    starts, goals = zip(*some_pairs(grid, 30), strict=True)
    for planner in ["corner-sweep", "taut-sight"]:
        engine = octile.Engine(grid, planner)
        paths = engine.find_many(starts, goals)
        twin = again(paths, protocol)
        assert len(twin) == 30 and twin.status == paths.status and twin.parts == paths.parts
        for name in ["costs", "straight", "diagonal", "offsets", "points", "found"]:
            ours, theirs = getattr(paths, name), getattr(twin, name)
            assert np.array_equal(ours, theirs) and ours.dtype == theirs.dtype
        assert all(np.array_equal(twin[number], paths[number]) for number in range(30))
    for costs in [engine.costs(starts, goals), engine.matrix(starts[:3], goals[:4])]:
        twin = again(costs, protocol)
        assert twin.shape == costs.shape and twin.parts == costs.parts
        assert np.array_equal(twin.lengths, costs.lengths) and np.array_equal(twin.straight, costs.straight)


def test_skipped_questions_and_limits_go_round() -> None:
    engine = octile.Engine(octile.Grid.parse("...@."), "astar")
    paths = engine.find_many((0, 0), [(1, 0), (2, 0), (3, 0), (4, 0)], errors="skip", max_cost=1.0)
    twin = again(paths)
    assert (
        np.array_equal(twin.costs, paths.costs, equal_nan=True)
        and twin.status == paths.status
        and np.array_equal(twin.found, paths.found)
    )


@pytest.mark.parametrize("planner", ["corner-sweep", "hub-labels", "astar:heuristic=octile", "auto", "taut-sight"])
def test_engines(planner: str) -> None:
    grid = random_map(3, 12, 15, 0.25)
    engine = octile.Engine(grid, planner)
    for step in range(3):
        twin = again(engine)
        assert twin.grid == engine.grid and (planner == "auto" or twin.spec == engine.spec == planner)
        for start, goal in some_pairs(engine.grid, 30):
            ours, theirs = engine.find(start, goal), twin.find(start, goal)
            assert (ours is None) == (theirs is None)
            assert ours is None or theirs is not None and ours.length == pytest.approx(theirs.length)
            # The twin's index is built for the current map, and `auto` chooses by time. All other paths are identical.
            assert engine.is_stale or planner == "auto" or ours == theirs
        twin.block[:] = True
        assert engine.grid.free_cells > 0, "they are two"
        engine.block[step : step + 3, 2 * step + 1] = step != 1
        engine.apply(octile.Edits().free((0, 0)))


def test_engines_over_terrain_and_with_keys() -> None:
    engine = octile.Engine(random_land(4, 9, 11, "enter"), "weighted-astar", weight=1.5, budget="brief")
    engine.price[2:4, 2:4] = 77
    twin = again(engine)
    assert (
        twin.grid == engine.grid
        and twin.spec == engine.spec == "weighted-astar:weight=1.5"
        and twin.guarantee == engine.guarantee
    )


def test_a_copy_of_an_engine() -> None:
    engine = octile.Engine(random_map(3, 9, 9), "jps")
    for make in [copy.copy, copy.deepcopy]:
        assert make(engine).grid == engine.grid


def test_a_place_is_kept_with_the_engine() -> None:
    place = octile.Georeference(width=4, height=3, resolution=0.5)
    engine = octile.Engine(octile.Grid(np.zeros((3, 4), dtype=bool), georeference=place), "astar")
    assert again(engine).grid.georeference == place


@pytest.mark.parametrize("name", ["arena.map", "", "a b", "ü"])
def test_scenarios_keep_the_name_of_their_map(name: str) -> None:
    scenario = octile.generate.scenario(octile.Grid.open(12, 9), seed=1, name=name)
    twin = again(scenario)
    assert twin.map_name == scenario.map_name == name and twin == scenario
    assert np.array_equal(twin.lengths, scenario.lengths)


@pytest.mark.parametrize("name", ["tab\there", "line\nbreak"])
def test_names_that_no_file_can_hold_are_refused(name: str) -> None:
    with pytest.raises(octile.ArgumentError, match="is no name for a map"):
        octile.generate.scenario(octile.Grid.open(12, 9), name=name)


def test_what_cannot_be_pickled_says_so() -> None:
    engine = octile.Engine(octile.Grid.open(5, 5), "astar")
    for thing in [
        engine.block,
        engine.for_agent("square:2"),
        engine.field((0, 0)),
        engine.trace((0, 0), (1, 1)),
        engine.ask((0, 0), (1, 1)),
        octile.Edits().block((0, 0)),
    ]:
        try:
            twin = again(thing)
        except TypeError as error:
            assert "pickle" in str(error)
        else:
            assert repr(twin) == repr(thing), "if it can be pickled, then all of it"


@pytest.mark.parametrize(
    "state",
    [
        ((5, 5), b"", "octile", (None, None), None),
        ((5, 5), b"\0" * 4, "octile", (b"\1" * 3, "average"), None),
        ((5, 5), b"\0" * 4, "sideways", (None, None), None),
        ((5, 5), b"\0" * 4, "octile", (b"\1" * 25, "never"), None),
        ((2**32 - 1, 2**32 - 1), b"\0" * 4, "octile", (None, None), None),
        ((0, 0), b"", "octile", (None, None), None),
        ((-1, 5), b"\0" * 4, "octile", (None, None), None),
        (None, None, None, None, None),
    ],
)
def test_damaged_pickles_of_maps(state: Any) -> None:
    restore = octile.Grid._restore  # type: ignore[attr-defined]
    with pytest.raises((ValueError, TypeError, OverflowError)):
        restore(*state)


def test_damaged_pickles_of_other_things() -> None:
    with pytest.raises(ValueError):
        octile.Path._restore("{", (0, 0), (1, 1))  # type: ignore[attr-defined]
    with pytest.raises(ValueError):
        octile.Scenario._restore(b"version 9\nx")  # type: ignore[attr-defined]
    paths = octile.Engine(octile.Grid.open(5, 5), "astar").find_many((0, 0), [(1, 1)])
    reduced: Any = paths.__reduce__()
    make, (costs, (offsets, points), statuses) = reduced
    for wrong in [
        (offsets[:1], points),
        (offsets + 2**40, points),
        (np.zeros(0, dtype=np.int64), points),
        ("a", points),
        (offsets, None),
    ]:
        try:
            made = make(costs, wrong, statuses)
            made[0]
        except Exception as error:  # no panic, which is a BaseException
            assert str(error)


def work(engine: octile.Engine, grid: octile.Grid, starts: Any, goals: Any) -> tuple[Any, ...]:
    """In another process."""
    return (
        engine.find_many(starts, goals),
        engine.find(starts[0], goals[0]),
        octile.Engine(grid, "jps").find(starts[1], goals[1]),
        grid,
        engine.matrix(starts[:2], goals[:2]),
    )


def test_through_a_spawned_process() -> None:
    grid = random_map(6, 9, 14, 0.1)
    engine = octile.Engine(grid, "jump-graph")
    engine.block[4, 3:6] = True
    starts, goals = zip(*some_pairs(engine.grid, 20), strict=True)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        paths, path, other, same_grid, costs = pool.apply_async(work, (engine, grid, starts, goals)).get(
            timeout=WATCHDOG
        )
    assert np.array_equal(paths.points, engine.find_many(starts, goals).points)
    assert path == engine.find(starts[0], goals[0]) and same_grid == grid
    assert other == octile.Engine(grid, "jps").find(starts[1], goals[1])
    assert np.array_equal(costs.lengths, engine.matrix(starts[:2], goals[:2]).lengths)


def test_exceptions_go_through_a_pickle() -> None:
    engine = octile.Engine(octile.Grid.open(5, 5), "astar")
    with pytest.raises(octile.QueryError) as raised:
        engine.find_many([(0, 0), (9, 9)], [(1, 1), (1, 1)])
    twin = again(raised.value)
    assert type(twin) is octile.QueryError and twin.query == 1 and str(twin) == str(raised.value)
    with pytest.raises(octile.MissingFileError) as missing:
        octile.load(pathlib.Path("no") / "such.map")
    twin = again(missing.value)
    assert type(twin) is octile.MissingFileError and twin.file == missing.value.file and str(twin) == str(missing.value)
