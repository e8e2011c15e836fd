"""Ideas, and what stands in for them, held against the future of their topic and against those of the other topics.

All of a cut-off is compared at once: one matrix of ideas, and the papers of one topic after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.foresight.futures import Prospect, Prospects, Shown
from novum.benchmarks.foresight.records import EARLIER, TOPIC, Closeness, Forecast, Kind, NearPaper, Sighting
from novum.benchmarks.foresight.statistics import nearness
from novum.benchmarks.foresight.task import ForesightTask
from novum.core import Subject
from novum.idea_metrics.corpus import unit
from novum.literature import Library
from novum.literature.embedding import Vectors, vectors_of

SHOWN = 3
"""Nearest papers that are kept of each."""
_AT_ONCE = 256

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Thing:
    """An idea, or what stands in for one."""

    cutoff: str
    topic: str
    by: str
    kind: Kind
    title: str
    vector: Vectors
    """Of unit length, shape (d,); zero where its text says nothing."""


async def sightings(
    library: Library,
    task: ForesightTask,
    forecasts: Sequence[Forecast],
    found: Prospects,
    threshold: float | None,
    told: Callable[[str], None] = lambda line: None,
) -> tuple[Sighting, ...]:
    """Every idea, earlier paper and topic, by cut-off and topic. Asks no model but the library's embedder."""
    ideas = await _ideas(library, forecasts)
    done: list[Sighting] = []
    for number, cutoff in enumerate(task.cutoffs, 1):
        under = [each for each in found.each if each.cutoff == cutoff]
        things = [thing for thing in ideas if thing.cutoff == cutoff.label]
        things = _in_order([*things, *await _stand_ins(library, under)], task)
        board = _Board(things, task.horizon, task.neighbours, threshold)
        for prospect in under:
            board.hold_against(prospect.topic, [_vectors(library, papers) for papers in prospect.years])
        done += board.sightings()
        told(f"compared for {number:,} of {len(task.cutoffs):,} cut-offs")
    return tuple(done)


async def _ideas(library: Library, forecasts: Sequence[Forecast]) -> list[_Thing]:
    made = [(each.cutoff, each.entry.topic, each.entry.entrant, each.entry.idea) for each in forecasts]
    known = [(cutoff, topic, by, idea) for cutoff, topic, by, idea in made if idea is not None]
    vectors = await _embedded(library, [Subject.of_idea(idea).whole for *_, idea in known])
    return [
        _Thing(cutoff, topic, by, "idea", idea.title, vector)
        for (cutoff, topic, by, idea), vector in zip(known, vectors, strict=True)
    ]


async def _stand_ins(library: Library, under: Sequence[Prospect]) -> list[_Thing]:
    """The topics' own words, and the papers from before the day."""
    things: list[_Thing] = []
    topics = await _embedded(library, [each.topic for each in under])
    for each, words in zip(under, topics, strict=True):
        cutoff, topic = each.cutoff.label, each.topic
        things.append(_Thing(cutoff, topic, TOPIC, "topic", topic, words))
        papers, vectors = _vectors(library, each.earlier)
        things += [
            _Thing(cutoff, topic, EARLIER, "earlier", paper.title, vector)
            for paper, vector in zip(papers, vectors, strict=True)
        ]
    return things


async def _embedded(library: Library, texts: Sequence[str]) -> Vectors:
    """Unit vectors, shape (n, d), as the library's embedder makes them of papers."""
    starts = range(0, len(texts), _AT_ONCE)
    parts = [unit(await vectors_of(library.embedder, texts[start : start + _AT_ONCE])) for start in starts]
    return np.concatenate(parts) if parts else np.empty((0, library.embedder.dimensions), np.float32)


def _vectors(library: Library, papers: Sequence[Shown]) -> tuple[list[Shown], Vectors]:
    """Those of the papers that have a vector, and these as unit vectors."""
    ids, made = library.vectors(paper.paper_id for paper in papers)
    by_id = {paper.paper_id: paper for paper in papers}
    return [by_id[paper_id] for paper_id in ids], unit(made)


class _Board:
    """Everything under one cut-off: what it came to with all years together, then with each.

    Numbers are of shape (things, 1 + years, 2): similarity and hit.
    """

    def __init__(self, things: Sequence[_Thing], years: int, k: int, threshold: float | None) -> None:
        self._things, self._k, self._threshold = things, k, threshold
        self._matrix = np.stack([thing.vector for thing in things]) if things else np.empty((0, 0), np.float32)
        self._silent = ~self._matrix.any(axis=1)
        shape = (len(things), 1 + years, 2)
        self._own, self._sums, self._counts = np.full(shape, np.nan), np.zeros(shape), np.zeros(shape)
        self._nearest: list[tuple[NearPaper, ...]] = [()] * len(things)

    def hold_against(self, topic: str, years: Sequence[tuple[list[Shown], Vectors]]) -> None:
        """Compares all with the future of one topic."""
        cosines = [self._cosines(vectors) for _, vectors in years]
        whole = np.concatenate(cosines, axis=1)
        found = np.stack([self._numbers(each) for each in (whole, *cosines)], axis=1)
        mine = np.array([thing.topic == topic for thing in self._things])
        self._own[mine] = found[mine]
        counts = np.isfinite(found) & ~mine[:, None, None]
        self._sums += np.where(counts, found, 0.0)
        self._counts += counts
        papers = [paper for shown, _ in years for paper in shown]
        for row in np.flatnonzero(mine & ~self._silent):
            self._nearest[row] = _nearest(papers, whole[row])

    def _cosines(self, vectors: Vectors) -> Floats:
        """A text that says nothing is not far from everything: how near it is, is not known."""
        if not len(vectors):
            return np.empty((len(self._things), 0))
        made = (self._matrix @ vectors.T).astype(np.float64)
        made[self._silent] = np.nan
        return made

    def _numbers(self, cosines: Floats) -> Floats:
        near = nearness(cosines, self._k)
        return np.stack([near.similarity, near.hits(self._threshold)], axis=1)

    def sightings(self) -> list[Sighting]:
        """What was found of each thing, in their order."""
        elsewhere = np.divide(self._sums, self._counts, out=np.full_like(self._sums, np.nan), where=self._counts > 0)
        found = []
        for row, thing in enumerate(self._things):
            whole, *years = map(_closeness, self._own[row])
            others, *others_years = map(_closeness, elsewhere[row])
            found.append(
                Sighting(
                    cutoff=thing.cutoff,
                    topic=thing.topic,
                    by=thing.by,
                    kind=thing.kind,
                    title=thing.title,
                    whole=whole,
                    years=tuple(years),
                    elsewhere=others,
                    elsewhere_years=tuple(others_years),
                    nearest=self._nearest[row],
                )
            )
        return found


def _closeness(numbers: Floats) -> Closeness:
    similarity, hit = (None if np.isnan(number) else float(number) for number in numbers)
    return Closeness(similarity=similarity, hit=hit)


def _nearest(papers: Sequence[Shown], cosines: Floats) -> tuple[NearPaper, ...]:
    order = sorted(range(len(papers)), key=lambda place: (-cosines[place], papers[place].paper_id))
    return tuple(
        NearPaper(
            paper_id=papers[place].paper_id,
            title=papers[place].title,
            published=papers[place].published,
            similarity=float(cosines[place]),
        )
        for place in order[:SHOWN]
    )


def _in_order(things: Sequence[_Thing], task: ForesightTask) -> list[_Thing]:
    """By topic; makers as they were named, then what stands in for ideas."""
    topics = {each.topic: place for place, each in enumerate(task.topics)}
    makers = {name: place for place, name in enumerate((*task.makers, EARLIER, TOPIC))}
    return sorted(things, key=lambda thing: (topics[thing.topic], makers[thing.by]))
