"""Maps as arrays: what goes in comes out, whichever way round, and views do what numpy does."""

from __future__ import annotations

import copy
import os
import pathlib
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracle import WATCHDOG, Movement, random_land, random_map, shown

import octile

MOVEMENTS: list[Movement] = ["octile", "tile", "octile-cutting"]


def random_bools(height: int, width: int, seed: int = 0) -> NDArray[np.bool_]:
    return np.random.default_rng(seed).random((height, width)) < 0.4


# Which way round


def test_arrays_are_y_x_and_points_are_x_y() -> None:
    blocked = np.zeros((3, 7), dtype=bool)
    blocked[1, 5] = True  # row 1, column 5
    grid = octile.Grid(blocked)
    assert (grid.width, grid.height, grid.shape) == (7, 3, (3, 7))
    assert not grid.is_free((5, 1))
    assert grid.is_free((1, 2)) and grid.is_free((6, 2))
    assert not grid.is_free((2, 6)), "row 6 is off the map"
    assert grid.blocked.shape == grid.free.shape == grid.prices.shape == np.asarray(grid).shape == (3, 7)
    assert grid.block[1, 5] is True
    path = octile.Engine(grid, "astar").find((0, 2), (6, 0))
    assert path is not None
    assert path.cells[0].tolist() == [0, 2] and path.cells[-1].tolist() == [6, 0]


def test_a_path_goes_round_a_wall_where_the_array_has_it() -> None:
    blocked = np.zeros((4, 9), dtype=bool)
    blocked[0:3, 4] = True  # a wall in column 4 with a gap in row 3
    path = octile.Engine(octile.Grid(blocked), "corner-sweep").find((0, 0), (8, 0))
    assert path is not None
    assert [4, 3] in path.cells.tolist()
    assert not blocked[path.cells[:, 1], path.cells[:, 0]].any()


def test_field_clearance_and_moves_are_y_x() -> None:
    grid = octile.Grid.open(7, 3)
    field = octile.Engine(grid, "astar").field((6, 0))
    assert field.lengths.shape == field.straight.shape == field.diagonal.shape == field.moves.shape == (3, 7)
    assert field.lengths[0, 6] == 0 and field.lengths[0, 0] == 6 and field.lengths[2, 6] == 2
    assert grid.clearance("square")[0].tolist() == [3, 3, 3, 3, 3, 2, 1]
    assert grid.clearance("disc").shape == (3, 7)


# In and out


@pytest.mark.parametrize("shape", [(1, 1), (1, 70), (70, 1), (5, 64), (6, 65), (3, 129)])
def test_bools_and_bytes_go_round(shape: tuple[int, int]) -> None:
    blocked = random_bools(*shape)
    for grid in [
        octile.Grid(blocked),
        octile.Grid(blocked=blocked),
        octile.Grid(free=~blocked),
        octile.Grid(blocked.astype(np.uint8)),
        octile.Grid(blocked.astype(np.uint8) * 255),
        octile.Grid(free=(~blocked).astype(np.uint8) * 7),
        octile.Grid(blocked.tolist()),
        octile.Grid(prices=(~blocked).astype(np.uint8)).without_prices(),
    ]:
        assert np.array_equal(grid.blocked, blocked) and grid.blocked.dtype == np.bool_
        assert np.array_equal(grid.free, ~blocked) and grid.free.dtype == np.bool_
        assert np.array_equal(np.asarray(grid), blocked)
        assert np.array_equal(grid.prices, (~blocked).astype(np.uint8)) and grid.prices.dtype == np.uint8
        assert grid.free_cells == int((~blocked).sum())
        assert grid == octile.Grid(blocked)


def test_asarray_with_a_dtype() -> None:
    blocked = random_bools(4, 6)
    grid = octile.Grid(blocked)
    for dtype in [bool, np.uint8, np.int64, np.float32]:
        array = np.asarray(grid, dtype=dtype)
        assert array.dtype == dtype and np.array_equal(array, blocked.astype(dtype))
    assert np.array_equal(np.array(grid.block, dtype=np.uint8), blocked)
    with pytest.raises(ValueError, match="copy"):
        np.array(grid, copy=False)


def test_the_arrays_are_copies() -> None:
    grid = octile.Grid(random_bools(4, 6))
    before = grid.blocked
    for array in [grid.blocked, grid.free, np.asarray(grid)]:
        array[:] = ~array
    grid.prices[:] = 9
    assert np.array_equal(grid.blocked, before)
    source = before.copy()
    grid = octile.Grid(source)
    source[:] = ~source
    assert np.array_equal(grid.blocked, before), "the map does not follow the array that it was made from"


@pytest.mark.parametrize("convention", ["average", "enter"])
def test_prices_go_round(convention: Any) -> None:
    prices = np.random.default_rng(3).integers(0, 256, (5, 11), dtype=np.uint8)
    prices[0, :3] = [0, 1, 255]
    grid = octile.Grid(prices=prices, convention=convention)
    assert grid.convention == convention
    assert np.array_equal(grid.prices, prices)
    assert np.array_equal(grid.blocked, prices == 0)
    blocked = random_bools(5, 11)
    both = octile.Grid(blocked, prices=prices, convention=convention)
    assert np.array_equal(both.blocked, blocked | (prices == 0))
    assert np.array_equal(both.prices, np.where(both.blocked, 0, prices))
    free = octile.Grid(free=~blocked, prices=prices, convention=convention)
    assert free == both
    plain = both.without_prices()
    assert plain.convention is None and np.array_equal(plain.blocked, both.blocked)
    assert octile.Grid(blocked).convention is None


def test_a_freed_cell_has_the_price_it_had() -> None:
    grid = octile.Grid(prices=np.full((2, 3), 4, dtype=np.uint8))
    grid.block[1, 2] = True
    assert grid.prices.tolist() == [[4, 4, 4], [4, 4, 0]]
    grid.price[1, 2] = 7
    assert grid.blocked[1, 2], "a price frees nothing"
    grid.block[1, 2] = False
    assert grid.price[1, 2] == 7


@pytest.mark.parametrize("movement", MOVEMENTS)
def test_movement(movement: Movement) -> None:
    grid = octile.Grid(random_bools(4, 6), movement=movement)
    assert grid.movement == movement
    assert octile.Grid.open(3, 2, movement=movement).movement == movement
    other = grid.with_movement("tile")
    assert other.movement == "tile" and grid.movement == movement
    assert np.array_equal(other.blocked, grid.blocked)
    assert (other == grid) == (movement == "tile")
    assert octile.MOVEMENTS == MOVEMENTS and octile.CONVENTIONS == ["average", "enter"]


def test_parse_and_open() -> None:
    grid = octile.Grid.parse(".@.\n..5\n")
    assert grid.shape == (2, 3) and grid.prices.tolist() == [[1, 0, 1], [1, 1, 5]]
    assert octile.Grid.open(5, 2).blocked.tolist() == [[False] * 5] * 2
    assert octile.Grid.open(5, 2) == octile.Grid(np.zeros((2, 5), dtype=bool))


def test_components_and_connected() -> None:
    grid = octile.Grid.parse("..@.\n..@.\n@@@.")
    assert grid.components == 2
    assert grid.connected((0, 0), (1, 1)) and not grid.connected((0, 0), (3, 0))
    assert not grid.connected((0, 0), (2, 0)) and not grid.connected((-1, 0), (0, 0))
    assert not grid.connected((0, 0), (2**40, 0))
    for cell in [(-1, 0), (0, -1), (4, 0), (0, 3), (2**31, 2**31), (2**62, 0)]:
        assert not grid.is_free(cell)


# Arrays of all sorts


LAYOUTS: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "strided": lambda array: np.repeat(np.repeat(array, 2, axis=0), 3, axis=1)[::2, ::3],
    "transposed": lambda array: np.ascontiguousarray(array.T).T,
    "negative strides": lambda array: np.ascontiguousarray(array[::-1, ::-1])[::-1, ::-1],
    "fortran": np.asfortranarray,
    "part of a larger one": lambda array: np.pad(array, 3)[3:-3, 3:-3],
    "column of a record": lambda array: np.array(
        [[(0.5, cell) for cell in row] for row in array], dtype=[("weight", "f8"), ("cell", array.dtype)]
    )["cell"],
    "read-only": lambda array: np.frombuffer(array.tobytes(), dtype=array.dtype).reshape(array.shape),
    "matrix": lambda array: array.view(np.matrix),
    "subclass": lambda array: array.view(type("Mine", (np.ndarray,), {})),
}


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [bool, np.uint8])
def test_any_layout_in_memory(layout: str, dtype: type) -> None:
    blocked = random_bools(6, 9)
    made = LAYOUTS[layout](blocked.astype(dtype))
    assert np.array_equal(octile.Grid(made).blocked, blocked)
    assert np.array_equal(octile.Grid(free=made).free, blocked)
    if dtype is np.uint8:
        assert np.array_equal(octile.Grid(prices=made).free, blocked)


def test_zero_strides() -> None:
    row = np.array([False, True, False])
    assert octile.Grid(np.broadcast_to(row, (4, 3))).blocked.tolist() == [[False, True, False]] * 4
    assert octile.Grid(np.broadcast_to(np.uint8(1), (2, 5))).free_cells == 0


def test_memmap(tmp_path: pathlib.Path) -> None:
    blocked = random_bools(6, 9)
    stored = np.memmap(tmp_path / "cells", dtype=np.uint8, mode="w+", shape=(6, 9))
    stored[:] = blocked
    stored.flush()
    read = np.memmap(tmp_path / "cells", dtype=np.uint8, mode="r", shape=(6, 9))
    assert np.array_equal(octile.Grid(read).blocked, blocked)


def test_bools_that_are_any_byte() -> None:
    """A mask of 0 and 255 seen as bool is an array of bool to numpy, and everything but 0 is true."""
    bytes_ = np.array([[0, 1, 2], [255, 0, 128]], dtype=np.uint8)
    expected = bytes_ != 0
    assert np.array_equal(octile.Grid(bytes_.view(bool)).blocked, expected)
    assert np.array_equal(octile.Grid(free=bytes_.view(bool)).free, expected)
    grid = octile.Grid.open(3, 2)
    grid.block[:] = bytes_.view(bool)
    assert np.array_equal(grid.blocked, expected)


def test_anything_with_an_array_interface() -> None:
    class Holder:
        def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[np.bool_]:
            return random_bools(3, 5)

    assert np.array_equal(octile.Grid(Holder()).blocked, random_bools(3, 5))
    assert octile.Grid(octile.Grid(random_bools(3, 5))) == octile.Grid(random_bools(3, 5))


WRONG_ARRAYS: list[tuple[str, Any, list[str]]] = [
    ("no dimension", np.bool_(True), ["blocked", "(height, width)", "()"]),
    ("a number", 3, ["blocked", "(height, width)"]),
    ("one dimension", np.zeros(4, dtype=bool), ["blocked", "(4,)"]),
    ("three dimensions", np.zeros((2, 3, 4), dtype=bool), ["blocked", "(2, 3, 4)"]),
    ("no cells", np.zeros((0, 0), dtype=bool), ["empty"]),
    ("no rows", np.zeros((0, 5), dtype=bool), ["5 x 0", "empty"]),
    ("no columns", np.zeros((5, 0), dtype=bool), ["0 x 5", "empty"]),
    ("too large", np.broadcast_to(False, (1 << 20, 1 << 20)), ["1048576", "too large"]),
    ("a long row", np.broadcast_to(False, (1, 70_000)), ["70000 x 1", "too large"]),
    ("beyond 32 bits", np.broadcast_to(False, (1, 1 << 40)), ["too large"]),
    ("float", np.array([[0.5, 1.0]]), ["blocked", "float64", "bool"]),
    ("nan", np.array([[np.nan, 1.0]]), ["blocked", "float64"]),
    ("float16", np.zeros((2, 2), dtype=np.float16), ["float16"]),
    ("int64", np.zeros((2, 2), dtype=np.int64), ["int64", "bool", "uint8"]),
    ("int8", np.zeros((2, 2), dtype=np.int8), ["int8"]),
    ("uint16", np.zeros((2, 2), dtype=np.uint16), ["uint16"]),
    ("list of int", [[0, 1], [1, 0]], ["int64"]),
    ("object", np.array([[None, True]]), ["object"]),
    ("str", np.array([["a", "b"]]), ["<U1"]),
    ("bytes", np.array([[b"a", b"b"]]), ["S1"]),
    ("complex", np.zeros((2, 2), dtype=complex), ["complex128"]),
    ("datetime", np.zeros((2, 2), dtype="datetime64[s]"), ["datetime64[s]"]),
    ("timedelta", np.zeros((2, 2), dtype="timedelta64[s]"), ["timedelta64[s]"]),
    ("record", np.zeros((2, 2), dtype=[("a", "?")]), ["a"]),
    ("text", "..\n..", ["blocked"]),
    ("dict", {"a": 1}, ["blocked"]),
]


@pytest.mark.parametrize(
    ("array", "words"), [case[1:] for case in WRONG_ARRAYS], ids=[case[0] for case in WRONG_ARRAYS]
)
def test_wrong_arrays_say_what_is_wrong(array: Any, words: list[str]) -> None:
    with pytest.raises(octile.GridError) as raised:
        octile.Grid(array)
    for word in words:
        assert word in str(raised.value)
    with pytest.raises(octile.GridError):
        octile.Grid(free=array)
    with pytest.raises(octile.GridError):
        octile.Grid(prices=array)


def test_ragged_lists_and_wrong_prices() -> None:
    with pytest.raises(ValueError):
        octile.Grid([[True], [True, False]])
    with pytest.raises(octile.GridError, match=r"prices.*uint8.*bool"):
        octile.Grid(prices=np.ones((2, 2), dtype=bool))
    with pytest.raises(octile.GridError, match=r"prices.*int64"):
        octile.Grid(prices=np.ones((2, 2), dtype=np.int64))
    with pytest.raises(octile.GridError, match=r"prices.*\(2, 3\).*\(3, 2\)"):
        octile.Grid(np.zeros((2, 3), dtype=bool), prices=np.ones((3, 2), dtype=np.uint8))


def test_none_or_two_arrays() -> None:
    with pytest.raises(ValueError, match=r"blocked.*free.*prices|give an array"):
        octile.Grid()
    with pytest.raises(ValueError, match="not both"):
        octile.Grid(random_bools(2, 3), free=random_bools(2, 3))


@pytest.mark.parametrize("name", ["", "Octile", "eight", "octile ", "tile\0"])
def test_unknown_names_tell_the_known_ones(name: str) -> None:
    blocked = random_bools(2, 3)
    with pytest.raises(ValueError, match="octile-cutting"):
        octile.Grid(blocked, movement=name)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="octile-cutting"):
        octile.Grid.open(3, 3, movement=name)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="octile-cutting"):
        octile.Grid(blocked).with_movement(name)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="enter"):
        octile.Grid(blocked, convention=name)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="square"):
        octile.Grid(blocked).clearance(name)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "sides",
    [(0, 3), (3, 0), (-1, 3), (3, -(2**63)), (65_535, 1), (2**32, 2**32), (2**63 - 1, 2**63 - 1), (40_000, 40_000)],
)
def test_open_refuses_sizes(sides: tuple[int, int]) -> None:
    with pytest.raises(octile.GridError, match="empty|too large"):
        octile.Grid.open(*sides)


@pytest.mark.parametrize("text", ["", "\n\n", "..\n...", ".x", "\0", ". .", "é"])
def test_parse_refuses(text: str) -> None:
    with pytest.raises(octile.GridError):
        octile.Grid.parse(text)


# Views: the same as numpy does


def whole(rng: np.random.Generator, size: int) -> Any:
    number = int(rng.integers(-size, size))
    return [number, np.int64(number), np.int8(number), np.array(number)][rng.integers(4)]


def part(rng: np.random.Generator, size: int) -> slice:
    def bound() -> int | None:
        return None if rng.random() < 0.3 else int(rng.integers(-size - 2, size + 3))

    return slice(bound(), bound(), [None, 1, 2, 3, -1, -2][rng.integers(6)])


def places(rng: np.random.Generator, size: int, count: int) -> Any:
    numbers = rng.integers(-size, size, count)
    return numbers if rng.random() < 0.5 else numbers.tolist()


def mask(rng: np.random.Generator, *shape: int) -> NDArray[np.bool_]:
    return rng.random(shape) < 0.5


KEYS: dict[str, Callable[[np.random.Generator, int, int], Any]] = {
    "[y, x]": lambda rng, height, width: (whole(rng, height), whole(rng, width)),
    "[y]": lambda rng, height, width: whole(rng, height),
    "[y,]": lambda rng, height, width: (whole(rng, height),),
    "[a:b]": lambda rng, height, width: part(rng, height),
    "[a:b, c:d]": lambda rng, height, width: (part(rng, height), part(rng, width)),
    "[y, c:d]": lambda rng, height, width: (whole(rng, height), part(rng, width)),
    "[a:b, x]": lambda rng, height, width: (part(rng, height), whole(rng, width)),
    "[...]": lambda rng, height, width: ...,
    "[()]": lambda rng, height, width: (),
    "[..., x]": lambda rng, height, width: (..., whole(rng, width)),
    "[..., c:d]": lambda rng, height, width: (..., part(rng, width)),
    "[y, ...]": lambda rng, height, width: (whole(rng, height), ...),
    "[a:b, ...]": lambda rng, height, width: (part(rng, height), ...),
    "[y, ..., x]": lambda rng, height, width: (whole(rng, height), ..., whole(rng, width)),
    "[..., y, x]": lambda rng, height, width: (..., whole(rng, height), whole(rng, width)),
    "[mask]": lambda rng, height, width: mask(rng, height, width),
    "[mask,]": lambda rng, height, width: (mask(rng, height, width),),
    "[list of masks]": lambda rng, height, width: mask(rng, height, width).tolist(),
    "[mask of rows]": lambda rng, height, width: mask(rng, height),
    "[a:b, mask]": lambda rng, height, width: (part(rng, height), mask(rng, width)),
    "[..., mask]": lambda rng, height, width: (..., mask(rng, width)),
    "[ys, xs]": lambda rng, height, width: (places(rng, height, 4), places(rng, width, 4)),
    "[ys]": lambda rng, height, width: places(rng, height, 3),
    "[no ys]": lambda rng, height, width: (np.zeros(0, dtype=int), part(rng, width)),
    "[ys, c:d]": lambda rng, height, width: (places(rng, height, 4), part(rng, width)),
    "[a:b, xs]": lambda rng, height, width: (part(rng, height), places(rng, width, 4)),
    "[ys, x]": lambda rng, height, width: (places(rng, height, 4), whole(rng, width)),
    "[ix_]": lambda rng, height, width: np.ix_(rng.integers(0, height, 2), rng.integers(0, width, 3)),
    "[nonzero]": lambda rng, height, width: np.nonzero(mask(rng, height, width)),
    "[None, a:b]": lambda rng, height, width: (None, part(rng, height)),
    "[a:b, None, c:d]": lambda rng, height, width: (part(rng, height), None, part(rng, width)),
    "[True]": lambda rng, height, width: [True, np.True_][rng.integers(2)],
    "[False]": lambda rng, height, width: [False, np.False_][rng.integers(2)],
}


def random_value(rng: np.random.Generator, chosen: Any, is_price: bool) -> Any:
    """One value, or values of a shape that broadcasts to that of what is chosen."""

    def draw(shape: tuple[int, ...]) -> Any:
        return rng.integers(1, 256, shape) if is_price else rng.random(shape) < 0.5

    shape = np.shape(chosen)
    kind = rng.integers(5)
    if kind == 0:
        return int(rng.integers(1, 256)) if is_price else bool(rng.random() < 0.5)
    if kind == 1:
        return np.uint8(rng.integers(1, 256)) if is_price else np.bool_(rng.random() < 0.5)
    if kind == 2:
        return draw(shape).tolist() if shape and 0 not in shape else draw(shape)
    if kind == 3 and shape:
        shrunk = tuple(1 if rng.random() < 0.5 else side for side in shape)
        return draw(shrunk[rng.integers(len(shrunk)) :])
    return draw(shape)


@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("is_price", [False, True], ids=["block", "price"])
def test_views_are_as_numpy(kind: str, is_price: bool) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        height, width = int(rng.integers(1, 9)), int(rng.integers(1, 12))
        prices = rng.integers(1, 256, (height, width), dtype=np.uint8)
        grid = octile.Grid(prices=prices)
        if not is_price:
            grid.block[:] = mask(rng, height, width)
        engine = octile.Engine(grid, "astar")
        array = prices if is_price else grid.blocked
        for _ in range(3):
            key = KEYS[kind](rng, height, width)
            value = random_value(rng, array[key], is_price)
            array[key] = value
            for view in [grid.price, engine.price] if is_price else [grid.block, engine.block]:
                view[key] = value
                assert np.array_equal(np.asarray(view), array), f"[{key!r}] = {value!r}"
                found, expected = view[key], array[key]
                assert np.array_equal(found, expected) and np.shape(found) == np.shape(expected), f"[{key!r}]"


def test_reading_one_cell() -> None:
    grid = octile.Grid(prices=np.array([[3, 0]], dtype=np.uint8))
    assert grid.block[0, 0] is False and grid.block[0, 1] is True and grid.block[-1, -1] is True
    assert grid.price[0, 0] == 3 and isinstance(grid.price[0, 0], int) and grid.price[0, 1] == 0
    assert len(grid.block) == 1 and [row.tolist() for row in grid.block] == [[False, True]]
    assert "array" in repr(grid.block)


@pytest.mark.parametrize(
    "key",
    [(3, 0), (0, 5), (-4, 0), (0, -6), 3, -4, (2**31, 0), (0, -(2**63)), (2**70, 0), (0, 0, 0), (..., 5),
     (3, ...), (..., ...), ([0, 3], 0), ([0], [5]), np.zeros((2, 2), dtype=bool), np.zeros(4, dtype=bool), 1.0,
     (0, 1.5), "a", b"a", (0, "a"), object(), float("nan"), {0}, [0.5]],
    ids=shown,
)  # fmt: skip
def test_keys_that_do_not_fit(key: Any) -> None:
    array = np.zeros((3, 5), dtype=bool)
    with pytest.raises(IndexError):
        array[key]
    engine = octile.Engine(octile.Grid(array), "astar")
    for view in [octile.Grid(array).block, engine.block]:
        with pytest.raises(IndexError):
            view[key]
        with pytest.raises(IndexError):
            view[key] = True
        assert not np.asarray(view).any()


def test_a_message_for_an_index_names_the_axis() -> None:
    grid = octile.Grid.open(5, 3)
    with pytest.raises(IndexError, match=r"3 .*axis 0.*size 3"):
        grid.block[3, 0] = True
    with pytest.raises(IndexError, match=r"5 .*axis 1.*size 5"):
        grid.block[0, 5]


@pytest.mark.parametrize(
    "value",
    [
        2,
        -1,
        0.0,
        1.0,
        1.5,
        float("nan"),
        "True",
        b"1",
        None,
        [True] * 4,
        [0, 1],
        np.ones((2, 2)),
        np.zeros(3, dtype=np.uint8),
        object(),
        2**70,
        [[True], [1.5]],
    ],
    ids=shown,
)
def test_values_that_are_not_bools(value: Any) -> None:
    grid = octile.Grid(random_bools(3, 5))
    before = grid.copy()
    for key in [(0, 0), slice(None), (slice(None), [0, 1]), grid.blocked]:
        with pytest.raises((ValueError, TypeError)):
            grid.block[key] = value
        assert grid == before


@pytest.mark.parametrize(
    "value",
    [
        0,
        256,
        -1,
        1.0,
        True,
        float("nan"),
        "5",
        None,
        [1] * 4,
        [[1, 2]] * 4,
        np.array([300]),
        np.array([-1, 3]),
        [2**64],
        np.uint64(2**64 - 1),
        object(),
        2**70,
    ],
    ids=shown,
)
def test_values_that_are_not_prices(value: Any) -> None:
    grid = octile.Grid(prices=np.full((3, 5), 4, dtype=np.uint8))
    for key in [(0, 0), slice(None), (slice(None), [0, 1, 2]), np.array([True, False, True])]:
        with pytest.raises((ValueError, TypeError, OverflowError)):
            grid.price[key] = value
        assert (grid.prices == 4).all()


def test_no_prices_on_a_map_without() -> None:
    grid = octile.Grid.open(3, 3)
    with pytest.raises(octile.EditError, match="no prices"):
        grid.price[0, 0] = 3
    assert grid.convention is None


def test_views_last_and_follow() -> None:
    grid = octile.Grid.open(4, 2)
    view = grid.block
    grid.apply(octile.Edits().block((3, 1)))
    assert view[1, 3] is True
    del grid
    view[0, 0] = True
    assert np.asarray(view).sum() == 2
    with pytest.raises(AttributeError):
        octile.Grid.open(2, 2).block = True  # type: ignore[misc, assignment]
    with pytest.raises((TypeError, NotImplementedError)):
        del view[0, 0]  # type: ignore[attr-defined]


def test_edits_are_made_in_order_and_all_or_none() -> None:
    grid = octile.Grid.open(5, 3)
    edits = octile.Edits().block_rect((3, 2), (1, 0)).free((2, 1))
    assert edits
    grid.apply(edits)
    assert grid.blocked.tolist() == [[0, 1, 1, 1, 0], [0, 1, 0, 1, 0], [0, 1, 1, 1, 0]]
    before = grid.copy()
    with pytest.raises(octile.EditError, match="5,0"):
        grid.apply(octile.Edits().block((0, 0)).block((5, 0)))
    with pytest.raises(octile.EditError):
        grid.apply(octile.Edits().free_rect((0, 0), (2**32 - 1, 2**32 - 1)))
    assert grid == before
    edits.clear()
    assert not edits
    grid.apply(edits)
    assert grid == before


# Files


@pytest.mark.parametrize("ending", ["map", "txt", "pgm", "MAP"])
def test_files_go_round(tmp_path: pathlib.Path, ending: str) -> None:
    blocked = random_bools(7, 13)
    file = tmp_path / f"a b ü.{ending}"
    octile.Grid(blocked).save(file)
    assert octile.load(file) == octile.Grid(blocked)
    assert octile.load(str(file)).shape == (7, 13)
    assert octile.load(file, movement="tile").movement == "tile"
    assert os.listdir(tmp_path) == [file.name], "no other files are left"
    octile.Grid(~blocked).save(str(file))
    assert octile.load(file) == octile.Grid(~blocked)


def test_a_drawing_keeps_small_prices(tmp_path: pathlib.Path) -> None:
    grid = octile.Grid(prices=np.array([[1, 9, 0], [2, 3, 4]], dtype=np.uint8))
    grid.save(tmp_path / "land.txt")
    assert octile.load(tmp_path / "land.txt") == grid
    with pytest.raises(ValueError, match="prices"):
        grid.save(tmp_path / "land.map")
    grid.price[0, 0] = 10
    with pytest.raises(ValueError, match="prices"):
        grid.save(tmp_path / "land.txt")


def test_price_files(tmp_path: pathlib.Path) -> None:
    (tmp_path / "land.map").write_text("type octile\nheight 1\nwidth 3\nmap\n.S@\n")
    (tmp_path / "walker").write_text(". 2\nS 7\n@ 0\n")
    grid = octile.load(tmp_path / "land.map", prices=tmp_path / "walker", convention="enter")
    assert grid.prices.tolist() == [[2, 7, 0]] and grid.convention == "enter"


def test_ros_maps_have_a_place(tmp_path: pathlib.Path) -> None:
    octile.Grid(random_bools(4, 6)).save(tmp_path / "arena.pgm")
    (tmp_path / "arena.yaml").write_text(
        "image: arena.pgm\nresolution: 0.5\norigin: [1.0, 2.0, 0.0]\n"
        "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
    )
    grid = octile.load(tmp_path / "arena.yaml")
    assert np.array_equal(grid.blocked, random_bools(4, 6))
    place = grid.georeference
    assert place is not None and place.resolution == 0.5 and place.origin == (1.0, 2.0, 0.0)
    assert place.cell_to_world((0, 3)) == (1.25, 2.25), "the lower left cell"
    for same in [
        grid.copy(),
        grid.with_movement("tile"),
        grid.without_prices(),
        grid.for_agent("square:1"),
        pickle.loads(pickle.dumps(grid)),
    ]:
        assert same.georeference == place
    assert octile.Engine(grid, "astar").grid.georeference == place
    assert octile.Grid(grid.blocked, georeference=place).georeference == place
    assert octile.Grid(grid.blocked).georeference is None


def test_files_that_cannot_be_written(tmp_path: pathlib.Path) -> None:
    grid = octile.Grid.open(3, 3)
    for name in ["no-ending", "a.png", "a.bmp", ""]:
        with pytest.raises(ValueError):
            grid.save(tmp_path / "folder" / name if name else "")
    with pytest.raises(octile.WriteError, match="missing"):
        grid.save(tmp_path / "missing" / "a.map")
    (tmp_path / "folder.map").mkdir()
    with pytest.raises(OSError):
        grid.save(tmp_path / "folder.map")


def test_a_file_is_replaced_only_by_a_whole_one(tmp_path: pathlib.Path) -> None:
    """As the docstring of ``save`` promises: here the disk takes only the beginning of the new file."""
    file = tmp_path / "arena.map"
    octile.Grid.open(5, 5).save(file)
    before = file.read_bytes()
    program = f"""
import resource, octile
grid = octile.Grid.open(400, 400)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    grid.save({str(file)!r})
except octile.WriteError:
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=WATCHDOG, check=True)
    assert done.stdout.strip() == "refused"
    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == [file.name]


# Equal, copied, pickled, shown


def test_equality() -> None:
    blocked = random_bools(4, 6)
    grid = octile.Grid(blocked)
    assert grid == octile.Grid(blocked) and grid == grid
    assert (
        grid != octile.Grid(blocked.T)
        and grid != octile.Grid(~blocked)
        and grid != octile.Grid(blocked, movement="tile")
    )
    assert grid != blocked.tolist() and grid != 3 and grid is not None and (grid == "x") is False
    land = octile.Grid(blocked, prices=np.full((4, 6), 2, dtype=np.uint8))
    assert land != grid and land != octile.Grid(blocked, prices=np.full((4, 6), 2, dtype=np.uint8), convention="enter")
    with pytest.raises(TypeError, match="hash"):
        hash(grid)


def test_fingerprints() -> None:
    blocked = random_bools(4, 6)
    assert octile.Grid(blocked).fingerprint == octile.Grid(blocked).fingerprint
    several = {octile.Grid(one).fingerprint for one in [blocked, ~blocked, blocked.T]}
    several.add(octile.Grid(blocked, movement="tile").fingerprint)
    several.add(octile.Grid(blocked, prices=np.full((4, 6), 2, dtype=np.uint8)).fingerprint)
    assert len(several) == 5


@pytest.mark.parametrize(
    "make", [octile.Grid.copy, copy.copy, copy.deepcopy], ids=["copy", "copy.copy", "copy.deepcopy"]
)
def test_copies_are_independent(make: Callable[[octile.Grid], octile.Grid]) -> None:
    grid = octile.Grid(random_bools(4, 6))
    twin = make(grid)
    assert twin == grid
    twin.block[:] = True
    assert grid.free_cells > 0 and twin.free_cells == 0
    grid.block[:] = False
    assert twin.free_cells == 0


def test_an_engine_and_its_map_are_independent() -> None:
    grid = octile.Grid.open(5, 5)
    engine = octile.Engine(grid, "corner-sweep")
    grid.block[:, 2] = True
    assert engine.grid.free_cells == 25
    engine.grid.block[:, 3] = True
    assert engine.grid.free_cells == 25
    engine.block[0, 0] = True
    assert grid.is_free((0, 0))


@pytest.mark.parametrize("protocol", range(2, 6))
def test_pickles(protocol: int) -> None:
    place = octile.Georeference(width=5, height=9, resolution=0.25, origin=(1.0, -2.0, 0.3))
    hidden = octile.Grid(prices=np.full((3, 3), 6, dtype=np.uint8))
    hidden.block[1, 1] = True
    for grid in [
        random_map(1, 9, 5),
        random_map(2, 70, 33, movement="tile"),
        random_land(3, 7, 8, "enter", "octile-cutting"),
        octile.Grid(random_bools(9, 5), georeference=place),
        hidden,
    ]:
        twin = pickle.loads(pickle.dumps(grid, protocol))
        assert twin == grid and twin.fingerprint == grid.fingerprint and twin.georeference == grid.georeference
        assert (
            np.array_equal(twin.prices, grid.prices)
            and twin.movement == grid.movement
            and twin.convention == grid.convention
        )
    twin = pickle.loads(pickle.dumps(hidden, protocol))
    twin.block[1, 1] = False
    assert twin.price[1, 1] == 6, "the price under a blocked cell"


def test_repr() -> None:
    assert repr(octile.Grid.parse(".@\n..")) == "Grid(2 x 2, 3 free)\n.@\n.."
    assert repr(octile.Grid.parse(".@\n..").with_movement("tile")).startswith("Grid(2 x 2, 3 free, tile)")
    assert "enter" in repr(octile.Grid(prices=np.full((2, 2), 200, dtype=np.uint8), convention="enter"))
    assert repr(octile.Grid.open(300, 200)) == "Grid(300 x 200, 60000 free)"
    assert len(repr(octile.Grid.open(80, 30)).splitlines()) == 31


@pytest.mark.parametrize(
    "grid",
    [octile.Grid.open(1, 1), random_map(1, 9, 5), random_land(1, 9, 5), octile.Grid.open(3000, 2)],
    ids=["one", "map", "land", "wide"],
)
def test_pictures(grid: octile.Grid, tmp_path: pathlib.Path) -> None:
    signature = b"\x89PNG\r\n\x1a\n"
    assert grid._repr_png_().startswith(signature)
    assert grid.picture(scale=2).png().startswith(signature)
    assert "<svg" in grid.picture().svg()
    grid.picture().save(tmp_path / "map.png")
    assert (tmp_path / "map.png").read_bytes().startswith(signature)
    with pytest.raises(ValueError, match=r"\.png"):
        grid.picture().save(tmp_path / "map.gif")


# Agents


@pytest.mark.parametrize("side", [1, 2, 3])
def test_room_for_squares(side: int) -> None:
    grid = random_map(4, 8, 11, share=0.15)
    blocked = np.pad(grid.blocked, ((0, side), (0, side)), constant_values=True)
    fits = np.array([[not blocked[y : y + side, x : x + side].any() for x in range(11)] for y in range(8)])
    assert np.array_equal(grid.for_agent(f"square:{side}").free, fits)
    assert np.array_equal(grid.clearance("square") >= side, fits)


@pytest.mark.parametrize("radius", [0.5, 1.0, 1.5, 2.2])
def test_room_for_discs(radius: float) -> None:
    grid = random_map(5, 8, 11, share=0.1)
    walls = np.pad(grid.blocked, 4, constant_values=True)

    def room(x: int, y: int) -> float:
        """How far the middle of a cell is from the nearest blocked one, or from the edge of the map."""
        rows, columns = np.nonzero(walls)
        dx = np.maximum(np.abs(columns - 4 - x) - 0.5, 0)
        dy = np.maximum(np.abs(rows - 4 - y) - 0.5, 0)
        return float(np.hypot(dx, dy).min())

    rooms = np.array([[room(x, y) if grid.is_free((x, y)) else 0.0 for x in range(11)] for y in range(8)])
    assert np.allclose(grid.clearance("disc"), rooms)
    assert np.array_equal(grid.for_agent(f"disc:{radius}").free, (rooms >= radius) & grid.free)


def test_generated_maps_are_the_same_for_a_seed() -> None:
    makers: list[Callable[..., octile.Grid]] = [
        octile.generate.rooms,
        octile.generate.maze,
        octile.generate.random,
        octile.generate.caves,
    ]
    for make in makers:
        one = make(40, 24, seed=7)
        assert one.shape == (24, 40) and one == make(40, 24, seed=7) and one != make(40, 24, seed=8)
    land = octile.generate.regions(octile.Grid.open(30, 20), [2, 5], 4, convention="enter", seed=1)
    assert set(np.unique(land.prices).tolist()) == {2, 5} and land.convention == "enter"
