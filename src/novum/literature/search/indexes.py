"""All indexes of a library: updated from the rows, then searched."""

from __future__ import annotations

import asyncio
import math
import shutil
import time
import weakref
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Lock

import numpy as np

from novum.core.arrays import Vectors
from novum.errors import LibraryError
from novum.literature.embedding import Embedder, vectors_of
from novum.literature.filters import Filters
from novum.literature.reembedding import embed_missing
from novum.literature.search.catalogue import Catalogue, Numbers
from novum.literature.search.fusion import Candidates, FusedResult, Scores, choose, rank_candidates, relevance
from novum.literature.search.locking import LOG, NOTICED, linked_copy, lock_folder, writable
from novum.literature.search.ranking.evidence import EvidenceColumns, standing, votes
from novum.literature.search.similarity import SimilarityScorer
from novum.literature.search.spelling import usual_spelling
from novum.literature.search.text_index import TextIndex
from novum.literature.search.text_search import NO_WORDS, only_allowed
from novum.literature.search.topic_evidence import (
    BY_VECTORS,
    BY_WORDS,
    RANDOM_TOPICS,
    SAMPLE,
    NearbyRow,
    SimilarityBackground,
    spread_evenly,
)
from novum.literature.search.vector_index import Nearest, VectorIndex
from novum.literature.search.whitening import cosines
from novum.literature.search.word_queries import Wording, Words, look_closer
from novum.literature.store import vector_rows
from novum.literature.store.database import Database

_EMBED_AT_ONCE = 4000
_PATIENCE = 30.0
"""Seconds that a search waits for another process that embeds new papers, so that none is embedded, and paid for,
twice."""
_GLANCE = 0.05
"""Seconds between two looks whether it has finished."""
_LOCK, _CHANGING_LOCK = "embedding.lock", "changing-embedder.lock"
"""Held while papers are embedded with the library's embedder, and with the one that shall replace it."""
_FILTERS_KEPT = 8
_NEIGHBOURS = 300
"""Number of nearest papers whose references count, when citations are used."""
_CANDIDATES = 24
"""Minimum number of candidates by words that are scored in full; of those by vectors, two thirds of it."""


class Indexes:
    """Full text, vectors and catalogue of one library, with the embedder of its vectors. If `folder` cannot be written,
    a temporary copy of it, made of links, is used."""

    def __init__(self, database: Database, folder: Path, embedder: Embedder) -> None:
        if not writable(folder):
            folder = linked_copy(folder)
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.text = TextIndex(database, folder / "text")
        self.change = -1
        """The change number up to which all indexes are current."""
        self._database = database
        self._embedder = embedder
        self._vectors = VectorIndex(database, embedder.name, embedder.dimensions, folder / "vectors")
        self._folder = folder
        self._catalogue: Catalogue | None = None
        self._allowed: dict[tuple[Filters, tuple[int, ...]], Numbers | None] = {}
        self._random_topics: Vectors | None = None
        self._backgrounds: dict[Filters, SimilarityBackground] = {}
        self._busy = Lock()
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="novum-words")

    async def catch_up(self) -> None:
        """Embeds what has no vector yet and updates every index from the rows; nothing to do costs one look-up.

        Raises LibraryError when the library's vectors are another embedder's, or an index cannot be written.
        """
        if self._database.last_change() == self.change:
            return
        async with self._alone():
            if self._database.last_change() != self.change:
                await self._embed(patience=_PATIENCE)
                await asyncio.to_thread(self._derive)

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Allows one update at a time, over all threads and event loops. Waiting can be cancelled."""
        while not self._busy.acquire(blocking=False):  # noqa: ASYNC110  no asyncio event serves several loops
            await asyncio.sleep(0.005)
        try:
            yield
        finally:
            self._busy.release()

    async def embed(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """Embeds all papers without vector; `progress` is called with the number done."""
        async with self._alone():
            await self._embed(progress)

    async def _embed(self, progress: Callable[[int], None] = lambda done: None, patience: float = math.inf) -> None:
        """Embeds all papers without vector. Where another process of this machine does that, waits for it up to
        `patience` seconds; then papers are left without vector, to be found by their words. So they are in a library
        that cannot be written."""
        self._check_embedder()
        began, noticed = time.monotonic(), False
        while not self._database.read_only and self._lacks_vectors():
            with lock_folder(self._folder, name=_LOCK) as alone:
                if alone:
                    await embed_missing(self._database, self._embedder, progress, at_once=_EMBED_AT_ONCE)
                    continue
            waited = time.monotonic() - began
            if waited > patience:
                LOG.warning("Another process is embedding new papers: until it has finished, their words find them.")
                return
            if waited > NOTICED and not noticed:
                LOG.warning("Another process is embedding new papers: waiting for it.")
                noticed = True
            await asyncio.sleep(_GLANCE)

    @asynccontextmanager
    async def embedding_alone(self, embedder: str) -> AsyncIterator[None]:
        """Waits until no other process of this machine embeds with the embedder of this name, and keeps others from it.
        A change to another embedder does not keep new papers from being embedded with the present one."""
        name = _LOCK if self._database.fact("embedder") in {None, embedder} else _CHANGING_LOCK
        noticed = False
        while True:
            with lock_folder(self._folder, name=name) as alone:
                if alone:
                    yield
                    return
            if not noticed:
                LOG.warning("Another process is embedding the library: waiting for it.")
                noticed = True
            await asyncio.sleep(_GLANCE)

    def _lacks_vectors(self) -> bool:
        since = vector_rows.embedded_to(self._database, self._embedder.name)
        return bool(vector_rows.without_vector(self._database, self._embedder.name, since, 1))

    def _check_embedder(self) -> None:
        held = self._database.fact("embedder")
        if held not in {None, self._embedder.name}:
            raise LibraryError(
                f"The vectors of {self._database.place} were made with {held}, not with {self._embedder.name}: "
                f"use {held} (setting `embedder`), or embed the library with the other one by `novum library embed`."
            )

    def _derive(self) -> None:
        change = self._database.last_change()
        with ThreadPoolExecutor(1) as beside:
            text = beside.submit(self.text.catch_up)
            self._vectors.catch_up()
            text.result()
        file = self._folder / "catalogue.npz"
        self._catalogue = (self._catalogue or Catalogue.load(file)).updated_from(self._database).save(file)
        self._allowed, self._backgrounds = {}, {}
        self.change = change

    def ids(self, numbers: Iterable[int], change: int) -> dict[int, str]:
        """Ids of the papers of these rows, if the catalogue is of this change number; otherwise none."""
        return self._catalogue.ids(numbers) if self._catalogue and self._catalogue.change == change else {}

    def _passing(self, filters: Filters, excluded: Sequence[int]) -> Numbers | None:
        """The rows that pass, cached: a run searches many times with the same filters."""
        asked = filters, tuple(excluded)
        if asked not in self._allowed and self._catalogue:
            if len(self._allowed) >= _FILTERS_KEPT:
                self._allowed.clear()
            self._allowed[asked] = self._catalogue.passing(filters, excluded)
        return self._allowed.get(asked)

    @property
    def _near(self) -> Nearest:
        if self._vectors.current is None:
            raise LibraryError("The indexes were searched before they were updated.")
        return self._vectors.current

    async def vector(self, text: str) -> Vectors:
        """The whitened unit vector of a query in its usual spelling, shape (d,)."""
        raw = await vectors_of(self._embedder, [usual_spelling(text)], queries=True)
        unit: Vectors = self._near.whitening.apply(raw)[0]
        return unit

    async def likeness(self, text: str) -> SimilarityScorer:
        """A function that returns the similarity of a paper to this text."""
        return SimilarityScorer(self._embedder, self._near.whitening, await self.vector(text))

    def search(
        self,
        text: str,
        vector: Vectors,
        k: int,
        filters: Filters,
        excluded: Sequence[int],
        known: EvidenceColumns | None = None,
        diversity: float = 0.0,
    ) -> list[FusedResult]:
        """The best `k` rows for a text and its vector by the first stage alone: see `candidates` and `choose`."""
        best, found = self.candidates(text, vector, k, filters, excluded, known)
        return choose(best, found, k, diversity)

    def candidates(
        self,
        text: str,
        vector: Vectors,
        k: int,
        filters: Filters,
        excluded: Sequence[int],
        known: EvidenceColumns | None = None,
    ) -> tuple[list[FusedResult], Candidates]:
        """Rows for a text and its vector, at least `k` if there are, best first by words and meaning together, with
        `known` also by citations; and what they were scored by."""
        pool = max(_CANDIDATES, 2 * k)
        words, allowed = self.text.reading(), self._passing(filters, excluded)
        wording = words.wording(text)

        def by_words() -> tuple[list[int], dict[int, Words]]:
            rows = words.search(wording, pool, filters, excluded, allowed)
            return rows, words.texts(wording, rows)

        beside = self._beside.submit(by_words)
        near = self._near.nearest(vector, pool if known is None else max(pool, _NEIGHBOURS), allowed)
        worded, texts = beside.result()

        def closely(rows: Iterable[int]) -> Candidates:
            wanted = list(dict.fromkeys(rows))
            texts.update(words.texts(wording, [row for row in wanted if row not in texts]))
            return self._candidates(wording, {row: texts.get(row, NO_WORDS) for row in wanted}, vector)

        found = closely([*worded, *near[: 2 * pool // 3]])
        scores = relevance(found)
        if known is not None:
            with self._database.read() as connection:
                earned = votes(connection, self._citing_weights(found, scores, vector, near), known.day)
                found = closely([*found.numbers, *only_allowed(list(earned), allowed)[:pool]])
                scores = relevance(found) + standing(connection, found.numbers, earned, known)
        return rank_candidates(found, scores, worded, near), found

    async def topic_background(self, filters: Filters) -> SimilarityBackground:
        """What similarities random topics reach among the papers that pass. Computed again after a change of the
        library; the topics are embedded once."""
        if self._random_topics is None:
            texts = list(RANDOM_TOPICS)
            self._random_topics = await vectors_of(self._embedder, texts, queries=True)
        if filters not in self._backgrounds:
            units = self._near.whitening.apply(self._random_topics)
            background = await asyncio.to_thread(self._background, units, self._passing(filters, ()))
            self._backgrounds[filters] = background
        return self._backgrounds[filters]

    def _background(self, topics: Vectors, allowed: Numbers | None) -> SimilarityBackground:
        searched = self._searched(allowed)
        if not len(searched):
            return SimilarityBackground(np.zeros(0), np.zeros(0))
        sample = self._units(spread_evenly(searched, SAMPLE))
        nearest = [self.similarities(topic, self._near.nearest(topic, 1, allowed)) for topic in topics]
        best = np.array([max(found.values(), default=0.0) for found in nearest])
        return SimilarityBackground(
            best, np.concatenate([cosines(sample, topic) for topic in topics]).astype(np.float64)
        )

    def _searched(self, allowed: Numbers | None) -> Numbers:
        """Rows that pass, ascending."""
        if allowed is not None:
            return allowed
        return self._catalogue.numbers if self._catalogue else np.zeros(0, np.int64)

    def count_passing(self, filters: Filters) -> int:
        """Number of papers that pass."""
        return len(self._searched(self._passing(filters, ())))

    def near_topic(self, text: str, vector: Vectors, filters: Filters) -> list[NearbyRow]:
        """Candidates for the papers on a topic, by its words and its vector, with the words of the topic in each."""
        allowed, words = self._passing(filters, ()), self.text.reading()
        wording = words.wording(text)
        rows = dict.fromkeys(self._near.nearest(vector, BY_VECTORS, allowed))
        rows |= dict.fromkeys(words.search(wording, BY_WORDS, filters, (), allowed))
        similarity, texts = self.similarities(vector, rows), words.texts(wording, list(rows))
        wanted = {word.indexed for word in words.topic_words(text)}
        return [
            NearbyRow(row, similarity[row], frozenset(wanted.intersection({*found.title, *found.gist})))
            for row, found in texts.items()
        ]

    def _citing_weights(
        self, found: Candidates, scores: Scores, vector: Vectors, near: Sequence[int]
    ) -> dict[int, float]:
        """How much the references of each paper count: its relevance, 1 for the best, or its cosine alone."""
        say = {row: cosine for row, cosine in self.similarities(vector, near).items() if cosine > 0}
        best = float(scores.max(initial=0.0))
        for row, score in zip(found.numbers, scores.tolist(), strict=True):
            if score > 0:
                say[row] = max(score / best, say.get(row, 0.0))
        return say

    def _candidates(self, wording: Wording, texts: Mapping[int, Words], vector: Vectors) -> Candidates:
        rows, found = list(texts), list(texts.values())
        units = self._units(rows)
        likeness = cosines(units, vector).astype(np.float64)
        titled = np.array([text.titled for text in found], bool)
        return Candidates(rows, look_closer(wording, found), likeness, units, titled)

    def _units(self, numbers: Sequence[int]) -> Vectors:
        """Whitened unit vectors of these rows, shape (len(numbers), d); zero for a row without one."""
        held = self._near.units(numbers)
        units = np.zeros((len(numbers), len(self._near.whitening.mean)), np.float32)
        for place, number in enumerate(numbers):
            if number in held:
                units[place] = held[number]
        return units

    def worded(self, text: str, k: int, filters: Filters, excluded: Sequence[int]) -> dict[int, float]:
        """The `k` best rows by words alone, with their scores, best first, ties by row."""
        words, allowed = self.text.reading(), self._passing(filters, excluded)
        wording = words.wording(text)
        rows = words.search(wording, max(2 * _CANDIDATES, 2 * k), filters, excluded, allowed)
        texts = words.texts(wording, rows)
        scores = zip(texts, look_closer(wording, list(texts.values())).tolist(), strict=True)
        return dict(sorted(scores, key=lambda one: (-one[1], one[0]))[:k])

    def nearest(self, vector: Vectors, k: int, filters: Filters, excluded: Sequence[int]) -> dict[int, float]:
        """The `k` rows whose vectors are nearest, with their cosines, nearest first, ties by row."""
        near = self._near.nearest(vector, k, self._passing(filters, excluded))
        similarities = self.similarities(vector, near)
        return dict(sorted(similarities.items(), key=lambda one: (-one[1], one[0])))

    def similarities(self, vector: Vectors, numbers: Iterable[int]) -> dict[int, float]:
        """Cosine of each row's vector with `vector`, in the order given; 0 for a row without one."""
        wanted = list(numbers)
        units = self._near.units(wanted)
        rows = [number for number in wanted if number in units]
        near = cosines(np.stack([units[number] for number in rows]), vector) if rows else ()
        return dict.fromkeys(wanted, 0.0) | {row: float(cosine) for row, cosine in zip(rows, near, strict=True)}

    async def cosines(self, vector: Vectors, texts: Sequence[str]) -> list[float]:
        """Cosine of each text with `vector`."""
        if not texts:
            return []
        units = self._near.whitening.apply(await vectors_of(self._embedder, texts))
        return [float(cosine) for cosine in cosines(units, vector)]
