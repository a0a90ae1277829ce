"""A search too simple to be wrong, and a few things that all tests share.

Costs are pairs ``(straight, diagonal)`` that stand for ``straight + diagonal * sqrt(2)``. Nothing is rounded: pairs are
compared by squaring whole numbers. Over terrain both numbers are sums of prices, in quarters under ``average``
(docs/terrain.md).
"""

from __future__ import annotations

import functools
import heapq
import itertools
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import octile

Pair = tuple[int, int]
Cell = tuple[int, int]
Movement = Literal["octile", "tile", "octile-cutting"]
Convention = Literal["average", "enter"]
STRAIGHT: list[Cell] = [(0, -1), (1, 0), (0, 1), (-1, 0)]
DIAGONAL: list[Cell] = [(1, -1), (1, 1), (-1, 1), (-1, -1)]

# Seconds after which a test gives up waiting for a process, a thread or a cluster. It only ends hangs: no test may come
# near it, however slow or busy the machine.
WATCHDOG = 300


def sign(straight: int, diagonal: int) -> int:
    """The sign of ``straight + diagonal * sqrt(2)``, exactly: by the squares of both, with their signs."""
    left, right = straight * abs(straight), 2 * diagonal * abs(diagonal)
    return (left + right > 0) - (left + right < 0)


def compare(a: Pair, b: Pair) -> int:
    """-1, 0 or 1: whether a is less than, equal to or greater than b."""
    return sign(a[0] - b[0], a[1] - b[1])


@functools.total_ordering
class Exact:
    """A pair that sorts by what it stands for."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exact) and compare(self.pair, other.pair) == 0

    def __lt__(self, other: Exact) -> bool:
        return compare(self.pair, other.pair) < 0


def length(pair: Pair, parts: int = 1) -> float:
    """What a pair stands for, rounded."""
    return (pair[0] + pair[1] * math.sqrt(2)) / parts


class Oracle:
    """A map and how one moves on it, as arrays."""

    def __init__(self, grid: octile.Grid) -> None:
        self.blocked: NDArray[np.bool_] = grid.blocked
        self.height, self.width = self.blocked.shape
        self.movement = grid.movement
        self.convention = grid.convention
        self.prices = grid.prices.astype(int)
        self.parts = 4 if self.convention == "average" else 1

    def is_free(self, cell: Cell) -> bool:
        x, y = cell
        return 0 <= x < self.width and 0 <= y < self.height and not self.blocked[y, x]

    def moves(self, cell: Cell) -> Iterator[tuple[Cell, Pair]]:
        """The cells that one move leads to, and what it costs."""
        x, y = cell
        for dx, dy in STRAIGHT:
            there = (x + dx, y + dy)
            if self.is_free(there):
                yield there, (self.price_straight(cell, there), 0)
        if self.movement == "tile":
            return
        for dx, dy in DIAGONAL:
            there, beside = (x + dx, y + dy), [(x + dx, y), (x, y + dy)]
            free_beside = [one for one in beside if self.is_free(one)]
            enough = 1 if self.movement == "octile-cutting" else 2
            if self.is_free(there) and len(free_beside) >= enough:
                yield there, (0, self.price_diagonal(cell, there, free_beside))

    def price(self, cell: Cell) -> int:
        return int(self.prices[cell[1], cell[0]])

    def price_straight(self, a: Cell, b: Cell) -> int:
        if self.convention is None:
            return 1
        if self.convention == "enter":
            return self.price(b)
        return 2 * (self.price(a) + self.price(b))

    def price_diagonal(self, a: Cell, b: Cell, free_beside: list[Cell]) -> int:
        if self.convention is None:
            return 1
        if self.convention == "enter":
            return self.price(b)
        # If one of the two beside is blocked, the other one stands for both.
        c, d = free_beside[0], free_beside[-1]
        return self.price(a) + self.price(b) + self.price(c) + self.price(d)

    def distances(self, start: Cell) -> dict[Cell, Pair]:
        """The costs from a cell to all that can be reached: Dijkstra's search."""
        done: dict[Cell, Pair] = {}
        waiting: list[tuple[Exact, Cell]] = [(Exact((0, 0)), start)]
        while waiting:
            cost, cell = heapq.heappop(waiting)
            if cell in done:
                continue
            done[cell] = cost.pair
            for there, price in self.moves(cell):
                if there not in done:
                    heapq.heappush(waiting, (Exact((cost.pair[0] + price[0], cost.pair[1] + price[1])), there))
        return done

    def cost_of(self, cells: Iterable[Cell]) -> Pair:
        """What a path costs, move by move; fails where a move is not legal."""
        straight = diagonal = 0
        way = list(cells)
        for a, b in itertools.pairwise(way):
            price = dict(self.moves(a)).get(b)
            assert price is not None, f"the move from {a} to {b} is not legal"
            straight, diagonal = straight + price[0], diagonal + price[1]
        return straight, diagonal


def pair_of(cost: octile.Cost | float) -> Pair:
    """The pair of a cost of the library's."""
    assert isinstance(cost, octile.Cost)
    return cost.straight, cost.diagonal


def tuples(points: NDArray[np.integer[Any]]) -> list[Cell]:
    """The rows of an array of cells."""
    return [(int(x), int(y)) for x, y in points]


def random_map(seed: int, height: int, width: int, share: float = 0.3, movement: Movement = "octile") -> octile.Grid:
    """A map with blocked cells here and there."""
    blocked = np.random.default_rng(seed).random((height, width)) < share
    return octile.Grid(blocked, movement=movement)


def random_land(
    seed: int, height: int, width: int, convention: Convention = "average", movement: Movement = "octile"
) -> octile.Grid:
    """A map with prices in patches, and some blocked cells."""
    rng = np.random.default_rng(seed)
    small = rng.choice(np.array([1, 2, 3, 9, 40], dtype=np.uint8), (height // 3 + 1, width // 3 + 1))
    prices = np.kron(small, np.ones((3, 3), dtype=np.uint8))[:height, :width]
    blocked = rng.random((height, width)) < 0.2
    return octile.Grid(blocked, prices=prices, convention=convention, movement=movement)


def shown(value: object) -> str:
    """The name of a parameter in the name of a test, the same in every process."""
    return re.sub(" at 0x[0-9a-f]+", "", repr(value))


def free_cells(grid: octile.Grid) -> list[Cell]:
    """The free cells as ``(x, y)``."""
    rows, columns = np.nonzero(grid.free)
    return [(int(x), int(y)) for y, x in zip(rows, columns, strict=True)]


def some_pairs(grid: octile.Grid, count: int, seed: int = 0) -> list[tuple[Cell, Cell]]:
    """Starts and goals by chance, all of them free."""
    cells = free_cells(grid)
    chosen = np.random.default_rng(seed).integers(len(cells), size=(count, 2))
    return [(cells[a], cells[b]) for a, b in chosen]
