"""What a figure gives back, and how the figures are shown together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Bench:
    """What the figures share: a folder with the library, and how often each is measured."""

    home: Path
    runs: int


@dataclass(frozen=True)
class Row:
    """One line of the table. `beside`: what cannot be beaten here, or what others reach."""

    figure: str
    ours: str
    target: str
    reached: bool
    beside: str = ""


def at_most(figure: str, ours: float, target: float, beside: str = "", unit: str = "") -> Row:
    """A figure that should be small."""
    return Row(figure, f"{ours:.2f}{unit}", f"<= {target:g}{unit}", ours <= target, beside)


def at_least(figure: str, percent: float, target: float, beside: str = "") -> Row:
    """A share that should be large, in percent."""
    return Row(figure, f"{percent:.0f}%", f">= {target:.0f}%", percent >= target, beside)


def shown(figure: str, ours: str, beside: str = "") -> Row:
    """A figure without a target."""
    return Row(figure, ours, "", True, beside)


def table(rows: Sequence[Row]) -> str:
    """The rows in columns as wide as they need."""
    lines = [("", "ours", "target", "", "beside it")]
    lines += [(row.figure, row.ours, row.target, _told(row), row.beside) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _told(row: Row) -> str:
    if not row.target:
        return ""
    return "yes" if row.reached else "NO"
