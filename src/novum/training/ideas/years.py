"""How near ideas of a model of the past are to the papers of later years (DBLP study, section 5.11, Figure 3)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable, Iterable, Sequence

import numpy as np

from novum.core import Subject
from novum.core.record import Value
from novum.errors import BadInput
from novum.idea_metrics.model import embedded
from novum.lab import Workplace
from novum.literature import Filters
from novum.training.ideas.evaluation import MeanScore, mean_by_topic
from novum.training.ideas.topics import choose_topics
from novum.training.ideas.writing import WrittenIdea

_PAPERS = 5000
"""Papers of a year that are compared at most."""
_FEWEST = 30


class YearSimilarity(Value):
    """Ideas of a model of the papers until `until` on topics of `year`: the cosine of the nearest paper of that year,
    and that of the nearest paper for papers of the year itself, which no idea of the past can be expected to exceed."""

    until: int
    year: int
    ideas: MeanScore
    papers: float | None


async def similarity_by_year(
    workplace: Workplace, until: int, years: Iterable[int], most_topics: int,
    write: Callable[[Sequence[str], str], Awaitable[Sequence[WrittenIdea]]], topic_numbers: Sequence[int], seed: int,
) -> list[YearSimilarity]:  # fmt: skip
    """`write`: ideas of the model on topics, with a name for their file. Raises BadInput where a year has too few
    papers."""
    return [await _of_year(workplace, until, year, most_topics, write, topic_numbers, seed) for year in years]


async def _of_year(
    workplace: Workplace, until: int, year: int, most_topics: int,
    write: Callable[[Sequence[str], str], Awaitable[Sequence[WrittenIdea]]], topic_numbers: Sequence[int], seed: int,
) -> YearSimilarity:  # fmt: skip
    filters = Filters(since=dt.date(year, 1, 1), before=dt.date(year + 1, 1, 1))
    papers = [paper for paper in workplace.library.sample(_PAPERS, filters) if paper.gist.strip()]
    if len(papers) < _FEWEST:
        raise BadInput(
            f"{year} has {len(papers)} papers with an abstract, and {_FEWEST} are needed: choose other years."
        )
    texts = [Subject.of_paper(paper).whole for paper in papers]
    topics = choose_topics(texts, topic_numbers, seed).names(6)[:most_topics]
    ideas = [idea for idea in await write(topics, str(year)) if idea.usable]
    embedder = workplace.library.embedder
    vectors, own = await embedded(texts, embedder), await embedded([each.subject.whole for each in ideas], embedder)
    between = vectors @ vectors.T
    np.fill_diagonal(between, -1)
    nearest = (own @ vectors.T).max(axis=1).tolist() if ideas else []
    return YearSimilarity(
        until=until,
        year=year,
        ideas=mean_by_topic([idea.topic for idea in ideas], nearest, seed),
        papers=float(between.max(axis=1).mean()),
    )
