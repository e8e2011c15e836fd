"""Whether a candidate paper belongs to a line of research (Chain of Ideas, Table 9).

The candidates themselves are judged, several in one question, before one of them is taken into a chain. The paper asks
for yes or no; a grade from 0 to 3 says the same (2 and 3 are yes) and orders the relevant papers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from novum.core import Linkage, Paper, Topic
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, label, listed, prose
from novum.reading.bibliography import Bibliography

Purpose = Literal["anchor", "forward", "backward", "experiment"]
RELEVANT, CENTRAL = 2, 3
"""The grades of relevant papers."""
MOST_ASSESSED = 12
"""Most papers that one question holds."""


class Assessment(Answer):
    """The judgement of one candidate."""

    label: str = label("label of the paper, such as P1")
    reason: str = prose(300, "one sentence: what in this paper decides the grade")
    fit: int = Field(description="grade from 0 (of no use) to 3 (best), by the scale of the question", ge=0, le=3)


class Assessments(Answer):
    """The answer to `relevance`."""

    assessments: list[Assessment] = listed(MOST_ASSESSED, "one for each paper, in the order of the list", least=1)


@dataclass(frozen=True)
class Relevant:
    """A candidate that was found relevant, the reason, and its grade (2 or 3)."""

    paper: Paper
    reason: str
    fit: int = RELEVANT


@dataclass(frozen=True)
class RelevanceQuery:
    """What relevance is judged against: the topic, and the question that a perspective asks of it."""

    topic: Topic
    aspect: str


async def relevant(
    models: Models,
    search: RelevanceQuery,
    candidates: Sequence[Paper],
    purpose: Purpose,
    beside: Paper | None = None,
    linked_by: Linkage = "cited",
) -> list[Relevant]:
    """The candidates that the reader finds relevant, best grade first, equal ones in the given order.

    `candidates`: at most 12. `beside`: the paper of the chain that they would follow or precede; `linked_by`: how they
    are linked to it. Without a usable answer no candidate is relevant: a short chain is better than a wrong one.
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
        "linked_by": linked_by,
    }
    try:
        answer = await models.ask(Question("relevance", needs, Assessments, role="reader", temperature=0.0))
    except NoUsableAnswer:
        return []
    found = {paper.id: each for each in answer.assessments if (paper := shelf.paper(each.label))}
    fitting = [paper for paper in candidates if paper.id in found and found[paper.id].fit >= RELEVANT]
    best_first = sorted(fitting, key=lambda paper: -found[paper.id].fit)
    return [Relevant(paper, found[paper.id].reason, found[paper.id].fit) for paper in best_first]
