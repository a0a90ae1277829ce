"""Databases and batches on a cluster of two processes: the same bytes and answers as locally, even if workers die."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import dask.config
import numpy as np
import pytest
from distributed import Client, LocalCluster
from oracle import WATCHDOG

import octile
import octile.dask
from octile.types import Parts

CHUNK = 150


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Two workers in processes of their own, which may be slow to start and to answer."""
    patience = {"distributed.comm.timeouts.connect": WATCHDOG, "distributed.comm.timeouts.tcp": WATCHDOG}
    with (
        dask.config.set(patience),
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
    ):
        yield cluster


@pytest.fixture(scope="module")
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def grid() -> octile.Grid:
    return octile.generate.rooms(48, 48, 8, seed=3)


@pytest.fixture(scope="module")
def local(grid: octile.Grid, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The database as a local build makes it."""
    path = tmp_path_factory.mktemp("local") / "rooms.octx"
    octile.build_index("cpd", grid, path)
    return path.read_bytes()


def chunks_of(grid: octile.Grid) -> int:
    return -(-grid.free_cells // CHUNK)


def pids(client: Client) -> list[int]:
    return list(client.run(os.getpid).values())


def addresses(client: Client) -> set[str]:
    return set(client.scheduler_info(n_workers=-1)["workers"])


@pytest.mark.parametrize("parts", ["gathered", "shared"])
def test_same_bytes_as_a_local_build(
    client: Client, grid: octile.Grid, local: bytes, tmp_path: Path, parts: Parts
) -> None:
    path = tmp_path / "rooms.octx"
    built = octile.dask.build_cpd(grid, client, path=path, parts=parts, chunk=CHUNK, progress=None)
    assert path.read_bytes() == local
    assert (built.chunks, built.resumed) == (chunks_of(grid), 0)
    assert sum(built.workers.values()) == built.chunks and set(built.workers) <= addresses(client)
    assert not Path(f"{path}.parts").exists()
    assert octile.Engine(grid, "cpd", index=built.index).planner == "cpd"


def test_all_workers_get_work(client: Client, grid: octile.Grid, tmp_path: Path) -> None:
    """The scheduler decides who gets a chunk, so that one worker may build a small database alone: not every time."""
    worked: set[str] = set()
    for turn in range(50):
        built = octile.dask.build_cpd(grid, client, path=tmp_path / f"{turn}.octx", chunk=CHUNK, progress=None)
        worked |= set(built.workers)
        if worked == addresses(client):
            return
    pytest.fail(f"only {worked} have worked")


def test_chunks_are_chosen_by_time_and_what_was_tried_is_kept(
    client: Client, grid: octile.Grid, local: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "rooms.octx"
    built = octile.dask.build_cpd(grid, client, "", path, chunk_seconds=0.02, progress=None)
    assert path.read_bytes() == local
    assert built.chunks > 1


def test_settings_are_those_of_a_local_build(client: Client, tmp_path: Path) -> None:
    grid = octile.generate.maze(21, 21, 2, seed=1)
    settings = "layout=rectangles,ties=mask"
    octile.build_index("cpd", grid, tmp_path / "local.octx", settings=settings)
    octile.dask.build_cpd(grid, client, settings, tmp_path / "far.octx", chunk=60, progress=None)
    assert (tmp_path / "far.octx").read_bytes() == (tmp_path / "local.octx").read_bytes()
    with pytest.raises(octile.SpecError):
        octile.dask.build_cpd(grid, client, "layout=round", tmp_path / "no.octx", progress=None)


def test_a_worker_is_killed_midway(client: Client, grid: octile.Grid, local: bytes, tmp_path: Path) -> None:
    path, before = tmp_path / "rooms.octx", pids(client)

    def kill(stage: str, done: int, total: int) -> None:
        if before and done < total:
            os.kill(before.pop(), signal.SIGKILL)
            before.clear()

    built = octile.dask.build_cpd(grid, client, path=path, chunk=CHUNK, progress=kill)
    assert not before, "one was killed"
    assert path.read_bytes() == local
    assert built.chunks == chunks_of(grid), "each is counted once"
    client.wait_for_workers(2, timeout=WATCHDOG)


def test_workers_come_and_go(
    cluster: LocalCluster, client: Client, grid: octile.Grid, local: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "rooms.octx"
    changes: list[Callable[[], object]] = [
        lambda: client.retire_workers([sorted(client.scheduler_info(n_workers=-1)["workers"])[0]], close_workers=True),
        lambda: cluster.scale(3),
    ]

    def change(stage: str, done: int, total: int) -> None:
        if changes:
            changes.pop()()

    octile.dask.build_cpd(grid, client, path=path, chunk=CHUNK, progress=change)
    assert path.read_bytes() == local
    cluster.scale(2)
    client.wait_for_workers(2, timeout=WATCHDOG)


@pytest.mark.parametrize("parts", ["gathered", "shared"])
def test_an_interrupted_build_repeats_no_finished_chunk(
    client: Client, grid: octile.Grid, local: bytes, tmp_path: Path, parts: Parts
) -> None:
    path, seen = tmp_path / "rooms.octx", []

    def interrupt(stage: str, done: int, total: int) -> None:
        seen.append(done)
        if len(seen) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        octile.dask.build_cpd(grid, client, path=path, parts=parts, chunk=CHUNK, progress=interrupt)
    assert not path.exists()
    kept = len(list(Path(f"{path}.parts").glob("part-*.octx")))
    assert kept >= 4
    built = octile.dask.build_cpd(grid, client, path=path, parts=parts, chunk=CHUNK, progress=None)
    assert built.resumed >= kept
    assert built.resumed + built.chunks == chunks_of(grid)
    assert path.read_bytes() == local


def test_others_go_on_with_what_a_cluster_began(
    client: Client, grid: octile.Grid, local: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "rooms.octx"

    def interrupt(stage: str, done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        octile.dask.build_cpd(grid, client, path=path, chunk=CHUNK, progress=interrupt)
    told: list[int] = []
    octile.build_index("cpd", grid, path, progress=lambda stage, done, total: told.append(total))
    assert path.read_bytes() == local
    assert all(total < grid.free_cells for total in told), "some were done"


def test_a_build_of_another_map_is_not_mixed_in(client: Client, grid: octile.Grid, tmp_path: Path) -> None:
    path, other = tmp_path / "rooms.octx", octile.generate.rooms(48, 48, 8, seed=4)
    with octile.PartsBuild(other, path) as build:
        build.build(0, 10)
    with pytest.raises(octile.OctileError, match="another build|is for a map"):
        octile.dask.build_cpd(grid, client, path=path, chunk=CHUNK, progress=None)


def test_many_maps(client: Client, tmp_path: Path) -> None:
    maps = {f"rooms{seed}": octile.generate.rooms(40, 40, 8, seed=seed) for seed in range(5)}
    maps["priced"] = octile.generate.regions(octile.Grid.open(9, 9), [1, 5], seed=1)
    built = octile.dask.build_many(maps, "hub-labels", client, tmp_path, chunk_seconds=0.01, progress=None)
    assert isinstance(built.pop("priced"), octile.BuildError), "no index is for maps with prices"
    for name, index in built.items():
        assert isinstance(index, octile.Index)
        octile.build_index("hub-labels", maps[name], tmp_path / "local.octx")
        assert (tmp_path / f"{name}.hub-labels.octx").read_bytes() == (tmp_path / "local.octx").read_bytes()
    # What is there is left alone.
    stamps = {file: file.stat().st_mtime_ns for file in tmp_path.glob("rooms*.octx")}
    octile.dask.build_many(maps, "hub-labels", client, tmp_path, progress=None)
    assert stamps == {file: file.stat().st_mtime_ns for file in tmp_path.glob("rooms*.octx")}


def test_many_map_files_and_databases(client: Client, tmp_path: Path) -> None:
    octile.generate.maze(21, 21, 2, seed=1).save(tmp_path / "maze.map")
    (tmp_path / "broken.map").write_text("type octile\nheight 2\nwidth x\n")
    files = [tmp_path / "maze.map", tmp_path / "broken.map"]
    built = octile.dask.build_many(files, "cpd", client, tmp_path / "out", progress=None)
    assert isinstance(built["broken"], octile.LoadError)
    octile.build_index("cpd", octile.load(files[0]), tmp_path / "local.octx")
    assert (tmp_path / "out" / "maze.cpd.octx").read_bytes() == (tmp_path / "local.octx").read_bytes()
    with pytest.raises(ValueError, match="unknown kind"):
        octile.dask.build_many(files, "hubs", client, tmp_path)


def test_batches_and_matrices(client: Client, grid: octile.Grid) -> None:
    scenario = octile.generate.scenario(grid, seed=1)
    for spec in ["corner-sweep", "hub-labels", "theta-star"]:
        engine = octile.Engine(grid, spec)
        here = engine.find_many(scenario.starts, scenario.goals)
        there = octile.dask.find_many(engine, scenario.starts, scenario.goals, client, chunk=50, progress=None)
        for name in ["costs", "straight", "diagonal", "offsets", "points"]:
            np.testing.assert_array_equal(getattr(here, name), getattr(there, name))
        sources, targets = scenario.starts[:20], scenario.goals[:30]
        far = octile.dask.matrix(engine, sources, targets, client, chunk=3, progress=None)
        np.testing.assert_array_equal(engine.matrix(sources, targets).lengths, far.lengths)


def test_an_edited_engine_is_asked_as_it_is(client: Client, grid: octile.Grid) -> None:
    scenario = octile.generate.scenario(grid, seed=2)
    engine = octile.Engine(grid, "corner-sweep")
    engine.block[20:30, 20:30] = False
    here = engine.find_many(scenario.starts, scenario.goals)
    there = octile.dask.find_many(engine, scenario.starts, scenario.goals, client, chunk_seconds=0.001, progress=None)
    np.testing.assert_array_equal(here.costs, there.costs)


def test_errors_come_back_with_the_number_of_the_query(client: Client) -> None:
    grid = octile.Grid.parse("....@\n.....")
    engine = octile.Engine(grid, "jps")
    starts, goals = [(0, 0)] * 7, [(1, 0)] * 5 + [(4, 0), (2, 0)]
    with pytest.raises(octile.QueryError, match="query 5: goal 4,0 is blocked") as caught:
        octile.dask.find_many(engine, starts, goals, client, chunk=2, progress=None)
    assert caught.value.query == 5
    paths = octile.dask.find_many(engine, starts, goals, client, chunk=2, errors="skip", progress=None)
    assert np.isnan(paths.costs).tolist() == [False] * 5 + [True, False]
    empty = octile.dask.find_many(engine, [], [], client, progress=None)
    assert len(empty) == 0
    with pytest.raises(ValueError, match="as many starts as goals"):
        octile.dask.find_many(engine, starts, goals[:3], client, progress=None)
