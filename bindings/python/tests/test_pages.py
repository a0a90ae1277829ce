"""What the pages show works: the Python of docs/python.md and of the package's README, and the notebook."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from oracle import WATCHDOG

ROOT = Path(__file__).resolve().parents[3]


def programs(page: str) -> list[str]:
    """The Python blocks of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("page", "blocks"), [("docs/python.md", 5), ("bindings/python/README.md", 1)])
def test_page(page: str, blocks: int, tmp_path: Path) -> None:
    """All blocks of a page as one program: they are in the order in which they are read."""
    found = programs(page)
    assert len(found) == blocks
    program = tmp_path / "page.py"
    program.write_text("\n".join(found), encoding="utf-8")
    ran = subprocess.run([sys.executable, str(program)], cwd=tmp_path, capture_output=True, text=True, timeout=WATCHDOG)
    assert ran.returncode == 0, ran.stderr


def test_notebook(tmp_path: Path) -> None:
    """The notebook runs from top to bottom, and its last cells show pictures."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(ROOT / "docs/python.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "it is kept without what it printed"
    nbclient.NotebookClient(
        notebook, timeout=WATCHDOG, startup_timeout=WATCHDOG, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = sum("image/png" in output.get("data", {}) for output in shown)
    assert pictures >= 4
