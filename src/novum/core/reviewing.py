"""Reviews of an idea, the decision on them, and the revisions of the idea."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, JsonValue

from novum.core.account import Account
from novum.core.idea import Idea
from novum.core.paper import Paper
from novum.core.record import Record, Value
from novum.core.scorecard import Share
from novum.core.text import normal_title

Severity = Literal["fatal", "major", "minor"]
CriticismStatus = Literal["decides", "counts", "dismissed"]
Footing = Literal["quoted", "misquoted", "none"]
LOWEST, HIGHEST = 1, 10
"""Worst and best mark."""
SURE = 5
"""The highest confidence of a reviewer; the lowest is 1."""
READ_OF_IDEA, READ_OF_ABSTRACT = 12_000, 8_000
"""Maximal number of characters of an idea, and of an abstract, in a request for a review."""
_LEAST_WORDS = 3
"""A quotation of fewer words could be in any text."""
_GAP = re.compile(r"\s*(?:\[\s*(?:…|\.{3})\s*\]|…|\.{3})\s*")


class Criticism(Value):
    """One objection of a reviewer to the idea, and its basis."""

    label: str
    """Such as `R2.1`, the first criticism of the second reviewer."""
    point: str
    severity: Severity | None = None
    """None where the reviewer gives no severities."""
    quote: str = ""
    """The sentence of the idea that it is about, as the reviewer quotes it."""
    footing: Footing = "none"
    """Whether the idea contains that sentence; `none`: nothing was quoted."""
    papers: tuple[str, ...] = ()
    """Ids of the papers given to the reviewer that it cites."""
    unknown_papers: tuple[str, ...] = ()
    """Labels that it cites and that no paper has."""
    suggestion: str = ""


class ReviewerReport(Record):
    """One reviewer's report. Without a usable answer only `failure` is set."""

    id_prefix: ClassVar[str] = "report"
    id_fields: ClassVar[tuple[str, ...]] = ("idea_id", "referee", "stance", "number", "marks", "criticisms", "failure")

    idea_id: str
    number: int
    """Number of the reviewer, from 1; in labels of criticisms the 2 of `R2.1`."""
    referee: str
    """The model that wrote it."""
    stance: str
    """The stance that the reviewer takes; empty for none."""
    summary: str = ""
    strengths: tuple[str, ...] = ()
    criticisms: tuple[Criticism, ...] = ()
    marks: dict[str, int] = {}
    """Marks by criterion and `overall`, from 1 (worst) to 10 (best)."""
    rating: Share | None = None
    """Overall rating on the common scale of all venues, where the reviewer gives that instead of marks."""
    text: str = ""
    """A report in prose, without the line of its rating and without repetitions."""
    notes: tuple[str, ...] = ()
    """Unusual properties of the report, in sentences."""
    confidence: int | None = None
    """Confidence of the reviewer, from 1 (a guess) to 5 (certain)."""
    failure: str = ""

    @property
    def overall(self) -> int | None:
        return self.marks.get("overall")

    @property
    def prose(self) -> bool:
        """Whether the report is free text with a rating instead of marks."""
        return bool(self.text) or self.rating is not None

    @property
    def score(self) -> float | None:
        """The overall mark; computed from the rating, unrounded, where there is one."""
        return mark_from_rating(self.rating) if self.rating is not None else self.overall

    def identity(self) -> Any:
        fields = super().identity()
        return fields | {"text": self.text, "rating": self.rating} if self.text else fields


class WeighedCriticism(Value):
    """The weight of a criticism in the decision, and the reason."""

    criticism: str
    """Label of the criticism."""
    standing: CriticismStatus
    why: str


def is_contradiction(accept: bool, utility: float) -> bool:
    """Whether an idea is accepted with a utility below 0.5, or rejected with one above it."""
    return utility < 0.5 if accept else utility > 0.5


class Decision(Record):
    """The decision on the reports. Without a usable answer, `accept` and `utility` are None and `failure` is set."""

    id_prefix: ClassVar[str] = "decision"
    id_fields: ClassVar[tuple[str, ...]] = ("idea_id", "judge", "accept", "utility", "reasoning", "failure")

    idea_id: str
    judge: str
    weighed: tuple[WeighedCriticism, ...] = ()
    """The criticisms with their weight in the decision."""
    strays: tuple[str, ...] = ()
    """Labels in the decision that no criticism has."""
    reasoning: str = ""
    accept: bool | None = None
    utility: Annotated[float, Field(ge=0, le=1)] | None = None
    failure: str = ""

    @property
    def torn(self) -> bool:
        """Whether decision and number contradict each other: accepted with a utility below 0.5, or rejected above
        it."""
        return self.accept is not None and self.utility is not None and is_contradiction(self.accept, self.utility)


class Change(Value):
    """The response of the writer to a criticism: what was changed, or why nothing was."""

    criticism: str
    done: bool
    what: str


class Revision(Value):
    """How the idea of a round was revised. Without a usable answer of the writer, `failure` says why."""

    writer: str
    changes: tuple[Change, ...] = ()
    unanswered: tuple[str, ...] = ()
    """Criticisms without a response of the writer that are neither minor nor dismissed."""
    strays: tuple[str, ...] = ()
    """Labels in the response that no criticism has."""
    failure: str = ""


class ReviewRound(Value):
    """One version of an idea with its reports and the decision."""

    idea: Idea
    revision: Revision | None = None
    """The revision that led to this version; None in the first round."""
    reports: tuple[ReviewerReport, ...] = ()
    decision: Decision

    @property
    def mean_score(self) -> float | None:
        """Mean overall mark of the reports; None without a mark."""
        return _mean([score for report in self.reports if (score := report.score) is not None])

    @property
    def mean_rating(self) -> float | None:
        """Mean rating of the reports, 0 to 1; None without a rating."""
        return _mean([report.rating for report in self.reports if report.rating is not None])

    @property
    def failures(self) -> int:
        """The number of reports and decisions without a usable answer."""
        return sum(bool(report.failure) for report in self.reports) + bool(self.decision.failure)


class ReviewedIdea(Value):
    """An idea with all its rounds. The round of the highest utility counts, of equal ones the first."""

    rounds: Annotated[tuple[ReviewRound, ...], Field(min_length=1)]
    ended: str
    """Why there was no further round."""
    lost_revision: str = ""
    """Why a revision could not be used."""

    @property
    def best(self) -> ReviewRound:
        return max(self.rounds, key=lambda each: -1.0 if each.decision.utility is None else each.decision.utility)

    @property
    def best_number(self) -> int:
        """The round that counts, from 1."""
        return self.rounds.index(self.best) + 1

    @property
    def failures(self) -> int:
        """The number of reports, decisions and revisions of all rounds without a usable answer."""
        return sum(each.failures for each in self.rounds) + bool(self.lost_revision)

    @property
    def rank_key(self) -> tuple[float, float]:
        """A key for sorting, best first: by utility, then by mean score; undecided ideas last."""
        utility, score = self.best.decision.utility, self.best.mean_score
        return (1.0 if utility is None else -utility, 0.0 if score is None else -score)


class Reviews(Value):
    """All ideas with their reviews, best first, and the account of the run."""

    ideas: tuple[ReviewedIdea, ...]
    papers: tuple[Paper, ...] = ()
    """Papers that criticisms cite."""
    options: dict[str, JsonValue] = {}
    """Options of the review."""
    reports: int
    """Number of reports that were requested for each version of an idea."""
    failures: int
    """Number of reports, decisions and revisions without a usable answer, which are not counted."""
    account: Account


def mark_from_rating(rating: float) -> float:
    """A rating from 0 to 1 as a mark from 1 to 10, by a linear scale."""
    return LOWEST + rating * (HIGHEST - LOWEST)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def quotation_status(quote: str, text: str) -> Footing:
    """Whether `text` contains `quote`, ignoring case, punctuation and spaces. Parts may be omitted by `…`; the others
    must occur in this order, and have at least three words together."""
    pieces = [piece for part in _GAP.split(quote) if (piece := normal_title(part))]
    if not pieces:
        return "none"
    words = f" {normal_title(text)} "
    at = 0
    for piece in pieces:
        at = words.find(f" {piece} ", at)
        if at < 0:
            return "misquoted"
        at += len(piece) + 1
    enough = sum(len(piece.split()) for piece in pieces) >= _LEAST_WORDS
    return "quoted" if enough else "misquoted"


def criticisms_of(reports: tuple[ReviewerReport, ...]) -> Mapping[str, Criticism]:
    """All criticisms by their labels, in the order of the reports."""
    return {each.label: each for report in reports for each in report.criticisms}
