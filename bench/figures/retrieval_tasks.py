"""Queries whose answers a library itself gives: what a paper cites, and where its abstract belongs."""

from __future__ import annotations

import datetime as dt
import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from figures.topic_queries import TOPICS, TopicQuery
from novum.core import Paper
from novum.literature import Embedder, Entry, Filters, Library
from novum.literature.store.rows import indexed_text

_FEWEST_REFERENCES = 5


@dataclass(frozen=True)
class Question:
    """A query, the ids that answer it, and the papers among which they are to be found."""

    text: str
    relevant: frozenset[str]
    filters: Filters
    year: int | None
    """Of the paper that asks."""


@dataclass(frozen=True)
class Task:
    """Questions of one kind. `cited`: what is looked for is cited by who asks; `without_gist`: papers to be held with
    their titles alone."""

    name: str
    questions: Sequence[Question]
    cited: bool = True
    without_gist: frozenset[str] = frozenset()

    @property
    def as_it_is(self) -> bool:
        """Whether the library can be asked as it is."""
        return not self.without_gist

    def stripped(self, library: Library, folder: Path, embedder: Embedder, reranker: Embedder | None) -> Library:
        """A copy of the library in which papers `without_gist` have none."""
        copy = Library.open(folder, embedder=embedder, reranker=reranker)
        copy.add(Entry(paper=self._strip(paper)) for paper in library.papers())
        return copy

    def _strip(self, paper: Paper) -> Paper:
        bare = {"abstract": "", "summary": ""} if paper.id in self.without_gist else {}
        return paper.model_copy(update={**bare, "references": ()})


def draw(name: str, library: Library, at_most: int, half: str, seed: int) -> Task:
    """The task of this name with a random sample of its questions; the topics are always all of them."""
    if name in _TOPIC_TASKS:
        return _topics(name, library)
    suits = _has_abstract if name == "known" else _cites_enough
    ids = sorted(paper.id for paper in library.papers() if _in_half(paper.id, half) and suits(paper))
    chosen = random.Random(seed).sample(ids, min(at_most, len(ids)))
    return TASKS[name](library, library.get_many(chosen))


def _in_half(paper_id: str, half: str) -> bool:
    odd = hashlib.sha256(paper_id.encode()).digest()[0] % 2
    return half == "both" or odd == (half == "report")


def _cites_enough(paper: Paper) -> bool:
    return len(paper.references) >= _FEWEST_REFERENCES and paper.public_by is not None


def _has_abstract(paper: Paper) -> bool:
    return bool(paper.gist)


def _cited(library: Library, papers: Sequence[Paper]) -> Task:
    return Task("cited", [*_reference_questions(library, papers, indexed_text)])


def _cited_by_title(library: Library, papers: Sequence[Paper]) -> Task:
    return Task("cited-by-title", [*_reference_questions(library, papers, lambda paper: paper.title)])


def _known(_library: Library, papers: Sequence[Paper]) -> Task:
    questions = [Question(paper.gist, frozenset([paper.id]), Filters(), paper.year) for paper in papers]
    return Task("known", questions, cited=False, without_gist=frozenset(paper.id for paper in papers))


def _topics(name: str, library: Library) -> Task:
    titles = {paper.id: paper.title for paper in library.papers()}
    questions = []
    for topic in TOPICS:
        relevant = frozenset(paper_id for paper_id, title in titles.items() if topic.fits(title))
        if relevant:
            questions.append(Question(_TOPIC_TASKS[name](topic), relevant, Filters(), None))
    return Task(name, questions, cited=False)


def _reference_questions(
    library: Library, papers: Sequence[Paper], text_of: Callable[[Paper], str]
) -> Iterator[Question]:
    for paper in papers:
        if paper.public_by is None:
            continue
        filters = Filters(before=paper.public_by + dt.timedelta(days=1), exclude_ids=(paper.id,))
        relevant = frozenset(cited.id for cited in library.references(paper.id, filters))
        if relevant:
            yield Question(text_of(paper), relevant, filters, paper.public_by.year)


_TOPIC_TASKS: Mapping[str, Callable[[TopicQuery], str]] = {
    "topics": lambda topic: topic.name,
    "paraphrased": lambda topic: topic.paraphrase,
}
TASKS: Mapping[str, Callable[[Library, Sequence[Paper]], Task]] = {
    "cited": _cited,
    "cited-by-title": _cited_by_title,
    "known": _known,
}
ALL_TASKS = (*TASKS, *_TOPIC_TASKS)
