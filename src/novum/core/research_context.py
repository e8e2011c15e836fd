"""The research context of a set of papers (DeepInnovator, section 4.1): their ideas, groups of ideas, typed relations
between them, and the signals that a next idea can start from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import ClassVar, Literal

from novum.core.record import Record, Value

InnerKind = Literal["evolution", "variant", "refinement"]
CrossKind = Literal["integration", "convergence", "conflict"]
RelationKind = Literal["evolution", "variant", "refinement", "integration", "convergence", "conflict"]
INNER_KINDS: tuple[InnerKind, ...] = ("evolution", "variant", "refinement")
"""Relations of two ideas in one group."""
CROSS_KINDS: tuple[CrossKind, ...] = ("integration", "convergence", "conflict")
"""Relations of two ideas in different groups."""
SignalKind = Literal["insight", "trend", "serendipity"]
SIGNAL_KINDS: tuple[SignalKind, ...] = ("insight", "trend", "serendipity")
SIGNAL_NAMES: Mapping[SignalKind, str] = {"insight": "Insight", "trend": "Trend", "serendipity": "Unexpected link"}
NextIdeaSplit = Literal["train", "validation", "test"]
NEXT_IDEA_SPLITS: tuple[NextIdeaSplit, ...] = ("train", "validation", "test")


class PaperIdea(Value):
    """The research idea of one paper, in four structured parts."""

    paper_id: str
    title: str
    year: int | None = None
    problem: str
    approach: str
    contribution: str
    limitation: str = ""

    @property
    def text(self) -> str:
        """All parts under headings, without title and year."""
        parts = (
            ("Problem", self.problem),
            ("Approach", self.approach),
            ("Contribution", self.contribution),
            ("Limitation", self.limitation),
        )
        return "\n".join(f"{name}: {text}" for name, text in parts if text)


class IdeaGroup(Value):
    """Ideas on one question. `memory`: what the group has in common so far, as the model keeps it up to date."""

    name: str
    memory: str
    paper_ids: tuple[str, ...]


class IdeaRelation(Value):
    """A directed relation from one idea to a later or other one, with its reason."""

    kind: RelationKind
    source_id: str
    target_id: str
    reason: str


class ResearchSignal(Value):
    """A conclusion from several ideas. `paper_ids`: the ideas on which it rests."""

    kind: SignalKind
    text: str
    paper_ids: tuple[str, ...]


class ResearchContext(Value):
    """All stages of a context: every idea once, in groups, as a typed graph, with signals."""

    ideas: tuple[PaperIdea, ...] = ()
    groups: tuple[IdeaGroup, ...] = ()
    relations: tuple[IdeaRelation, ...] = ()
    signals: tuple[ResearchSignal, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences on what is missing: papers without a usable idea, answers that named unknown labels."""

    def idea(self, paper_id: str) -> PaperIdea | None:
        """The idea of a paper; None where the context has none."""
        return next((each for each in self.ideas if each.paper_id == paper_id), None)

    def without(self, paper_ids: frozenset[str]) -> ResearchContext:
        """The context without these papers, their relations, and the signals that rest on them."""
        groups = (
            group.model_copy(update={"paper_ids": tuple(each for each in group.paper_ids if each not in paper_ids)})
            for group in self.groups
        )
        return ResearchContext(
            ideas=tuple(each for each in self.ideas if each.paper_id not in paper_ids),
            groups=tuple(group for group in groups if group.paper_ids),
            relations=tuple(each for each in self.relations if not {each.source_id, each.target_id} & paper_ids),
            signals=tuple(each for each in self.signals if paper_ids.isdisjoint(each.paper_ids)),
            notes=self.notes,
        )


class EncodedContext(Value):
    """A context as the text that the policy reads, with the tokens that each part takes."""

    text: str
    tokens: int
    by_part: dict[str, int] = {}
    left_out: dict[str, int] = {}
    """By part, the number of entries that the budget had no room for."""


class LeakFinding(Value):
    """Something that was removed from a context because it tells what the target paper says."""

    what: str
    why: str


class NearEntry(Value):
    """An entry of a context that comes near the hidden idea. `cosine`: of their embeddings, at most 1."""

    what: str
    cosine: float


class ReferenceCounts(Value):
    """What became of the references of a target paper."""

    cited: int
    """References that are known by title or identifier."""
    resolved: int
    """References found as papers with a title."""
    without_text: int = 0
    """Resolved ones without abstract, summary or full text, which are not used."""
    left_out: int = 0
    """Those that came out too late, were over the limit, or were removed as leaks."""
    unresolved: tuple[str, ...] = ()
    """Some of those that no library or service has."""


class NextIdeaRecord(Record):
    """One task of next-idea prediction: a context, and the idea of the target paper as the hidden truth."""

    id_prefix: ClassVar[str] = "task"
    id_fields: ClassVar[tuple[str, ...]] = ("target_id", "variant")

    target_id: str
    target_title: str
    target_date: dt.date | None = None
    """The day by which it was certainly public."""
    category: str
    variant: int = 0
    """Number of the variant of the context, from 0, where a set has several for each target."""
    split: NextIdeaSplit = "train"
    context: ResearchContext
    encoded: EncodedContext
    truth: PaperIdea
    references: ReferenceCounts
    leaks: tuple[LeakFinding, ...] = ()
    near_truth: tuple[NearEntry, ...] = ()
    """The signals, relations and groups nearest to the truth, the nearest first. They were not removed: a reader that
    knows the target can tell its idea in words of its own, which only reading finds."""
