"""The benchmarks run, on small maps that they make themselves, and find nothing wrong."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("peers.py", ["--size", "24", "--every", "30", "--rounds", "1", "--budget", "0.1"], "corner-sweep"),
        ("border.py", ["--size", "24", "--queries", "200", "--rounds", "1"], "of Rust's"),
        ("latency.py", ["--size", "24", "--queries", "50", "--after", "0.01", "--rounds", "1"], "stood still"),
        ("cluster.py", ["--size", "24", "--workers", "2", "--chunk-seconds", "0.1"], "same bytes: True"),
    ],
)
def test_benchmark(name: str, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert runpy.run_path(str(BENCHMARKS / name))["main"](arguments) == 0
    assert words in capsys.readouterr().out
