"""Anchor ideas: a fixed set that every judge of every panel scores, so that runs with different panels can be compared.

The built-in set covers the whole range: trite, sound but known, original but infeasible, original and feasible,
muddled, very clear. These kinds alternate in the file, so that the first few have about as many of each.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from importlib import resources

from novum.benchmarks.liveidea.records import Anchor, AnchorSet
from novum.core import content_id
from novum.core.record import Value
from novum.errors import BadInput
from novum.files.tables import SkippedRow, columns_by_name, csv_from_text

NAME = "novum-2026-11"
"""Of the built-in set. Changing any word of it requires another name."""
MOST_ANCHORS = 200
LARGEST = 2_000_000
"""Characters of a file."""
LONGEST = 6_000
"""Characters of an idea: what judges see of one."""
LONGEST_KEYWORD = 200
_COLUMNS = {"keyword": ("keyword",), "idea": ("idea",)}


class AnchorList(Value):
    """The set read from a file, and the lines that could not be read."""

    anchors: AnchorSet
    refused: tuple[SkippedRow, ...] = ()


def built_in_anchors(count: int | None = None) -> AnchorSet:
    """The first `count` built-in anchors, or all of them, under the same name."""
    text = resources.files(__package__).joinpath("anchors.csv").read_text(encoding="utf-8")
    return AnchorSet(name=NAME, anchors=read_anchors(text, NAME).anchors.anchors[:count])


def read_anchors(text: str, stem: str) -> AnchorList:
    """The anchor ideas in a CSV with the columns `keyword` and `idea`.

    The name of the set is made of `stem` and its content, so that a changed set has another name. Lines that cannot be
    read are listed in the result. Raises BadInput when a column is missing, or there is no idea or too many.
    """
    if len(text) > LARGEST:
        raise BadInput(f"A file of over {LARGEST:,} characters holds no anchor ideas: up to {MOST_ANCHORS} are enough.")
    ideas: dict[str, str] = {}
    refused: list[SkippedRow] = []
    with csv_from_text(text, "The list of anchors", delimiters=",") as rows:
        columns = columns_by_name(rows.fieldnames or (), _COLUMNS)
        if missing := [name for name in _COLUMNS if name not in columns]:
            names = " and no ".join(missing)
            raise BadInput(f"The anchors have no column {names}: put keyword,idea on their first line.")
        for row in rows:
            keyword, idea = " ".join((row[columns["keyword"]] or "").split()), (row[columns["idea"]] or "").strip()
            if why := _why_not(keyword, idea, ideas):
                refused.append(SkippedRow(where=f"line {rows.line_num}", why=why))
            else:
                ideas[idea] = keyword
    if not 1 <= len(ideas) <= MOST_ANCHORS:
        first = f" The first: {refused[0].where}, {refused[0].why}." if refused else ""
        raise BadInput(f"The file holds {len(ideas):,} anchor ideas; give from 1 to {MOST_ANCHORS}.{first}")
    return AnchorList(anchors=_named(ideas, stem), refused=tuple(refused))


def _named(ideas: dict[str, str], stem: str) -> AnchorSet:
    """`ideas`: keyword by idea."""
    digest = content_id("anchors", json.dumps(list(ideas.items()))).rpartition("-")[2]
    anchors = (Anchor(number=number, keyword=ideas[idea], idea=idea) for number, idea in enumerate(ideas))
    return AnchorSet(name=f"{stem[:60]}-{digest[:8]}", anchors=tuple(anchors))


def _why_not(keyword: str, idea: str, known: Collection[str]) -> str:
    if not keyword or len(keyword) > LONGEST_KEYWORD:
        return f"a keyword of {len(keyword):,} characters, of 1 to {LONGEST_KEYWORD}" if keyword else "no keyword"
    if not idea:
        return "no idea"
    if len(idea) > LONGEST:
        return f"an idea of {len(idea):,} characters, of at most {LONGEST:,}"
    return "the idea is there already" if idea in known else ""
