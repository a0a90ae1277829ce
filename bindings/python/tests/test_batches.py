"""Many questions at once: the same answers as one by one, in arrays, whatever the arrays of cells are like."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracle import free_cells, random_land, random_map, shown

import octile

Queries = tuple[NDArray[np.int32], NDArray[np.int32]]


def queries(grid: octile.Grid, count: int, seed: int = 0) -> Queries:
    cells = np.array(free_cells(grid), dtype=np.int32)
    chosen = np.random.default_rng(seed).integers(len(cells), size=(2, count))
    return cells[chosen[0]], cells[chosen[1]]


def same(a: octile.Paths, b: octile.Paths) -> bool:
    names = ["costs", "straight", "diagonal", "offsets", "points", "found"]
    return (
        all(np.array_equal(getattr(a, name), getattr(b, name), equal_nan=name == "costs") for name in names)
        and a.status == b.status
        and a.parts == b.parts
    )


def check_batch(
    engine: octile.Engine, paths: octile.Paths, starts: NDArray[Any], goals: NDArray[Any], output: Any
) -> None:
    """Holds a batch against a question at a time."""
    count = len(starts)
    assert (
        len(paths)
        == len(paths.costs)
        == len(paths.straight)
        == len(paths.diagonal)
        == len(paths.found)
        == len(paths.status)
        == count
    )
    assert paths.offsets.shape == (count + 1,) and paths.offsets[0] == 0 and paths.offsets[-1] == len(paths.points)
    dtypes = [array.dtype.name for array in [paths.offsets, paths.costs, paths.straight, paths.diagonal, paths.found]]
    assert dtypes == ["int64", "float64", "int64", "int64", "bool"]
    assert paths.points.ndim == 2 and paths.points.shape[1] == 2
    for number, (start, goal) in enumerate(zip(starts, goals, strict=True)):
        path, points = engine.find(start, goal, output=output), paths[number]
        assert np.array_equal(points, paths.points[paths.offsets[number] : paths.offsets[number + 1]])
        assert paths.found[number] == (path is not None) and paths.status[number] == ("found" if path else "no-path")
        if path is None:
            assert (
                paths.costs[number] == math.inf
                and paths.straight[number] == paths.diagonal[number] == -1
                and len(points) == 0
            )
            continue
        assert paths.costs[number] == path.length
        if isinstance(path.cost, octile.Cost):
            assert (paths.straight[number], paths.diagonal[number], paths.parts) == (
                path.cost.straight,
                path.cost.diagonal,
                path.cost.parts,
            )
        else:
            assert paths.straight[number] == paths.diagonal[number] == -1
        if output == "cost":
            assert len(points) == 0
        else:
            assert np.array_equal(points, path.cells if output == "cells" and not path.is_any_angle else path.points)


@pytest.mark.parametrize("output", ["waypoints", "cells", "cost"])
@pytest.mark.parametrize(
    "planner", ["corner-sweep", "hub-labels", "cpd", "terrain-jump", "taut-sight", "weighted-astar:weight=2"]
)
@pytest.mark.parametrize("count", [1, 3, 5, 200])
def test_a_batch_is_a_loop(planner: str, output: Any, count: int) -> None:
    grid = random_land(1, 15, 22) if planner == "terrain-jump" else random_map(1, 15, 22, 0.4)
    engine = octile.Engine(grid, planner)
    starts, goals = queries(grid, count)
    paths = engine.find_many(starts, goals, output=output)
    check_batch(engine, paths, starts, goals, output)
    assert paths.points.dtype == (np.float64 if planner == "taut-sight" else np.int32)
    costs = engine.costs(starts, goals)
    assert (
        np.array_equal(costs.lengths, paths.costs)
        and np.array_equal(costs.straight, paths.straight)
        and np.array_equal(costs.diagonal, paths.diagonal)
    )
    assert costs.parts == paths.parts


def test_one_start_for_many_goals_and_the_other_way_round() -> None:
    grid = random_map(2, 12, 18)
    engine = octile.Engine(grid, "jump-graph")
    _, goals = queries(grid, 30)
    start = free_cells(grid)[3]
    one = engine.find_many(start, goals)
    assert same(one, engine.find_many([start] * 30, goals))
    assert same(one, engine.find_many(np.array(start), goals))
    assert same(engine.find_many(goals, start), engine.find_many(goals, [start] * 30))
    assert np.array_equal(engine.costs(start, goals).lengths, one.costs)
    assert len(engine.find_many(start, start)) == 1


def test_two_queries_are_not_taken_for_a_point() -> None:
    """Two cells in a list are two cells, and an array of shape (2, 2) has its points in rows."""
    engine = octile.Engine(octile.Grid.open(9, 5), "astar")
    starts, goals = [(0, 0), (1, 1)], [(8, 0), (3, 1)]
    for make in [list, np.array, tuple]:
        assert engine.find_many(make(starts), make(goals)).costs.tolist() == [8.0, 2.0]  # type: ignore[operator]


@pytest.mark.parametrize(
    "empty", [[], (), np.zeros((0, 2)), np.zeros((0, 2), dtype=np.int32), np.zeros((0,), dtype=int)], ids=shown
)
def test_empty_batches(empty: Any) -> None:
    engine = octile.Engine(octile.Grid.open(4, 4), "astar")
    for starts, goals in [(empty, empty), ((0, 0), empty), (empty, (0, 0))]:
        paths = engine.find_many(starts, goals)
        assert (
            len(paths) == 0
            and paths.points.shape == (0, 2)
            and paths.offsets.tolist() == [0]
            and paths.costs.shape == (0,)
            and paths.status == []
        )
        assert engine.costs(starts, goals).shape == (0,)
    with pytest.raises(IndexError):
        paths[0]


@pytest.mark.parametrize(
    "dtype",
    [
        np.int8,
        np.uint8,
        np.int16,
        np.uint16,
        np.int32,
        np.uint32,
        np.int64,
        np.uint64,
        ">i4",
        ">i8",
        np.intp,
        np.longlong,
    ],
)
def test_all_whole_numbers(dtype: Any) -> None:
    grid = random_map(3, 12, 18)
    engine = octile.Engine(grid, "corner-sweep")
    starts, goals = queries(grid, 40)
    expected = engine.find_many(starts, goals)
    assert same(engine.find_many(starts.astype(dtype), goals.astype(dtype)), expected)


def test_all_layouts() -> None:
    grid = random_map(3, 12, 18)
    engine = octile.Engine(grid, "corner-sweep")
    starts, goals = queries(grid, 40)
    expected = engine.find_many(starts, goals)
    unaligned = np.zeros(40, dtype=[("flag", "i1"), ("cell", "<i4", (2,))])
    unaligned["cell"] = starts
    wide = np.full((40, 5), -7, dtype=np.int32)
    wide[:, 1:4:2] = starts
    read_only = starts.copy()
    read_only.flags.writeable = False
    for made in [
        starts.tolist(),
        [tuple(row) for row in starts.tolist()],
        np.asfortranarray(starts),
        starts.T.copy().T,
        starts[::-1].copy()[::-1],
        np.repeat(starts, 3, axis=0)[::3],
        wide[:, 1:4:2],
        starts[:, ::-1].copy()[:, ::-1],
        unaligned["cell"],
        read_only,
        starts.view(type("Mine", (np.ndarray,), {})),
    ]:
        assert same(engine.find_many(made, goals), expected)
        assert same(engine.find_many(goals, made), engine.find_many(goals, starts))
    assert np.array_equal(
        engine.find_many(np.broadcast_to(starts[0], (40, 2)), goals).costs,
        engine.find_many(tuple(starts[0].tolist()), goals).costs,
    )


@pytest.mark.parametrize(
    ("cells", "error"),
    [
        (np.array([[0.0, 1.0]]), TypeError),
        (np.array([[0.5, np.nan]]), TypeError),
        ([(0.0, 1)], TypeError),
        (np.array([[True, False]]), TypeError),
        (np.array([[0, None]], dtype=object), TypeError),
        (np.array([[0, 1]], dtype=object), TypeError),
        (np.array([["0", "1"]]), TypeError),
        ([("a", "b")], TypeError),
        (np.array([[0, 1]], dtype=complex), TypeError),
        (np.array([[0, 1]], dtype="datetime64[s]"), TypeError),
        (np.zeros(3, dtype=[("x", "i4"), ("y", "i4")]), TypeError),
        ([(2**70, 0)], TypeError),
        (np.zeros((3, 3), dtype=int), ValueError),
        (np.zeros((2, 3), dtype=int), ValueError),
        (np.zeros((3, 1), dtype=int), ValueError),
        (np.zeros(4, dtype=int), ValueError),
        (np.zeros((2, 2, 2), dtype=int), ValueError),
        (np.int64(3), ValueError),
        ([(0, 1), (0,)], ValueError),
        ([(-1, 0)], octile.QueryError),
        (np.array([[0, -(2**63)]]), octile.QueryError),
        (np.array([[2**63 - 1, 0]]), octile.QueryError),
        (np.array([[2**64 - 1, 0]], dtype=np.uint64), octile.QueryError),
        ([(2**32, 0)], octile.QueryError),
        ([(9, 0)], octile.QueryError),
        ("ab", TypeError),
        (None, TypeError),
        (3, ValueError),
        ({(0, 0)}, TypeError),
        ((cell for cell in [(0, 0)]), TypeError),
        (object(), TypeError),
    ],
    ids=shown,
)
def test_cells_that_are_none(cells: Any, error: type[Exception]) -> None:
    engine = octile.Engine(octile.Grid.open(9, 5), "astar")
    asked: list[Callable[[], object]] = [
        lambda: engine.find_many(cells, [(0, 0)]),
        lambda: engine.find_many([(0, 0)], cells),
        lambda: engine.costs((0, 0), cells),
        lambda: engine.matrix(cells, [(0, 0)]),
    ]
    for ask in asked:
        with pytest.raises(error) as raised:
            ask()
        assert str(raised.value)
    assert engine.find_many((0, 0), [(8, 4)]).found.all(), "the engine goes on"


def test_hints_for_common_mistakes() -> None:
    engine = octile.Engine(octile.Grid.open(9, 5), "astar")
    with pytest.raises(ValueError, match=r"start.*\(n, 2\).*\(2, 3\).*transpose"):
        engine.find_many(np.zeros((2, 3), dtype=int), (0, 0))
    with pytest.raises(TypeError, match=r"goal.*float64.*astype"):
        engine.find_many((0, 0), np.zeros((3, 2)))
    with pytest.raises(ValueError, match="2 starts and 3 goals"):
        engine.find_many([(0, 0)] * 2, [(0, 0)] * 3)
    with pytest.raises(ValueError, match="0 starts and 3 goals"):
        engine.find_many([], [(0, 0)] * 3)


def test_a_question_that_cannot_be_asked_is_named() -> None:
    grid = octile.Grid.open(9, 5)
    grid.block[2, 3] = True
    engine = octile.Engine(grid, "corner-sweep")
    for count in [6, 100, 5000]:
        starts, goals = np.zeros((count, 2), dtype=int), np.full((count, 2), 4)
        starts[4] = [3, 2]
        starts[5] = [99, 0]
        with pytest.raises(octile.QueryError, match=r"query 4: start 3,2 is blocked") as raised:
            engine.find_many(starts, goals)
        assert raised.value.query == 4
        skipped = engine.find_many(starts, goals, errors="skip")
        assert np.isnan(skipped.costs).nonzero()[0].tolist() == [4, 5]
        assert not skipped.found[4] and not skipped.found[5] and skipped.found.sum() == count - 2
        assert len(skipped[4]) == 0 and skipped.straight[4] == -1
        with pytest.raises(octile.QueryError) as raised:
            engine.costs(starts, goals)
        assert raised.value.query == 4
        assert np.isnan(engine.costs(starts, goals, errors="skip").lengths).sum() == 2
    with pytest.raises(octile.QueryError) as raised:
        engine.find((0, 0), (3, 2))
    assert raised.value.query is None
    with pytest.raises(ValueError, match="skip"):
        engine.find_many(starts, goals, errors="ignore")  # type: ignore[arg-type]


def test_a_negative_cell_is_skipped_like_any_off_the_map() -> None:
    engine = octile.Engine(octile.Grid.open(9, 5), "corner-sweep")
    starts, goals = [(0, 0), (-1, 0), (9, 0), (2**33, 0)], [(1, 0)] * 4
    with pytest.raises(octile.QueryError) as raised:
        engine.find_many(starts, goals)
    assert raised.value.query == 1
    costs = engine.find_many(starts, goals, errors="skip").costs
    assert np.isnan(costs).tolist() == [False, True, True, True]


def test_status_tells_skipped_questions_from_those_without_a_path() -> None:
    engine = octile.Engine(octile.Grid.parse("..@."), "corner-sweep")
    paths = engine.find_many((0, 0), [(1, 0), (3, 0), (2, 0)], errors="skip")
    assert paths.costs.tolist()[:2] == [1.0, math.inf] and math.isnan(paths.costs[2])
    assert paths.status[:2] == ["found", "no-path"] and paths.status[2] != "no-path"


def test_limits_and_nearest_in_batches() -> None:
    engine = octile.Engine(octile.Grid.parse("......@.\n......@."), "astar")
    goals = [(1, 0), (5, 0), (7, 0), (6, 0)]
    paths = engine.find_many((0, 0), goals, nearest=True)
    assert paths.status == ["found", "found", "nearest", "nearest"] and paths.costs.tolist() == [1, 5, 5, 5]
    for number, goal in enumerate(goals):
        answer = engine.ask((0, 0), goal, nearest=True)
        assert answer.path is not None and np.array_equal(paths[number], answer.path.points)
    limited = engine.find_many((0, 0), goals[:3], max_cost=3.0)
    assert limited.status == ["found", "limit", "no-path"] and limited.costs.tolist() == [1, math.inf, math.inf]
    assert engine.costs((0, 0), goals[:3], max_cost=3.0).lengths.tolist() == [1, math.inf, math.inf]
    assert engine.find_many((0, 0), [(5, 1)], max_expanded=1).status == ["limit"]
    wrongs: list[dict[str, Any]] = [{"max_cost": math.nan}, {"nearest": "x"}, {"output": "x"}]
    for wrong in wrongs:
        with pytest.raises(ValueError):
            engine.find_many((0, 0), goals, **wrong)


def test_items_of_paths() -> None:
    engine = octile.Engine(octile.Grid.open(9, 5), "astar")
    paths = engine.find_many((0, 0), [(8, 0), (3, 3), (1, 0)])
    assert [len(points) for points in paths] == [2, 2, 2]
    assert np.array_equal(paths[-1], paths[2]) and np.array_equal(paths[np.int64(1)], paths[1])
    for number in [3, -4, 2**62, -(2**62)]:
        with pytest.raises(IndexError):
            paths[number]
    for key in ["a", 1.0, None]:
        with pytest.raises(TypeError):
            paths[key]  # type: ignore[index]
    assert repr(paths) == "Paths(3 queries, 3 found)"


def test_threads_do_not_matter() -> None:
    grid = random_map(5, 60, 80, 0.3)
    starts, goals = queries(grid, 20_000)
    for planner in ["corner-sweep", "hub-labels"]:
        engine = octile.Engine(grid, planner)
        one = engine.find_many(starts, goals, threads=1)
        for threads in [2, 3, None, 0]:
            assert same(engine.find_many(starts, goals, threads=threads), one)
        small = engine.find_many(starts[:300], goals[:300], threads=2)
        assert np.array_equal(small.costs, one.costs[:300]) and np.array_equal(
            small.points, one.points[: one.offsets[300]]
        )
        assert np.array_equal(
            engine.matrix(starts[:40], goals[:50], threads=1).lengths,
            engine.matrix(starts[:40], goals[:50], threads=2).lengths,
        )
    known = engine.find_many(starts[:500], goals[:500])
    check_batch(engine, known, starts[:500], goals[:500], "waypoints")


@pytest.mark.parametrize("threads", [-1, 2**63, 2**64, 10**6, 1.5, "2", [1]], ids=shown)
def test_threads_that_cannot_be(threads: Any) -> None:
    engine = octile.Engine(octile.Grid.open(9, 5), "astar")
    for count in [1, 10, 3000]:
        with pytest.raises((ValueError, TypeError, OverflowError)):
            engine.find_many([(0, 0)] * count, [(1, 1)] * count, threads=threads)
    with pytest.raises((ValueError, TypeError, OverflowError)):
        engine.matrix([(0, 0)], [(1, 1)], threads=threads)
    with pytest.raises((ValueError, TypeError, OverflowError)):
        octile.Engine(octile.Grid.open(3, 3), threads=threads)


@pytest.mark.parametrize(("sources", "targets"), [(70, 9), (9, 70), (1, 40), (40, 1)])
@pytest.mark.parametrize("planner", ["dijkstra", "hub-labels"])
def test_a_matrix_is_a_loop(planner: str, sources: int, targets: int) -> None:
    """Also if it is made in several pieces, of rows or of columns."""
    grid = random_map(4, 15, 22, 0.4)
    engine = octile.Engine(grid, planner)
    starts, goals = queries(grid, max(sources, targets))
    for threads in [1, 2]:
        table = engine.matrix(starts[:sources], goals[:targets], threads=threads)
        for row, start in enumerate(starts[:sources]):
            costs = engine.costs(start, goals[:targets])
            assert np.array_equal(table.lengths[row], costs.lengths)
            assert np.array_equal(table.straight[row], costs.straight)
            assert np.array_equal(table.diagonal[row], costs.diagonal)
