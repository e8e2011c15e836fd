"""The pages, and the examples that they show: each example is a file of its own, loaded as its reader would."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from tests.methods.conftest import generate, shelf

__all__ = ["generate", "shelf"]

ROOT = Path(__file__).parents[2]
EVIDENCE = ROOT / "docs" / "evidence"
"""Texts that models wrote, and pages that a study exported."""
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if EVIDENCE not in page.parents),
]


def load_example(name):
    """The module `docs/examples/NAME.py`, loaded once: what it registers stays registered."""
    return _load(ROOT / "docs" / "examples" / f"{name}.py")


def load_page_script(name):
    """The module `docs/NAME.py`."""
    return _load(ROOT / "docs" / f"{name}.py")


def _load(file):
    known = f"novum_docs.{file.stem}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, file)
        sys.modules[known] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


@pytest.fixture(params=PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def page(request):
    """One page of the documentation after the other."""
    return request.param
