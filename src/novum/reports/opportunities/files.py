"""Openings on disk: a folder with the page, the map, the data, and the papers as BibTeX."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from novum.core.opportunity import Openings
from novum.errors import BadInput
from novum.files.atomic import write_all_atomic
from novum.reports.bibtex import render_bibtex
from novum.reports.opportunities.glosses import anchors, concept_views
from novum.reports.opportunities.map_drawing import WIDE, drawing
from novum.reports.opportunities.markdown import render_openings_markdown
from novum.reports.opportunities.page import MOST_SHOWN, render_map, render_openings_page

_TEXTS = {"abstract", "summary", "fields", "references"}
"""Most of a record by size, and no part of what an opening says."""


@dataclass(frozen=True)
class OpeningsFiles:
    """Where openings were written."""

    html: Path
    markdown: Path
    json: Path
    bibtex: Path
    map: Path


def write_openings(openings: Openings, folder: Path) -> OpeningsFiles:
    """Write `report.html`, `report.md`, `openings.json`, `papers.bib` and `map.svg` into `folder`, made where it is
    missing.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    names = ("report.html", "report.md", "openings.json", "papers.bib", "map.svg")
    files = OpeningsFiles(*(folder / name for name in names))
    wide = drawing(openings, WIDE, anchors(concept_views(openings, MOST_SHOWN)))
    texts: dict[Path, str | bytes] = {
        files.html: render_openings_page(openings, wide),
        files.markdown: render_openings_markdown(openings),
        # Not pydantic's own writer, which stops at half a surrogate pair; `write_whole` replaces those.
        files.json: json.dumps(openings_data(openings), ensure_ascii=False, indent=1) + "\n",
        files.bibtex: render_bibtex(openings.papers),
        files.map: render_map(openings, wide),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_all_atomic(texts)
    except OSError as error:
        raise _unwritable(folder, error.strerror or str(error)) from error
    return files


def openings_data(openings: Openings) -> dict[str, Any]:
    """As `openings.json` has them: of papers what names and finds them, not their texts."""
    return openings.model_dump(mode="json", exclude={"papers": {"__all__": _TEXTS}})


def refuse_folder(folder: Path) -> None:
    """Raises BadInput where it can be told beforehand that openings cannot be written to a folder."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        raise _unwritable(folder, f"{there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise _unwritable(folder, f"you may not write in {there}")


def _unwritable(folder: Path, why: str) -> BadInput:
    return BadInput(
        f"The openings cannot be written to {folder}: {why}. Free some space or name another folder by --out, and run "
        "the same command again."
    )
