"""Path databases and large batches on a Dask cluster: ``pip install "octile[dask]"``.

Dask does all scheduling. What is here cuts work into chunks of at least ten seconds, sends the map once, named by its
fingerprint, and keeps what is done in files: workers may die, be added and be retired, and a build that was interrupted
goes on where it was.

>>> from dask.distributed import Client                                                 # doctest: +SKIP
>>> client = Client("tcp://scheduler:8786")                                             # doctest: +SKIP
>>> grid = octile.load("arena.map")                                                     # doctest: +SKIP
>>> built = octile.dask.build_cpd(grid, client, path="arena.octx")                      # doctest: +SKIP
>>> engine = octile.Engine(grid, "cpd", index=built.index)                              # doctest: +SKIP
"""

from __future__ import annotations

import math
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

try:
    from distributed import Client, Future, as_completed, get_worker
except ImportError:
    raise ImportError('octile.dask needs Dask: pip install "octile[dask]"')  # noqa: B904

from octile import _progress
from octile._errors import LoadError, OctileError
from octile._octile import (
    Costs,
    Engine,
    Grid,
    Index,
    PartBuilder,
    PartsBuild,
    Paths,
    build_index,
    index_from_bytes,
    index_kinds,
    load,
    open_index,
)
from octile.types import Budget, Errors, File, Output, Parts, Progress

__all__ = ["Built", "build_cpd", "build_many", "find_many", "matrix"]

CHUNK_SECONDS = 10.0
"""A task takes at least so long, by what was measured before: Dask spends about a millisecond on each."""

MOST_TASKS = 9_000
"""Dask's own advice is to stay below ten thousand."""

Task = TypeVar("Task")


@dataclass(frozen=True)
class Built:
    """A database that is in its file, and what it took."""

    index: Index
    path: str
    chunks: int
    """Chunks that were built by this call."""
    resumed: int
    """Parts that were there already, and were not built again."""
    workers: dict[str, int] = field(default_factory=dict)
    """How many chunks each worker has built."""
    seconds: float = 0.0


def build_cpd(
    grid: Grid,
    client: Client,
    settings: str = "",
    path: File = "map.octx",
    *,
    parts: Parts = "gathered",
    chunk_seconds: float = CHUNK_SECONDS,
    chunk: int | None = None,
    progress: Progress = True,
) -> Built:
    """Builds a compressed path database on a cluster, in the file ``path``: the same bytes as a local build.

    ``settings`` is what it is like, as behind the colon of a planner: ``"layout=rectangles"``. Chunks are kept in the
    folder ``PATH.parts`` as soon as they are done. If the build is interrupted, the same call, here or by
    ``octile.build_index`` or the command ``octile build``, goes on where it was and repeats no finished chunk.
    ``parts="shared"`` lets workers write their chunks into that folder themselves, which they must reach under the same
    name; else they are sent to this process. ``chunk`` is the number of sources of a chunk; by default as many as take
    ``chunk_seconds``.
    """
    begin, name = time.monotonic(), os.fspath(path)
    with PartsBuild(grid, os.path.abspath(name), settings=settings) as build:
        resumed, chunks = build.resumed, 0
        if chunk is None and build.missing(_ALL):
            least, tried = _chunk_of(build, chunk_seconds)
            chunk = _even(least, sum(last - first for first, last in build.missing(_ALL)), client)
            chunks += tried
        chunk = max(chunk or 1, math.ceil(build.sources / MOST_TASKS), 1)
        ranges = build.missing(chunk)
        folder = build.folder if parts == "shared" else None
        workers: dict[str, int] = {}
        with _Bar(progress, "sources", sum(last - first for first, last in ranges)) as bar:
            tasks = _Tasks(client, grid)
            send = lambda one: (settings, one[0], one[1], folder)  # noqa: E731
            for (first, last), (worker, part) in tasks.run(_build_part, ranges, send, "octile-cpd"):
                _ = build.adopt(first, last) if part is None else build.add(part)
                workers[worker] = workers.get(worker, 0) + 1
                chunks += 1
                bar.add(last - first)
        build.finish()
    took = time.monotonic() - begin
    return Built(open_index(name), name, chunks, resumed, workers, took)


_ALL = 2**32 - 1


def _chunk_of(build: PartsBuild, seconds: float) -> tuple[int, int]:
    """How many sources take so long on one core. What is built to find out is kept: how many parts."""
    count, parts = 4, 0
    while True:
        rest = build.missing(_ALL)
        if not rest:
            return count, parts
        first = rest[0][0]
        last = min(first + count, rest[0][1])
        begin = time.perf_counter()
        build.build(first, last, threads=1)
        took = time.perf_counter() - begin
        parts += 1
        if took > min(0.2, seconds / 4) or parts >= 12:
            return max(1, math.ceil((last - first) * seconds / max(took, 1e-9))), parts
        count *= 4


def _even(least: int, sources: int, client: Client) -> int:
    """A chunk of at least so many sources, so that all workers get equally many and end together."""
    slots = max(1, sum(client.nthreads().values()))
    count = max(1, sources // least)
    if count > slots:
        count -= count % slots
    return math.ceil(sources / count)


def _build_part(grid: Grid, settings: str, first: int, last: int, folder: str | None) -> tuple[str, bytes | None]:
    """On a worker: a part of a database, as bytes or in the folder."""
    builder = _kept(("builder", grid.fingerprint, settings), lambda: PartBuilder(grid, settings=settings))
    if folder is None:
        return _worker(), builder.part(first, last, threads=1)
    builder.write(folder, first, last, threads=1)
    return _worker(), None


def build_many(
    maps: Mapping[str, Grid] | Iterable[File],
    kind: str,
    client: Client,
    folder: File = ".",
    *,
    settings: str = "",
    chunk_seconds: float = CHUNK_SECONDS,
    progress: Progress = True,
) -> dict[str, Index | OctileError]:
    """Builds an index for each of many maps, in files ``NAME.KIND.octx`` of a folder: the same bytes as local builds.

    ``maps`` are grids by name, or map files, which are known by their names without folder and ending. An index that is
    in the folder already, and is for that very map, is not built again. What comes back has an index for each map, or
    the error that tells why it has none: not every map suits every kind.
    """
    if kind not in index_kinds():
        raise ValueError(f"unknown kind of index {kind!r}: expected one of {', '.join(index_kinds())}")
    os.makedirs(folder, exist_ok=True)
    grids, results = _grids(maps)
    names = {name: os.path.join(os.fspath(folder), f"{name}.{kind}.octx") for name in grids}
    todo: dict[str, Grid] = {}
    for name, grid in grids.items():
        there = _there(names[name], kind, grid)
        if there is None:
            todo[name] = grid
        else:
            results[name] = there
    with _Bar(progress, "maps", len(todo)) as bar:
        if kind == "cpd":
            for name, grid in todo.items():
                build = partial(build_cpd, grid, client, settings, names[name], chunk_seconds=chunk_seconds)
                results[name] = _caught(lambda: build(progress=None).index)  # noqa: B023
                bar.add(1)
        else:
            for name, index in _build_each(todo, kind, settings, names, client, chunk_seconds):
                results[name] = index
                bar.add(1)
    return {name: results[name] for name in sorted(results)}


def _grids(
    maps: Mapping[str, Grid] | Iterable[File],
) -> tuple[dict[str, Grid], dict[str, Index | OctileError]]:
    """The maps by name, and those that cannot be loaded."""
    if isinstance(maps, Mapping):
        return dict(maps), {}
    grids: dict[str, Grid] = {}
    failed: dict[str, Index | OctileError] = {}
    for file in maps:
        name = os.path.splitext(os.path.basename(os.fspath(file)))[0]
        if name in grids or name in failed:
            raise ValueError(f"two maps are called {name!r}: give them as a dict with names of your own")
        try:
            grids[name] = load(file)
        except LoadError as error:
            failed[name] = error
    return grids, failed


def _there(file: str, kind: str, grid: Grid) -> Index | None:
    """The index in a file, if it is one for this very map."""
    try:
        index = open_index(file)
        index.verify(grid)
    except (OctileError, OSError):
        return None
    return index if index.kind == kind else None


def _caught(make: Callable[[], Index]) -> Index | OctileError:
    try:
        return make()
    except OctileError as error:
        return error


def _build_each(
    todo: Mapping[str, Grid],
    kind: str,
    settings: str,
    names: Mapping[str, str],
    client: Client,
    seconds: float,
) -> Iterator[tuple[str, Index | OctileError]]:
    """Builds indexes, several small maps to a task."""
    order = sorted(todo, key=lambda name: todo[name].free_cells)
    if not order:
        return
    # The smallest is built here: so the time of a free cell is known.
    first, rest = order[0], order[1:]
    begin = time.perf_counter()
    yield first, _caught(lambda: build_index(kind, todo[first], names[first], settings=settings, threads=1))
    a_cell = (time.perf_counter() - begin) / max(todo[first].free_cells, 1)
    groups = _groups(rest, lambda name: a_cell * todo[name].free_cells, seconds)
    unique = _unique()
    futures = [
        client.submit(
            _build_group,
            [(name, todo[name]) for name in group],
            kind,
            settings,
            key=f"octile-{kind}-{unique}-{todo[group[0]].fingerprint:016x}",
            retries=2,
        )
        for group in groups
    ]
    for future in as_completed(futures):
        for name, made in future.result():
            if isinstance(made, OctileError):
                yield name, made
            else:
                _write(names[name], made)
                yield name, open_index(names[name])
        future.release()


def _groups(items: Sequence[Task], cost: Callable[[Task], float], least: float) -> list[list[Task]]:
    """Items in groups that cost at least so much each, but perhaps the last, and that are not too many."""
    all_together = sum(cost(one) for one in items)
    least = max(least, all_together / MOST_TASKS)
    groups: list[list[Task]] = []
    so_far = math.inf
    for one in items:
        if so_far >= least:
            groups.append([])
            so_far = 0.0
        groups[-1].append(one)
        so_far += cost(one)
    return groups


def _build_group(maps: list[tuple[str, Grid]], kind: str, settings: str) -> list[tuple[str, bytes | OctileError]]:
    """On a worker: the bytes of an index for each map, or why there is none."""
    made: list[tuple[str, bytes | OctileError]] = []
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "index.octx")
        for name, grid in maps:
            try:
                build_index(kind, grid, file, settings=settings, threads=1)
                with open(file, "rb") as written:
                    made.append((name, written.read()))
            except OctileError as error:
                made.append((name, error))
    return made


def _write(path: str, data: bytes) -> None:
    """Writes a file beside its place, then renames it."""
    index_from_bytes(data).save(path)


def find_many(
    engine: Engine,
    starts: ArrayLike,
    goals: ArrayLike,
    client: Client,
    *,
    output: Output = "waypoints",
    errors: Errors = "raise",
    chunk_seconds: float = CHUNK_SECONDS,
    chunk: int | None = None,
    progress: Progress = True,
) -> Paths:
    """:meth:`Engine.find_many` over a cluster, for millions of queries: the same answers, in the same order.

    Every worker makes the engine for itself, once: from the map and the planner, or from its index files if workers
    reach them under the same names.
    """
    starts, goals = _both(starts, goals)
    if chunk is None:
        chunk = _queries_of(engine, starts, goals, chunk_seconds)
    ranges = _ranges(len(starts), max(chunk, math.ceil(len(starts) / MOST_TASKS), 1))
    pieces: dict[int, Paths] = {}
    with _Bar(progress, "queries", len(starts)) as bar:
        tasks = _Tasks(client, engine.grid)
        recipe = engine._recipe()
        send = lambda one: (recipe, starts[one[0] : one[1]], goals[one[0] : one[1]], output, errors, one[0])  # noqa: E731
        for (first, last), paths in tasks.run(_find_some, ranges, send, "octile-paths"):
            pieces[first] = paths
            bar.add(last - first)
    if not pieces:
        return engine.find_many(starts, goals, output=output)
    return Paths.concat([pieces[first] for first in sorted(pieces)])


def _find_some(
    grid: Grid,
    recipe: tuple[str, list[str], Budget],
    starts: NDArray[np.int32],
    goals: NDArray[np.int32],
    output: Output,
    errors: Errors,
    first: int,
) -> Paths:
    """On a worker: some of the queries."""
    try:
        return _engine(grid, recipe).find_many(starts, goals, output=output, errors=errors, threads=1)
    except OctileError as error:
        number = getattr(error, "query", None)
        if number is None:
            raise
        # The number in the whole batch.
        text = str(error).split(": ", 1)[-1]
        again = type(error)(f"query {first + number}: {text}")
        again.query = first + number  # type: ignore[attr-defined]
        raise again from None


def matrix(
    engine: Engine,
    sources: ArrayLike,
    targets: ArrayLike,
    client: Client,
    *,
    chunk_seconds: float = CHUNK_SECONDS,
    chunk: int | None = None,
    progress: Progress = True,
) -> Costs:
    """:meth:`Engine.matrix` over a cluster: the costs from every source to every target."""
    sources, targets = _points(sources), _points(targets)
    if chunk is None:
        chunk = _rows_of(engine, sources, targets, chunk_seconds)
    ranges = _ranges(len(sources), max(chunk, math.ceil(len(sources) / MOST_TASKS), 1))
    pieces: dict[int, Costs] = {}
    with _Bar(progress, "rows", len(sources)) as bar:
        tasks = _Tasks(client, engine.grid)
        recipe, to = engine._recipe(), client.submit(_same, targets, key=f"octile-targets-{_unique()}")
        send = lambda one: (recipe, sources[one[0] : one[1]], to)  # noqa: E731
        for (first, last), costs in tasks.run(_some_rows, ranges, send, "octile-rows"):
            pieces[first] = costs
            bar.add(last - first)
    if not pieces:
        return engine.matrix(sources, targets)
    return Costs.concat([pieces[first] for first in sorted(pieces)])


def _some_rows(
    grid: Grid, recipe: tuple[str, list[str], Budget], sources: NDArray[np.int32], targets: NDArray[np.int32]
) -> Costs:
    """On a worker: some rows of a matrix."""
    return _engine(grid, recipe).matrix(sources, targets, threads=1)


def _queries_of(engine: Engine, starts: NDArray[np.int32], goals: NDArray[np.int32], seconds: float) -> int:
    """How many queries take so long on one core, by a sample of them."""
    if not len(starts):
        return 1
    some = np.linspace(0, len(starts) - 1, min(200, len(starts))).astype(int)
    begin = time.perf_counter()
    engine.costs(starts[some], goals[some], errors="skip", threads=1)
    return math.ceil(seconds * len(some) / max(time.perf_counter() - begin, 1e-6))


def _rows_of(engine: Engine, sources: NDArray[np.int32], targets: NDArray[np.int32], seconds: float) -> int:
    """How many rows take so long on one core, by one of them."""
    if not len(sources):
        return 1
    begin = time.perf_counter()
    engine.matrix(sources[:1], targets, threads=1)
    return math.ceil(seconds / max(time.perf_counter() - begin, 1e-6))


def _points(points: ArrayLike) -> NDArray[np.int32]:
    array = np.asarray(points)
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int32)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise ValueError(
            "expected whole numbers in an array of shape (n, 2), a cell (x, y) in each row: "
            f"found {array.dtype} {array.shape}"
        )
    if array.min() < -(2**31) or array.max() >= 2**31:
        raise ValueError("a cell has a coordinate that is on no map")
    return array.astype(np.int32)


def _both(starts: ArrayLike, goals: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    starts, goals = _points(starts), _points(goals)
    if len(starts) != len(goals):
        raise ValueError(f"there must be as many starts as goals: found {len(starts)} starts and {len(goals)} goals")
    return starts, goals


def _ranges(length: int, chunk: int) -> list[tuple[int, int]]:
    return [(first, min(first + chunk, length)) for first in range(0, length, chunk)]


class _Tasks:
    """Tasks that all need one map. It is sent to the cluster once, as the result of a task of its own, so that Dask can
    bring it to any worker, and make it again when the last that had it is gone."""

    def __init__(self, client: Client, grid: Grid) -> None:
        self.client = client
        self.grid = client.submit(_same, grid, key=f"octile-map-{grid.fingerprint:016x}")

    def run(
        self,
        work: Callable[..., Any],
        pieces: Sequence[tuple[int, int]],
        arguments: Callable[[tuple[int, int]], tuple[Any, ...]],
        name: str,
    ) -> Iterator[tuple[tuple[int, int], Any]]:
        """Calls ``work(grid, *arguments(piece))`` on workers: each piece with its result, as they come. What is not
        done when this is left is cancelled. The dashboard has the tasks under ``name``."""
        futures: dict[Future[Any], tuple[int, int]] = {}
        # A task that was cancelled a moment ago must not be taken for this one.
        unique = _unique()
        try:
            for piece in pieces:
                key = f"{name}-{unique}-{piece[0]:09}-{piece[1]:09}"
                futures[self.client.submit(work, self.grid, *arguments(piece), key=key, retries=2)] = piece
            for future in as_completed(list(futures)):
                yield futures.pop(future), future.result()
                future.release()
        finally:
            self.client.cancel(list(futures))


def _same(value: Task) -> Task:
    return value


_KEPT: dict[tuple[Any, ...], Any] = {}


def _kept(key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
    """What a worker makes once and uses for many tasks; the last few of them."""
    if key not in _KEPT:
        while len(_KEPT) >= 4:
            _KEPT.pop(next(iter(_KEPT)), None)
        _KEPT[key] = make()
    return _KEPT[key]


def _engine(grid: Grid, recipe: tuple[str, list[str], Budget]) -> Engine:
    """The engine of a recipe: planner, index files and budget."""
    spec, files, budget = recipe

    def make() -> Engine:
        there = [file for file in files if os.path.exists(file)]
        return Engine(grid, spec, index=list(there) or None, budget=budget, threads=1)

    engine: Engine = _kept(("engine", grid.fingerprint, spec, tuple(files)), make)
    return engine


def _worker() -> str:
    return str(get_worker().address)


def _unique() -> str:
    return uuid.uuid4().hex[:12]


class _Bar:
    """How far something is, for who wants to know."""

    def __init__(self, progress: Progress, stage: str, total: int) -> None:
        self.tell = _progress.bar() if progress is True else progress or None
        self.stage, self.done, self.total = stage, 0, total

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def add(self, count: int) -> None:
        self.done += count
        if callable(self.tell):
            self.tell(self.stage, self.done, self.total)
