"""The tree of exceptions, and that messages say what is wrong and what to do."""

from __future__ import annotations

import builtins
import pathlib
import pickle
import tempfile
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import octile

TREE: dict[str, type[Exception]] = {
    "ArgumentError": ValueError,
    "GridError": ValueError,
    "SpecError": ValueError,
    "BuildError": ValueError,
    "QueryError": ValueError,
    "EditError": ValueError,
    "PathError": ValueError,
    "PointsError": AttributeError,
    "LoadError": ValueError,
    "MissingFileError": FileNotFoundError,
    "IndexFileError": ValueError,
    "WriteError": OSError,
    "DrawError": ValueError,
    "RenewError": RuntimeError,
}


def test_the_tree() -> None:
    assert issubclass(octile.OctileError, Exception) and not issubclass(octile.OctileError, ValueError)
    for name, base in TREE.items():
        error = getattr(octile, name)
        assert issubclass(error, octile.OctileError) and issubclass(error, base)
        assert error.__module__ == "octile" and error.__doc__ and name in octile.__all__
    assert issubclass(octile.MissingFileError, octile.LoadError)
    found = {
        name
        for name in octile.__all__
        if isinstance(getattr(octile, name), type) and issubclass(getattr(octile, name), BaseException)
    }
    assert found == {*TREE, "OctileError"}


@pytest.mark.parametrize("name", [*TREE, "OctileError"])
def test_they_are_made_and_pickled_like_any(name: str) -> None:
    """Also by ``__new__``, as tblib does, which Dask brings errors home with."""
    error = getattr(octile, name)
    made = error.__new__(error, "why")
    assert isinstance(made, error) and made.args == ("why",)
    again = pickle.loads(pickle.dumps(error("why")))
    assert type(again) is error and str(again) == "why"


def test_everything_public_is_there() -> None:
    for name in octile.__all__:
        assert hasattr(octile, name)
    public = {
        name
        for name, value in vars(octile).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert public <= {*octile.__all__}, "nothing else is public"


GRID = octile.Grid.parse(".....\n.@@@.\n.....")
ENGINE = octile.Engine(GRID, "astar")


def raised_by(tmp_path: pathlib.Path) -> dict[str, tuple[Callable[[], Any], str, list[str]]]:
    """Ways to get each exception: what to do, its class and words of the message."""
    (tmp_path / "bad.map").write_text("type octile\nheight 2\nwidth 3\nmap\n...\n")
    (tmp_path / "bad.index").write_bytes(b"OCTILE" * 40)
    path = ENGINE.find((0, 1), (4, 1))
    assert path is not None
    return {
        "dtype": (lambda: octile.Grid(np.zeros((2, 2))), "GridError", ["float64"]),
        "empty map": (lambda: octile.Grid.open(0, 1), "GridError", ["0 x 1", "empty"]),
        "drawing": (lambda: octile.Grid.parse("..\n."), "GridError", ["line 2"]),
        "generate": (lambda: octile.generate.random(9, 9, 101), "GridError", ["101"]),
        "planner": (lambda: octile.Engine(GRID, "a*"), "SpecError", ["a*", "astar"]),
        "key": (lambda: octile.Engine(GRID, "jps", weight=2), "SpecError", ["weight", "jps"]),
        "rule": (lambda: octile.Engine(GRID.with_movement("tile"), "jps"), "BuildError", ["tile"]),
        "budget": (lambda: octile.Engine(octile.Grid.open(900, 900), "cpd", budget="brief"), "BuildError", ["cpd"]),
        "blocked goal": (lambda: ENGINE.find((0, 0), (1, 1)), "QueryError", ["goal 1,1 is blocked"]),
        "off the map": (lambda: ENGINE.find((0, 3), (0, 0)), "QueryError", ["start 0,3", "5", "3"]),
        "negative": (lambda: ENGINE.find((0, 0), (-2, 0)), "QueryError", ["goal -2,0"]),
        "no goals": (lambda: ENGINE.ask((0, 0), []), "QueryError", ["no goals"]),
        "edit": (lambda: ENGINE.apply(octile.Edits().block((5, 0))), "EditError", ["5,0"]),
        "price": (lambda: ENGINE.apply(octile.Edits().price((0, 0), 2)), "EditError", ["price"]),
        "path": (lambda: path.check(octile.Grid(np.ones((3, 5), dtype=bool))), "PathError", ["0,1"]),
        "points": (lambda: path.corners, "PointsError", ["grid path"]),
        "map": (lambda: octile.load(tmp_path / "bad.map"), "LoadError", ["bad.map"]),
        "folder": (lambda: octile.load(tmp_path), "LoadError", [str(tmp_path)]),
        "ending": (lambda: octile.load(tmp_path / "bad.index"), "LoadError", ["bad.index"]),
        "missing map": (lambda: octile.load(tmp_path / "none.map"), "MissingFileError", ["none.map"]),
        "missing scenario": (lambda: octile.load_scenario(tmp_path / "none.scen"), "MissingFileError", ["none.scen"]),
        "missing dynamic": (lambda: octile.load_dynamic(tmp_path / "none.scen"), "MissingFileError", ["none.scen"]),
        "missing prices": (
            lambda: octile.load(tmp_path / "bad.map", prices=tmp_path / "none"),
            "MissingFileError",
            ["none"],
        ),
        "missing index": (lambda: octile.open_index(tmp_path / "none.index"), "MissingFileError", ["none.index"]),
        "missing index of engine": (
            lambda: octile.Engine(GRID, "hub-labels", index=tmp_path / "none.index"),
            "MissingFileError",
            ["none.index"],
        ),
        "missing index in a spec": (
            lambda: octile.Engine(GRID, f"hub-labels:index={tmp_path / 'none.index'}"),
            "MissingFileError",
            ["none.index"],
        ),
        "index": (lambda: octile.open_index(tmp_path / "bad.index"), "IndexFileError", ["bad.index"]),
        "index of engine": (
            lambda: octile.Engine(GRID, "hub-labels", index=str(tmp_path / "bad.index")),
            "IndexFileError",
            ["bad.index"],
        ),
        "index of bytes": (lambda: octile.index_from_bytes(b"abc"), "IndexFileError", ["index"]),
        "write": (lambda: GRID.save(tmp_path / "none" / "a.map"), "WriteError", ["a.map"]),
        "write picture": (lambda: GRID.picture().save(tmp_path / "none" / "a.png"), "WriteError", ["a.png"]),
        "picture": (lambda: GRID.picture(scale=10**6).png(), "DrawError", ["large"]),
        # These are values that a parameter does not take; `OctileError` is everything that octile raises.
        "movement": (lambda: octile.Grid.open(2, 2, movement="x"), "OctileError", ["octile"]),  # type: ignore[arg-type]
        "agent": (lambda: ENGINE.for_agent("giant"), "OctileError", ["giant"]),
        "output": (lambda: ENGINE.find((0, 0), (1, 0), output="x"), "OctileError", ["waypoints"]),  # type: ignore[arg-type]
        "shape of cells": (lambda: ENGINE.find_many(np.zeros((3, 3), dtype=int), (0, 0)), "OctileError", ["(3, 3)"]),
    }


def names_of_cases() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        return list(raised_by(pathlib.Path(folder)))


@pytest.mark.parametrize("case", names_of_cases())
def test_class_and_message(tmp_path: pathlib.Path, case: str) -> None:
    do, name, words = raised_by(tmp_path)[case]
    with pytest.raises(Exception) as raised:
        do()
    assert isinstance(raised.value, getattr(octile, name)), f"{type(raised.value)}: {raised.value}"
    assert name == "OctileError" or type(raised.value) is getattr(octile, name)
    for word in words:
        assert word in str(raised.value)
    assert "::" not in str(raised.value), "no names of Rust"


def test_files_are_named(tmp_path: pathlib.Path) -> None:
    for load in [octile.load, octile.load_scenario, octile.load_dynamic]:
        with pytest.raises(octile.LoadError) as raised:
            load(tmp_path / "none.map")  # type: ignore[operator]
        assert raised.value.file == str(tmp_path / "none.map")
    with pytest.raises(FileNotFoundError):
        octile.load(tmp_path / "none.map")
    with pytest.raises(builtins.OSError):
        octile.load(tmp_path / "none.map")


def test_a_path_without_points_looks_so() -> None:
    path = ENGINE.find((0, 0), (4, 0))
    assert hasattr(path, "cells") and not hasattr(path, "corners")
    assert getattr(path, "corners", None) is None
