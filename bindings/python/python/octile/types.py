"""Names for what octile takes and gives, for annotations of your own."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

Point: TypeAlias = tuple[int, int] | Sequence[int] | NDArray[np.integer[Any]]
"""A cell as (x, y)."""

Points: TypeAlias = ArrayLike
"""Cells: an array of whole numbers of shape (n, 2), a cell (x, y) in each row, or what numpy makes one of."""

File: TypeAlias = str | PathLike[str]
"""The name of a file."""

Progress: TypeAlias = bool | Callable[[str, int, int], object] | None
"""Who is told how far long work is: True for a bar, or a function of (stage, done, all)."""

Output: TypeAlias = Literal["waypoints", "cells", "cost"]
Nearest: TypeAlias = bool | Literal["goal", "both"] | None
Status: TypeAlias = Literal["found", "nearest", "no-path", "limit", "error"]
Budget: TypeAlias = Literal["brief", "at-once", "beforehand", "unlimited"]
Movement: TypeAlias = Literal["octile", "tile", "octile-cutting"]
Convention: TypeAlias = Literal["average", "enter"]
OnEdit: TypeAlias = Literal["follows", "rebuilds", "goes-stale", "refuses"]
Errors: TypeAlias = Literal["raise", "skip"]
Parts: TypeAlias = Literal["gathered", "shared"]


class PlannerKey(TypedDict):
    """A key of a planner: see :func:`octile.planners`."""

    name: str
    takes: str
    help: str


class PlannerInfo(TypedDict):
    """A planner: see :func:`octile.planners`."""

    name: str
    summary: str
    paper: str
    guarantee: str
    movements: list[Movement]
    takes_prices: bool
    on_edit: OnEdit
    index: str
    keys: list[PlannerKey]


class Candidate(TypedDict, total=False):
    """A planner that was looked at: see :attr:`octile.Advice.candidates`."""

    spec: str
    build: float
    mean: float
    p99: float
    edit: float | None
    index_bytes: int
    scratch_bytes: int
    left_out: str
