"""What a method hands back: every idea it had, what each rests on, and which one it would pursue."""

from __future__ import annotations

from typing import ClassVar

from pydantic import JsonValue

from novum.core.chain import Chain
from novum.core.cost import Cost
from novum.core.experiment import Experiment
from novum.core.idea import Idea
from novum.core.match import Match
from novum.core.novelty import NoveltyCheck
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
    papers: tuple[Paper, ...] = ()
    notes: tuple[str, ...] = ()
    """Plain sentences on what did not go as asked: a branch without papers, a check without answer."""

    @property
    def best(self) -> Candidate | None:
        return self.candidates[0] if self.candidates else None

    @property
    def experiment(self) -> Experiment | None:
        return self.drafts[-1].experiment if self.drafts else None


class Spend(Cost):
    """What a run used: `calls` were answered in it."""

    reused: int = 0
    """Of these, how many came from the ledger for free."""
    failed: int = 0


class Account(Value):
    """The circumstances of a result: when, by which models, at what cost."""

    run_id: str
    novum_version: str
    started: str
    """ISO 8601, UTC."""
    seconds: float
    models: dict[str, str]
    """Role to model name."""
    spend: Spend = Spend()
    demonstration: bool = False
    """The writer was the small offline model: the ideas show the working, not the quality."""


class IdeationReport(Value):
    """A result with its circumstances: what reports are rendered from and what `--json` prints."""

    ideation: Ideation
    account: Account
