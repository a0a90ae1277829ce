"""Whatever Python hands over, it gets an exception that it can catch: never a crash, a hang, a panic or a SystemError."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import hostile
import numpy as np
import pytest
from oracle import WATCHDOG

import octile

TESTS = pathlib.Path(__file__).parent
LIMITS = f"import resource, signal; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30)); resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); signal.alarm({WATCHDOG})"


# Every function with every wrong value


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, list[str]]]:
    """How each target ended, and its log."""
    folder = tmp_path_factory.mktemp("hostile")
    done = subprocess.run(
        [sys.executable, str(TESTS / "hostile.py"), "all", str(folder)],
        capture_output=True,
        text=True,
        timeout=4 * WATCHDOG,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = dict(line.rsplit("\t", 1) for line in done.stdout.splitlines())
    return {
        name: (int(status), (folder / f"{name.replace(' ', '_')}.log").read_text("utf-8").splitlines())
        for name, status in found.items()
    }


@pytest.mark.parametrize("target", hostile.names())
def test_wrong_values(outcomes: dict[str, tuple[int, list[str]]], target: str) -> None:
    status, log = outcomes[target]
    faults = [line for line in log if line.startswith("FAULT")]
    assert not faults, "\n".join(faults[:10])
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        pytest.fail(f"{'it hung' if name == 'SIGALRM' else f'killed by {name}'} at {log[-1]}")
    assert log[-1] == "END" and len(log) > 50


def test_every_public_name_is_tried() -> None:
    tried = " ".join(hostile.names())
    functions = [
        name
        for name in octile.__all__
        if callable(getattr(octile, name)) and not isinstance(getattr(octile, name), type)
    ]
    for name in [*functions, *(f"generate.{one}" for one in octile.generate.__all__)]:
        assert name in tried or name in {"planners", "index_kinds"}
    for owner, short in [
        (octile.Engine, "engine"),
        (octile.Grid, "grid"),
        (octile.Field, "field"),
        (octile.Georeference, "place"),
    ]:
        methods = [name for name in dir(owner) if not name.startswith("_") and callable(getattr(owner, name))]
        for method in methods:
            assert (
                f"{short}.{method}" in tried
                or f"{owner.__name__}.{method}" in tried
                or method in {"copy", "without_prices"}
            )


# Single things that are risky, each in a process of its own

RISKY: dict[str, str] = {
    "a path that is too long to list": "octile.path_through([(0, 0), (2**32 - 1, 0)]).cells",
    "a path far off": "assert (octile.path_through([(2**31, 0), (2**31 + 1, 0)]).cells >= 0).all()",
    "a picture with a path far off": "grid.picture(path=octile.path_through([(0, 0), (2**32 - 1, 0)])).png()",
    "a picture with a field of another map": "grid.picture(field=octile.Engine(octile.Grid.open(90, 70)).field((3, 3))).png()",
    "a picture with a trace of another map": "grid.picture(trace=octile.Engine(octile.Grid.open(90, 70), 'astar').trace((3, 3), (80, 60))).png()",
    "a large picture": "grid.picture(scale=2**32 - 1).png()",
    "a huge rectangle": "edits = octile.Edits().block_rect((0, 0), (2**32 - 1, 2**32 - 1)); repr(edits); bool(edits); grid.apply(edits)",
    "many huge rectangles": "edits = octile.Edits()\nfor _ in range(1000): edits.block_rect((0, 0), (60000, 60000))\nrepr(edits); engine.apply(edits)",
    "a huge matrix": "cells = np.zeros((1 << 20, 2), dtype=int); engine.matrix(cells, cells)",
    "more queries than memory": "engine.find_many(np.broadcast_to(np.int32(0), (1 << 45, 2)), (1, 1))",
    "more targets than memory": "engine.nearest((0, 0), np.broadcast_to(np.int64(0), (1 << 45, 2)))",
    "more small cells than memory": "engine.find_many(np.broadcast_to(np.int8(0), (1 << 45, 2)), (1, 1))",
    "a map larger than may be": "octile.Grid(np.broadcast_to(False, (1 << 20, 1 << 20)))",
    "a map that overflows": "octile.Grid(prices=np.broadcast_to(np.uint8(1), (1 << 32, 1 << 31)))",
    "a scenario with endless sources": "octile.generate.scenario(grid, sources=2**63)",
    "a scenario with endless buckets": "octile.generate.scenario(grid, per_bucket=2**63, bucket_width=0)",
    "a time that no clock knows": "engine.ask((0, 0), (3, 3), timeout=1e19); engine.keep_fresh(1e19, at_latest=1e19); engine.block[0, 0] = True; engine.renew(timeout=1e19)",
    "threads without end": "engine.find_many([(0, 0)] * 10, [(1, 1)] * 10, threads=1024)",
    "goals that ask back": "field = engine.field((0, 0))\nclass Again:\n    def __array__(self, *args, **named):\n        field.set_goals([(1, 1)]); return np.array([(2, 2)])\nfield.set_goals(Again())",
    "starts that change the map": "class Again:\n    def __array__(self, *args, **named):\n        engine.block[0, 0] = True; return np.array([(2, 2)])\nengine.find_many(Again(), Again())",
    "a progress that asks back": "engine.find_many([(0, 0)] * 30000, [(1, 1)] * 30000, progress=lambda *_: engine.find_many([(0, 0)] * 3000, [(1, 1)] * 3000))",
    "a progress that changes the map": "engine.matrix([(0, 0)] * 3000, [(1, 1)] * 3000, progress=lambda *_: engine.block.__setitem__((3, 5), True))",
    "a key that changes the map": "class Key:\n    def __index__(self):\n        engine.block[0, 0] = True; return 1\nengine.block[Key(), Key()] = True",
    "a list that lies about its length": "class Liar(list):\n    def __len__(self):\n        return 2**40\noctile.generate.regions(grid, Liar([1, 2]))",
    "deep lists": "deep = []\nfor _ in range(100000): deep = [deep]\nengine.find_many(deep, deep)",
    "a list that holds itself": "loop = []; loop.append(loop); engine.find_many(loop, loop)",
    "a drawing without end": "octile.Grid.parse('.' * 10_000_000)",
    "a drawing of many lines": "octile.Grid.parse('.\\n' * 200_000)",
    "methods without an object": "octile.Engine.find(object.__new__(octile.Engine), (0, 0), (1, 1))",
    "methods of another class": "octile.Grid.copy(engine)",
    "an object made around its constructor": "object.__new__(octile.Grid).copy()",
    "reduce": "engine.__reduce__()[0](3)",
    "an unsettled path": "octile.Path()",
    "no paths to join": "octile.Paths.concat([])",
    "paths of two kinds to join": "octile.Paths.concat([engine.find_many((0, 0), [(1, 1)]), octile.Engine(grid, 'taut-sight').find_many((0, 0), [(1, 1)])])[1]",
    "the end of the interpreter": "engine.keep_fresh(0.01); engine.block[0, 0] = True; engine.renew(wait=False)",
    "the end of the interpreter with threads": "import threading\nasked = [threading.Event() for _ in range(4)]\ndef ask(first):\n    while True: engine.find_many([(0, 0)] * 5000, [(1, 1)] * 5000); first.set()\nfor one in asked: threading.Thread(target=ask, args=(one,), daemon=True).start()\nfor one in asked: one.wait()",
}  # fmt: skip


@pytest.mark.parametrize("case", RISKY)
def test_risky(case: str) -> None:
    body = "\n".join("    " + line for line in RISKY[case].splitlines())
    program = f"""{LIMITS}
import numpy as np, octile
grid = octile.Grid.open(6, 4)
engine = octile.Engine(grid, "astar")
def call():
{body}
try:
    call()
except AssertionError:
    raise
except SystemError as error:
    raise SystemExit("SystemError: " + str(error))
except Exception as error:
    print(type(error).__name__, str(error)[:200])
except BaseException as error:
    raise SystemExit("not an Exception: " + type(error).__name__ + ": " + str(error))
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=WATCHDOG)
    assert done.returncode == 0, f"exit {done.returncode}: {done.stdout[-300:]} {done.stderr[-600:]}"
    assert done.stdout.endswith("alive\n")


# Classes


CLASSES = [
    getattr(octile, name)
    for name in octile.__all__
    if isinstance(getattr(octile, name), type) and not issubclass(getattr(octile, name), Exception)
]


@pytest.mark.parametrize("owner", CLASSES, ids=lambda owner: owner.__name__)
def test_classes_are_closed(owner: type) -> None:
    with pytest.raises(TypeError):
        type("Mine", (owner,), {})
    with pytest.raises(TypeError):
        object.__new__(owner)
    with pytest.raises(TypeError):
        owner(*[None] * 20)


def changes_of(thing: Any, name: str) -> list[Callable[[], object]]:
    return [
        lambda: setattr(thing, name, 3),
        lambda: delattr(thing, name),
        lambda: setattr(thing, "nonsense", 3),
        lambda: delattr(thing, "nonsense"),
        lambda: thing.nonsense,
    ]


def test_attributes_are_fixed() -> None:
    grid = octile.Grid.open(3, 3)
    engine = octile.Engine(grid, "astar")
    path = engine.find((0, 0), (2, 2))
    things: list[tuple[Any, str]] = [
        (grid, "width"),
        (grid, "block"),
        (engine, "grid"),
        (engine, "spec"),
        (path, "cells"),
        (octile.Cost(1, 1), "straight"),
    ]
    things += [
        (engine.find_many((0, 0), [(1, 1)]), "costs"),
        (engine.matrix([(0, 0)], [(1, 1)]), "lengths"),
        (engine.field((0, 0)), "goals"),
    ]
    for thing, name in things:
        for change in changes_of(thing, name):
            with pytest.raises((AttributeError, TypeError)):
                change()


def test_wrong_arity() -> None:
    engine = octile.Engine(octile.Grid.open(3, 3), "astar")
    wrong: list[Any] = [
        lambda: engine.find(),  # type: ignore[call-arg]
        lambda: engine.find((0, 0)),  # type: ignore[call-arg]
        lambda: engine.find((0, 0), (1, 1), "cells"),  # type: ignore[call-arg]
        lambda: engine.find((0, 0), (1, 1), goal=(1, 1)),  # type: ignore[misc]
        lambda: engine.find_many((0, 0)),  # type: ignore[call-arg]
        lambda: octile.Grid.open(3),  # type: ignore[call-arg]
        lambda: octile.Grid(None, None),  # type: ignore[call-arg]
        lambda: octile.Edits(3),  # type: ignore[call-arg]
        lambda: octile.Edits().block(3, 4),  # type: ignore[call-arg, arg-type]
        lambda: octile.planners(3),  # type: ignore[call-arg]
        lambda: octile.Cost(1),  # type: ignore[call-arg]
    ]
    for call in wrong:
        with pytest.raises(TypeError):
            call()


# Files


def broken(data: bytes) -> list[bytes]:
    """Truncated, lengthened, with bytes and bits changed, and with large numbers in it."""
    rng = np.random.default_rng(1)
    made = [data[:length] for length in [0, 1, 7, 8, 16, 40, len(data) // 3, len(data) // 2, len(data) - 1]]
    made += [data + b"\0", data * 2, b"\0" * len(data), b"\xff" * len(data)]
    for place in [*range(0, min(len(data), 200), 3), *rng.integers(len(data), size=150).tolist()]:
        for change in [0x01, 0x80, 0xFF]:
            changed = bytearray(data)
            changed[place] ^= change
            made.append(bytes(changed))
    for place in range(0, min(len(data) - 8, 240), 4):
        made.append(data[:place] + b"\xff" * 8 + data[place + 8 :])
    return made


def test_damaged_indexes(tmp_path: pathlib.Path) -> None:
    """In a process of its own. An index that is whole or damaged is used or refused; what is used answers as it should."""
    program = f"""{LIMITS}
import sys
sys.path.insert(0, {str(TESTS)!r})
import numpy as np, octile
from test_hostile import broken
grid = octile.generate.rooms(20, 17, 5, seed=1)
cells = np.argwhere(grid.free)[:, ::-1]
expected = octile.Engine(grid, "astar").costs(cells[::3], cells[::-3]).lengths
refused = 0
for kind in ["hub-labels", "cpd", "core-table"]:
    file = {str(tmp_path)!r} + "/" + kind + ".octx"
    octile.build_index(kind, grid, file)
    data = open(file, "rb").read()
    assert np.array_equal(octile.Engine(grid, kind, index=octile.index_from_bytes(data)).costs(cells[::3], cells[::-3]).lengths, expected)
    for number, wrong in enumerate(broken(data)):
        try:
            if number % 10 == 0:
                open(file, "wb").write(wrong)
                index = octile.open_index(file)
            else:
                index = octile.index_from_bytes(wrong)
            repr(index); index.describe()
            engine = octile.Engine(grid, kind, index=index)
        except octile.OctileError:
            refused += 1
            continue
        assert np.array_equal(engine.costs(cells[::3], cells[::-3]).lengths, expected), (kind, number)
print("refused", refused)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=WATCHDOG)
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr[-2000:]}"
    assert int(done.stdout.split()[-1]) > 1000


def test_an_index_of_another_map(tmp_path: pathlib.Path) -> None:
    grid, other = octile.generate.rooms(20, 17, 5, seed=1), octile.generate.rooms(20, 17, 5, seed=2)
    index = octile.build_index("hub-labels", grid, tmp_path / "a.octx")
    index.verify(grid)
    with pytest.raises(octile.IndexFileError):
        index.verify(other)
    with pytest.raises((octile.IndexFileError, octile.BuildError)):
        octile.Engine(other, "hub-labels", index=index)


NO_MAPS: dict[str, bytes] = {
    "empty.map": b"",
    "cut.map": b"type octile\nheight 3\nwidth 3\nmap\n...\n",
    "long.map": b"type octile\nheight 1\nwidth 3\nmap\n....\n",
    "huge.map": b"type octile\nheight 4000000000\nwidth 4000000000\nmap\n",
    "beyond.map": b"type octile\nheight 99999999999999999999\nwidth 3\nmap\n...\n",
    "negative.map": b"type octile\nheight -1\nwidth 3\nmap\n...\n",
    "nul.map": b"\0" * 1000,
    "bytes.map": bytes(range(256)),
    "utf16.map": "type octile\nheight 1\nwidth 1\nmap\n.\n".encode("utf-16"),
    "empty.txt": b"",
    "ragged.txt": b"..\n...\n",
    "empty.pgm": b"",
    "huge.pgm": b"P5 4000000000 4000000000 255\n",
    "large.pgm": b"P5 60000 60000 255\n",
    "cut.pgm": b"P5 10 10 255\nabc",
    "zero.pgm": b"P5 0 0 255\n",
    "depth.pgm": b"P5 1 1 0\na",
    "noise.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "empty.png": b"",
    "header.png": b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\0\0\0\0",
    "empty.yaml": b"",
    "loop.yaml": b"image: loop.yaml\nresolution: 1\norigin: [0,0,0]\nnegate: 0\noccupied_thresh: 0.6\nfree_thresh: 0.2\n",
    "gone.yaml": b"image: gone.pgm\nresolution: 1\norigin: [0,0,0]\nnegate: 0\noccupied_thresh: 0.6\nfree_thresh: 0.2\n",
    "bomb.yaml": b"a: &a [x,x,x,x,x,x,x,x]\n"
    + b"".join(b"%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n" % tuple([98 + i] * 2 + [97 + i] * 8) for i in range(10)),
    "other.gif": b"GIF89a",
    "none": b"",
}


@pytest.mark.parametrize("name", NO_MAPS)
def test_files_that_are_no_maps(tmp_path: pathlib.Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(NO_MAPS[name])
    for load in [octile.load, octile.load_scenario, octile.load_dynamic]:
        if load is octile.load_scenario and not NO_MAPS[name].strip():
            continue  # a scenario without problems may be one
        with pytest.raises(octile.LoadError) as raised:
            load(file)  # type: ignore[operator]
        assert name in str(raised.value)
    with pytest.raises(octile.OctileError):
        octile.open_index(file)


def test_files_that_cannot_be_read(tmp_path: pathlib.Path) -> None:
    for load in [octile.load, octile.load_scenario, octile.load_dynamic]:
        for wrong in [tmp_path, tmp_path / "a\0b.map", tmp_path / ("x" * 5000 + ".map"), "", "\0"]:
            with pytest.raises((octile.LoadError, ValueError)):
                load(wrong)  # type: ignore[operator]
    names: list[str | pathlib.Path] = [tmp_path, "", "a\0b"]
    for wrong in names:
        with pytest.raises((octile.OctileError, ValueError)):
            octile.open_index(wrong)
    if os.geteuid() != 0:  # who is root can read everything
        (tmp_path / "secret.map").write_text("type octile\nheight 1\nwidth 1\nmap\n.\n")
        (tmp_path / "secret.map").chmod(0)
        with pytest.raises(octile.LoadError):
            octile.load(tmp_path / "secret.map")
