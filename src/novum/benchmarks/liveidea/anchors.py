"""Anchor ideas: a fixed set that every judge of every panel judges, so that runs with other panels can be compared.

Ours are meant to spread over the whole range: trite, sound but known, original but infeasible, original and feasible,
muddled, crystal clear. The kinds take turns in the file, so that the first few have as many of each as can be.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from importlib import resources

from novum.benchmarks.liveidea.records import Anchor, AnchorSet
from novum.core import content_id
from novum.core.record import Value
from novum.errors import BadInput
from novum.files.tables import csv_from_text

NAME = "novum-2026-11"
"""Of our own set. Whoever changes a word of it gives it another name."""
MOST_ANCHORS = 200
LARGEST = 2_000_000
"""Characters of a file."""
LONGEST = 6_000
"""Characters of an idea: what judges see of one."""
LONGEST_KEYWORD = 200
_COLUMNS = ("keyword", "idea")


class RefusedAnchor(Value):
    """A line of a file that is no anchor idea."""

    line: int
    why: str


class AnchorList(Value):
    """The set that a file makes, and what of it could not be read."""

    anchors: AnchorSet
    refused: tuple[RefusedAnchor, ...] = ()


def built_in_anchors(count: int | None = None) -> AnchorSet:
    """The first `count` that come with the package, or all of them; fewer are the first of more, under one name."""
    text = resources.files(__package__).joinpath("anchors.csv").read_text(encoding="utf-8")
    return AnchorSet(name=NAME, anchors=read_anchors(text, NAME).anchors.anchors[:count])


def read_anchors(text: str, stem: str) -> AnchorList:
    """The anchor ideas in a CSV with the columns `keyword` and `idea`.

    The set is named after `stem` and its own content, so that a set that was changed is another one. Lines that cannot
    be read are told. Raises BadInput where a column is missing, or no idea or too many are left.
    """
    if len(text) > LARGEST:
        raise BadInput(f"A file of over {LARGEST:,} characters holds no anchor ideas: up to {MOST_ANCHORS} are enough.")
    ideas: dict[str, str] = {}
    refused: list[RefusedAnchor] = []
    with csv_from_text(text, "The list of anchors", delimiters=",") as rows:
        columns = _columns(rows.fieldnames or ())
        for row in rows:
            keyword, idea = " ".join((row[columns["keyword"]] or "").split()), (row[columns["idea"]] or "").strip()
            if why := _why_not(keyword, idea, ideas):
                refused.append(RefusedAnchor(line=rows.line_num, why=why))
            else:
                ideas[idea] = keyword
    if not 1 <= len(ideas) <= MOST_ANCHORS:
        first = f" The first: line {refused[0].line}, {refused[0].why}." if refused else ""
        raise BadInput(f"The file holds {len(ideas):,} anchor ideas; give from 1 to {MOST_ANCHORS}.{first}")
    return AnchorList(anchors=_named(ideas, stem), refused=tuple(refused))


def _named(ideas: dict[str, str], stem: str) -> AnchorSet:
    """`ideas`: idea to keyword."""
    told = content_id("anchors", json.dumps(list(ideas.items()))).rpartition("-")[2]
    anchors = (Anchor(number=number, keyword=ideas[idea], idea=idea) for number, idea in enumerate(ideas))
    return AnchorSet(name=f"{stem[:60]}-{told[:8]}", anchors=tuple(anchors))


def _columns(names: Collection[str]) -> dict[str, str]:
    """Our names of the columns to the file's."""
    found = {name.strip().casefold(): name for name in names if name}
    if missing := [name for name in _COLUMNS if name not in found]:
        raise BadInput(f"The anchors have no column {' and no '.join(missing)}: put keyword,idea on their first line.")
    return found


def _why_not(keyword: str, idea: str, known: Collection[str]) -> str:
    if not keyword or len(keyword) > LONGEST_KEYWORD:
        return f"a keyword of {len(keyword):,} characters, of 1 to {LONGEST_KEYWORD}" if keyword else "no keyword"
    if not idea:
        return "no idea"
    if len(idea) > LONGEST:
        return f"an idea of {len(idea):,} characters, of at most {LONGEST:,}"
    return "the idea is there already" if idea in known else ""
