"""Opportunities as one page with a map, and the map as a separate file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from novum.core.opportunity import OpportunityList
from novum.reports.opportunities import phrases as words
from novum.reports.opportunities.cards import cards
from novum.reports.opportunities.concepts import anchors, concept_views
from novum.reports.opportunities.map_drawing import MOST_DRAWN, NARROW, WIDE, MapDrawing, draw_map
from novum.reports.opportunities.phrases import KINDS, Kind
from novum.reports.page import asset, render_page

TEMPLATES = Path(__file__).parent / "templates"
MOST_SHOWN = 60
"""Cards on the page; the data beside it have all."""


def render_opportunities_page(openings: OpportunityList, wide: MapDrawing | None = None) -> str:
    """One self-contained page without any script. `wide`: its drawing, where it is made already."""
    concepts = concept_views(openings, MOST_SHOWN)
    places = anchors(concepts)
    return render_page(
        "openings.html.j2",
        TEMPLATES,
        styles=("openings.css", "openings_page.css"),
        found=openings,
        words=words,
        kinds=_kinds(openings),
        drawings={
            "wide": wide or draw_map(openings, WIDE, places),
            "narrow": draw_map(openings, NARROW, places),
        },
        concepts=concepts,
        places=places,
        cards=cards(openings, MOST_SHOWN),
        left=max(0, len(openings.openings) - MOST_SHOWN),
        undrawn=max(0, len(openings.openings) - MOST_DRAWN),
        open_first=3,
    )


def render_map(openings: OpportunityList, wide: MapDrawing | None = None) -> str:
    """The map as an SVG file, whose marks lead to the page beside it. `wide` as above."""
    return render_page(
        "openings_map.svg.j2",
        TEMPLATES,
        styles=(),
        found=openings,
        map=wide or draw_map(openings, WIDE, anchors(concept_views(openings, MOST_SHOWN))),
        words=words,
        kinds=_kinds(openings),
        map_style=asset("openings.css", TEMPLATES),
    )


def _kinds(openings: OpportunityList) -> Sequence[Kind]:
    """Those that there are, in the order of the list."""
    present = {each.kind for each in openings.openings}
    return [kind for name, kind in KINDS.items() if name in present]
