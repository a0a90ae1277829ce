"""Indexes in files: built in one go or in parts, the same bytes, and the same answers as without."""

from __future__ import annotations

import os
import pathlib
import pickle

import numpy as np
import pytest
from oracle import free_cells

import octile

GRID = octile.generate.rooms(24, 19, 5, seed=1)
CELLS = np.array(free_cells(GRID))
KNOWN = octile.Engine(GRID, "astar").costs(CELLS[::2], CELLS[::-2]).lengths


@pytest.mark.parametrize("kind", ["hub-labels", "core-table", "cpd"])
def test_an_engine_with_an_index(tmp_path: pathlib.Path, kind: str) -> None:
    file = tmp_path / "rooms.octx"
    index = octile.build_index(kind, GRID, file)
    assert (index.kind, index.shape, index.fingerprint, index.movement, index.file) == (
        kind,
        GRID.shape,
        GRID.fingerprint,
        "octile",
        str(file),
    )
    assert index.size_bytes == file.stat().st_size and kind in repr(index) and index.describe()
    assert os.listdir(tmp_path) == ["rooms.octx"], "nothing else is left"
    index.verify(GRID)
    in_memory = octile.index_from_bytes(file.read_bytes())
    assert in_memory.file is None
    for given in [index, file, str(file), [file], in_memory, octile.open_index(file)]:
        engine = octile.Engine(GRID, kind, index=given)  # type: ignore[arg-type]
        assert np.array_equal(engine.costs(CELLS[::2], CELLS[::-2]).lengths, KNOWN)
        assert np.array_equal(pickle.loads(pickle.dumps(engine)).costs(CELLS[::2], CELLS[::-2]).lengths, KNOWN)
    in_memory.save(tmp_path / "again.octx")
    assert (tmp_path / "again.octx").read_bytes() == file.read_bytes()
    file.unlink()
    assert np.array_equal(engine.costs(CELLS[::2], CELLS[::-2]).lengths, KNOWN), "who has it open keeps it"


def test_an_engine_whose_map_changed_is_pickled_without_its_index(tmp_path: pathlib.Path) -> None:
    engine = octile.Engine(GRID, "hub-labels", index=octile.build_index("hub-labels", GRID, tmp_path / "a.octx"))
    engine.block[CELLS[0, 1], CELLS[0, 0]] = True
    twin = pickle.loads(pickle.dumps(engine))
    assert twin.grid == engine.grid
    assert np.array_equal(twin.costs(CELLS[1::2], CELLS[-2]).lengths, engine.costs(CELLS[1::2], CELLS[-2]).lengths)


def test_an_index_that_the_planner_cannot_use(tmp_path: pathlib.Path) -> None:
    """As docs/indexes.md says, it is refused, however it is given."""
    index = octile.build_index("hub-labels", GRID, tmp_path / "a.octx")
    for planner in ["astar", "cpd", "corner-sweep"]:
        with pytest.raises((octile.IndexFileError, octile.SpecError)):
            octile.Engine(GRID, f"{planner}:index={tmp_path / 'a.octx'}")
        with pytest.raises((octile.IndexFileError, octile.SpecError)):
            octile.Engine(GRID, planner, index=index)


def test_kinds_and_errors(tmp_path: pathlib.Path) -> None:
    assert {"hub-labels", "cpd"} <= set(octile.index_kinds())
    with pytest.raises(octile.SpecError, match="hub-labels"):
        octile.build_index("hub", GRID, tmp_path / "a.octx")
    with pytest.raises(octile.WriteError):
        octile.build_index("hub-labels", GRID, tmp_path / "none" / "a.octx")
    with pytest.raises(octile.OctileError):
        octile.build_index("cpd", GRID, tmp_path / "a.octx", settings="layout=nonsense")
    with pytest.raises(octile.BuildError):
        octile.build_index("hub-labels", GRID.with_movement("tile"), tmp_path / "a.octx")
    assert os.listdir(tmp_path) == []


def test_in_parts(tmp_path: pathlib.Path) -> None:
    whole = octile.build_index("cpd", GRID, tmp_path / "whole.octx")
    file = tmp_path / "parts.octx"
    with octile.PartsBuild(GRID, file) as build:
        assert build.sources == GRID.free_cells and build.resumed == 0 and build.done == []
        assert build.add(octile.PartBuilder(GRID).part(10, 50)) is True
        assert build.add(octile.PartBuilder(GRID).part(10, 50)) is False
        assert build.done == [(10, 50)]
        assert all(last - first <= 16 for first, last in build.missing(16))
        with pytest.raises(octile.OctileError):
            build.add(octile.PartBuilder(octile.generate.rooms(24, 19, 5, seed=2)).part(0, 5))
        with pytest.raises(octile.OctileError):
            build.finish()
    with pytest.raises(ValueError, match="closed"):
        build.missing(5)
    with octile.PartsBuild(GRID, file) as build:
        assert build.resumed == 1 and build.done == [(10, 50)]
        octile.PartBuilder(GRID).write(build.folder, 0, 10)
        assert build.adopt(0, 10) is True and build.done == [(0, 50)]
        for first, last in build.missing(64):
            assert build.build(first, last) is True
        index = build.finish()
    index.verify(GRID)
    assert file.read_bytes() == (tmp_path / "whole.octx").read_bytes() and index.fingerprint == whole.fingerprint
    assert sorted(os.listdir(tmp_path)) == ["parts.octx", "whole.octx"]


@pytest.mark.parametrize("wrong", [(7, 3), (0, 10**6), (-1, 4), (2**32, 2**33)])
def test_sources_that_there_are_not(wrong: tuple[int, int]) -> None:
    with pytest.raises((ValueError, OverflowError)):
        octile.PartBuilder(GRID).part(*wrong)


def test_batches_in_pieces() -> None:
    for planner in ["corner-sweep", "taut-sight"]:
        engine = octile.Engine(GRID, planner)
        starts, goals = CELLS[::3], CELLS[::-3]
        whole = engine.find_many(starts, goals)
        pieces = [
            engine.find_many(starts[first : first + 20], goals[first : first + 20])
            for first in range(0, len(starts), 20)
        ]
        joined = octile.Paths.concat(pieces)
        for name in ["costs", "straight", "diagonal", "offsets", "points", "found"]:
            ours, theirs = getattr(whole, name), getattr(joined, name)
            assert np.array_equal(ours, theirs) and ours.dtype == theirs.dtype
        assert joined.status == whole.status
        table = engine.matrix(starts[:30], goals[:20])
        rows = octile.Costs.concat([engine.matrix(starts[:11], goals[:20]), engine.matrix(starts[11:30], goals[:20])])
        assert np.array_equal(rows.lengths, table.lengths) and np.array_equal(rows.straight, table.straight)
    with pytest.raises(ValueError):
        octile.Paths.concat([])
