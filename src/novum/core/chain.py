"""A chain of papers, each building on the one before, and what a model extracted (Chain of Ideas, section 3.2)."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar, Literal

from novum.core.paper import Paper
from novum.core.record import Record, Value


class Entity(Value):
    """A named thing of the field: a model, data set, metric or term, with what it is."""

    name: str
    description: str


class Insight(Value):
    """What a reader extracted from one paper: its idea, how it was tested, and what it builds on."""

    background: str
    novelty: str
    contribution: str
    rationale: str
    """Why the approach works."""
    limitation: str
    experiment: str
    for_topic: str = ""
    """What the reader concludes from it for the topic: an inference that is not in the paper."""
    entities: tuple[Entity, ...] = ()
    key_references: tuple[str, ...] = ()
    """Titles, most relevant first: papers that it builds on, compares with, or shares its topic with."""

    @property
    def idea(self) -> str:
        """The idea as one text: all parts in order, without the experiment."""
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

Linkage = Literal["", "cited", "co-cited", "shares references", "similar, not cited"]
"""How a paper is linked to its neighbour in a chain: "cited" when one of the two cites the other, "co-cited" when other
papers cite both, "shares references" when both cite the same papers, "similar, not cited" when only their contents are
alike. Empty for an anchor, for papers without a chain, and in records of earlier versions."""


class Link(Value):
    """One paper of a chain: how it was added, and its insight (None when no reader gave a usable one)."""

    paper: Paper
    direction: Direction
    reason: str
    """Why it is relevant to the topic, according to the relevance check."""
    insight: Insight | None = None
    linked_by: Linkage = ""
    """How it is linked to the paper of the chain from which it was found: its neighbour towards the anchor."""


class Trend(Value):
    """How one paper of a chain led to the next."""

    earlier_id: str
    later_id: str
    text: str


class FutureDirection(Value):
    """The direction of a chain, considered in three ways (Table 13 of the paper)."""

    reflection: str
    """A situation in which present methods fail, and a possible remedy."""
    analogy: str
    """A problem solved in another area whose solution could be transferred."""
    deep_dive: str
    """A part of a present method that could be improved."""
    direction: str


class Chain(Record):
    """Papers in the order of their publication, for one perspective on a topic."""

    id_prefix: ClassVar[str] = "chain"
    id_fields: ClassVar[tuple[str, ...]] = ("topic", "query", "paper_ids")

    topic: str
    query: str
    aspect: str = ""
    """The question that its perspective asks of the topic; empty in records of earlier versions."""
    links: tuple[Link, ...] = ()
    trends: tuple[Trend, ...] = ()
    future: FutureDirection | None = None
    ends: tuple[str, ...] = ()
    """Why the chain ends there, for each end."""

    def identity(self) -> dict[str, object]:
        return {"topic": self.topic, "query": self.query, "papers": [link.paper.id for link in self.links]}

    @property
    def papers(self) -> tuple[Paper, ...]:
        return tuple(link.paper for link in self.links)

    @property
    def linkages(self) -> tuple[Linkage, ...]:
        """How each paper is linked to the one before it, from the second paper on. The link is stored with that one of
        the two that is farther from the anchor."""
        return tuple(
            later.linked_by if later.direction == "forward" else earlier.linked_by
            for earlier, later in pairwise(self.links)
        )

    @property
    def entities(self) -> tuple[Entity, ...]:
        """Entities of all papers of the chain, each name with its first description."""
        named: dict[str, Entity] = {}
        for link in self.links:
            for entity in link.insight.entities if link.insight else ():
                named.setdefault(entity.name.casefold(), entity)
        return tuple(named.values())
