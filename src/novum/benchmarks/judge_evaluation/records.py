"""Reviewers held against real outcomes: what each made of every paper, and what its real referees made of it."""

from __future__ import annotations

from typing import Literal

from novum.core.account import Account
from novum.core.record import Value
from novum.core.scorecard import Share

ReviewerKind = Literal["model", "trained", "base", "expected", "ridge", "constant", "real"]
"""A model asked as `novum review` asks it; a model trained to write reports; the model that this one was made from; the
rating that a model finds likeliest, without writing; a regression on embeddings; the mean of the training papers; one
of the real referees."""
STAND_INS: tuple[ReviewerKind, ...] = ("ridge", "constant", "real")
"""Kinds that nobody was asked for."""
CONSTANT, RIDGE, REAL = "mean of the training papers", "ridge on embeddings", "one real referee"


class OutcomeOfPaper(Value):
    """A paper of the split that is judged, and what became of it."""

    id: str
    title: str
    venue: str = ""
    year: int | None = None
    ratings: tuple[Share, ...]
    """Of its real referees, 0 to 1; at least one."""
    accepted: bool | None = None
    """None where it was neither accepted nor rejected."""

    @property
    def mean(self) -> float:
        """The real mean, which is to be foretold."""
        return sum(self.ratings) / len(self.ratings)

    @property
    def group(self) -> str:
        """Those that share a form and a committee."""
        return f"{self.venue} {self.year or ''}".strip()


class Likeness(Value):
    """How much of one text's tokens the other has, weighed by how rare they are."""

    precision: float
    """Of the report's tokens in the real one."""
    recall: float
    """Of the real one's tokens in the report."""
    f: float


class PaperReview(Value):
    """What one reviewer made of one paper. What it did not say usably is None, and counts for nothing."""

    ratings: tuple[float | None, ...]
    """One for each report that was asked for, on the scale from 0 to 1."""
    against: float | None = None
    """What the rating is held against where that is not the mean of all real ones."""
    lost: int = 0
    """Reports without any usable answer."""
    accept: bool | None = None
    utility: float | None = None
    undecided: bool = False
    """A decision was asked for and brought nothing usable."""
    same: Likeness | None = None
    """Its reports beside real reviews of the same paper, on average."""
    other: Likeness | None = None
    """Beside real reviews of other papers."""
    ranks: tuple[int, ...] = ()
    """Of each report: the place of its own paper among all papers by nearness to its criticism, 1 the nearest."""
    preferred: tuple[float | None, ...] = ()
    """Beside a real review, once in either order: 1 preferred, 0.5 tied, 0 not; None without a usable answer."""
    reason: str = ""
    """Why, in the words of the model that compared."""

    @property
    def rating(self) -> float | None:
        """The mean of its ratings; None without any."""
        known = [each for each in self.ratings if each is not None]
        return sum(known) / len(known) if known else None


class Reviewer(Value):
    """One reviewer and all that it said: `reviews` in the order of the papers, None where it was not reached."""

    name: str
    kind: ReviewerKind
    of: tuple[str, ...] = ()
    """For a base: the trained reviewers that were made from it."""
    reviews: tuple[PaperReview | None, ...]


class TrainingPapers(Value):
    """What the baselines learnt from."""

    papers: int
    mean: float
    penalty: float
    """Of the ridge regression, chosen by leaving out each training paper in turn."""
    rmse_left_out: float
    """Of the ridge regression on training papers that were left out."""


class JudgeEvaluationRun(Value):
    """One evaluation of reviewers, whole or stopped on the way: what its report is made from."""

    name: str
    data: str
    """The set's name."""
    cutoff: str
    """Papers of the test split are of this day or later."""
    split: str
    idea_texts: bool
    reports: int
    """Asked for on each paper."""
    decider: str = ""
    compared_by: str = ""
    """Who compared reports with real ones; empty: nobody."""
    papers: tuple[OutcomeOfPaper, ...]
    left_out: dict[str, int] = {}
    """Papers of the split that are not judged, by reason."""
    training: TrainingPapers
    embedder: str
    text_papers: int = 0
    """Papers whose texts were compared."""
    reviewers: tuple[Reviewer, ...]
    seed: int = 0
    began: str = ""
    """ISO 8601, UTC, as is `ended`."""
    ended: str = ""
    stopped: str = ""
    """Why it is not complete; empty where it is."""
    notes: tuple[str, ...] = ()
    account: Account | None = None
