"""Opportunities: pairs of concepts that a literature has not combined, with the evidence for each."""

from __future__ import annotations

from typing import ClassVar, Literal

from novum.core.paper import Paper
from novum.core.record import Record, Value
from novum.core.scorecard import Share

OpportunityKind = Literal["bridge", "transfer", "rising", "dormant", "follow-up"]
"""`bridge`: two communities that hardly cite each other. `transfer`: a method that has just worked on a neighbouring
problem. `rising`: both grow. `dormant`: joined long ago, not since. `follow-up`: much cited, not gone on with here."""


class OpportunitySide(Value):
    """One of the two concepts, with papers that hold it."""

    concept: str
    first_year: int
    papers_by_year: dict[int, int]
    papers: tuple[str, ...]
    """Ids of three to five, those nearest to the other side first."""


class Opportunity(Record):
    """A pair of concepts. The same pair of the same library and year is the same opportunity."""

    id_prefix: ClassVar[str] = "opening"
    id_fields: ClassVar[tuple[str, ...]] = ("kind", "pair", "until")

    kind: OpportunityKind
    pair: tuple[str, str]
    until: int
    """The year at whose end this was computed: what is said of the future is said of the years after it."""
    one: OpportunitySide
    other: OpportunitySide
    probability: Share
    """That a paper will join them within the horizon."""
    probability_interval: tuple[float, float] | None = None
    """95 %, from how such pairs fared in earlier years; None where nothing could be told."""
    attention: Share | None = None
    """The share of papers of their year that the first joint papers are expected to stand above by citations."""
    attention_interval: tuple[float, float] | None = None
    reasons: tuple[str, ...] = ()
    """Why, in words, the strongest first."""
    attempts: tuple[str, ...] = ()
    """Ids of papers that come nearest to joining them, or once did."""
    unusual: Share | None = None
    """The share of pairs in real papers of the library that are more usual than this one."""

    @property
    def name(self) -> str:
        """`a + b`."""
        return " + ".join(self.pair)


class ConceptSummary(Value):
    """What a concept is, told by its papers and its company and not by a sentence of anybody's."""

    concept: str
    first_year: int
    papers_by_year: dict[int, int]
    typical: tuple[str, ...] = ()
    """Ids of the papers whose other concepts go most tellingly with it, the most typical first."""
    beside: tuple[str, ...] = ()
    """Concepts that it stands beside most tellingly."""


class ConceptLink(Value):
    """Two concepts, in alphabetical order, that so many papers of the library hold both of."""

    one: str
    other: str
    papers: int


class OpportunityList(Value):
    """What a topic's neighbourhood has to offer, the most promising first, no concept too often."""

    topic: str
    until: int
    horizon: int
    """Years."""
    near: tuple[str, ...]
    """Concepts that the topic was understood to be about."""
    openings: tuple[Opportunity, ...]
    papers: tuple[Paper, ...] = ()
    """All that opportunities name."""
    looked_at: int = 0
    """Pairs that were compared."""
    concepts: tuple[ConceptSummary, ...] = ()
    """Every concept of the opportunities, alphabetical; empty in records from before they were kept."""
    links: tuple[ConceptLink, ...] | None = None
    """Which of these concepts papers join, of all papers of the library; None where that was not kept."""
    notes: tuple[str, ...] = ()
    """What a reader must know: an old library, few papers, no citations."""
