"""Records of an evaluation of reviewers: their reviews of papers, with the real ratings and decisions."""

from __future__ import annotations

from typing import Literal

from novum.core.account import Account
from novum.core.record import Value
from novum.core.scorecard import Share

ReviewerKind = Literal["model", "trained", "base", "expected", "ridge", "constant", "real"]
"""A model prompted as by `novum review`; a model trained to write reports; its untuned base; the expected rating of a
model, without writing; a regression on the text; the mean of the training papers; one of the real reviewers."""
STAND_INS: tuple[ReviewerKind, ...] = ("ridge", "constant", "real")
"""Baselines that call no model."""
CONSTANT, REAL = "mean of the training papers", "one real referee"
RATING_MODEL, RIDGE = "predicted rating", "ridge on embeddings"
"""Names of the baselines, as results of runs store them. Of the second pair there is one, of the kind `ridge`: the
second where the training papers are too few for a rating model."""


class PaperOutcome(Value):
    """A paper of the evaluated split with its real ratings and decision."""

    id: str
    title: str
    venue: str = ""
    year: int | None = None
    ratings: tuple[Share, ...]
    """Of its real reviewers, from 0 to 1; at least one."""
    accepted: bool | None = None
    """None where it was neither accepted nor rejected."""

    @property
    def mean(self) -> float:
        """The mean real rating, which reviewers should predict."""
        return sum(self.ratings) / len(self.ratings)

    @property
    def group(self) -> str:
        """Venue and year: papers with the same review form and committee."""
        return f"{self.venue} {self.year or ''}".strip()


class TextSimilarity(Value):
    """Token matching of a report and a real review, weighted by how rare tokens are."""

    precision: float
    """Share of the report's tokens that the real review has."""
    recall: float
    """Share of the real review's tokens that the report has."""
    f: float


class PaperReview(Value):
    """The reviews of one reviewer on one paper. None where there is no usable answer; such values are ignored."""

    ratings: tuple[float | None, ...]
    """One for each requested report, from 0 to 1."""
    against: float | None = None
    """The target of the rating, where that is not the mean of all real ratings."""
    lost: int = 0
    """Reports without any usable answer."""
    accept: bool | None = None
    utility: float | None = None
    undecided: bool = False
    """A decision was requested and had no usable answer."""
    same: TextSimilarity | None = None
    """Mean similarity of its reports to real reviews of the same paper."""
    other: TextSimilarity | None = None
    """Mean similarity to real reviews of other papers."""
    ranks: tuple[int, ...] = ()
    """For each report: the rank of its own paper among all papers by similarity to its criticism, 1 the nearest."""
    preferred: tuple[float | None, ...] = ()
    """Compared with a real review in both orders: 1 preferred, 0.5 tied, 0 not; None without a usable answer."""
    reason: str = ""
    """The reason given by the comparing model."""

    @property
    def rating(self) -> float | None:
        """The mean of its ratings; None without any."""
        known = [each for each in self.ratings if each is not None]
        return sum(known) / len(known) if known else None


class Reviewer(Value):
    """One reviewer with its reviews in the order of the papers, None for papers that were not reached."""

    name: str
    kind: ReviewerKind
    of: tuple[str, ...] = ()
    """For a base: the reviewers that were trained from it."""
    reviews: tuple[PaperReview | None, ...]


class BaselineTraining(Value):
    """The training papers of the baselines."""

    papers: int
    mean: float
    penalty: float | None = None
    """Of the ridge regression on embeddings, chosen by leave-one-out cross-validation."""
    rmse_left_out: float | None = None
    """Leave-one-out error of that regression."""
    spearman_left_out: float | None = None
    """Of the rating model: cross-validated correlation within venues and years."""


class JudgeEvaluationRun(Value):
    """The outcome of an evaluation, complete or not: the input of its report."""

    name: str
    data: str
    """Name of the data set."""
    cutoff: str
    """Papers of the test split are of this day or later."""
    split: str
    idea_texts: bool
    reports: int
    """Reports on each paper."""
    decider: str = ""
    compared_by: str = ""
    """The model that compared reports with real ones; empty: none."""
    papers: tuple[PaperOutcome, ...]
    left_out: dict[str, int] = {}
    """Papers of the split that are not used, by reason."""
    training: BaselineTraining
    embedder: str
    text_papers: int = 0
    """Papers whose texts were compared."""
    reviewers: tuple[Reviewer, ...]
    seed: int = 0
    began: str = ""
    """ISO 8601, UTC, as is `ended`."""
    ended: str = ""
    stopped: str = ""
    """Why it is not complete; empty for a complete evaluation."""
    notes: tuple[str, ...] = ()
    account: Account | None = None
