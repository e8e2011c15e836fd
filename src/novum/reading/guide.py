"""Finding and reading the papers of a chain, by a reader model or by the library alone.

The library needs no model calls: similarity and citations decide, and abstracts are used unchanged. It is used with a
model that is too small to judge papers, and by users who want to spend on writing only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pydantic import Field

from novum.core import Insight, Linkage, Paper, Topic, normal_title, shorten
from novum.errors import NoUsableAnswer
from novum.literature import Filters, PaperLibrary
from novum.llm import Answer, Models, Question, listed, prose
from novum.reading.anchor_choice import choose_anchor
from novum.reading.insight import read_paper
from novum.reading.relevance import CENTRAL, RELEVANT, Purpose, RelevanceQuery, Relevant, relevant


class Perspective(Answer):
    """One way of looking at a topic."""

    aspect: str = prose(300, "the question that this perspective asks of the topic, one complete sentence")
    query: str = Field(description="search query of 3 to 10 words in the terms of the field", min_length=3)


class Perspectives(Answer):
    """The answer to `perspectives`."""

    perspectives: list[Perspective] = listed(10, "as many as asked for", least=1)


async def perspectives(models: Models, topic: Topic, count: int, nearby: Sequence[Paper]) -> list[Perspective]:
    """At most `count` perspectives with different queries. `nearby`: papers that show which words the field uses."""
    question = Question(
        "perspectives", {"topic": topic.text, "count": count, "nearby": nearby}, Perspectives, role="reader"
    )
    answer = await models.ask(question)
    different = {normal_title(each.query): each for each in reversed(answer.perspectives)}
    return list(reversed(different.values()))[:count]


_WHOLE_TOPIC = "What is known about the topic as a whole, and what is not?"
_NEARBY_SHOWN = 8
_POOL_PER_PERSPECTIVE = 6
_LIKENESS_WEIGHT = 0.5
"""Weight of the similarity to papers already chosen (maximal marginal relevance)."""
_LINES_WEIGHT = 0.1
"""Added to the search score, which is between 0 and 1, for citing papers and for cited papers in the library."""
_NEAR_ENOUGH = 0.1
"""Minimum cosine with the topic of a paper that counts as relevant without being read."""
_VERY_NEAR = 0.25
"""Minimum cosine with the topic of a paper that gets the best grade without being read."""


class Guide(Protocol):
    """Finds perspectives, judges candidates, and reads papers. `notice`: a note for the report, or empty."""

    notice: str

    async def perspectives(self, topic: Topic, count: int) -> list[Perspective]: ...

    async def relevant(
        self,
        search: RelevanceQuery,
        candidates: Sequence[Paper],
        purpose: Purpose,
        beside: Paper | None = None,
        linked_by: Linkage = "cited",
    ) -> list[Relevant]: ...

    async def choose_anchor(self, search: RelevanceQuery, equal: Sequence[Relevant]) -> list[Relevant]: ...

    async def read(self, topic: Topic, paper: Paper) -> Insight | None: ...


class ReaderGuide:
    """A reader model, as in the published method."""

    notice = ""

    def __init__(self, models: Models, library: PaperLibrary, filters: Filters) -> None:
        self._models = models
        self._library = library
        self._filters = filters

    async def perspectives(self, topic: Topic, count: int) -> list[Perspective]:
        """Perspectives by the reader; the topic itself when it gives no usable answer."""
        nearby = [hit.paper for hit in await self._library.search(topic.text, _NEARBY_SHOWN, self._filters)]
        try:
            return await perspectives(self._models, topic, count, nearby)
        except NoUsableAnswer:
            return [Perspective(aspect=_WHOLE_TOPIC, query=topic.text[:160])]

    async def relevant(
        self,
        search: RelevanceQuery,
        candidates: Sequence[Paper],
        purpose: Purpose,
        beside: Paper | None = None,
        linked_by: Linkage = "cited",
    ) -> list[Relevant]:
        """The candidates that the reader finds relevant, best grade first."""
        return await relevant(self._models, search, candidates, purpose, beside, linked_by)

    async def choose_anchor(self, search: RelevanceQuery, equal: Sequence[Relevant]) -> list[Relevant]:
        """Equally good anchors, the one that the reader prefers first."""
        return await choose_anchor(self._models, search, equal)

    async def read(self, topic: Topic, paper: Paper) -> Insight | None:
        """What the reader extracts from a paper."""
        cited = self._library.references(paper.id, self._filters)
        return await read_paper(self._models, topic, paper, cited, self._library.full_text(paper.id))


class LibraryGuide:
    """The library without a model."""

    notice = "Papers were chosen by similarity and citations, and not read by a model: their summaries stand as given."

    def __init__(self, library: PaperLibrary, filters: Filters) -> None:
        self._library = library
        self._filters = filters

    async def perspectives(self, topic: Topic, count: int) -> list[Perspective]:
        """Papers near the topic that differ from one another, each as the perspective that it takes."""
        hits = await self._library.search(topic.text, count * _POOL_PER_PERSPECTIVE, self._filters)
        near = [hit for hit in hits if hit.similarity >= _NEAR_ENOUGH] or hits[:count]
        value = {hit.paper.id: hit.score + self._lines(hit.paper) for hit in near}
        left, chosen = [hit.paper for hit in near], list[Paper]()
        while left and len(chosen) < count:
            best = max(left, key=lambda paper: value[paper.id])
            chosen.append(best)
            left.remove(best)
            for hit in await self._library.rank(f"{best.title}\n{best.gist}", left):
                value[hit.paper.id] -= _LIKENESS_WEIGHT * max(hit.similarity, 0.0)
        return [Perspective(aspect=_question_about(paper), query=paper.title) for paper in chosen]

    def _lines(self, paper: Paper) -> float:
        """The bonus of a paper for citing and cited papers: a chain can only grow where there are any."""
        sides = (self._library.references(paper.id, self._filters), self._library.citing(paper.id, self._filters))
        return _LINES_WEIGHT * sum(bool(side) for side in sides)

    async def relevant(
        self,
        search: RelevanceQuery,
        candidates: Sequence[Paper],
        purpose: Purpose,
        beside: Paper | None = None,
        linked_by: Linkage = "cited",
    ) -> list[Relevant]:
        """The candidates whose cosine with the topic is high enough, those with a high cosine first, otherwise in the
        given order."""
        near = {hit.paper.id: hit.similarity for hit in await self._library.rank(search.topic.text, candidates)}
        accepted = [
            Relevant(
                paper,
                f"cosine to the topic {near[paper.id]:.2f}",
                CENTRAL if near[paper.id] >= _VERY_NEAR else RELEVANT,
            )
            for paper in candidates
            if near[paper.id] >= _NEAR_ENOUGH
        ]
        return sorted(accepted, key=lambda each: -each.fit)

    async def choose_anchor(self, search: RelevanceQuery, equal: Sequence[Relevant]) -> list[Relevant]:
        """Equally good anchors in the given order, which is that of the search."""
        return list(equal)

    async def read(self, topic: Topic, paper: Paper) -> Insight | None:
        """The abstract or summary of a paper, unchanged; None when there is neither."""
        if not paper.gist:
            return None
        return Insight(background="", novelty="", contribution=paper.gist, rationale="", limitation="", experiment="")


def _question_about(paper: Paper) -> str:
    """The question of a perspective that is taken from a paper."""
    return f"What can the topic gain from the line of work of «{shorten(paper.title, 200)}»?"
