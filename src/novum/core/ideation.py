"""What a method hands back: every idea it had, what each rests on, and which one it would pursue."""

from __future__ import annotations

from typing import ClassVar

from pydantic import JsonValue

from novum.core.account import Account
from novum.core.chain import Chain
from novum.core.experiment import Experiment
from novum.core.grounding import Ground
from novum.core.idea import Idea
from novum.core.match import Match
from novum.core.novelty import NoveltyCheck
from novum.core.opportunity import Opportunity, OpportunityList
from novum.core.paper import Paper
from novum.core.record import Record, Value
from novum.core.review import Review


class Candidate(Value):
    """One idea of a run, also one that lost, with its evidence."""

    idea: Idea
    chain: Chain | None = None
    earlier_drafts: tuple[Idea, ...] = ()
    """What it was before: drafts that a check sent back, or the sketch that it grew from; oldest first."""
    checks: tuple[NoveltyCheck, ...] = ()
    win_rate: float | None = None
    """Share of its comparisons won, 0 to 1, a tie half; None when it never played."""


class ExperimentDraft(Value):
    """One round of an experiment design: the plan, what the reviewer said of it, and the papers then looked up."""

    experiment: Experiment
    review: Review | None = None
    looked_up: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    """What this plan did about each point of the review before it."""


class StartedFrom(Value):
    """The opportunity from which an idea started."""

    idea_id: str
    opening: Opportunity

    @property
    def paper_ids(self) -> tuple[str, ...]:
        """Of both sides and of the nearest attempts, each once."""
        named = (*self.opening.one.papers, *self.opening.other.papers, *self.opening.attempts)
        return tuple(dict.fromkeys(named))


class Ideation(Record):
    """The whole outcome of one method on one topic. `candidates` best first; `papers` holds every paper named by id."""

    id_prefix: ClassVar[str] = "ideation"
    id_fields: ClassVar[tuple[str, ...]] = ("topic", "method", "options", "candidates")

    topic: str
    method: str
    options: dict[str, JsonValue] = {}
    candidates: tuple[Candidate, ...] = ()
    matches: tuple[Match, ...] = ()
    drafts: tuple[ExperimentDraft, ...] = ()
    """Experiment designs for the best candidate, oldest first."""
    grounds: tuple[Ground, ...] = ()
    """What ideas were made from, by methods that make them from passages of explored literature."""
    starts: tuple[StartedFrom, ...] = ()
    """The opportunities from which ideas started, if requested."""
    papers: tuple[Paper, ...] = ()
    notes: tuple[str, ...] = ()
    """Plain sentences on what did not go as asked: a branch without papers, a check without answer."""

    @property
    def best(self) -> Candidate | None:
        return self.candidates[0] if self.candidates else None

    def ground(self, idea: Idea) -> Ground | None:
        """What that idea was made from; None where its method notes down nothing of the kind."""
        return next((each for each in self.grounds if each.idea_id == idea.id), None)

    def opening(self, idea: Idea) -> Opportunity | None:
        """What that idea started from; None where it started from the topic alone."""
        return next((each.opening for each in self.starts if each.idea_id == idea.id), None)

    @property
    def experiment(self) -> Experiment | None:
        return self.drafts[-1].experiment if self.drafts else None


class IdeationReport(Value):
    """A result with its circumstances: what reports are rendered from and what `--json` prints."""

    ideation: Ideation
    account: Account
    openings: OpportunityList | None = None
    """What the library's neighbourhood of the topic has to offer: computed, by no language model."""
    without_openings: str = ""
    """Why there are none, in a sentence; empty where there are some, and in reports of an older Novum."""
