"""Opportunities: pairs of concepts that a literature has not combined, with the evidence for each."""

from __future__ import annotations

from typing import ClassVar, Literal

from novum.core.paper import Paper
from novum.core.record import Record, Value
from novum.core.scorecard import Share

OpportunityKind = Literal["bridge", "transfer", "rising", "dormant", "follow-up"]
"""`bridge`: two communities that hardly cite each other. `transfer`: a method that was recently applied to a similar
problem. `rising`: both concepts grow. `dormant`: linked long ago and not since. `follow-up`: a much cited paper links
them, and none has since."""


class OpportunitySide(Value):
    """One of the two concepts, with papers that contain it."""

    concept: str
    first_year: int
    papers_by_year: dict[int, int]
    papers: tuple[str, ...]
    """Ids of up to five papers, those nearest to the other side first."""


class Opportunity(Record):
    """A pair of concepts. The same kind, pair and year is the same opportunity."""

    id_prefix: ClassVar[str] = "opening"
    id_fields: ClassVar[tuple[str, ...]] = ("kind", "pair", "until")

    kind: OpportunityKind
    pair: tuple[str, str]
    until: int
    """Forecasts are made for the years after the end of this year."""
    one: OpportunitySide
    other: OpportunitySide
    probability: Share
    """Probability that a paper will link them within the horizon."""
    probability_interval: tuple[float, float] | None = None
    """95 % interval from the outcomes of such pairs in earlier years; None where there were too few."""
    attention: Share | None = None
    """Expected citation rank of the first joint papers: the share of papers of their year with fewer citations."""
    attention_interval: tuple[float, float] | None = None
    reasons: tuple[str, ...] = ()
    """Reasons in sentences, the strongest first."""
    attempts: tuple[str, ...] = ()
    """Ids of papers that come nearest to linking them, or did so in the past."""
    unusual: Share | None = None
    """Share of the pairs in real papers of the library that are more usual than this one."""

    @property
    def name(self) -> str:
        """`a + b`."""
        return " + ".join(self.pair)


class ConceptSummary(Value):
    """A concept, described by its papers and by the concepts that it co-occurs with."""

    concept: str
    first_year: int
    papers_by_year: dict[int, int]
    typical: tuple[str, ...] = ()
    """Ids of the papers whose other concepts are most characteristic of it, the most typical first."""
    beside: tuple[str, ...] = ()
    """Concepts that co-occur with it most characteristically."""


class ConceptLink(Value):
    """Two concepts, in alphabetical order, and the number of papers of the library that contain both."""

    one: str
    other: str
    papers: int


class OpportunityList(Value):
    """The opportunities of a topic, the most promising first, with no concept too often."""

    topic: str
    until: int
    horizon: int
    """Length of the forecast in years."""
    near: tuple[str, ...]
    """Concepts of the topic."""
    openings: tuple[Opportunity, ...]
    papers: tuple[Paper, ...] = ()
    """All papers whose ids occur in opportunities."""
    looked_at: int = 0
    """Number of pairs that were compared."""
    concepts: tuple[ConceptSummary, ...] = ()
    """All concepts of the opportunities, alphabetical; empty in records of versions that did not store them."""
    links: tuple[ConceptLink, ...] | None = None
    """Pairs of these concepts that papers of the library link; None in records of versions that did not store them."""
    notes: tuple[str, ...] = ()
    """Limitations that readers must know: few papers, no citations."""
