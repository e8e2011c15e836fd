"""A chain of papers, each building on the one before, and what a model extracted (Chain of Ideas, section 3.2)."""

from __future__ import annotations

from typing import ClassVar, Literal

from novum.core.paper import Paper
from novum.core.record import Record, Value


class Entity(Value):
    """A named thing of the field: a model, data set, metric or term, with what it is."""

    name: str
    description: str


class Insight(Value):
    """What a reader took from one paper: its idea, how it was tested, and where it comes from."""

    background: str
    novelty: str
    contribution: str
    rationale: str
    """Why the approach works."""
    limitation: str
    experiment: str
    for_topic: str = ""
    """What the reader concludes from it for the topic at hand: an inference, not the paper's own word."""
    entities: tuple[Entity, ...] = ()
    key_references: tuple[str, ...] = ()
    """Titles, most relevant first: what it built upon, compared against, or shares its topic with."""

    @property
    def idea(self) -> str:
        """The idea as one text: the parts in their order, the experiment left out."""
        parts = (
            ("Background", self.background),
            ("Novelty", self.novelty),
            ("Contribution", self.contribution),
            ("Why it works", self.rationale),
            ("Limitation", self.limitation),
            ("For the topic", self.for_topic),
        )
        return "\n".join(f"{name}: {text}" for name, text in parts if text)


Direction = Literal["anchor", "forward", "backward"]


class Link(Value):
    """One paper of a chain: how it came in, and what was read in it (None when no reader could read it)."""

    paper: Paper
    direction: Direction
    reason: str
    """Why it belongs to the topic, in the words of the relevance check."""
    insight: Insight | None = None


class Trend(Value):
    """How one paper of a chain led to the next."""

    earlier_id: str
    later_id: str
    text: str


class FutureDirection(Value):
    """The direction of a chain, considered in three ways (Table 13 of the paper)."""

    reflection: str
    """A situation in which the present methods fail, and what could be done about it."""
    analogy: str
    """A problem solved elsewhere whose solution could be carried over."""
    deep_dive: str
    """A part of a present method that could be made to work better."""
    direction: str


class Chain(Record):
    """Papers from early to late for one perspective on a topic."""

    id_prefix: ClassVar[str] = "chain"
    id_fields: ClassVar[tuple[str, ...]] = ("topic", "query", "paper_ids")

    topic: str
    query: str
    links: tuple[Link, ...] = ()
    trends: tuple[Trend, ...] = ()
    future: FutureDirection | None = None
    ends: tuple[str, ...] = ()
    """Why the chain goes no further, at either end."""

    def identity(self) -> dict[str, object]:
        return {"topic": self.topic, "query": self.query, "papers": [link.paper.id for link in self.links]}

    @property
    def papers(self) -> tuple[Paper, ...]:
        return tuple(link.paper for link in self.links)

    @property
    def entities(self) -> tuple[Entity, ...]:
        """Entities of all its papers, the first description of each name."""
        named: dict[str, Entity] = {}
        for link in self.links:
            for entity in link.insight.entities if link.insight else ():
                named.setdefault(entity.name.casefold(), entity)
        return tuple(named.values())
