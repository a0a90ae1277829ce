"""Every example in a docstring runs, those of the compiled classes and functions too."""

from __future__ import annotations

import doctest
import inspect
import types
from collections.abc import Iterator

import numpy as np
import pytest

import octile


def documented(owner: object, name: str) -> Iterator[tuple[str, str]]:
    """Names and docstrings of a module or class and of all that is public in it."""
    text = getattr(owner, "__doc__", None)
    if text:
        yield name, text
    if not isinstance(owner, (types.ModuleType, type)):
        return
    for key, member in vars(owner).items():
        if key.startswith("_"):
            continue
        home = getattr(member, "__module__", "octile")
        if isinstance(member, types.ModuleType):
            if member.__name__.startswith("octile."):
                yield from documented(member, f"{name}.{key}")
        elif str(home).startswith("octile") or not isinstance(owner, types.ModuleType):
            yield from documented(inspect.unwrap(member) if callable(member) else member, f"{name}.{key}")


EXAMPLES = sorted({(name, text) for name, text in documented(octile, "octile") if ">>>" in text})


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 25


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_example(name: str, text: str) -> None:
    options = doctest.ELLIPSIS
    names = {"np": np, "octile": octile}
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(text), names, name, None, None)
    failures: list[str] = []
    runner = doctest.DocTestRunner(optionflags=options)
    runner.run(test, out=failures.append)
    assert not failures, "".join(failures)
