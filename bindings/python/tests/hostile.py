"""Calls every public function with wrong values, each target in a process of its own. Run by test_hostile.py: ``python hostile.py TARGET FOLDER``.

What may happen is an answer or an ``Exception``. A ``PanicException``, a ``SystemError``, a crash or a hang is a fault; the last line of the log says which call it was.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from oracle import WATCHDOG

import octile


class Rude:
    """Raises whatever is asked of it."""

    def _no(self, *_: object, **__: object) -> Any:
        raise RuntimeError("rude")

    __index__ = __int__ = __float__ = __array__ = __len__ = __getitem__ = __iter__ = __fspath__ = __str__ = __repr__ = (
        __eq__
    ) = __bool__ = __call__ = _no
    __hash__ = object.__hash__


class Int(int):
    """A number of a class of its own."""


def values() -> Iterator[Any]:
    """Wrong values of all sorts, made anew for each call."""
    yield from [None, True, False, -1, 0, 1, 5, 1.5, -0.0, 1e308, float("nan"), float("inf"), float("-inf")]
    yield from [2**16, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64, -(2**63), -(2**64), 2**70, 10**400, Int(3), 1j]
    yield from [
        "",
        "x",
        "a\0b",
        "\ud800",
        "é" * 300,
        "x" * 100_000,
        ":",
        ",",
        "=",
        "astar:open",
        "../..",
        "/",
        b"x",
        b"",
        bytearray(b"ab"),
    ]
    yield from [
        [],
        [1],
        (1, 2),
        (1, 2, 3),
        [(1, 2)],
        [(1, 2), (3,)],
        [[[1, 2]]],
        {},
        {1: 2},
        {1, 2},
        range(2),
        iter([1, 2]),
        [None, None],
    ]
    yield from [object(), type, len, Rude(), Rude, [Rude(), Rude()], (Rude(), 1), ..., NotImplemented, sys]
    yield from [
        np.array(5),
        np.array([1.5, np.nan]),
        np.zeros((3, 2)),
        np.zeros((2, 3), dtype=int),
        np.array([[2**63 - 1, -(2**63)]]),
        np.array([["a", "b"]]),
    ]
    yield from [
        np.zeros((0, 2), dtype=int),
        np.array([None, 3], dtype=object),
        np.float32(2),
        np.uint64(2**64 - 1),
        np.bool_(True),
        np.datetime64("2020-01-01"),
        np.ma.masked,
    ]
    yield from [
        np.zeros((3, 4), dtype=[("x", "i4")]),
        np.broadcast_to(np.uint8(0), (1 << 40, 1 << 20)),
        np.broadcast_to(np.int32(0), (1 << 30, 1 << 30)),
        memoryview(b"ab"),
    ]
    yield from [
        octile.Grid.open(2, 2),
        octile.Edits().block((99, 99)),
        octile.Cost(1, 1),
        octile.Grid(np.ones((4, 6), dtype=bool)),
        octile.Grid.open(200, 3),
        octile.path_through([(0, 0), (90, 90)]),
    ]


Target = tuple[Callable[..., Any], dict[str, Any]]


def targets(folder: str) -> dict[str, Target]:
    """Every public function, with arguments that are right."""
    grid = octile.Grid(np.zeros((4, 6), dtype=bool))
    land = octile.Grid(prices=np.ones((4, 6), dtype=np.uint8))
    engine, priced = octile.Engine(grid, "astar"), octile.Engine(land, "astar")
    taut = octile.Engine(grid, "taut-sight")
    field, trace, path, taut_path = (
        engine.field((0, 0)),
        engine.trace((0, 0), (3, 3)),
        engine.find((0, 0), (3, 3)),
        taut.find((0, 0), (3, 3)),
    )
    assert path is not None and taut_path is not None
    place = octile.Georeference(width=6, height=4, resolution=0.5)
    scenario = octile.generate.scenario(grid)
    paths, costs = engine.find_many([(0, 0)], [(3, 3)]), engine.matrix([(0, 0)], [(3, 3)])
    grid.save(os.path.join(folder, "arena.map"))
    scenario.save(os.path.join(folder, "arena.scen"))
    map_file, scen_file, out = (
        os.path.join(folder, "arena.map"),
        os.path.join(folder, "arena.scen"),
        os.path.join(folder, "out"),
    )
    octile.build_index("hub-labels", grid, out + ".octx")
    index = octile.open_index(out + ".octx")
    builder = octile.PartBuilder(grid)
    parts = octile.PartsBuild(grid, out + "2.octx")
    pictures = {"path": path, "trace": trace, "field": field, "scale": 2}
    edits = octile.Edits
    two, long_two = [(0, 0), (1, 1)], [(0, 0)] * 2500
    # fmt: off
    return {
        "Grid": (octile.Grid, {"blocked": np.zeros((4, 6), dtype=bool), "prices": np.ones((4, 6), dtype=np.uint8), "convention": "enter", "movement": "tile", "georeference": place}),
        "Grid free": (octile.Grid, {"free": np.ones((4, 6), dtype=bool)}),
        "Grid.open": (octile.Grid.open, {"width": 3, "height": 2, "movement": "tile"}),
        "Grid.parse": (octile.Grid.parse, {"text": "..\n.."}),
        "Grid._restore": (octile.Grid._restore, {"sides": (2, 2), "bits": b"\0", "movement": "octile", "ground": (None, None), "georeference": place}),  # type: ignore[attr-defined]
        "grid.apply": (grid.copy().apply, {"edits": edits()}),
        "grid.is_free": (grid.is_free, {"cell": (0, 0)}),
        "grid.connected": (grid.connected, {"a": (0, 0), "b": (1, 1)}),
        "grid.clearance": (grid.clearance, {"shape": "disc"}),
        "grid.for_agent": (grid.for_agent, {"agent": "square:2"}),
        "grid.with_movement": (grid.with_movement, {"movement": "tile"}),
        "grid.save": (grid.save, {"path": out + ".map"}),
        "grid.picture": (lambda **given: grid.picture(**given).png(), pictures),
        "grid.picture svg": (lambda **given: land.picture(**given).svg(), pictures),
        "grid.picture save": (grid.picture().save, {"path": out + ".png"}),
        "grid.__array__": (grid.__array__, {"dtype": bool, "copy": True}),
        "grid ==": (grid.__eq__, {"other": grid}),
        "grid.block[]": (lambda key: grid.copy().block[key], {"key": (0, 0)}),
        "grid.block[] =": (lambda key, value: grid.copy().block.__setitem__(key, value), {"key": (0, 0), "value": True}),
        "grid.price[] =": (lambda key, value: land.copy().price.__setitem__(key, value), {"key": (0, 0), "value": 3}),
        "engine.block[] =": (lambda key, value: engine.block.__setitem__(key, value), {"key": (3, 5), "value": True}),
        "engine.price[] =": (lambda key, value: priced.price.__setitem__(key, value), {"key": (0, 0), "value": 3}),
        "Edits.block": (lambda cell: repr(edits().block(cell)), {"cell": (0, 0)}),
        "Edits.free_rect": (lambda a, b: repr(edits().free_rect(a, b)), {"a": (0, 0), "b": (2**32 - 1, 2**32 - 1)}),
        "Edits.price": (lambda cell, price: repr(edits().price(cell, price)), {"cell": (0, 0), "price": 3}),
        "Edits.price_rect": (lambda a, b, price: repr(edits().price_rect(a, b, price)), {"a": (0, 0), "b": (2**31, 2**31), "price": 3}),
        "Georeference": (octile.Georeference, {"width": 3, "height": 4, "resolution": 0.5, "origin": (0.0, 0.0, 0.0)}),
        "place.cell_to_world": (place.cell_to_world, {"cell": (0, 0)}),
        "place.world_to_cell": (place.world_to_cell, {"x": 0.5, "y": 0.5}),
        "place.metres_to_cells": (place.metres_to_cells, {"metres": 0.5}),
        "place.cells_to_metres": (place.cells_to_metres, {"cells": 0.5}),
        "place.to_world": (place.to_world, {"points": [(0, 0)]}),
        "Cost": (lambda **given: (str(octile.Cost(**given)), hash(octile.Cost(**given)), float(octile.Cost(**given))), {"straight": 1, "diagonal": 2, "parts": 4}),
        "Cost <": (octile.Cost(1, 1).__lt__, {"other": octile.Cost(2, 2)}),
        "path.check": (path.check, {"grid": grid}),
        "path.smooth": (path.smooth, {"grid": grid, "squeeze": "allowed"}),
        "taut.check": (taut_path.check, {"grid": grid}),
        "taut.smooth": (taut_path.smooth, {"grid": grid, "squeeze": "allowed"}),
        "path.to_world": (path.to_world, {"place": place}),
        "path.metres": (path.metres, {"place": place}),
        "path ==": (path.__eq__, {"other": path}),
        "Path._restore": (octile.Path._restore, {"text": "{}", "start": (0, 0), "goal": (1, 1)}),  # type: ignore[attr-defined]
        "path_through": (octile.path_through, {"points": two}),
        "paths[]": (paths.__getitem__, {"query": 0}),
        "Paths.concat": (octile.Paths.concat, {"pieces": [paths, paths]}),
        "Costs.concat": (octile.Costs.concat, {"pieces": [costs, costs]}),
        "costs.__array__": (costs.__array__, {"dtype": float, "copy": True}),
        "Engine": (octile.Engine, {"grid": grid, "planner": "hub-labels", "index": index, "budget": "brief", "progress": len, "threads": 1, "smooth": "greedy"}),
        "Engine index": (octile.Engine, {"grid": grid, "planner": "hub-labels", "index": [out + ".octx"], "ends": "centres", "squeeze": "allowed", "smooth": "greedy"}),
        "Engine._restore": (octile.Engine._restore, {"grid": grid, "spec": "astar", "files": [], "budget": "brief"}),  # type: ignore[attr-defined]
        "engine.find": (engine.find, {"start": (0, 0), "goal": (3, 3), "output": "cells"}),
        "taut.find": (taut.find, {"start": (0, 0), "goal": (3, 3), "output": "cells"}),
        "engine.ask": (engine.ask, {"start": (0, 0), "goals": two, "nearest": "both", "max_cost": 3.0, "max_expanded": 9, "timeout": 3.0, "output": "cost"}),
        "taut.ask": (taut.ask, {"start": (0, 0), "goals": two, "nearest": "both", "max_cost": 3.0, "max_expanded": 9, "timeout": 3.0}),
        "engine.find_many": (engine.find_many, {"starts": two, "goals": two, "output": "cells", "nearest": True, "max_cost": 3.0, "max_expanded": 9, "errors": "skip", "threads": 1, "progress": print_nothing}),
        "engine.find_many long": (engine.find_many, {"starts": long_two, "goals": long_two, "errors": "skip", "threads": 1, "progress": print_nothing}),
        "engine.costs": (engine.costs, {"starts": two, "goals": two, "max_cost": 3.0, "errors": "skip", "threads": 1, "progress": print_nothing}),
        "engine.matrix": (engine.matrix, {"sources": two, "targets": two, "threads": 1, "progress": print_nothing}),
        "engine.nearest": (engine.nearest, {"start": (0, 0), "targets": two, "count": 1}),
        "engine.field": (engine.field, {"goals": two, "max_cost": 3.0}),
        "engine.trace": (engine.trace, {"start": (0, 0), "goal": (3, 3)}),
        "engine.for_agent": (engine.for_agent, {"agent": "disc:1"}),
        "engine.apply": (engine.apply, {"edits": edits()}),
        "engine.still_valid": (engine.still_valid, {"path": path}),
        "engine.connected": (engine.connected, {"a": (0, 0), "b": (1, 1)}),
        "engine.renew": (engine.renew, {"wait": True, "timeout": 3.0}),
        "engine.keep_fresh": (change_after(engine, engine.keep_fresh), {"quiet": 0.01, "at_latest": 0.5}),
        "engine.picture": (lambda **given: engine.picture(**given).png(), pictures),
        "field.step": (field.step, {"cell": (0, 0)}),
        "field.path": (field.path, {"cell": (0, 0)}),
        "field.direction": (field.direction, {"x": 0.5, "y": 0.5}),
        "field.apply": (field.apply, {"edits": edits()}),
        "field.set_goals": (field.set_goals, {"goals": two}),
        "scenario.agrees": (scenario.agrees, {"costs": scenario.lengths}),
        "scenario.check_fits": (scenario.check_fits, {"grid": grid}),
        "scenario.save": (scenario.save, {"path": out + ".scen"}),
        "Scenario._restore": (octile.Scenario._restore, {"bytes": b"version 1\n"}),  # type: ignore[attr-defined]
        "load": (octile.load, {"path": map_file, "unknown": "free", "prices": "costmap", "convention": "enter", "movement": "tile"}),
        "load_scenario": (octile.load_scenario, {"path": scen_file}),
        "load_dynamic": (octile.load_dynamic, {"path": scen_file}),
        "open_index": (octile.open_index, {"path": out + ".octx"}),
        "index_from_bytes": (octile.index_from_bytes, {"data": b"abc"}),
        "index.verify": (index.verify, {"grid": grid}),
        "index.save": (index.save, {"path": out + "3.octx"}),
        "build_index": (octile.build_index, {"kind": "cpd", "grid": grid, "path": out + "4.octx", "settings": "layout=runs", "budget": "brief", "threads": 1, "progress": print_nothing}),
        "PartBuilder": (octile.PartBuilder, {"grid": grid, "kind": "cpd", "settings": "layout=runs"}),
        "builder.part": (builder.part, {"first": 0, "last": 5, "threads": 1, "progress": print_nothing}),
        "builder.write": (builder.write, {"folder": parts.folder, "first": 0, "last": 5, "threads": 1, "progress": print_nothing}),
        "PartsBuild": (lambda **given: octile.PartsBuild(**given).close(), {"grid": grid, "path": out + "5.octx", "kind": "cpd", "settings": "layout=runs"}),
        "parts.build": (parts.build, {"first": 0, "last": 5, "threads": 1, "progress": print_nothing}),
        "parts.missing": (parts.missing, {"chunk": 5}),
        "parts.add": (parts.add, {"part": b"abc"}),
        "parts.adopt": (parts.adopt, {"first": 0, "last": 5}),
        "advise": (octile.advise, {"grid": octile.Grid.open(3, 3), "memory": "1MB", "changes": "0.01%/2000", "any_angle": False, "squeeze": "allowed", "ends": "centres"}),
        "generate.rooms": (octile.generate.rooms, {"width": 20, "height": 9, "room": 4, "seed": 1}),
        "generate.maze": (octile.generate.maze, {"width": 20, "height": 9, "corridor": 2, "seed": 1}),
        "generate.random": (octile.generate.random, {"width": 20, "height": 9, "percent": 30, "seed": 1}),
        "generate.caves": (octile.generate.caves, {"width": 20, "height": 9, "percent": 30, "seed": 1}),
        "generate.regions": (octile.generate.regions, {"grid": grid, "prices": [1, 2], "size": 3, "convention": "enter", "seed": 1}),
        "generate.scenario": (octile.generate.scenario, {"grid": grid, "name": "a", "per_bucket": 3, "bucket_width": 4, "sources": 5, "seed": 1}),
    }
    # fmt: on


def print_nothing(*_: object) -> None:
    pass


def change_after(engine: octile.Engine, call: Callable[..., Any]) -> Callable[..., Any]:
    """Calls, and then changes the map, so that what was asked for begins."""

    def both(**given: Any) -> None:
        call(**given)
        engine.block[3, 5] = not engine.block[3, 5]
        engine.find((0, 0), (1, 1))

    return both


def names() -> list[str]:
    """The names of all targets, without making them."""
    with open(__file__, encoding="utf-8") as source:
        body = source.read().split("    return {\n", 1)[1].split("\n    }\n", 1)[0]
    return [line.split('"')[1] for line in body.splitlines()]


def run(name: str, call: Callable[..., Any], right: dict[str, Any], log: Callable[[str], None]) -> None:
    """Calls with each argument wrong in turn, with each left out, one too many, and none."""

    def attempt(what: str, *given: Any, **named: Any) -> None:
        log(f"{name}: {what}")
        try:
            call(*given, **named)
        except SystemError as error:
            log(f"FAULT {name}: {what}: {error!r}")
        except Exception as error:
            if not isinstance(error, RuntimeError) or "rude" not in str(error):
                str(error)
        except BaseException as error:
            log(f"FAULT {name}: {what}: {type(error).__name__}: {error}")

    for parameter in right:
        for number, value in enumerate(values()):
            shown = object.__repr__(value) if isinstance(value, Rude) else f"{type(value).__name__} number {number}"
            if isinstance(value, (int, float, str, bytes, tuple, type(None))) and not any(
                isinstance(one, Rude) for one in (value if isinstance(value, tuple) else ())
            ):
                shown = repr(value)[:60] if not isinstance(value, int) or abs(value) < 2**80 else "10**400"
            attempt(f"{parameter}={shown}", **{**right, parameter: value})
        attempt(f"without {parameter}", **{key: value for key, value in right.items() if key != parameter})
    attempt("nothing")
    attempt("too much", *right.values(), *[None] * 5)
    attempt("a wrong keyword", **right, nonsense=1)


def main() -> None:
    name, folder = sys.argv[1:]
    os.chdir(folder)
    all_targets = targets(folder)
    wanted = list(all_targets) if name == "all" else [name]
    for one in wanted:
        # Each in a process of its own, which knows no more than that all was made before.
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            signal.alarm(WATCHDOG)
            file = os.path.join(folder, f"{one.replace(' ', '_')}.log")
            with open(file, "w", encoding="utf-8", errors="backslashreplace") as written:
                log = partial(print, file=written, flush=True)
                run(one, *all_targets[one], log)
                log("END")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(f"{one}\t{status}", flush=True)


if __name__ == "__main__":
    assert threading.active_count() == 1
    main()
