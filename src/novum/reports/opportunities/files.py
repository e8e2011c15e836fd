"""Write opportunities to a folder: the page, the map, the data, and the papers as BibTeX."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from novum.core.opportunity import OpportunityList
from novum.errors import BadInput
from novum.reports.bibtex import render_bibtex
from novum.reports.folder import ReportFiles, write_files
from novum.reports.opportunities.concepts import anchors, concept_views
from novum.reports.opportunities.map_drawing import WIDE, draw_map
from novum.reports.opportunities.markdown import render_opportunities_markdown
from novum.reports.opportunities.page import MOST_SHOWN, render_map, render_opportunities_page

_TEXTS = {"abstract", "summary", "fields", "references"}
"""Fields that make up most of the size of a paper and say nothing about opportunities."""


def write_opportunities(openings: OpportunityList, folder: Path) -> ReportFiles:
    """Write `report.html`, `openings.json`, `report.md`, `papers.bib` and `map.svg` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    wide = draw_map(openings, WIDE, anchors(concept_views(openings, MOST_SHOWN)))
    contents: dict[str, str | bytes] = {
        "report.html": render_opportunities_page(openings, wide),
        # Not pydantic's own writer, which fails on half a surrogate pair.
        "openings.json": json.dumps(opportunities_data(openings), ensure_ascii=False, indent=1) + "\n",
        "report.md": render_opportunities_markdown(openings),
        "papers.bib": render_bibtex(openings.papers),
        "map.svg": render_map(openings, wide),
    }
    return write_files(contents, folder)


def opportunities_data(openings: OpportunityList) -> dict[str, Any]:
    """The data of `openings.json`: of papers only what identifies them, not their texts."""
    return openings.model_dump(mode="json", exclude={"papers": {"__all__": _TEXTS}})


def refuse_folder(folder: Path) -> None:
    """Raises BadInput if it is clear in advance that the folder cannot be written."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        raise _unwritable(folder, f"{there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise _unwritable(folder, f"you may not write in {there}")


def _unwritable(folder: Path, why: str) -> BadInput:
    return BadInput(
        f"The opportunities cannot be written to {folder}: {why}. Free some space or name another folder with --out, "
        "and run the same command again."
    )
