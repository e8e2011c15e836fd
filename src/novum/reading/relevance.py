"""Whether a candidate paper belongs to the line that is being drawn (Chain of Ideas, Table 9).

The candidates themselves are judged, several in one question, before one of them is taken into a chain. The paper asks
for yes or no; a grade from 0 to 3 says the same (2 and 3 are yes) and keeps the order among those that fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from novum.core import Paper, Topic
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, label, listed, prose
from novum.reading.bibliography import Bibliography

Purpose = Literal["anchor", "forward", "backward"]
_RELEVANT = 2


class Assessment(Answer):
    """What is said of one candidate."""

    label: str = label("label of the paper, such as P1")
    reason: str = prose(300, "one sentence: what of it matters here, or why nothing does")
    fit: int = Field(description="0 to 3, as the question explains", ge=0, le=3)


class Assessments(Answer):
    """The answer to `relevance`."""

    assessments: list[Assessment] = listed(12, "one for each paper, in the order of the list", least=1)


@dataclass(frozen=True)
class Relevant:
    """A candidate found relevant, and why."""

    paper: Paper
    reason: str


@dataclass(frozen=True)
class RelevanceQuery:
    """What relevance is judged against: the topic, and the perspective from which it is being looked at."""

    topic: Topic
    aspect: str


async def relevant(
    models: Models, search: RelevanceQuery, candidates: Sequence[Paper], purpose: Purpose, beside: Paper | None = None
) -> list[Relevant]:
    """Those of `candidates` that the reader finds relevant, best fit first, equals in their given order.

    `beside`: the paper of the chain that they would follow or precede. A reader without a usable answer finds nothing
    relevant: a chain is better short than wrong.
    """
    if not candidates:
        return []
    shelf = Bibliography(candidates)
    needs = {
        "topic": search.topic.text,
        "aspect": search.aspect,
        "candidates": shelf.entries,
        "purpose": purpose,
        "beside": beside,
    }
    try:
        answer = await models.ask(Question("relevance", needs, Assessments, role="reader", temperature=0.0))
    except NoUsableAnswer:
        return []
    found = {paper.id: each for each in answer.assessments if (paper := shelf.paper(each.label))}
    fitting = [paper for paper in candidates if paper.id in found and found[paper.id].fit >= _RELEVANT]
    best_first = sorted(fitting, key=lambda paper: -found[paper.id].fit)
    return [Relevant(paper, found[paper.id].reason) for paper in best_first]
