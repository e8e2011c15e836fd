"""The Python interface on a small library of its own, with a scripted model."""

from __future__ import annotations

from tests.cli.conftest import environment, home, stocked
from tests.runs.conftest import filled_library

__all__ = ["environment", "filled_library", "home", "stocked"]
