"""What can go wrong: a small tree of exceptions, each with the library's own message.

``except octile.OctileError`` catches them all. Most are also what Python itself would raise: a wrong value is a
``ValueError``, a missing file a ``FileNotFoundError``.
"""


class OctileError(Exception):
    """Everything that octile raises, but for arguments of a wrong type: these are a ``TypeError``, as everywhere."""


class ArgumentError(OctileError, ValueError):
    """A name, number or shape that a parameter does not take."""


class GridError(OctileError, ValueError):
    """A map that cannot be made: empty, too large, of a wrong shape or dtype."""


class SpecError(OctileError, ValueError):
    """A planner, key or value that there is not."""


class BuildError(OctileError, ValueError):
    """A planner or an index that cannot be made for this map, or not within its budget."""


class QueryError(OctileError, ValueError):
    """A question that cannot be asked: a cell off the map, a blocked end. "No path" is an answer and no error.

    ``query`` is the number of the question in its batch, or ``None``.
    """

    query: "int | None" = None


class EditError(OctileError, ValueError):
    """A change that the map cannot take. Nothing has changed."""


class PathError(OctileError, ValueError):
    """A path that is not what it should be: :meth:`Path.check` tells why."""


class PointsError(OctileError, AttributeError):
    """Points that a path has not: an any-angle path has no cells, a grid path no corners."""


class LoadError(OctileError, ValueError):
    """A file that is not what it should be. ``file`` is its name."""

    file: "str | None" = None


class MissingFileError(FileNotFoundError, LoadError):
    """A file that is not there."""


class IndexFileError(OctileError, ValueError):
    """An index file that is damaged, or was made for another map."""


class WriteError(OSError, OctileError):
    """A file that cannot be written. What was there is as it was."""


class DrawError(OctileError, ValueError):
    """A picture that cannot be drawn: too large."""


class RenewError(OctileError, RuntimeError):
    """An index that was not built anew; the engine goes on with the one it has."""


for _class in list(vars().values()):
    if isinstance(_class, type) and issubclass(_class, OctileError):
        _class.__module__ = "octile"  # as users know them, and tracebacks print them
