"""The style of all charts: colours, sizes, and foreign names as labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import altair as alt

from novum.reports.sanitizing import clean_line
from novum.statistics.records import Estimate

Drawable: TypeAlias = alt.Chart | alt.LayerChart | alt.ConcatChart | alt.FacetChart

INK, SOFT, FAINT = "#1c2024", "#555b62", "#e6e2d9"
FIRST, SECOND = "#1c5d99", "#b3541e"
"""Told apart by everyone, also in print without colour: one is darker."""
SCHEME: Final = "viridis"
WIDE = 560
"""Pixels of a chart that has the page's width to itself, its labels not counted."""
ROW = 19
"""Pixels for one model on an axis."""
_LABEL = 80
"""Characters of a name that a chart shows at most; `_LABEL_WIDTH` in pixels cuts most before."""
_LABEL_WIDTH = 190


def chart_label(name: str) -> str:
    """A name that comes from outside, on one line and without characters that are not seen."""
    return clean_line(name, _LABEL)


def chart_data(rows: Iterable[Mapping[str, object]]) -> alt.InlineData:
    """The data of a chart, inside of it."""
    return alt.InlineData(values=[dict(row) for row in rows])


def interval_cells(name: str, estimate: Estimate) -> dict[str, object]:
    """An estimate as cells `name`, `low` and `high`; where there is no interval, the point itself."""
    value = estimate.value
    low = value if estimate.low is None else estimate.low
    high = value if estimate.high is None else estimate.high
    return {name: value, "low": low, "high": high}


def models_axis(models: Iterable[str], *, title: str | None = None) -> alt.Y:
    """One row a model, in the given order."""
    order = list(dict.fromkeys(map(chart_label, models)))
    return alt.Y(
        "model:N",
        sort=order,
        title=title,
        axis=alt.Axis(labelLimit=_LABEL_WIDTH, labelPadding=8, ticks=False, domain=False),
    )


def chart_height(rows: int) -> int:
    """Pixels for so many models."""
    return max(2, rows) * ROW


def styled(chart: Drawable) -> Drawable:
    """The chart in the look of all charts."""
    look: Drawable = (
        chart.configure(background="white", font="sans-serif", padding=8)
        .configure_view(stroke=None)
        .configure_axis(
            gridColor=FAINT,
            labelColor=INK,
            titleColor=SOFT,
            titleFontWeight="normal",
            labelFontSize=11,
            titleFontSize=12,
        )
        .configure_legend(labelColor=INK, titleColor=SOFT, titleFontWeight="normal", labelLimit=_LABEL_WIDTH)
        .configure_title(color=INK, fontSize=13, fontWeight="bold", anchor="start")
        .configure_header(labelColor=INK, labelFontSize=12, labelFontWeight="bold", labelAnchor="start")
    )
    return look
