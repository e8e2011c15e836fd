"""Whether a candidate paper belongs to the line that is being drawn (Chain of Ideas, Table 9).

The candidates themselves are judged, several in one question, before one of them is taken into a chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from novum.core import Paper, Topic
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question
from novum.reading.bibliography import Bibliography

Purpose = Literal["anchor", "forward", "backward"]


class Assessment(Answer):
    """What is said of one candidate."""

    label: str = Field(description="label of the paper, such as P1", max_length=8)
    reason: str = Field(description="one sentence: what of it bears on the topic, or why nothing does", max_length=300)
    relevant: bool


class Assessments(Answer):
    """The answer to `relevance`."""

    assessments: list[Assessment] = Field(min_length=1, max_length=12)


@dataclass(frozen=True)
class Relevant:
    """A candidate found relevant, and why."""

    paper: Paper
    reason: str


async def relevant(
    models: Models, topic: Topic, candidates: Sequence[Paper], purpose: Purpose, beside: Paper | None = None
) -> list[Relevant]:
    """Those of `candidates` that the reader finds relevant to `topic`, in their given order.

    `beside`: the paper of the chain that they would follow or precede. A reader without a usable answer finds nothing
    relevant: a chain is better short than wrong.
    """
    if not candidates:
        return []
    shelf = Bibliography(candidates)
    needs = {"topic": topic.text, "candidates": shelf.entries, "purpose": purpose, "beside": beside}
    try:
        answer = await models.ask(Question("relevance", needs, Assessments, role="reader", temperature=0.0))
    except NoUsableAnswer:
        return []
    reasons = {
        paper.id: each.reason for each in answer.assessments if each.relevant and (paper := shelf.paper(each.label))
    }
    return [Relevant(paper, reasons[paper.id]) for paper in candidates if paper.id in reasons]
