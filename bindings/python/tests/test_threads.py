"""Threads, signals and forks: nobody waits for the GIL, Ctrl-C is heard, and a child process can go on."""

from __future__ import annotations

import math
import multiprocessing
import os
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import Oracle, free_cells, random_map, tuples

import octile

# What each program of its own begins with. Dijkstra's search is slow on purpose.
BEGIN = """
import os, signal, sys, threading, time
import numpy as np, octile
grid = octile.generate.random(SIDE, SIDE, 30, seed=1)
cells = np.argwhere(grid.free)[:, ::-1].astype(np.int32)
rng = np.random.default_rng(1)
def some(count):
    return cells[rng.integers(len(cells), size=count)]
"""


def run(program: str, side: int, timeout: float = 60) -> str:
    """Runs a program of its own, on a map of some size."""
    done = subprocess.run(
        [sys.executable, "-c", BEGIN.replace("SIDE", str(side)) + program],
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, f"exit {done.returncode}: {done.stdout[-500:]}\n{done.stderr[-1500:]}"
    return done.stdout


def in_threads(work: list[Callable[[], None]]) -> None:
    """Runs functions beside each other, and raises what one of them raises."""
    raised: list[BaseException] = []

    def caught(one: Callable[[], None]) -> None:
        try:
            one()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=caught, args=(one,)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive(), "a thread hangs"
    if raised:
        raise raised[0]


# Threads


@pytest.mark.parametrize("planner", ["corner-sweep", "jump-graph", "hub-labels", "core-search"])
def test_asking_while_the_map_changes(planner: str) -> None:
    """Every answer is a shortest path on one of the two maps that there are by turns."""
    grid = octile.Grid.open(30, 20)
    with_wall = grid.copy()
    with_wall.block[2:20, 15] = True
    start, goals = (0, 19), [(29, y) for y in range(20)]
    lengths = [octile.Engine(one, "astar").costs(start, goals).lengths for one in [grid, with_wall]]
    engine = octile.Engine(grid, planner)
    end = threading.Event()
    asked = [0] * 4

    def edit(number: int) -> None:
        for turn in range(60):
            if number:
                engine.block[2:20, 15] = turn % 2 == 0
            else:
                edits = octile.Edits()
                engine.apply(
                    edits.block_rect((15, 2), (15, 19)) if turn % 2 == 0 else edits.free_rect((15, 2), (15, 19))
                )
            time.sleep(0.001)
        end.set()

    def ask(number: int) -> None:
        while not end.is_set() or asked[number] < 5:
            asked[number] += 1
            goal = asked[number] % 20
            path = engine.find(start, goals[goal])
            assert path is not None and path.length in (lengths[0][goal], lengths[1][goal])
            cells = path.cells
            on_map = with_wall if path.length == lengths[1][goal] != lengths[0][goal] else grid
            assert not on_map.blocked[cells[:, 1], cells[:, 0]].any()
            paths = engine.find_many(start, goals)
            assert any(np.array_equal(paths.costs, one) for one in lengths), "a batch is answered on one map"
            blocked = engine.grid.blocked[2:20, 15]
            assert blocked.all() or not blocked.any(), "an edit is made as a whole"

    in_threads([lambda: edit(0), *[lambda number=number: ask(number) for number in range(4)]])
    in_threads([lambda: edit(0), lambda: edit(1), lambda: ask(0)])
    assert all(count >= 5 for count in asked)
    engine.block[2:20, 15] = False
    assert np.array_equal(engine.costs(start, goals).lengths, lengths[0])


def test_a_batch_is_answered_on_one_map() -> None:
    """Whoever asks while the map changes finishes on the map as it was: all of a batch."""
    grid = octile.Grid.open(40, 40)
    engine = octile.Engine(grid, "astar")
    goals = np.full((400, 2), [39, 0])
    end = threading.Event()
    mixed: list[Any] = []

    def edit() -> None:
        turn = 0
        while not end.is_set():
            engine.block[0:39, 20] = turn % 2 == 0
            turn += 1

    def ask() -> None:
        try:
            for _ in range(60):
                costs = engine.find_many((0, 0), goals).costs
                if len(set(costs.tolist())) != 1:
                    mixed.append(costs)
        finally:
            end.set()

    in_threads([edit, ask])
    assert not mixed, f"{len(mixed)} of 60 batches are of two maps"


def test_one_grid_for_many_threads() -> None:
    grid = octile.Grid.open(50, 40)

    def change(row: int) -> None:
        for column in range(50):
            grid.block[row, column] = True
            assert grid.block[row, column]
            grid.copy()
            repr(grid)

    in_threads([lambda row=row: change(row) for row in range(6)])  # type: ignore[misc]
    assert grid.free_cells == 50 * 34


def test_one_field_and_edits_for_many_threads() -> None:
    engine = octile.Engine(octile.Grid.open(40, 30), "astar")
    field, edits = engine.field((0, 0)), octile.Edits()

    def work(number: int) -> None:
        for turn in range(30):
            field.apply(octile.Edits().block((10 + number, turn)))
            field.apply(octile.Edits().free((10 + number, turn)))
            assert field.lengths[0, 0] in (0.0, math.inf) and field.step((5, 5)) is not None
            field.set_goals([(0, 0)])
            edits.block((number, turn))

    in_threads([lambda number=number: work(number) for number in range(4)])  # type: ignore[misc]
    assert np.array_equal(field.lengths, octile.Engine(octile.Grid.open(40, 30), "astar").field((0, 0)).lengths)
    assert repr(edits) == "Edits(120 changes)"


def test_engines_are_right_from_many_threads() -> None:
    grid = random_map(3, 14, 20, 0.25)
    engine, oracle = octile.Engine(grid, "jump-graph"), Oracle(grid)
    cells = free_cells(grid)

    def ask(number: int) -> None:
        start = cells[number * 7]
        known = oracle.distances(start)
        for goal in cells:
            path = engine.find(start, goal)
            assert (path is None) == (goal not in known)
            if path is not None:
                assert oracle.cost_of(tuples(path.cells)) == known[goal]

    in_threads([lambda number=number: ask(number) for number in range(6)])  # type: ignore[misc]


# The GIL


LONG: dict[str, str] = {
    "build": "octile.Engine(octile.generate.rooms(250, 250, 7, seed=1), 'hub-labels', budget='beforehand', threads=1)",
    "find_many": "engine.find_many(some(2100), some(2100), threads=1)",
    "a smaller find_many": "engine.find_many(some(1000), some(1000), threads=1)",
    "costs": "engine.costs(some(2100), some(2100), threads=1)",
    "matrix": "engine.matrix(some(900), some(900), threads=1)",
    "find": "[engine.find(a, b) for a, b in zip(some(1000), some(1000))]",
    "field": "[engine.field(tuple(cell)) for cell in some(900).tolist()]",
}


@pytest.fixture(scope="module")
def gaps() -> dict[str, tuple[float, float]]:
    """How long each took, and how long another thread, which counts meanwhile, stood still."""
    program = "engine = octile.Engine(grid, 'dijkstra')\ncounted, end = [], threading.Event()\n"
    program += """
def count():
    while not end.is_set():
        counted.append(time.perf_counter())
        time.sleep(0.002)
def measure(name, work):
    begin = time.perf_counter()
    work()
    over = time.perf_counter()
    times = [begin, *[one for one in counted if begin < one < over], over]
    print(name, over - begin, max(b - a for a, b in zip(times, times[1:])), sep=":")
thread = threading.Thread(target=count)
thread.start()
"""
    program += "".join(f"measure({name!r}, lambda: {work})\n" for name, work in LONG.items())
    lines = run(program + "end.set()", 100).splitlines()
    return {name: (float(took), float(gap)) for name, took, gap in (line.split(":") for line in lines)}


@pytest.mark.parametrize("name", LONG)
def test_another_thread_goes_on(gaps: dict[str, tuple[float, float]], name: str) -> None:
    took, gap = gaps[name]
    assert took > 0.05, "too quick to tell anything"
    assert gap < max(0.1, took / 3), f"another thread stood still for {gap:.2f} of {took:.2f} s"


# Progress


def test_progress_grows() -> None:
    grid = octile.generate.random(100, 100, 30, seed=1)
    cells = np.array(free_cells(grid))
    rng = np.random.default_rng(1)
    engine = octile.Engine(grid, "dijkstra")
    for name in ["find_many", "matrix", "Engine", "costs"]:
        told: list[tuple[str, int, int]] = []

        def tell(stage: str, done: int, total: int) -> None:
            told.append((stage, done, total))

        starts, goals = cells[rng.integers(len(cells), size=2500)], cells[rng.integers(len(cells), size=2500)]
        if name == "find_many":
            engine.find_many(starts, goals, progress=tell)
        elif name == "costs":
            engine.costs(starts, goals, progress=tell)
        elif name == "matrix":
            engine.matrix(starts[:900], goals[:900], progress=tell)
        else:
            octile.Engine(octile.generate.rooms(200, 200, 7, seed=1), "hub-labels", progress=tell, budget="beforehand")
        assert told, f"{name} tells nothing"
        for stage in {stage for stage, _, _ in told}:
            numbers = [done for one, done, _ in told if one == stage]
            assert numbers == sorted(numbers)
            assert len({total for one, _, total in told if one == stage}) == 1
        assert all(isinstance(stage, str) and 0 <= done <= total for stage, done, total in told)
        assert told[-1][1] == told[-1][2] or name == "Engine", "the last one says that all is done"


@pytest.mark.parametrize("count", [2_000, 30_000])
def test_an_exception_in_progress_propagates(count: int) -> None:
    grid = octile.generate.random(200, 200, 30, seed=1)
    engine = octile.Engine(grid, "dijkstra")
    cells = np.array(free_cells(grid))

    class Stop(Exception):
        pass

    def tell(*_: object) -> None:
        raise Stop

    starts = cells[np.arange(count) * 7 % len(cells)]
    begin = time.perf_counter()
    with pytest.raises(Stop):
        engine.find_many(starts, starts[::-1], progress=tell)
    assert time.perf_counter() - begin < 2, "and ends the work"
    assert engine.find(starts[0], starts[0]) is not None
    with pytest.raises(Stop):
        octile.Engine(octile.generate.rooms(200, 200, 7, seed=1), "hub-labels", progress=tell, budget="beforehand")
    with pytest.raises(TypeError):
        engine.find_many(starts, starts, progress=3)  # type: ignore[arg-type]


# Ctrl-C


@pytest.mark.parametrize(
    "work",
    [
        "octile.Engine(grid, 'cpd', budget='unlimited')",
        "octile.Engine(grid, 'hub-labels', budget='unlimited')",
        "engine.find_many(some(100_000), some(100_000))",
        "engine.find_many(some(2000), some(2000), threads=1)",
        "engine.costs(some(100_000), some(100_000), threads=1)",
        "engine.matrix(some(3000), some(3000))",
        "octile.build_index('cpd', grid, folder + '/a.octx')",
        "slow = octile.Engine(grid, 'cpd', budget='unlimited').renew()",
    ],
)
def test_ctrl_c(work: str, tmp_path: pathlib.Path) -> None:
    out = run(
        f"""
folder = {str(tmp_path)!r}
engine = octile.Engine(grid, "dijkstra")
sent = []
def send():
    time.sleep(0.25)
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
thread = threading.Thread(target=send)
thread.start()
try:
    {work}
    print("done too soon" if not sent else "not heard")
except KeyboardInterrupt:
    took = time.perf_counter() - sent[0]
    thread.join()
    a, b = some(1)[0], some(1)[0]
    assert len(engine.find_many([a] * 3000, [a] * 3000)) == 3000
    path = engine.find(a, b)
    assert path is None or path.check(grid) is None
    print("heard after", took)
""",
        500,
        timeout=40,
    )
    assert out.startswith("heard after"), out
    assert float(out.split()[-1]) < 1.5, out


# Forks

FORKED = """
engine, slow = octile.Engine(grid, "corner-sweep"), octile.Engine(grid, "dijkstra")
starts, goals = some(3000), some(3000)
known = engine.find_many(starts, goals).costs
table = engine.matrix(starts[:20], goals[:20]).lengths
engine.block[0, 0] = True
engine.block[0, 0] = bool(grid.block[0, 0])
def use(engine=engine):
    for number in range(20):
        path = engine.find(starts[number], goals[number])
        assert (path.length if path else float("inf")) == known[number]
    assert np.array_equal(engine.find_many(starts[:200], goals[:200]).costs, known[:200])
    assert np.array_equal(engine.find_many(starts, goals).costs, known)
    assert np.array_equal(engine.find_many(starts[:200], goals[:200], threads=2).costs, known[:200])
    assert np.array_equal(engine.matrix(starts[:20], goals[:20]).lengths, table)
    again = octile.Engine(grid, "jump-graph")
    assert np.array_equal(again.find_many(starts, goals).costs, known)
    engine.block[1, 1] = True
def fork(children=1):
    for _ in range(children):
        child = os.fork()
        if child == 0:
            signal.alarm(15)
            try:
                use()
                os._exit(0)
            except BaseException:
                import traceback; traceback.print_exc()
                os._exit(3)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            raise SystemExit(f"the child was killed by {signal.Signals(os.WTERMSIG(status)).name}: SIGALRM is a deadlock")
        assert os.WEXITSTATUS(status) == 0
"""


def test_fork_after_use() -> None:
    run(FORKED + "fork(2); use(); fork(1); print('done')", 100)


def test_fork_before_use() -> None:
    run(
        FORKED.replace(
            "known = engine.find_many(starts, goals).costs",
            "known = octile.Engine(grid, 'astar').find_many(starts, goals, threads=1).costs",
        )
        + "fork(2); use()",
        100,
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "busy",
    [
        "engine.find_many(starts, goals)",
        "slow.find_many(starts[:300], goals[:300])",
        "[engine.find(a, b) for a, b in zip(starts, goals)]",
        "engine.matrix(starts[:50], goals[:50])",
        "octile.Engine(grid, 'jump-graph')",
        "[engine.block.__setitem__((2, slice(0, 40)), True), engine.block.__setitem__((2, slice(None)), grid.blocked[2])]",
    ],
)
def test_fork_while_another_thread_is_inside(busy: str) -> None:
    """The child has a copy of every lock as it was: none of ours may be held."""
    body = (
        "use()"
        if "block" not in busy
        else "[engine.find_many(starts[:300], goals[:300], errors='skip'), engine.matrix(starts[:5], goals[:5], threads=2), octile.Engine(grid, 'jump-graph')]"
    )
    run(
        FORKED.replace("                use()\n", f"                {body}\n")
        + f"""
import warnings
warnings.simplefilter("ignore")
end = threading.Event()
def work():
    while not end.is_set():
        {busy}
thread = threading.Thread(target=work)
thread.start()
try:
    for _ in range(3):
        time.sleep(0.05)
        fork()
finally:
    end.set()
thread.join(20)
assert not thread.is_alive(), "the parent hangs"
""",
        100,
        timeout=100,
    )


def ask(engine: octile.Engine, starts: Any, goals: Any) -> Any:
    """In a process of its own."""
    costs = engine.find_many(starts, goals).costs
    again = octile.Engine(engine.grid, "jps").find_many(starts, goals).costs
    assert np.array_equal(costs, again)
    return costs, engine.matrix(starts[:5], goals[:5]).lengths


@pytest.mark.filterwarnings("ignore")
def test_multiprocessing_with_fork() -> None:
    grid = random_map(9, 30, 40, 0.2)
    engine = octile.Engine(grid, "corner-sweep")
    cells = np.array(free_cells(grid))
    starts, goals = cells[::3], cells[::3][::-1]
    known = engine.find_many(starts, goals).costs
    with multiprocessing.get_context("fork").Pool(2) as pool:
        answers = [pool.apply_async(ask, (engine, starts, goals)) for _ in range(4)]
        for answer in answers:
            costs, table = answer.get(timeout=30)
            assert np.array_equal(costs, known) and np.array_equal(table, engine.matrix(starts[:5], goals[:5]).lengths)


def test_an_engine_is_let_go() -> None:
    """Building engines over and over does not pile up memory or threads."""
    before = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0
    for _ in range(30):
        engine = octile.Engine(octile.Grid.open(60, 60), "jump-graph")
        engine.find_many([(0, 0)] * 10, [(5, 5)] * 10)
        engine.keep_fresh(0.001)
        engine.block[3, 3] = True
        engine.renew(wait=False)
    del engine
    deadline = time.monotonic() + 10
    while before and len(os.listdir("/proc/self/task")) > before + 8 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not before or len(os.listdir("/proc/self/task")) <= before + 8
