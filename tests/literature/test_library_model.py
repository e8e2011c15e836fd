"""Whatever arrives, in whatever order and batches: the library holds what a few lines of Python say that it holds.

Three authors wrote three works. Each work was published under several titles and is known by several names, so that
rows turn out to be one; all have an `Introduction`, and a volume whose DOI is often given for their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novum.core import Identifiers, Paper
from novum.literature import Entry, Library, Reference
from novum.literature.identity import squeezed
from tests.literature.conftest import paper

AUTHORS = ("Ada Lovelace", "Carl Gauss", "Emmy Noether")
YEARS = (2001, 2005, 2009)
TITLES = (
    ("Engines of Thought", "Engines of-thought", "On Wheels and Levers", "Introduction"),
    ("The Least Squares", "The LeastSquares", "Curves Through Noise", "Introduction"),
    ("Rings without Names", "Rings Without names!", "Chains of Ideals", "Introduction"),
)
VOLUME = "10.1/volume"

Name = tuple[str, str]


@dataclass(frozen=True)
class Said:
    """One description of a work."""

    work: int
    title: int
    dated: bool
    names: frozenset[str]
    cites: tuple[Reference, ...]

    @property
    def paper(self) -> Paper:
        in_volume = "volume" in self.names and TITLES[self.work][self.title] != "Introduction"
        doi = VOLUME if in_volume else f"10.1/{self.work}" if "doi" in self.names else None
        ids = Identifiers(doi=doi, arxiv=f"2001.0000{self.work}" if "arxiv" in self.names else None)
        year = YEARS[self.work] if self.dated else None
        return paper(TITLES[self.work][self.title], year, AUTHORS[self.work], ids=ids)

    @property
    def entry(self) -> Entry:
        return Entry(self.paper, key=f"k:{self.work}" if "key" in self.names else "", references=self.cites)

    @property
    def known_as(self) -> list[Name]:
        keys = [("key", self.entry.key)] if self.entry.key else []
        return [("paper", self.paper.id), *self.paper.ids.items(), *keys]


WORKS = st.integers(0, 2)
TITLE_NUMBERS = st.sampled_from([0, 0, 1, 2, 2, 3])
CITED = st.one_of(
    st.builds(lambda work: Reference("doi", f"10.1/{work}"), WORKS),
    st.builds(lambda work: Reference("arxiv", f"2001.0000{work}"), WORKS),
    st.builds(lambda work: Reference("key", f"k:{work}"), WORKS),
    st.builds(lambda work, title: Reference("title", TITLES[work][title]), WORKS, TITLE_NUMBERS),
    st.builds(lambda work, title: Reference("paper", paper(TITLES[work][title], YEARS[work]).id), WORKS, TITLE_NUMBERS),
    st.sampled_from([Reference("doi", VOLUME), Reference("key", "k:never"), Reference("title", "Of Things Unwritten")]),
)
SAID = st.builds(
    Said, WORKS, TITLE_NUMBERS, st.booleans(),
    st.frozensets(st.sampled_from(["doi", "arxiv", "key", "volume"]), max_size=2),
    st.lists(CITED, max_size=3).map(tuple),
)  # fmt: skip


@dataclass(eq=False)
class Row:
    work: int
    title: str
    year: int | None

    @property
    def id(self) -> str:
        return paper(self.title, self.year).id


@dataclass
class Model:
    """What a library is, without any thought of speed."""

    rows: list[Row] = field(default_factory=list)
    named: dict[Name, Row] = field(default_factory=dict)
    links: set[tuple[Row, Row]] = field(default_factory=set)
    waiting: set[tuple[Name, Row]] = field(default_factory=set)
    became: dict[Row, Row] = field(default_factory=dict)

    def add(self, batch: Sequence[Said]) -> int:
        """Returns how many were refused."""
        taken = [(row, one) for one in batch if (row := self.take(one))]
        cited = {
            ((scheme, squeezed(value) if scheme == "title" else value), row)
            for row, one in taken
            for scheme, value in one.cites
        }
        # a row taken early in the batch may have become another since
        self.waiting |= {(name, self.now(row)) for name, row in cited}
        for name, row in list(self.waiting):
            if other := self.meant_by(name):
                self.waiting.remove((name, row))
                self.links.add((row, other))
        self.links = {(citing, cited) for citing, cited in self.links if citing is not cited}
        return len(batch) - len(taken)

    def meant_by(self, name: Name) -> Row | None:
        if name[0] != "title":
            return self.named.get(name)
        alike = [row for row in self.rows if squeezed(row.title) == name[1]]
        return alike[0] if len(alike) == 1 else None

    def take(self, one: Said) -> Row | None:
        row = self.known(one)
        if row is None and ("paper", one.paper.id) in self.named:
            return None
        if row is None:
            row = Row(one.work, one.paper.title, one.paper.year)
            self.rows.append(row)
        self.date(row, one.paper.year)
        for name in (*one.known_as, ("paper", row.id)):
            self.named.setdefault(name, row)
        return row

    def known(self, one: Said) -> Row | None:
        called = {self.named[name] for name in one.known_as if name in self.named}
        mine = [row for row in self.rows if row in called and row.work == one.work]
        for other in mine[1:]:
            self.join(mine[0], other)
        alike = (r for r in self.rows if r.work == one.work and squeezed(r.title) == squeezed(one.paper.title))
        return mine[0] if mine else next(alike, None)

    def join(self, kept: Row, gone: Row) -> None:
        self.rows.remove(gone)
        self.became[gone] = kept
        self.named = {name: kept if row is gone else row for name, row in self.named.items()}
        self.links = {(self.now(citing), self.now(cited)) for citing, cited in self.links}
        self.waiting = {(name, self.now(row)) for name, row in self.waiting}
        self.date(kept, gone.year)

    def date(self, row: Row, year: int | None) -> None:
        if row.year is None and self.named.get(("paper", paper(row.title, year).id), row) is row:
            row.year = year

    def now(self, row: Row) -> Row:
        while row in self.became:
            row = self.became[row]
        return row


def check(library: Library, model: Model) -> None:
    papers = {one.id: one for one in library.papers()}
    stats = library.stats()
    assert sorted(papers) == sorted(row.id for row in model.rows)
    assert {one.id: (one.title, one.year) for one in papers.values()} == {r.id: (r.title, r.year) for r in model.rows}
    keys = [*model.named]
    assert {name: found.id for name, found in library.by_names(keys).items()} == {
        n: r.id for n, r in model.named.items()
    }
    assert {(one.id, cited) for one in papers.values() for cited in one.references} == {
        (citing.id, cited.id) for citing, cited in model.links
    }
    for row in model.rows:
        assert {one.id for one in library.citing(row.id)} == {a.id for a, b in model.links if b is row}
        assert {one.id for one in library.references(row.id)} == {b.id for a, b in model.links if a is row}
    assert (stats.papers, stats.links, stats.waiting) == (len(model.rows), len(model.links), len(model.waiting))
    assert library.waiting() == stats.waiting


def compare(folder: Path, batches: Sequence[Sequence[Said]], *, searched: bool) -> None:
    model = Model()
    with Library.open(folder) as library:
        for batch in batches:
            before = len(model.links)
            refused = model.add(batch)
            report = library.add(one.entry for one in batch)
            assert (report.read, report.rejected) == (len(batch), refused)
            assert report.links >= len(model.links) - before
            check(library, model)
            if searched:
                hits = asyncio.run(library.search("engines squares rings wheels curves chains introduction", 100))
                assert {hit.paper.id for hit in hits} == {row.id for row in model.rows}
                assert library.stats().indexes_current


FRESH = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=8, deadline=None, suppress_health_check=FRESH)
@given(st.lists(st.lists(SAID, min_size=1, max_size=4), min_size=1, max_size=5))
def test_papers_names_links_and_waiting_references_are_those_of_the_model(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[Said]]
) -> None:
    compare(tmp_path_factory.mktemp("model"), batches, searched=False)


@pytest.mark.slow
@settings(max_examples=50, deadline=None, suppress_health_check=FRESH)
@given(st.lists(st.lists(SAID, min_size=1, max_size=6), min_size=1, max_size=8), st.booleans())
def test_so_they_are_after_many_more_and_what_is_searched_follows(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[Said]], searched: bool
) -> None:
    compare(tmp_path_factory.mktemp("model"), batches, searched=searched)
