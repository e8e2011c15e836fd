"""How well real papers are read, measured against what GROBID and people made of them; floors a little below."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from novum.core import normal_title
from novum.literature import Entry, Reject
from novum.literature.identity import nearly_same_title
from novum.literature.pdf import PdfDocument
from novum.literature.pdf.document import read_document
from novum.literature.pdf.extraction import extract
from novum.literature.pdf.folder import read_pdfs
from novum.literature.pdf.tei import read_tei
from tests.literature.pdf.data import PAPERS, PARSED

FLOORS = {
    "N18-3011": {"heading recall": 0.99, "heading precision": 0.99, "title recall": 0.92, "title precision": 0.92},
    "2020.acl-main.207": {
        "heading recall": 0.9,
        "heading precision": 0.9,
        "title recall": 0.92,
        "title precision": 0.9,
    },
}
"""Where GROBID took a venue for a part of a title, or a table for a heading, nobody can agree with it."""


@cache
def read(path: Path) -> PdfDocument:
    """What we read."""
    return read_document(extract(path), path.name)


def expected(path: Path) -> PdfDocument:
    """What GROBID read."""
    return read_tei(path.with_suffix(".tei.xml").read_bytes(), path.name)


def headings(document: PdfDocument) -> Iterator[str]:
    """Without what GROBID took for one in tables; two that it ran together are two."""
    for section in document.sections:
        if section.heading and not section.heading.startswith("Table") and "ELMo" not in section.heading:
            yield from map(normal_title, re.split(r"\s\d\.\d\s", section.heading))


def in_common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence: what both have, in the same order."""
    row = [0] * (len(other) + 1)
    for word in one:
        last = 0
        for at, seen in enumerate(other, start=1):
            last, row[at] = row[at], last + 1 if word == seen else max(row[at], row[at - 1])
    return row[-1]


def measured(ours: PdfDocument, theirs: PdfDocument) -> dict[str, float]:
    """Shares of what was expected that was found, and of what was found that was expected."""
    found, wanted = list(headings(ours)), list(headings(theirs))
    same = in_common(found, wanted)
    titles = [work.title for work in ours.references if work.title]
    goals = [work.title for work in theirs.references if work.title]
    hit = sum(any(nearly_same_title(goal, title) for title in titles) for goal in goals)
    right = sum(any(nearly_same_title(goal, title) for goal in goals) for title in titles)
    return {
        "heading recall": same / len(wanted),
        "heading precision": same / len(found),
        "title recall": hit / len(goals),
        "title precision": right / len(titles),
    }


@pytest.mark.parametrize("path", PARSED, ids=lambda path: path.stem)
def test_title_headings_and_references_of_real_papers_are_found(path: Path) -> None:
    ours, theirs = read(path), expected(path)
    figures = measured(ours, theirs)
    assert ours.title == theirs.title
    assert [normal_title(name) for name in ours.authors] == [normal_title(name) for name in theirs.authors]
    below = {name: figures[name] for name, floor in FLOORS[path.stem].items() if figures[name] < floor}
    assert not below, figures


@pytest.mark.parametrize("path", PARSED, ids=lambda path: path.stem)
def test_the_abstract_of_real_papers_is_that_of_grobid(path: Path) -> None:
    ours, theirs = read(path), expected(path)
    words, goal = normal_title(ours.abstract).split(), normal_title(theirs.abstract).split()
    assert in_common(words, goal) >= 0.85 * len(goal)  # GROBID took a footnote in
    assert in_common(words, goal) >= 0.98 * len(words)


@pytest.mark.slow
@pytest.mark.parametrize("folder", sorted({path.parent for path in PAPERS}))
def test_a_folder_of_real_papers_gives_entries_with_all_that_a_library_needs(folder: Path) -> None:
    async def read_all() -> list[Entry | Reject]:
        return [one async for one in read_pdfs(folder, workers=2)]

    entries = asyncio.run(read_all())
    assert len(entries) == len(PAPERS)
    for entry, path in zip(entries, PAPERS, strict=True):
        assert isinstance(entry, Entry)
        assert entry.paper.ids.acl == path.stem
        assert len(entry.paper.abstract.split()) > 80
        assert len(entry.paper.authors) >= 5
        assert entry.paper.year in (2018, 2020, 2023)
        assert len(entry.references) > 25
        assert "ﬁ" not in (entry.full_text or "")
        assert "pages 2270–2282" not in (entry.full_text or "")
