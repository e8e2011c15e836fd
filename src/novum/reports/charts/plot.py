"""A chart of a report: the drawing and its description."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from novum.reports.charts.look import Drawable, styled


@dataclass(frozen=True)
class Plot:
    """One chart. `name` is its file's; `says` replaces it for who cannot see it, `caption` stands below it."""

    name: str
    title: str
    says: str
    caption: str
    chart: Drawable

    @cached_property
    def specification(self) -> dict[str, Any]:
        """The chart as Vega-Lite, with its data inside."""
        found: dict[str, Any] = styled(self.chart).to_dict()
        return found
