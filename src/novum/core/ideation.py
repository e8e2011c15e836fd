"""The outcome of a method: all ideas, the basis of each, and their ranking."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import JsonValue

from novum.core.account import Account
from novum.core.chain import Chain
from novum.core.experiment import Experiment
from novum.core.grounding import Ground
from novum.core.idea import Idea
from novum.core.match import Match
from novum.core.novelty import ClosestPaper, NoveltyCheck
from novum.core.opportunity import Opportunity, OpportunityList
from novum.core.paper import Paper
from novum.core.record import Record, Value
from novum.core.research_context import ResearchContext
from novum.core.review import Review
from novum.core.seed_origin import SeedOrigin


class DraftComment(Value):
    """What a comment model said of one draft of an idea, before the next one was written."""

    draft_id: str
    text: str


class Candidate(Value):
    """One idea of a run, selected or not, with its evidence."""

    idea: Idea
    chain: Chain | None = None
    earlier_drafts: tuple[Idea, ...] = ()
    """Earlier versions, oldest first: drafts that failed a check, or the sketch that it was developed from."""
    comments: tuple[DraftComment, ...] = ()
    """Comments on drafts, oldest first, for methods that refine an idea under comments."""
    checks: tuple[NoveltyCheck, ...] = ()
    win_rate: float | None = None
    """Share of its comparisons won, 0 to 1, a tie counting half; None without a comparison."""

    @property
    def final_check(self) -> NoveltyCheck | None:
        """The last novelty check of the idea as it stands; None when its final form was never checked."""
        return next((check for check in reversed(self.checks) if check.idea_id == self.idea.id), None)

    def comment_on(self, draft: Idea) -> str:
        """The comment on a draft; empty where there was none."""
        return next((each.text for each in self.comments if each.draft_id == draft.id), "")


def closest_paper(candidate: Candidate) -> ClosestPaper | None:
    """The paper closest to the idea as it stands: the one that the checker names, before any by similarity."""
    check = candidate.final_check
    return check.closest if check else None


class ExperimentDraft(Value):
    """One round of an experiment design: the plan, its review, and the papers that were then searched."""

    experiment: Experiment
    review: Review | None = None
    looked_up: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    """How the plan responds to each point of the previous review."""


class StartedFrom(Value):
    """The opportunity from which an idea started."""

    idea_id: str
    opening: Opportunity

    @property
    def paper_ids(self) -> tuple[str, ...]:
        """Ids of the papers of both sides and of the nearest attempts, each once."""
        named = (*self.opening.one.papers, *self.opening.other.papers, *self.opening.attempts)
        return tuple(dict.fromkeys(named))


class Ideation(Record):
    """The outcome of one method on one topic. `candidates`: best first; `papers`: all papers whose ids occur."""

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
    """The basis of each idea, for methods that start from passages of explored literature."""
    starts: tuple[StartedFrom, ...] = ()
    """The opportunities from which ideas started, if requested."""
    context: ResearchContext | None = None
    """The research context that the ideas were developed from, for methods that build one."""
    origins: tuple[SeedOrigin, ...] = ()
    """Every short idea with its source and what became of it, for methods that choose among many."""
    papers: tuple[Paper, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences on what could not be done as requested: a branch without papers, a check without a response."""

    @property
    def best(self) -> Candidate | None:
        return self.candidates[0] if self.candidates else None

    def ground(self, idea: Idea) -> Ground | None:
        """The basis of an idea; None where its method records none."""
        return next((each for each in self.grounds if each.idea_id == idea.id), None)

    def opening(self, idea: Idea) -> Opportunity | None:
        """The opportunity that an idea started from; None where it started from the topic alone."""
        return next((each.opening for each in self.starts if each.idea_id == idea.id), None)

    @property
    def experiment(self) -> Experiment | None:
        return self.drafts[-1].experiment if self.drafts else None


class TopicLiterature(Value):
    """What the library knows of a topic, found without a language model."""

    verdict: Literal["good", "thin", "none"]
    """How well it covers the topic."""
    reason: str
    """What the verdict goes by, in one sentence."""
    on_topic: int
    """Number of papers on the topic; when there are very many, at least so many."""
    searched: int
    """Number of papers in the library."""
    years: tuple[int, int] | None = None
    """First and last year of the papers on the topic; None without one that has a year."""
    papers: tuple[Paper, ...] = ()
    """The papers nearest to the topic, the best first."""


class IdeationReport(Value):
    """A result with its circumstances; reports are rendered from it, and `--json` prints it."""

    ideation: Ideation
    account: Account
    literature: TopicLiterature | None = None
    """The literature on the topic; None in reports of older versions."""
    openings: OpportunityList | None = None
    """The opportunities of the topic, computed without a language model."""
    judges_and_people: str = ""
    """How far the judges of its comparisons agree with people, in a sentence; empty without comparisons."""
    without_openings: str = ""
    """Why there are none, in a sentence; empty where there are some, and in reports of older versions."""
