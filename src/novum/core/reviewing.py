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
"""The scale of every mark."""
SURE = 5
"""The most that a reviewer's confidence can be; the least is 1."""
READ_OF_IDEA, READ_OF_ABSTRACT = 12_000, 8_000
"""Characters that reviewers are shown: of an idea, and of an abstract, by those that write from title and abstract."""
_BARELY = 3
"""Fewer words than this could be found anywhere."""
_GAP = re.compile(r"\s*(?:\[\s*(?:…|\.{3})\s*\]|…|\.{3})\s*")


class Criticism(Value):
    """One thing that a reviewer holds against the idea, and what it rests on."""

    label: str
    """`R2.1`: the first criticism of the second reviewer."""
    point: str
    severity: Severity | None = None
    """None: the reviewer gives its criticisms no weights."""
    quote: str = ""
    """The sentence of the idea that it is about, as the reviewer copied it."""
    footing: Footing = "none"
    """Whether the idea contains that sentence; `none`: nothing was quoted."""
    papers: tuple[str, ...] = ()
    """Ids of the papers shown to the reviewer that it leans on."""
    unknown_papers: tuple[str, ...] = ()
    """Labels that it cites and that no paper had."""
    suggestion: str = ""


class ReviewerReport(Record):
    """One reviewer's report. A reviewer who gave no usable answer leaves `failure` set and says nothing."""

    id_prefix: ClassVar[str] = "report"
    id_fields: ClassVar[tuple[str, ...]] = ("idea_id", "referee", "stance", "number", "marks", "criticisms", "failure")

    idea_id: str
    number: int
    """From 1; the R2 of a criticism."""
    referee: str
    """The model."""
    stance: str
    """The side from which it looks; empty for one that takes none."""
    summary: str = ""
    strengths: tuple[str, ...] = ()
    criticisms: tuple[Criticism, ...] = ()
    marks: dict[str, int] = {}
    """By criterion and `overall`, 1 the worst to 10 the best."""
    rating: Share | None = None
    """Its overall rating on the one scale of all venues, where the reviewer gives that instead of marks."""
    text: str = ""
    """The report as it was written, where that was prose, but for the line of its rating and mere repetition."""
    notes: tuple[str, ...] = ()
    """What is odd about the report, in sentences."""
    confidence: int | None = None
    """How sure the reviewer is of the whole report: 1 a guess to 5 certain."""
    failure: str = ""

    @property
    def overall(self) -> int | None:
        return self.marks.get("overall")

    @property
    def prose(self) -> bool:
        """Whether it was written freely, with a rating instead of marks."""
        return bool(self.text) or self.rating is not None

    @property
    def score(self) -> float | None:
        """The overall mark, unrounded where it comes from a rating."""
        return mark_from_rating(self.rating) if self.rating is not None else self.overall

    def identity(self) -> Any:
        told = super().identity()
        return told | {"text": self.text, "rating": self.rating} if self.text else told


class WeighedCriticism(Value):
    """The weight of a criticism in the decision, and the reason."""

    criticism: str
    """Its label."""
    standing: CriticismStatus
    why: str


class Decision(Record):
    """The decision on the reports. Without a usable answer, `accept` and `utility` are None and `failure` is set."""

    id_prefix: ClassVar[str] = "decision"
    id_fields: ClassVar[tuple[str, ...]] = ("idea_id", "judge", "accept", "utility", "reasoning", "failure")

    idea_id: str
    judge: str
    weighed: tuple[WeighedCriticism, ...] = ()
    """The trace: criticisms by what they did to the decision."""
    strays: tuple[str, ...] = ()
    """Labels that were weighed and that no criticism has."""
    reasoning: str = ""
    accept: bool | None = None
    utility: Annotated[float, Field(ge=0, le=1)] | None = None
    failure: str = ""

    @property
    def torn(self) -> bool:
        """Accepted with a utility below one half, or rejected with one above: word and number do not agree."""
        if self.accept is None or self.utility is None:
            return False
        return self.utility < 0.5 if self.accept else self.utility > 0.5


class Change(Value):
    """What the writer did about a criticism, or why nothing was done."""

    criticism: str
    done: bool
    what: str


class Revision(Value):
    """How one round's idea came from the one before. A writer without usable answer leaves `failure` set."""

    writer: str
    changes: tuple[Change, ...] = ()
    unanswered: tuple[str, ...] = ()
    """Criticisms that are not minor, that were not dismissed, and of which the writer says nothing."""
    strays: tuple[str, ...] = ()
    """Labels that it answers and that no criticism has."""
    failure: str = ""


class ReviewRound(Value):
    """One state of an idea with all that was said of it."""

    idea: Idea
    revision: Revision | None = None
    """How it came from the round before; None in the first."""
    reports: tuple[ReviewerReport, ...] = ()
    decision: Decision

    @property
    def mean_score(self) -> float | None:
        """The mean overall mark of the reports that there are; None without any."""
        return _mean([score for report in self.reports if (score := report.score) is not None])

    @property
    def mean_rating(self) -> float | None:
        """The mean of the ratings, 0 to 1, of the reports that give one; None without any."""
        return _mean([report.rating for report in self.reports if report.rating is not None])

    @property
    def failures(self) -> int:
        """The number of reports and decisions without a usable answer."""
        return sum(bool(report.failure) for report in self.reports) + bool(self.decision.failure)


class ReviewedIdea(Value):
    """An idea through all rounds. The round of the highest utility counts; of equal ones, the first."""

    rounds: Annotated[tuple[ReviewRound, ...], Field(min_length=1)]
    ended: str
    """Why there was no further round."""
    lost_revision: str = ""
    """What was wrong with a revision that could not be used."""

    @property
    def best(self) -> ReviewRound:
        return max(self.rounds, key=lambda each: -1.0 if each.decision.utility is None else each.decision.utility)

    @property
    def best_number(self) -> int:
        """The round that counts, from 1."""
        return self.rounds.index(self.best) + 1

    @property
    def failures(self) -> int:
        """Of all rounds: reports, decisions and revisions without a usable answer."""
        return sum(each.failures for each in self.rounds) + bool(self.lost_revision)

    @property
    def rank_key(self) -> tuple[float, float]:
        """The lower, the better: by utility, then by mean score; what nobody could decide comes last."""
        utility, score = self.best.decision.utility, self.best.mean_score
        return (1.0 if utility is None else -utility, 0.0 if score is None else -score)


class Reviews(Value):
    """Every idea with all that was said of it, the best first, and what it took."""

    ideas: tuple[ReviewedIdea, ...]
    papers: tuple[Paper, ...] = ()
    """Those that criticisms lean on."""
    options: dict[str, JsonValue] = {}
    """How it was done."""
    reports: int
    """Asked for of each state of an idea."""
    failures: int
    """Reports, decisions and revisions without a usable answer: they count for nothing."""
    account: Account


def mark_from_rating(rating: float) -> float:
    """A rating from 0 to 1 on the scale of marks: 0 is 1, 1 is 10, evenly between."""
    return LOWEST + rating * (HIGHEST - LOWEST)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def quotation_status(quote: str, text: str) -> Footing:
    """Whether `quote` stands in `text`: word for word, whatever the case, marks and spaces. Parts left out by … may be
    missing, but what is there must come in this order, and be more than a word or two."""
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
    enough = sum(len(piece.split()) for piece in pieces) >= _BARELY
    return "quoted" if enough else "misquoted"


def criticisms_of(reports: tuple[ReviewerReport, ...]) -> Mapping[str, Criticism]:
    """All criticisms by their labels, in the order of the reports."""
    return {each.label: each for report in reports for each in report.criticisms}
