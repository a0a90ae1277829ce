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
from oracle import WATCHDOG, Oracle, free_cells, random_map, tuples

import octile

# What each program of its own begins with. Dijkstra's search is slow on purpose.
BEGIN = """
import os, signal, sys, threading, time
from functools import partial
from itertools import starmap
import numpy as np, octile
# A program started in the background may ignore the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
grid = octile.generate.random(SIDE, SIDE, 30, seed=1)
cells = np.argwhere(grid.free)[:, ::-1].astype(np.int32)
rng = np.random.default_rng(1)
def some(count):
    return cells[rng.integers(len(cells), size=count)]
"""


def run(program: str, side: int) -> str:
    """Runs a program of its own, on a map of some size."""
    whole = BEGIN.replace("SIDE", str(side)) + program
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, timeout=WATCHDOG)
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
        thread.join(timeout=WATCHDOG)
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


# Each is one call, the longer the greater the scale.
LONG: dict[str, str] = {
    "build": "partial(octile.Engine, rooms(scale), 'hub-labels', budget='beforehand', threads=1)",
    "find_many": "partial(engine.find_many, some(500 * scale), some(500 * scale), threads=1)",
    "costs": "partial(engine.costs, some(500 * scale), some(500 * scale), threads=1)",
    "matrix": "partial(engine.matrix, some(300 * scale), some(300 * scale), threads=1)",
    "find": "partial(wide(scale).find, (0, 0), (999, 999))",
    "ask": "partial(wide(scale).ask, (0, 0), (999, 999))",
    "field": "partial(wide(scale).field, (0, 0))",
}
# How often another thread must have counted during one call. A call that holds the GIL lets it count once or twice,
# before and after.
ENOUGH = 8


@pytest.fixture(scope="module")
def counts() -> dict[str, int]:
    """The most that another thread counted during one call of each kind. Calls get longer until that is enough, so that
    neither a fast nor a busy machine matters."""
    program = """
engine = octile.Engine(grid, "dijkstra")
def rooms(scale):
    return octile.generate.rooms(150 * scale, 150, 7, seed=1)
def wide(scale):
    return octile.Engine(octile.Grid.open(1000 * scale, 1000), "dijkstra")
counted, end = [0], threading.Event()
def count():
    while not end.is_set():
        counted[0] += 1
        time.sleep(0.001)
def most_of(make):
    most = 0
    for scale in [1, 2, 4, 8, 16]:
        call = make(scale)
        for _ in range(4):
            before = counted[0]
            call()
            most = max(most, counted[0] - before)
            if most >= ENOUGH:
                return most
    return most
thread = threading.Thread(target=count)
thread.start()
""".replace("ENOUGH", str(ENOUGH))
    program += "".join(f"print({name!r}, most_of(lambda scale: {call}), sep=':')\n" for name, call in LONG.items())
    lines = run(program + "end.set()", 100).splitlines()
    return {name: int(most) for name, most in (line.split(":") for line in lines)}


@pytest.mark.parametrize("name", LONG)
def test_another_thread_goes_on(counts: dict[str, int], name: str) -> None:
    """No long call holds the GIL: a second thread keeps counting during the call."""
    assert counts[name] >= ENOUGH


# Progress


class Enough(Exception):
    """Raised by a progress function to end the work."""


def long_work(name: str) -> Callable[[Callable[..., None]], object]:
    """Work that takes minutes or hours unless the progress function ends it."""
    if name == "Engine":
        rooms = octile.generate.rooms(500, 500, 7, seed=1)
        return lambda tell: octile.Engine(rooms, "hub-labels", progress=tell, budget="unlimited")
    grid = octile.generate.random(200, 200, 30, seed=1)
    engine, cells = octile.Engine(grid, "dijkstra"), np.array(free_cells(grid))
    if name == "matrix":
        return lambda tell: engine.matrix(cells[:3000], cells[-3000:], progress=tell)
    many = cells[np.random.default_rng(1).integers(len(cells), size=1_000_000)]
    ask = engine.find_many if name == "find_many" else engine.costs
    return lambda tell: ask(many, many[::-1], progress=tell)


@pytest.mark.parametrize("name", ["find_many", "costs", "matrix", "Engine"])
def test_progress_grows(name: str) -> None:
    told: list[tuple[str, int, int]] = []

    def tell(stage: str, done: int, total: int) -> None:
        told.append((stage, done, total))
        if len(told) == 4:
            raise Enough

    with pytest.raises(Enough):
        long_work(name)(tell)
    assert len(told) == 4, "it is not called again after it raised"
    for stage in {stage for stage, _, _ in told}:
        numbers = [done for one, done, _ in told if one == stage]
        assert numbers == sorted(numbers)
        assert len({total for one, _, total in told if one == stage}) == 1
    assert len({(stage, done) for stage, done, _ in told}) > 1, "it moves"
    assert all(isinstance(stage, str) and 0 <= done < total for stage, done, total in told)


@pytest.mark.parametrize("name", ["find_many", "costs", "matrix"])
def test_the_last_progress_says_that_all_is_done(name: str) -> None:
    engine = octile.Engine(octile.Grid.open(30, 20), "dijkstra")
    cells, told = np.array(free_cells(engine.grid)), []

    def tell(stage: str, done: int, total: int) -> None:
        told.append((done, total))

    getattr(engine, name)(cells[:50], cells[-50:], progress=tell)
    assert told[-1] == (50, 50)


@pytest.mark.parametrize("name", ["find_many", "costs", "matrix", "Engine"])
def test_an_exception_in_progress_ends_the_work(name: str) -> None:
    calls = 0

    def tell(*_: object) -> None:
        nonlocal calls
        calls += 1
        raise Enough

    with pytest.raises(Enough):
        long_work(name)(tell)
    assert calls == 1


def test_an_engine_answers_after_an_exception_in_progress() -> None:
    engine = octile.Engine(octile.Grid.open(30, 20), "dijkstra")
    cells = np.array(free_cells(engine.grid))

    def tell(*_: object) -> None:
        raise Enough

    with pytest.raises(Enough):
        engine.find_many(cells, cells[::-1], progress=tell)
    assert engine.find_many(cells, cells[::-1]).found.all()
    with pytest.raises(TypeError):
        engine.find_many(cells, cells, progress=3)  # type: ignore[arg-type]


# Ctrl-C


# All of it takes hours, or longer than the watchdog waits.
CANCELLED: dict[str, str] = {
    "a build in one go": "partial(octile.Engine, grid, 'cpd', budget='unlimited')",
    "a build in stages": "partial(octile.Engine, large(), 'hub-labels', budget='unlimited')",
    "find_many": "partial(engine.find_many, some(1_000_000), some(1_000_000))",
    "fewer queries, each of them long": "partial(engine.find_many, some(9_000), some(9_000), threads=1)",
    "costs": "partial(engine.costs, some(1_000_000), some(1_000_000), threads=1)",
    "matrix": "partial(octile.Engine(octile.Grid.open(2000, 2000), 'dijkstra').matrix, corner, corner, threads=1)",
    "build_index": "partial(octile.build_index, 'cpd', grid, folder + '/a.octx')",
    "renew": "stale().renew",
}


@pytest.mark.parametrize("name", CANCELLED)
def test_ctrl_c(name: str, tmp_path: pathlib.Path) -> None:
    """Ctrl-C ends work that has begun, and the engine answers afterwards.

    The signal cannot come too early: with an endless switch interval, the main thread keeps the GIL from
    ``begun.set()`` until the call releases it. An interrupt after the call cannot be mistaken for one that ended it: no
    bytecode runs between the end of the call and the moment when its result is in the list.
    """
    out = run(
        f"""
folder = {str(tmp_path)!r}
engine = octile.Engine(grid, "dijkstra")
def large():
    return octile.generate.random(1500, 1500, 30, seed=1)
def stale():
    engine = octile.Engine(octile.Grid(np.ones_like(grid.blocked)), "cpd", budget="unlimited")
    engine.block[:] = grid.blocked
    assert engine.is_stale
    return engine
corner = np.argwhere(np.ones((40, 50), dtype=bool))
call = {CANCELLED[name]}
begun, results = threading.Event(), []
def send():
    begun.wait()
    os.kill(os.getpid(), signal.SIGINT)
thread = threading.Thread(target=send)
thread.start()
sys.setswitchinterval(100_000)
try:
    begun.set()
    results.extend(starmap(call, [()]))
    print("not interrupted")
except KeyboardInterrupt:
    sys.setswitchinterval(0.005)
    thread.join()
    assert not results, "the call went on to its end"
    a, b = some(1)[0], some(1)[0]
    assert len(engine.find_many([a] * 3000, [a] * 3000)) == 3000
    path = engine.find(a, b)
    assert path is None or path.check(grid) is None
    print("interrupted")
""",
        500,
    )
    assert out == "interrupted\n"


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
def use_any_map():
    engine.find_many(starts[:300], goals[:300], errors="skip")
    engine.matrix(starts[:5], goals[:5], threads=2)
    octile.Engine(grid, "jump-graph")
def edit(columns, blocked):
    engine.block[2, columns] = blocked
def fork(children=1):
    for _ in range(children):
        child = os.fork()
        if child == 0:
            signal.alarm(@WATCHDOG@)
            try:
                use()
                os._exit(0)
            except BaseException:
                import traceback; traceback.print_exc()
                os._exit(3)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            name = signal.Signals(os.WTERMSIG(status)).name
            raise SystemExit(f"the child was killed by {name}: SIGALRM is a deadlock")
        assert os.WEXITSTATUS(status) == 0
""".replace("@WATCHDOG@", str(WATCHDOG))


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
        "edit(slice(0, 40), True); edit(slice(None), grid.blocked[2])",
    ],
)
def test_fork_while_another_thread_is_inside(busy: str) -> None:
    """The child has a copy of every lock as it was: none of ours may be held."""
    use = "use()" if "edit" not in busy else "use_any_map()"
    run(
        FORKED.replace("                use()\n", f"                {use}\n")
        + f"""
import warnings
warnings.simplefilter("ignore")
end, rounds = threading.Event(), [0]
def work():
    while not end.is_set():
        {busy}
        rounds[0] += 1
thread = threading.Thread(target=work)
thread.start()
try:
    for _ in range(3):
        seen = rounds[0]
        while rounds[0] == seen:
            assert thread.is_alive()
            time.sleep(0.001)
        fork()
finally:
    end.set()
thread.join({WATCHDOG})
assert not thread.is_alive(), "the parent hangs"
""",
        100,
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
            costs, table = answer.get(timeout=WATCHDOG)
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
    watchdog = time.monotonic() + WATCHDOG
    while before and len(os.listdir("/proc/self/task")) > before + 8:
        assert time.monotonic() < watchdog, "threads of engines that are gone go on"
        time.sleep(0.01)
