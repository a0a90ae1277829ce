"""The cost of asking from Python instead of Rust: the same queries in one process, in turns, best of several rounds.

    python benchmarks/border.py                        # on maps made here
    python benchmarks/border.py dao/*.map --queries 100000

A batch is `Engine.find_many` beside the library's own `find_all`; a single query is `Engine.find` beside the library's
own `find`. Build octile as it is handed out before you measure: `maturin develop --release`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import octile
from octile._octile import _times_of_rust

PLANNERS = ["corner-sweep", "jump-graph", "hub-labels"]


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def find_each(engine: octile.Engine, pairs: list[tuple[Any, Any]]) -> None:
    for start, goal in pairs:
        engine.find(start, goal)


def measure(name: str, grid: octile.Grid, scenario: octile.Scenario, queries: int, rounds: int) -> None:
    some = np.random.default_rng(1).integers(0, len(scenario), queries)
    starts, goals = scenario.starts[some], scenario.goals[some]
    single = [(tuple(a), tuple(b)) for a, b in zip(starts[:5000].tolist(), goals[:5000].tolist(), strict=True)]
    for planner in PLANNERS:
        try:
            engine = octile.Engine(grid, planner, budget="beforehand")
        except octile.BuildError as error:
            print(f"{name:14} {planner:13} left out: {error}")
            continue
        best = dict.fromkeys(["rust", "python", "one thread", "find in rust", "find"], float("inf"))
        for _ in range(rounds):
            rust, _unused = _times_of_rust(engine, starts, goals)
            _unused, find_in_rust = _times_of_rust(engine, starts[:5000], goals[:5000])
            now = {
                "rust": rust,
                "find in rust": find_in_rust,
                "python": seconds(partial(engine.find_many, starts, goals)),
                "one thread": seconds(partial(engine.find_many, starts, goals, threads=1)),
                "find": seconds(partial(find_each, engine, single)),
            }
            best = {key: min(best[key], now[key]) for key in best}
        more = (best["find"] - best["find in rust"]) / len(single) * 1e6
        print(
            f"{name:14} {planner:13} batch: {best['python'] / queries * 1e6:7.2f} us a query, "
            f"{best['python'] / best['rust']:.3f} of Rust's; "
            f"threads: {best['one thread'] / best['python']:.2f} times one; "
            f"find: {best['find'] / len(single) * 1e6:7.2f} us, {more:+.2f} us to Rust's"
        )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("maps", nargs="*", type=Path, help="MovingAI maps, each with its scenario beside it")
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=256, help="the side of maps that are made here")
    args = parser.parse_args(argv)
    if args.maps:
        for file in args.maps:
            scenario = octile.load_scenario(f"{file}.scen")
            measure(file.stem, octile.load(file), scenario, args.queries, args.rounds)
        return 0
    made = {
        "rooms": octile.generate.rooms(args.size, args.size, 16, seed=1),
        "caves": octile.generate.caves(args.size, args.size, 45, seed=1),
    }
    for name, grid in made.items():
        measure(name, grid, octile.generate.scenario(grid, seed=1), args.queries, args.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
