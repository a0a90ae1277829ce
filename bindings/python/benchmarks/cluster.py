"""How much faster a database is built by two workers than by one, and whether it is the same, byte for byte.

    python benchmarks/cluster.py                     # a map made here
    python benchmarks/cluster.py dao/brc203d.map --workers 1 2 --chunk-seconds 10

Build octile as it is handed out before you measure: `maturin develop --release`. The cluster is made anew for each
number of workers, and its start is not timed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from distributed import Client, LocalCluster

import octile
import octile.dask


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("map", nargs="?", type=Path)
    parser.add_argument("--size", type=int, default=192, help="the side of the map that is made here")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--chunk-seconds", type=float, default=octile.dask.CHUNK_SECONDS)
    args = parser.parse_args(argv)
    grid = octile.load(args.map) if args.map else octile.generate.rooms(args.size, args.size, 16, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        local = Path(folder) / "local.octx"
        begin = time.perf_counter()
        octile.build_index("cpd", grid, local, threads=1)
        print(
            f"{grid.free_cells} sources; a local build on one thread: {time.perf_counter() - begin:.1f} s", flush=True
        )
        return 0 if all(run(grid, workers, args.chunk_seconds, local) for workers in args.workers) else 1


def run(grid: octile.Grid, workers: int, chunk_seconds: float, local: Path) -> bool:
    """Builds on so many workers, prints what it took, and tells whether the file is the same as the local one."""
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        path = local.with_name(f"{workers}.octx")
        built = octile.dask.build_cpd(grid, client, path=path, chunk_seconds=chunk_seconds, progress=None)
        same = path.read_bytes() == local.read_bytes()
        print(f"{workers} workers: {built.seconds:.1f} s, {built.chunks} chunks, same bytes: {same}", flush=True)
        return same


if __name__ == "__main__":
    sys.exit(main())
