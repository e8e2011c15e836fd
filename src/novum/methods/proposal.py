"""Write an idea from a chain: its direction, then motivation, novelty, method and the final idea.

The steps that chain-based methods share (Chain of Ideas, section 3.3, Tables 13 to 15).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from novum.core import DETAILS, Chain, FutureDirection, Idea, NoveltyCheck, Paper, Topic
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, listed, prose
from novum.methods.starting_points import StartingPoint
from novum.reading import Bibliography, labelled_insights
from novum.reading.bibliography import FindTitle


class Direction(Answer):
    """The answer to `future_direction`."""

    reflection: str = prose(
        900, "a concrete situation in which a present method fails, and what could be done about it"
    )
    analogy: str = prose(900, "a problem solved elsewhere that has the same shape, and what could be carried over")
    deep_dive: str = prose(900, "a part of a present method that rests on a doubtful assumption, and how to change it")
    direction: str = prose(1500, "the direction to pursue, why it is the next step, and why nothing simpler will do")


class Proposal(Answer):
    """The answer to `propose_idea`."""

    motivation: str = prose(1600, "background, and the problem that earlier work, cited by label, leaves unsolved")
    novelty: str = prose(1600, "how it differs from named earlier methods; the contributions and what each brings")
    method: str = prose(2600, "the method step by step: each part, its function, and why it meets the problem")
    mechanism: str = prose(500, "the one central mechanism, in one or two full sentences")
    assumption: str = prose(400, "the assumption that everything rests on")
    check: str = prose(500, "the cheapest check that could refute the assumption, and the outcome that would")
    rival: str = prose(500, "the strongest rival that does without the mechanism, and the case that separates the two")
    unchecked: str = prose(400, "what could not be checked from the given material; empty if nothing")
    title: str = Field(description="specific title", min_length=4, json_schema_extra={"maxLength": 120})
    summary: str = prose(
        1000, "the final idea in one paragraph: origin, problem, challenge, how met, what would show it"
    )
    other_works: list[str] = listed(6, "full titles of works leant on beyond the labelled ones", longest=240, few=0)
    prior_work_queries: list[str] = listed(
        2, "search queries that would find the closest existing work", longest=120, few=1
    )


@dataclass(frozen=True)
class ProposalContext:
    """What a proposal is made from: a chain of papers on a topic, and an opportunity, if any."""

    topic: Topic
    chain: Chain
    point: StartingPoint | None = None
    with_entities: bool = True

    @property
    def shelf(self) -> Bibliography:
        """The papers of the chain, then those of the opportunity: the labels of the chain do not depend on it."""
        return Bibliography((*self.chain.papers, *(self.point.papers if self.point else ())))


@dataclass(frozen=True)
class Draft:
    """An idea as first written, and the queries with which its author would search for prior work."""

    idea: Idea
    queries: tuple[str, ...]


@dataclass(frozen=True)
class RejectedDraft:
    """An earlier draft that was found in a paper: shown to the writer as a negative example."""

    idea: Idea
    check: NoveltyCheck
    paper: Paper | None


async def future_direction(models: Models, line: ProposalContext) -> FutureDirection | None:
    """Where the chain points next; None when the writer gave no usable answer."""
    shelf = line.shelf
    needs = _chain_needs(line, shelf)
    try:
        answer = await models.ask(Question("future_direction", needs, Direction))
    except NoUsableAnswer:
        return None
    texts = {name: shelf.spelled_out(getattr(answer, name)) for name in Direction.model_fields}
    return FutureDirection(**texts)


async def propose(
    models: Models,
    line: ProposalContext,
    sent_back: Sequence[RejectedDraft],
    find: FindTitle,
    *,
    generator: str,
    sample: int,
) -> Draft:
    """A draft from the chain and its future direction. Raises NoUsableAnswer when the writer gives nothing usable."""
    shelf = line.shelf
    needs = _chain_needs(line, shelf) | {"future": line.chain.future, "sent_back": list(sent_back)}
    answer = await models.ask(Question("propose_idea", needs, Proposal, sample=sample))
    return draft_from_proposal(answer, line.topic, shelf, find, generator=generator)


def draft_from_proposal(
    answer: Proposal, topic: Topic, shelf: Bibliography, find: FindTitle, *, generator: str
) -> Draft:
    """The record of a proposal, its labels spelled out and its citations resolved."""
    parts = {
        name: shelf.spelled_out(getattr(answer, name))
        for name in ("title", "motivation", "novelty", "method", "summary", *DETAILS)
    }
    texts = [getattr(answer, name) for name in parts if name != "title"]
    cited = shelf.citations(texts, answer.other_works, find)
    idea = Idea(topic=topic.text, citations=cited, generator=generator, **parts)
    return Draft(idea, tuple(query for query in answer.prior_work_queries if query.strip()))


def _chain_needs(line: ProposalContext, shelf: Bibliography) -> dict[str, object]:
    chain = line.chain
    labels = {entry.paper.id: entry.label for entry in shelf.entries}
    steps = [
        {"earlier": labels[each.earlier_id], "later": labels[each.later_id], "text": each.text} for each in chain.trends
    ]
    return {
        "topic": line.topic.text,
        "aspect": chain.query,
        "papers": labelled_insights(chain, shelf),
        "trends": steps,
        "entities": chain.entities if line.with_entities else (),
        "opening": line.point.variables(shelf) if line.point else None,
    }
