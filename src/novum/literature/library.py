"""The library: papers that can be searched by words and meaning, and looked up by identifiers and citations."""

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
from novum.literature.reembedding import MissingVectors, missing_vectors, reembed
from novum.literature.search.fusion import choose
from novum.literature.search.indexes import Indexes
from novum.literature.search.ranking.cooccurrence import EntityMemory, EntityStore
from novum.literature.search.ranking.evidence import Citations, EvidenceColumns
from novum.literature.search.ranking.growth import KeywordGrowth, keyword_growth
from novum.literature.search.ranking.neighbourhood import CitedNearby, most_cited, with_citing_papers
from novum.literature.search.second_stage import SecondStage
from novum.literature.search.similarity import SimilarityScorer
from novum.literature.search.topic_evidence import TopicEvidence, rows_with
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
    """A library in a folder, or with its rows in a database server and the folder for this machine's indexes.

    Any number of processes may use one library at the same time. Every method raises LibraryError when the database
    cannot be read or written; what was committed stays.
    """

    def __init__(self, database: Database, folder: Path, embedder: Embedder, reranker: Embedder | None = None) -> None:
        self.folder = folder
        self.embedder = embedder
        self._second_stage = SecondStage(database, reranker) if reranker else None
        self._database = database
        self._indexes = Indexes(database, folder / "index", embedder)
        self._memory = PaperCache(database, self._ids_at)
        self._entities = EntityMemory()

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        url: str | None = None,
        embedder: Embedder | None = None,
        reranker: Embedder | None = None,
    ) -> Self:
        """Opens the library in `folder`, which is created when it is missing. `url`: SQLAlchemy URL of a database for
        the rows. `embedder`: by default `StaticEmbedder`. `reranker`: a sentence encoder that ranks the best papers of
        a search again, by default none.

        Raises LibraryError when the folder or database holds something else, is damaged, was written by a newer
        version, or cannot be written.
        """
        folder = Path(folder)
        return cls(open_database(folder, url), folder, embedder or StaticEmbedder(), reranker)

    @property
    def stored(self) -> Library:
        """This library itself: a `PaperLibrary` may also be a view of one."""
        return self

    def close(self) -> None:
        """Closes the database. May be called twice."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Papers by identifier or title

    def get(self, paper_id: str) -> Paper | None:
        """The paper with this id, which may be one that it had before it was merged with another."""
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

    def by_names(self, names: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Paper]:
        """Papers by stored (scheme, value) identifiers, without their references; unknown ones are left out."""
        with self._database.snapshot() as connection:
            numbers = lookup.numbers_by_name(connection, names)
            papers = lookup.papers_by_number(connection, set(numbers.values()))
        return {name: papers[number] for name, number in numbers.items() if number in papers}

    def by_titles(self, titles: Iterable[str]) -> list[Paper]:
        """Papers with exactly these titles, apart from spacing and punctuation, in order of arrival."""
        with self._database.snapshot() as connection:
            return reader.by_titles(connection, titles)

    def find(self, title: str, year: int | None = None) -> Paper | None:
        """The paper that a citation means. `title`: a title, which may be misspelt or have authors and year around it.
        None when no paper is certain to be the one."""
        ways = readings(storable(title), year)
        for way in ways:
            if paper := choose_exact(way, self.by_titles([way.title])):
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
        """Papers of the library that cite this paper, earliest first."""
        return self._neighbours(reader.citing, paper_id, filters)

    def references(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """Papers of the library that this paper cites, earliest first."""
        return self._neighbours(reader.cited_by, paper_id, filters)

    def co_cited(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """Papers that two or more papers of the library cite together with this one, earliest first; at most 100, those
        that are most often cited with it. Citations by papers of the day of `filters` or later do not count."""
        return self._neighbours(reader.co_cited, paper_id, filters)

    def sharing_references(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """Papers that cite three or more of the papers that this one cites (bibliographic coupling), earliest first; at
        most 100, those that share the most."""
        return self._neighbours(reader.sharing_references, paper_id, filters)

    def _neighbours(self, numbers_of: reader.Neighbours, paper_id: str, filters: Filters) -> list[Paper]:
        change = self._database.last_change()
        number = self._memory.numbers({paper_id}, change).get(paper_id)
        if number is None:
            return []
        with self._database.read() as connection:
            numbers = numbers_of(connection, number, filters)
        papers = self._memory.papers(numbers, change).values()
        return sorted(filter(filters.admits, papers), key=lambda paper: (paper.public_by or dt.date.max, paper.id))

    def missing_references(self, paper_id: str) -> list[tuple[str, str]]:
        """What this paper cites and the library does not have, as (scheme, value); a title has the scheme `title`."""
        number = self._memory.numbers({paper_id}, self._database.last_change()).get(paper_id)
        if number is None:
            return []
        with self._database.read() as connection:
            return reader.missing_references(connection, number)

    async def expand(self, paper: Paper, topic: str, filters: Filters = EVERYTHING) -> None:
        """Does nothing: a library on disk has the citations that it has. A live view of it fetches more."""

    def citations_before(self, paper_id: str, day: dt.date) -> int:
        """The number of papers of the library that were public before `day` and cite this one."""
        with self._database.snapshot() as connection:
            return reader.citations_before(connection, paper_id, day)

    # Search

    async def embed(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """Embeds all papers without a vector. `progress` is called with the number done. It can be interrupted and
        called again: finished vectors stay."""
        await self._indexes.embed(progress)

    def unembedded(self, embedder: str) -> MissingVectors:
        """How many papers have no vector by the embedder of this name."""
        return missing_vectors(self._database, embedder)

    async def embed_with(
        self, embedder: Embedder, progress: Callable[[int], None] = lambda done: None, *, keep: bool = False
    ) -> None:
        """Changes the embedder: when all papers have vectors by it, these replace the old ones, which are deleted
        unless `keep` is set. It can be interrupted and called again: finished vectors stay. While another process does
        the same, this one waits, so that no paper is embedded, and paid for, twice."""
        async with self._indexes.embedding_alone(embedder.name):
            await reembed(self._database, embedder, progress, keep=keep)
        self.embedder = embedder
        self._indexes = Indexes(self._database, self.folder / "index", embedder)

    async def index(self) -> None:
        """Embeds and indexes everything that is new. A search does this by itself."""
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
        """The `k` best papers for a question, by words (BM25) and meaning (vectors), best first. The best of them are
        ranked again by a sentence encoder, if the library was opened with one.

        Filters apply inside the search: they do not reduce the number of hits. `diversity`, 0 to 1: the weight of the
        similarity to earlier hits, in maximal marginal relevance. `citations`: also rank by what the nearest papers
        cite, by citation counts, and by coupling with given papers. Raises ValueError for a `diversity` outside 0 to 1.
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
        best, found = self._indexes.candidates(query, vector, k, filters, excluded, known)
        if self._second_stage:
            best = await self._second_stage.rerank(query, best)
        fused = choose(best, found, k, diversity)
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
        """The `k` papers that are cited most often by the `neighbourhood` best papers for a question.

        `filters` apply to these papers; what they cite has to pass only `before` and `exclude_ids`.
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
        """The `k` keywords with the most certain growth over the years, and the `k` with the most certain decline, in
        the `neighbourhood` papers nearest to a question, or without a question in all papers that pass `filters`.
        Keywords are fields and word groups of titles and, with `abstracts`, of abstracts. Memory is bounded."""
        return await keyword_growth(self, question, k, filters, neighbourhood, abstracts=abstracts)

    async def entities(self, filters: Filters = EVERYTHING, *, most: int = 20_000) -> EntityStore:
        """Which entities papers mention together, counted in at most `most` of the papers that pass `filters`, spread
        evenly over the library. The result stays in memory until something is written."""

        def count() -> EntityStore:
            return EntityStore.mined(list(self.sample(most, filters)))

        key = (self._database.last_change(), filters, most)
        return await asyncio.to_thread(self._entities.store, key, count)

    async def topic_evidence(self, topic: str, filters: Filters = EVERYTHING) -> TopicEvidence:
        """What the papers that pass `filters` have in common with a topic, beside what they have with random topics."""
        await self._indexes.catch_up()
        topic = storable(topic)
        vector = await self._indexes.vector(topic)
        background = await self._indexes.topic_background(filters)
        rows = self._indexes.near_topic(topic, vector, filters)
        papers = self._memory.papers((row.number for row in rows), self._indexes.change)
        words = self._indexes.text.reading().topic_words(topic)
        searched = self._indexes.count_passing(filters)
        return TopicEvidence(searched, background, words, rows_with(papers, rows))

    async def similarity_to(self, question: str) -> SimilarityScorer:
        """A function that returns the similarity of a paper to a question, for `score_library`."""
        await self._indexes.catch_up()
        return await self._indexes.likeness(storable(question))

    def vectors(self, ids: Iterable[str]) -> tuple[list[str], Vectors]:
        """The stored vectors of these papers, as the embedder returned them: the ids of the papers that have one, in
        order, and an array of shape (n, d)."""
        with self._database.read() as connection:
            return vector_rows.of_papers(connection, self.embedder.name, ids, self.embedder.dimensions)

    def vector_width(self) -> int:
        """The length of the stored vectors of its embedder; 0 where there are none."""
        return vector_rows.width(self._database, self.embedder.name) or 0

    async def rank(self, text: str, papers: Sequence[Paper]) -> list[Hit]:
        """`papers`, which need not be in the library, by cosine similarity to `text`, best first, ties by id."""
        if not papers:
            return []
        await self._indexes.catch_up()
        similarity = await self._similarities(text, papers)
        ordered = sorted(similarity.items(), key=lambda one: (-one[1], one[0]))
        return by_similarity(dict(ordered), {paper.id: paper for paper in papers})

    async def _similarities(self, text: str, papers: Sequence[Paper]) -> dict[str, float]:
        """Cosines with `text` by paper id, from stored vectors where there are any, otherwise from the papers'
        texts."""
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
        """The full text of a paper, if the library has it."""
        return self.full_texts([paper_id]).get(paper_id)

    def full_texts(self, paper_ids: Iterable[str]) -> dict[str, str]:
        """The full texts of these papers by id, as far as the library has them, in one query."""
        with self._database.snapshot() as connection:
            return held_texts.held(connection, paper_ids)

    def set_full_text(self, paper_id: str, text: str) -> None:
        """Stores or replaces the full text of a paper. Raises LibraryError for an unknown paper."""
        with self._database.write() as writing:
            held_texts.keep(writing.connection, paper_id, text)

    def papers(self, filters: Filters = EVERYTHING, *, references: bool = True) -> Iterator[Paper]:
        """All papers that pass, in order of arrival. Memory does not grow with the library. `references`: with what
        each cites, which takes a third of the time."""
        return reader.stream(self._database, filters, references=references)

    def sample(self, most: int, filters: Filters = EVERYTHING) -> Iterator[Paper]:
        """At most `most` of the papers that pass, spread evenly over the order of arrival. Only these are read."""
        return reader.sample(self._database, filters, most)

    def add(
        self, entries: Iterable[Entry], source: str = "", committed: Callable[[ImportReport], None] | None = None
    ) -> ImportReport:
        """Adds papers in batches. When it is interrupted, committed batches stay, and the call can be repeated.

        A paper that is there already is recognised by any identifier, then by title and year, and completed from the
        new description. References to papers that are not there yet become links when these arrive. `source` is named
        in the report. `committed` is called with the report of each committed batch, which has all its rejects.
        """
        report = ImportReport(source=source)
        for batch in batches(entries):
            done = add_batch(self._database, batch, source)
            report += done
            if committed:
                committed(done)
        return report.model_copy(update={"waiting": self.waiting()})

    def waiting(self) -> int:
        """The number of references to papers that the library does not have."""
        return self._database.waiting()

    def get_note(self, name: str) -> str | None:
        """A note stored with `set_note`: how far a file was read, a saved search, …"""
        return self._database.fact(name)

    def set_note(self, name: str, value: str) -> None:
        """Stores or replaces a note. `name`: up to 64 characters."""
        with self._database.write() as writing:
            writing.put_fact(name, value)

    def delete_note(self, name: str) -> None:
        """Deletes a note, if there is one."""
        with self._database.write() as writing:
            writing.drop_fact(name)

    def notes(self, prefix: str) -> dict[str, str]:
        """All notes whose names begin with `prefix`, sorted by name."""
        return self._database.facts(prefix)

    def is_empty(self) -> bool:
        """Whether nothing was ever added. Takes one look-up, whatever the size of the library."""
        return self._database.last_change() == 0

    def size(self) -> LibrarySize:
        """The counts only, quickly."""
        with self._database.snapshot() as connection:
            return library_size(connection)

    def stats(self) -> LibraryStats:
        """What the library holds, and whether its indexes are current."""
        changes = self._database.last_change()
        with self._database.snapshot() as connection:
            return library_stats(connection, changes, self._indexes.text.on_disk())
