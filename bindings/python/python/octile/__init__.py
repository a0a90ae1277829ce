"""Shortest paths on grid maps in microseconds: numpy in, numpy out, all cores without the GIL.

**Arrays are indexed** ``[y, x]``, **points are** ``(x, y)``: ``y`` is the row, counted from the top, ``x`` the column,
counted from the left.

>>> import numpy as np, octile
>>> blocked = np.zeros((40, 60), dtype=bool)
>>> blocked[10:30, 20] = True                   # rows 10 to 29 of column 20
>>> engine = octile.Engine(octile.Grid(blocked), "corner-sweep")
>>> path = engine.find((5, 20), (50, 20))       # from x 5, y 20
>>> path.length, path.cells.shape
(53.2842712474619, (46, 2))
>>> engine.block[10:30, 20] = False             # the map changes
>>> engine.find((5, 20), (50, 20)).length
45.0

A :class:`Grid` is a map, an :class:`Engine` a planner for it that any thread may ask. :func:`planners` lists the
planners, :func:`advise` tries them on a map.
"""

from octile import generate
from octile._errors import (
    ArgumentError,
    BuildError,
    DrawError,
    EditError,
    GridError,
    IndexFileError,
    LoadError,
    MissingFileError,
    OctileError,
    PathError,
    PointsError,
    QueryError,
    RenewError,
    SpecError,
    WriteError,
)
from octile._octile import (
    CONVENTIONS,
    MOVEMENTS,
    MOVES,
    Advice,
    Answer,
    CellView,
    Cost,
    Costs,
    DynamicScenario,
    Edits,
    Engine,
    Field,
    Georeference,
    Grid,
    Index,
    PartBuilder,
    PartsBuild,
    Path,
    Paths,
    Picture,
    Scenario,
    Trace,
    __version__,
    advise,
    build_index,
    index_from_bytes,
    index_kinds,
    load,
    load_dynamic,
    load_scenario,
    open_index,
    path_through,
    planners,
)

__all__ = [
    "CONVENTIONS",
    "MOVEMENTS",
    "MOVES",
    "Advice",
    "Answer",
    "ArgumentError",
    "BuildError",
    "CellView",
    "Cost",
    "Costs",
    "DrawError",
    "DynamicScenario",
    "EditError",
    "Edits",
    "Engine",
    "Field",
    "Georeference",
    "Grid",
    "GridError",
    "Index",
    "IndexFileError",
    "LoadError",
    "MissingFileError",
    "OctileError",
    "PartBuilder",
    "PartsBuild",
    "Path",
    "PathError",
    "Paths",
    "Picture",
    "PointsError",
    "QueryError",
    "RenewError",
    "Scenario",
    "SpecError",
    "Trace",
    "WriteError",
    "__version__",
    "advise",
    "build_index",
    "generate",
    "index_from_bytes",
    "index_kinds",
    "load",
    "load_dynamic",
    "load_scenario",
    "open_index",
    "path_through",
    "planners",
]
