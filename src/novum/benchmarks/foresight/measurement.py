"""Compare ideas and baselines with the papers of the future of their topic, and with those of all other topics.

All items of a cut-off are compared together: one matrix of items with the papers of one topic after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from novum.benchmarks.foresight.futures import ComparisonPapers, PaperSummary, TopicPapers
from novum.benchmarks.foresight.records import EARLIER, TOPIC, Closeness, ComparedItem, CutoffEntry, ItemKind, NearPaper
from novum.benchmarks.foresight.statistics import nearness
from novum.benchmarks.foresight.task import ForesightTask
from novum.core import Subject
from novum.core.arrays import Floats, Vectors
from novum.idea_metrics.corpus import unit
from novum.literature import Library
from novum.literature.embedding import vectors_of

MAX_NEAREST = 3
"""Nearest papers that are stored for each item."""
_BATCH_SIZE = 256


@dataclass(frozen=True)
class _Item:
    """An idea, or an item of a baseline."""

    cutoff: str
    topic: str
    by: str
    kind: ItemKind
    title: str
    vector: Vectors
    """Of unit length, shape (d,); zero for a text without words."""


async def compare_items(
    library: Library,
    task: ForesightTask,
    forecasts: Sequence[CutoffEntry],
    papers: ComparisonPapers,
    threshold: float | None,
    progress: Callable[[str], None] = lambda line: None,
) -> tuple[ComparedItem, ...]:
    """Every idea, earlier paper and topic, compared; by cut-off and topic. Calls only the library's embedder."""
    ideas = await _ideas(library, forecasts)
    compared: list[ComparedItem] = []
    for number, cutoff in enumerate(task.cutoffs, 1):
        topics = [each for each in papers.each if each.cutoff == cutoff]
        items = [item for item in ideas if item.cutoff == cutoff.label]
        items = _in_order([*items, *await _baselines(library, topics)], task)
        comparison = _PaperComparison(items, task.horizon, task.neighbours, threshold)
        for topic in topics:
            comparison.add_topic(topic.topic, [_vectors(library, year) for year in topic.years])
        compared += comparison.items()
        progress(f"compared for {number:,} of {len(task.cutoffs):,} cut-offs")
    return tuple(compared)


async def _ideas(library: Library, forecasts: Sequence[CutoffEntry]) -> list[_Item]:
    ideas = [(each, each.entry.idea) for each in forecasts if each.entry.idea is not None]
    vectors = await _embedded(library, [Subject.of_idea(idea).whole for _, idea in ideas])
    return [
        _Item(each.cutoff, each.entry.topic, each.entry.entrant, "idea", idea.title, vector)
        for (each, idea), vector in zip(ideas, vectors, strict=True)
    ]


async def _baselines(library: Library, topics: Sequence[TopicPapers]) -> list[_Item]:
    """The words of the topics, and the papers from before the cut-off."""
    items: list[_Item] = []
    embedded = await _embedded(library, [each.topic for each in topics])
    for each, words in zip(topics, embedded, strict=True):
        cutoff, topic = each.cutoff.label, each.topic
        items.append(_Item(cutoff, topic, TOPIC, "topic", topic, words))
        papers, vectors = _vectors(library, each.earlier)
        items += [
            _Item(cutoff, topic, EARLIER, "earlier", paper.title, vector)
            for paper, vector in zip(papers, vectors, strict=True)
        ]
    return items


async def _embedded(library: Library, texts: Sequence[str]) -> Vectors:
    """Unit vectors of texts, shape (n, d), by the embedder that embeds the papers."""
    starts = range(0, len(texts), _BATCH_SIZE)
    parts = [unit(await vectors_of(library.embedder, texts[start : start + _BATCH_SIZE])) for start in starts]
    return np.concatenate(parts) if parts else np.empty((0, library.embedder.dimensions), np.float32)


def _vectors(library: Library, papers: Sequence[PaperSummary]) -> tuple[list[PaperSummary], Vectors]:
    """The papers that have a vector, and their unit vectors."""
    ids, vectors = library.vectors(paper.paper_id for paper in papers)
    by_id = {paper.paper_id: paper for paper in papers}
    return [by_id[paper_id] for paper_id in ids], unit(vectors)


class _PaperComparison:
    """The items of one cut-off compared with papers: with those of all years together, then of each year.

    Numbers have the shape (items, 1 + years, 2): similarity and hit.
    """

    def __init__(self, items: Sequence[_Item], years: int, k: int, threshold: float | None) -> None:
        self._items, self._k, self._threshold = items, k, threshold
        self._matrix = np.stack([item.vector for item in items]) if items else np.empty((0, 0), np.float32)
        self._wordless = ~self._matrix.any(axis=1)
        shape = (len(items), 1 + years, 2)
        self._own, self._sums, self._counts = np.full(shape, np.nan), np.zeros(shape), np.zeros(shape)
        self._nearest: list[tuple[NearPaper, ...]] = [()] * len(items)

    def add_topic(self, topic: str, years: Sequence[tuple[list[PaperSummary], Vectors]]) -> None:
        """Compares all items with the future of one topic."""
        cosines = [self._cosines(vectors) for _, vectors in years]
        whole = np.concatenate(cosines, axis=1)
        numbers = np.stack([self._numbers(each) for each in (whole, *cosines)], axis=1)
        own = np.array([item.topic == topic for item in self._items])
        self._own[own] = numbers[own]
        counts = np.isfinite(numbers) & ~own[:, None, None]
        self._sums += np.where(counts, numbers, 0.0)
        self._counts += counts
        papers = [paper for year, _ in years for paper in year]
        for row in np.flatnonzero(own & ~self._wordless):
            self._nearest[row] = _nearest(papers, whole[row])

    def _cosines(self, vectors: Vectors) -> Floats:
        """NaN for items without words: their similarity is not known, rather than 0."""
        if not len(vectors):
            return np.empty((len(self._items), 0))
        cosines: Floats = (self._matrix @ vectors.T).astype(np.float64)
        cosines[self._wordless] = np.nan
        return cosines

    def _numbers(self, cosines: Floats) -> Floats:
        near = nearness(cosines, self._k)
        return np.stack([near.similarity, near.hits(self._threshold)], axis=1)

    def items(self) -> list[ComparedItem]:
        """All items with their numbers, in order."""
        elsewhere = np.divide(self._sums, self._counts, out=np.full_like(self._sums, np.nan), where=self._counts > 0)
        compared = []
        for row, item in enumerate(self._items):
            whole, *years = map(_closeness, self._own[row])
            others, *others_years = map(_closeness, elsewhere[row])
            compared.append(
                ComparedItem(
                    cutoff=item.cutoff,
                    topic=item.topic,
                    by=item.by,
                    kind=item.kind,
                    title=item.title,
                    whole=whole,
                    years=tuple(years),
                    elsewhere=others,
                    elsewhere_years=tuple(others_years),
                    nearest=self._nearest[row],
                )
            )
        return compared


def _closeness(numbers: Floats) -> Closeness:
    similarity, hit = (None if np.isnan(number) else float(number) for number in numbers)
    return Closeness(similarity=similarity, hit=hit)


def _nearest(papers: Sequence[PaperSummary], cosines: Floats) -> tuple[NearPaper, ...]:
    order = sorted(range(len(papers)), key=lambda place: (-cosines[place], papers[place].paper_id))
    return tuple(
        NearPaper(
            paper_id=papers[place].paper_id,
            title=papers[place].title,
            published=papers[place].published,
            similarity=float(cosines[place]),
        )
        for place in order[:MAX_NEAREST]
    )


def _in_order(items: Sequence[_Item], task: ForesightTask) -> list[_Item]:
    """By topic; then by author in the order of the task, then the baselines."""
    topics = {each.topic: place for place, each in enumerate(task.topics)}
    authors = {name: place for place, name in enumerate((*task.authors, EARLIER, TOPIC))}
    return sorted(items, key=lambda item: (topics[item.topic], authors[item.by]))
