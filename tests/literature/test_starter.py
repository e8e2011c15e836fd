"""The starter library: real papers whose graph holds together."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

from novum.core import Paper
from novum.literature import Entry, Library, install_starter, starter_entries


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("starter")) as library:
        install_starter(library)
        yield library


@pytest.fixture(scope="module")
def papers(starter: Library) -> dict[str, Paper]:
    return {one.id: one for one in starter.papers()}


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return list(starter_entries())


def test_it_is_large_enough_and_spans_the_fields(starter: Library) -> None:
    stats = starter.stats()
    assert stats.papers >= 400
    assert stats.links >= 1500
    assert len(stats.fields) >= 8
    assert min(stats.years) >= 1990
    assert max(stats.years) <= 2025


def test_every_reference_leads_to_a_paper_of_the_library(starter: Library) -> None:
    assert starter.stats().waiting == 0


def test_no_paper_cites_a_later_one(papers: dict[str, Paper]) -> None:
    forward = [
        (citing.short_citation, papers[cited].short_citation)
        for citing in papers.values()
        for cited in citing.references
        if (papers[cited].year or 0) > (citing.year or 9999)
    ]
    assert forward == []


def test_keys_identifiers_and_papers_are_unique(entries: list[Entry], papers: dict[str, Paper]) -> None:
    keys = Counter(entry.key for entry in entries)
    names = Counter(name for entry in entries for name in entry.paper.ids.items())
    assert [key for key, count in keys.items() if count > 1] == []
    assert [name for name, count in names.items() if count > 1] == []
    assert len(papers) == len(entries)


def test_no_field_is_an_orphan_and_each_has_a_line_of_at_least_four_papers(papers: dict[str, Paper]) -> None:
    fields = {field for one in papers.values() for field in one.fields}
    short = {field: line for field in fields if (line := longest_line(papers, field)) < 4}
    assert short == {}


def longest_line(papers: dict[str, Paper], field: str) -> int:
    """Papers on the longest path of citations inside a field. Links of one year may form circles: each is walked
    from the later row to the earlier only."""
    order = {paper_id: place for place, paper_id in enumerate(papers)}

    def earlier(one: Paper) -> list[Paper]:
        cited = (papers[paper_id] for paper_id in one.references)
        when = (one.year or 0, order[one.id])
        return [other for other in cited if field in other.fields and (other.year or 0, order[other.id]) < when]

    @cache
    def length(paper_id: str) -> int:
        return 1 + max((length(other.id) for other in earlier(papers[paper_id])), default=0)

    return max(length(one.id) for one in papers.values() if field in one.fields)


def test_every_paper_cites_or_is_cited(papers: dict[str, Paper]) -> None:
    cited = {paper_id for one in papers.values() for paper_id in one.references}
    assert [one.title for one in papers.values() if not one.references and one.id not in cited] == []


def test_every_paper_is_described_in_a_few_sentences_of_our_own(papers: dict[str, Paper]) -> None:
    for one in papers.values():
        assert one.abstract == "", one.title
        assert 25 <= len(one.summary.split()) <= 95, one.title
        assert one.authors, one.title
        assert one.fields, one.title
        assert one.citation_count in {30, 300, 3_000, 30_000, 300_000}, one.title


HINDSIGHT = (
    "became the standard", "became the default", "became the origin", "became the main", "became the usual",
    "became a standard", "became a common", "became a workhorse", "became standard", "became common", "became widely",
    "later became", "later work in this line", "later work disputed", "taken up by later", "later shown", "later found",
    "later proved", "later served", "later revised", "later contested", "later questioned", "later emerged",
    "were found later", "criticised later", "challenged later", "disputed afterwards", "controversial afterwards",
    "now widely", "now called", "now known as", "underlies today", "still used", "nowadays", "went on to", "has since",
    "debated since", "paved the way", "set the stage", "set the agenda", "prepared the ground", "soon transformed",
    "soon questioned", "soon debated", "soon cut", "founded the",
)  # fmt: skip


def test_no_summary_tells_what_became_known_only_after_its_paper(papers: dict[str, Paper]) -> None:
    told = [(one.title, phrase) for one in papers.values() for phrase in HINDSIGHT if phrase in one.summary.lower()]
    assert told == []


def test_installing_it_twice_adds_nothing(starter: Library, papers: dict[str, Paper]) -> None:
    report = install_starter(starter)
    assert (report.added, report.merged, report.links) == (0, 0, 0)
    assert {one.id: one for one in starter.papers()} == papers


@pytest.mark.parametrize(
    ("topic", "field"),
    [
        ("chain-of-thought prompting for reasoning in language models", "language-model reasoning"),
        ("graph neural networks for molecules and drug discovery", "graph learning for molecules"),
        ("genome editing with CRISPR", "genome editing"),
        ("denoising diffusion models for image generation", "diffusion and generative models"),
        ("quantum error correction", "quantum computing"),
        ("predicting protein structure from sequence", "protein structure and design"),
        ("novel research ideas generated by language models", "scientific ideation with language models"),
    ],
)
def test_a_topic_finds_papers_of_its_field(starter: Library, topic: str, field: str) -> None:
    hits = asyncio.run(starter.search(topic, 10))
    assert sum(field in hit.paper.fields for hit in hits) >= 5


def test_a_folder_of_ones_own_is_read_in_the_same_layout(tmp_path: Path) -> None:
    record = {
        "key": "lovelace1990engines", "title": "On Engines", "authors": ["Ada Lovelace"], "year": 2017,
        "venue": "arXiv", "ids": {"arxiv": "1702.00001"}, "fields": ["computing"], "citations": 3,
        "summary": "Engines.", "references": ["gauss1990numbers"],
    }  # fmt: skip
    (tmp_path / "part.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    only = next(starter_entries(tmp_path))
    assert only.key == "starter/lovelace1990engines"
    assert [reference.value for reference in only.references] == ["starter/gauss1990numbers"]
    assert (only.paper.citation_count, str(only.paper.date)) == (3000, "2017-02-28")


def test_the_files_travel_with_the_package() -> None:
    assert any(one.name.endswith(".jsonl") for one in resources.files("novum.literature.starter").iterdir())
