"""The library: real papers in one place, found by their words, their meaning, their names and their citations."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from novum.core import Paper
from novum.core.arrays import Vectors
from novum.literature.embedding import Embedder, StaticEmbedder
from novum.literature.entry import Entry, ImportReport, clean_identifier
from novum.literature.filters import EVERYTHING, Filters
from novum.literature.hit import Hit, by_similarity
from novum.literature.reembedding import Unembedded, reembed, unembedded_papers
from novum.literature.search.indexes import Indexes
from novum.literature.search.ranking.cooccurrence import EntityMemory, EntityStore
from novum.literature.search.ranking.evidence import Citations, EvidenceColumns
from novum.literature.search.ranking.growth import KeywordGrowth, keyword_growth
from novum.literature.search.ranking.neighbourhood import CitedNearby, most_cited, with_citing_papers
from novum.literature.search.similarity import SimilarityScorer
from novum.literature.stats import LibrarySize, LibraryStats, library_size, library_stats
from novum.literature.store import dated_links, lookup, reader, vector_rows
from novum.literature.store import full_texts as held_texts
from novum.literature.store.database import Database, open_database
from novum.literature.store.reader import PaperCache
from novum.literature.store.rows import indexed_text
from novum.literature.store.storable import storable
from novum.literature.store.writer import add_batch, batches
from novum.literature.title_search import CitedTitle, choose_exact, choose_near, readings

_TITLE_CANDIDATES = 10


class Library:
    """A library in a folder, or with its rows in a database of its own and the folder for this machine's indexes.

    Any number of processes may use one library at once. Every method raises LibraryError when its database cannot be
    read or written, and what had been committed is kept.
    """

    def __init__(self, database: Database, folder: Path, embedder: Embedder) -> None:
        self.folder = folder
        self.embedder = embedder
        self._database = database
        self._indexes = Indexes(database, folder / "index", embedder)
        self._memory = PaperCache(database, self._ids_at)
        self._entities = EntityMemory()

    @classmethod
    def open(cls, folder: Path, *, url: str | None = None, embedder: Embedder | None = None) -> Self:
        """The library in `folder`, made when missing; `url`: rows in this database (SQLAlchemy URL) instead.

        Raises LibraryError when the folder or database is not ours, is damaged, newer, or cannot be written.
        """
        folder = Path(folder)
        return cls(open_database(folder, url), folder, embedder or StaticEmbedder())

    @property
    def stored(self) -> Library:
        """This library itself: a `PaperLibrary` may also be a view of one."""
        return self

    def close(self) -> None:
        """Let go of the database. Closing twice is harmless."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Papers by name

    def get(self, paper_id: str) -> Paper | None:
        """The paper with this id, also one that it had before it was merged with another."""
        return next(iter(self.get_many([paper_id])), None)

    def get_many(self, ids: Iterable[str]) -> list[Paper]:
        """Papers by id, in this order, each once; unknown ids are left out."""
        with self._database.snapshot() as connection:
            return reader.by_names(connection, (("paper", paper_id) for paper_id in ids))

    def by_identifier(self, scheme: str, value: str) -> Paper | None:
        """The paper with this DOI, arXiv id, …; URLs and prefixes are understood. `scheme`: a field of Identifiers."""
        with self._database.snapshot() as connection:
            found = reader.by_names(connection, [(scheme, clean_identifier(scheme, value))])
        return found[0] if found else None

    def named(self, names: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Paper]:
        """Papers by (scheme, value) names as they are kept, many at a time, without their references; unknown ones are
        left out."""
        with self._database.snapshot() as connection:
            numbers = lookup.numbers_by_name(connection, names)
            papers = lookup.papers_by_number(connection, set(numbers.values()))
        return {name: papers[number] for name, number in numbers.items() if number in papers}

    def titled(self, titles: Iterable[str]) -> list[Paper]:
        """Papers with exactly these titles, spacing and punctuation aside, oldest row first."""
        with self._database.snapshot() as connection:
            return reader.by_titles(connection, titles)

    def find(self, title: str, year: int | None = None) -> Paper | None:
        """The paper that a citation means: a title, also misspelt or with authors and year around it. None when no
        paper is certain to be the one."""
        ways = readings(storable(title), year)
        for way in ways:
            if paper := choose_exact(way, self.titled([way.title])):
                return paper
        for way in ways:
            if paper := self._find_near(way):
                return paper
        return None

    def _find_near(self, cited: CitedTitle) -> Paper | None:
        self._indexes.text.catch_up()
        numbers = self._indexes.text.by_title(cited.title, _TITLE_CANDIDATES)
        return choose_near(cited, list(self._memory.papers(numbers, self._database.last_change()).values()))

    # Citations

    def citing(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """Papers of the library that cite this one, earliest first."""
        return self._neighbours(reader.citing, paper_id, filters)

    def references(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """Papers of the library that this one cites, earliest first."""
        return self._neighbours(reader.cited_by, paper_id, filters)

    def _neighbours(self, numbers_of: reader.Neighbours, paper_id: str, filters: Filters) -> list[Paper]:
        change = self._database.last_change()
        number = self._memory.numbers({paper_id}, change).get(paper_id)
        if number is None:
            return []
        with self._database.read() as connection:
            numbers = numbers_of(connection, number, filters)
        papers = self._memory.papers(numbers, change).values()
        return sorted(filter(filters.admits, papers), key=lambda paper: (paper.public_by or dt.date.max, paper.id))

    def citations_before(self, paper_id: str, day: dt.date) -> int:
        """How often papers of the library that were public before `day` cite this one."""
        with self._database.snapshot() as connection:
            return reader.citations_before(connection, paper_id, day)

    # Search

    async def embed(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """Embed all papers without a vector; `progress` hears how many have been done. What was embedded before it was
        cut off stays, and it goes on from there."""
        await self._indexes.embed(progress)

    def left_for(self, embedder: str) -> Unembedded:
        """The papers that have no vector by the embedder of this name."""
        return unembedded_papers(self._database, embedder)

    async def embed_with(
        self, embedder: Embedder, progress: Callable[[int], None] = lambda done: None, *, keep: bool = False
    ) -> None:
        """Turn to another embedder: when all papers have its vectors, they take the place of the old ones, which are
        removed unless told to `keep` them. What was embedded before it was cut off stays, and it goes on from there."""
        await reembed(self._database, embedder, progress, keep=keep)
        self.embedder = embedder
        self._indexes = Indexes(self._database, self.folder / "index", embedder)

    async def index(self) -> None:
        """Embed and index everything that is new, as a search does by itself."""
        await self._indexes.catch_up()

    async def search(
        self,
        query: str,
        k: int = 10,
        filters: Filters = EVERYTHING,
        *,
        diversity: float = 0.0,
        citations: Citations | None = None,
    ) -> list[Hit]:
        """The `k` best papers for a question, by its words (BM25) and its meaning (vectors) together, best first.

        Filters hold inside the search: with a date or field given there are still `k` hits, if there are as many.
        `diversity`, 0 to 1: how much a paper is set back for resembling one before it. `citations`: let what the
        nearest papers cite, citation counts, and coupling with given papers count as well, as known before a day.
        Raises ValueError for a `diversity` outside 0 to 1.
        """
        if not query.strip() or k < 1:
            return []
        await self._indexes.catch_up()
        query = storable(query)
        vector = await self._indexes.vector(query)
        excluded = self._rows(filters.exclude_ids)
        known = None
        if citations is not None:
            known = EvidenceColumns.of(citations, filters.before, excluded, self._rows(citations.coupled_with))
        fused = self._indexes.search(query, vector, k, filters, excluded, known, diversity)
        papers = self._memory.papers((one.number for one in fused), self._indexes.change)
        return [
            Hit(
                paper=papers[one.number],
                score=one.score,
                similarity=one.similarity,
                text_rank=one.text_rank,
                vector_rank=one.vector_rank,
            )
            for one in fused
            if one.number in papers
        ]

    async def nearest(self, text: str, k: int = 10, filters: Filters = EVERYTHING) -> list[Hit]:
        """The `k` papers whose embeddings are nearest to that of `text`, by cosine similarity alone."""
        if not text.strip() or k < 1:
            return []
        await self._indexes.catch_up()
        vector = await self._indexes.vector(storable(text))
        near = self._indexes.nearest(vector, k, filters, self._rows(filters.exclude_ids))
        papers = self._memory.papers(near, self._indexes.change)
        return by_similarity(near, papers)

    async def most_cited_nearby(
        self, question: str, k: int = 10, filters: Filters = EVERYTHING, *, neighbourhood: int = 100
    ) -> list[CitedNearby]:
        """Of all that the `neighbourhood` best papers for a question cite, the `k` that most of them cite.

        `filters` hold for the neighbourhood; what it cites has to meet only `before` and `exclude_ids` of them.
        """
        if not question.strip() or k < 1:
            return []
        await self._indexes.catch_up()
        vector = await self._indexes.vector(question)
        found = self._indexes.search(question, vector, neighbourhood, filters, self._rows(filters.exclude_ids))
        near = [one.number for one in found]
        with self._database.read() as connection:
            cited = most_cited(near, dated_links.cited_by(connection, near, filters.before))
        papers = self._memory.papers([*cited, *near], self._indexes.change)
        of_the_past = Filters(before=filters.before, exclude_ids=filters.exclude_ids)
        return list(islice(with_citing_papers(cited, papers, of_the_past), k))

    async def keyword_growth(
        self,
        question: str = "",
        k: int = 20,
        filters: Filters = EVERYTHING,
        *,
        neighbourhood: int = 2000,
        abstracts: bool = True,
    ) -> KeywordGrowth:
        """The `k` keywords that rise most surely over the years and the `k` that fade: of the `neighbourhood` papers
        nearest to a question, or without one of all papers that pass. Keywords are fields and word groups of titles,
        with `abstracts` of these too; memory is bounded.
        """
        return await keyword_growth(self, question, k, filters, neighbourhood, abstracts=abstracts)

    async def entities(self, filters: Filters = EVERYTHING, *, most: int = 20_000) -> EntityStore:
        """Which things papers name together, mined from `most` of those that pass at most, spread evenly over the
        library. Kept in memory until something is written."""

        def mine() -> EntityStore:
            return EntityStore.mined(list(self.spread(most, filters)))

        asked = (self._database.last_change(), filters, most)
        return await asyncio.to_thread(self._entities.store, asked, mine)

    async def likeness(self, question: str) -> SimilarityScorer:
        """How like this question a paper is, as a function for `score_library`."""
        await self._indexes.catch_up()
        return await self._indexes.likeness(storable(question))

    def vectors(self, ids: Iterable[str]) -> tuple[list[str], Vectors]:
        """The vectors that are kept of these papers, as the embedder gave them: the ids of those that have one, in
        this order, and an array (n, d)."""
        with self._database.read() as connection:
            return vector_rows.of_papers(connection, self.embedder.name, ids, self.embedder.dimensions)

    async def rank(self, text: str, papers: Sequence[Paper]) -> list[Hit]:
        """`papers`, in the library or not, by cosine similarity to `text`, best first, ties by id."""
        if not papers:
            return []
        await self._indexes.catch_up()
        similarity = await self._similarities(text, papers)
        ordered = sorted(similarity.items(), key=lambda one: (-one[1], one[0]))
        return by_similarity(dict(ordered), {paper.id: paper for paper in papers})

    async def _similarities(self, text: str, papers: Sequence[Paper]) -> dict[str, float]:
        """Cosine to `text` by paper id: from stored vectors where there are any, else from the papers' own texts."""
        vector = await self._indexes.vector(storable(text))
        known = self._memory.numbers({paper.id for paper in papers}, self._indexes.change)
        stored = self._indexes.similarities(vector, known.values())
        foreign = [paper for paper in papers if paper.id not in known]
        computed = await self._indexes.cosines(vector, [indexed_text(paper) for paper in foreign])
        return {paper_id: stored[number] for paper_id, number in known.items()} | {
            paper.id: cosine for paper, cosine in zip(foreign, computed, strict=True)
        }

    def _ids_at(self, numbers: Iterable[int], change: int) -> dict[int, str]:
        return self._indexes.ids(numbers, change)

    def _rows(self, ids: Sequence[str]) -> list[int]:
        """Row numbers of these papers."""
        if not ids:
            return []
        with self._database.read() as connection:
            return list(lookup.numbers_by_name(connection, (("paper", one) for one in ids)).values())

    # Full texts

    def full_text(self, paper_id: str) -> str | None:
        """The full text of a paper, if it is held."""
        return self.full_texts([paper_id]).get(paper_id)

    def full_texts(self, paper_ids: Iterable[str]) -> dict[str, str]:
        """The full texts of these papers by their ids, as far as they are held: one look-up for all."""
        with self._database.snapshot() as connection:
            return held_texts.held(connection, paper_ids)

    def set_full_text(self, paper_id: str, text: str) -> None:
        """Keep the full text of a paper, in place of one held before. Raises LibraryError for an unknown paper."""
        with self._database.write() as writing:
            held_texts.keep(writing.connection, paper_id, text)

    def papers(self, filters: Filters = EVERYTHING) -> Iterator[Paper]:
        """Every paper that passes, in order of arrival. Memory does not grow with the library."""
        return reader.stream(self._database, filters)

    def spread(self, most: int, filters: Filters = EVERYTHING) -> Iterator[Paper]:
        """`most` of the papers that pass at most, spread evenly over their order of arrival. Only these are read."""
        return reader.spread(self._database, filters, most)

    def add(
        self, entries: Iterable[Entry], source: str = "", committed: Callable[[ImportReport], None] | None = None
    ) -> ImportReport:
        """Take in papers, a batch at a time; when it is cut off, whole batches are kept, and it can simply be repeated.

        A paper that is there already is recognised by any identifier, then by title and year, and what the new
        description knows more is kept. References to papers that are not there yet become links when these arrive.
        `source` names the origin in the report. `committed` is told of each batch once it is safe, with all rejects.
        """
        report = ImportReport(source=source)
        for batch in batches(entries):
            done = add_batch(self._database, batch, source)
            report += done
            if committed:
                committed(done)
        return report.model_copy(update={"waiting": self.waiting()})

    def waiting(self) -> int:
        """References to papers that it does not hold."""
        return self._database.waiting()

    def noted(self, name: str) -> str | None:
        """What was noted under this name by whoever fills the library: how far a file was read, a search, …"""
        return self._database.fact(name)

    def note(self, name: str, value: str) -> None:
        """Keep a note of this name, of up to 64 characters, in place of one held before."""
        with self._database.write() as writing:
            writing.put_fact(name, value)

    def forget_note(self, name: str) -> None:
        """Keep no note of this name any more."""
        with self._database.write() as writing:
            writing.drop_fact(name)

    def notes(self, prefix: str) -> dict[str, str]:
        """All notes whose name begins with `prefix`, by name, in order of name."""
        return self._database.facts(prefix)

    def is_empty(self) -> bool:
        """Whether nothing was ever brought in; costs one look-up however large the library."""
        return self._database.last_change() == 0

    def size(self) -> LibrarySize:
        """Counts alone, quickly."""
        with self._database.snapshot() as connection:
            return library_size(connection)

    def stats(self) -> LibraryStats:
        """What it holds, and how far its indexes are."""
        changes = self._database.last_change()
        with self._database.snapshot() as connection:
            return library_stats(connection, changes, self._indexes.text.on_disk())
