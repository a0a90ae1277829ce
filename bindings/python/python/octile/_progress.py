"""A bar in the terminal for long work: tqdm's if that is there, else a line of our own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def bar() -> Callable[[str, int, int], None]:
    """A function of (stage, done, all) that shows how far something is."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line
    shown: dict[str, Any] = {}

    def tell(stage: str, done: int, total: int) -> None:
        if stage not in shown:
            shown[stage] = tqdm(desc=stage, total=total, unit="", leave=False)
        one = shown[stage]
        one.total = total
        one.update(done - one.n)
        if done >= total:
            one.close()

    return tell


def _line(stage: str, done: int, total: int) -> None:
    end = "\n" if done >= total else ""
    print(f"\r{stage}: {done} of {total}", end=end, file=sys.stderr, flush=True)
