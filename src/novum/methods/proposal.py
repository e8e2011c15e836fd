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

_BESIDE = 12
"""Most papers that are shown beside a chain."""


class Direction(Answer):
    """The answer to `future_direction`."""

    reflection: str = prose(
        900, "a concrete situation in which a present method fails, and what could be done about it"
    )
    analogy: str = prose(900, "a problem solved elsewhere that has the same shape, and what could be carried over")
    deep_dive: str = prose(900, "a part of a present method that rests on a doubtful assumption, and how to change it")
    direction: str = prose(1500, "the direction to pursue, why it is the next step, and why nothing simpler will do")


class Proposal(Answer):
    """The answer to every prompt that writes an idea in the common form: `_proposal.md` says what each field holds."""

    motivation: str = prose(1600, "what is known, and the one problem that earlier work, cited by label, leaves open")
    mechanism: str = prose(450, "the one central mechanism, in one or two full sentences")
    novelty: str = prose(1500, "how the idea differs from named earlier works, and what it contributes")
    method: str = prose(3000, "numbered steps on lines of their own, then the case in which the method fails")
    assumption: str = prose(400, "the one assumption on which everything else rests")
    check: str = prose(600, "the cheapest check that could refute the assumption, and the result that would")
    rival: str = prose(600, "the strongest rival without the mechanism, and the case in which the two differ")
    unchecked: str = prose(400, "what could not be checked from the given material; empty if nothing")
    title: str = Field(description="specific title", min_length=4, json_schema_extra={"maxLength": 120})
    summary: str = prose(1100, "the whole idea in one paragraph that can be understood by itself")
    other_works: list[str] = listed(6, "full titles of works used that carry no label", longest=240, few=0)
    prior_work_queries: list[str] = listed(
        2, "search queries that would find the closest existing work", longest=120, few=1
    )


@dataclass(frozen=True)
class ProposalContext:
    """What a proposal is made from: a chain of papers on a topic, an opportunity, if any, and other relevant papers."""

    topic: Topic
    chain: Chain
    point: StartingPoint | None = None
    with_entities: bool = True
    accepted: tuple[Paper, ...] = ()
    """Papers that were judged relevant; those that are not in the chain are shown beside it, by title and gist."""
    apart_from: tuple[Idea, ...] = ()
    """Proposals from the same papers, whose central mechanisms the writer is to avoid."""

    @property
    def shelf(self) -> Bibliography:
        """The papers of the chain, then those of the opportunity, then the other ones: the labels of the chain do not
        depend on the others."""
        return Bibliography((*self.chain.papers, *self._of_point, *self.beside))

    @property
    def beside(self) -> tuple[Paper, ...]:
        """The accepted papers that neither the chain nor the opportunity has, in their order."""
        shown = {paper.id for paper in (*self.chain.papers, *self._of_point)}
        return tuple(paper for paper in self.accepted if paper.id not in shown)[:_BESIDE]

    @property
    def _of_point(self) -> tuple[Paper, ...]:
        return self.point.papers if self.point else ()


@dataclass(frozen=True)
class Draft:
    """An idea as first written, and the queries with which its author would search for prior work."""

    idea: Idea
    queries: tuple[str, ...]


@dataclass(frozen=True)
class RejectedDraft:
    """An earlier draft that a paper contains, or contains in part (`check.known` is "partly"). The writer sees it, and
    is asked to leave it or to state the difference."""

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
    needs = _chain_needs(line, shelf) | {
        "future": line.chain.future,
        "sent_back": list(sent_back),
        "apart_from": list(line.apart_from),
    }
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
    beside = {paper.id for paper in line.beside}
    return {
        "topic": line.topic.text,
        "aspect": chain.aspect or chain.query,
        "papers": labelled_insights(chain, shelf),
        "uncited": any(linked not in ("", "cited") for linked in chain.linkages),
        "accepted": [entry for entry in shelf.entries if entry.paper.id in beside],
        "trends": steps,
        "entities": chain.entities if line.with_entities else (),
        "opening": line.point.variables(shelf) if line.point else None,
    }
