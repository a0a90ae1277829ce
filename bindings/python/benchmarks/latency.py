"""Latency around long calls: how long another thread stands still meanwhile, and how soon Ctrl-C ends the call.

    python benchmarks/latency.py
    python benchmarks/latency.py --size 1000 --rounds 5

It prints and never fails: the tests count instead (tests/test_threads.py). Build octile the way it is released before
you measure: `maturin develop --release`.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import octile

Call = Callable[[], object]


def standstill(call: Call) -> tuple[float, float]:
    """Seconds that a call took, and the longest time during it in which another thread did not get to run."""
    seen, end = [time.perf_counter()], threading.Event()

    def watch() -> None:
        while not end.is_set():
            seen.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=watch)
    thread.start()
    begin = time.perf_counter()
    call()
    over = time.perf_counter()
    end.set()
    thread.join()
    times = [begin, *(one for one in seen if begin < one < over), over]
    return over - begin, max(b - a for a, b in zip(times, times[1:], strict=False))


def interrupt(call: Call, after: float) -> float | None:
    """Seconds from Ctrl-C to the end of a call; ``None`` if the call ended first."""
    sent: list[float] = []
    done = threading.Event()

    def send() -> None:
        if not done.wait(after):
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=send)
    try:
        thread.start()
        call()
        done.set()
        thread.join()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
    return None


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=500, help="the side of the map")
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--after", type=float, default=0.25, help="seconds before Ctrl-C")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args(argv)
    grid = octile.generate.random(args.size, args.size, 30, seed=1)
    engine = octile.Engine(grid, "dijkstra")
    cells = np.argwhere(grid.free)[:, ::-1].astype(np.int32)
    starts, goals = cells[np.random.default_rng(1).integers(len(cells), size=(2, args.queries))]
    calls: dict[str, Call] = {
        "build": partial(octile.Engine, grid, "hub-labels", budget="unlimited"),
        "find_many": partial(engine.find_many, starts, goals),
        "costs": partial(engine.costs, starts, goals, threads=1),
        "matrix": partial(engine.matrix, starts, goals),
        "find": partial(engine.find, starts[0], goals[0]),
        "field": partial(engine.field, starts[0]),
    }
    for name, call in calls.items():
        heard = [one for _ in range(args.rounds) if (one := interrupt(call, args.after)) is not None]
        ended = f"Ctrl-C heard after {max(heard) * 1e3:.0f} ms at most" if heard else "ended before Ctrl-C"
        if heard:
            # Only the beginning of a call that would go on for long is watched.
            took, still = standstill(partial(interrupt, call, args.after))
        else:
            took, still = max((standstill(call) for _ in range(args.rounds)), key=lambda one: one[1])
        print(f"{name:10} another thread stood still for {still * 1e3:.1f} of {took * 1e3:.0f} ms; {ended}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
