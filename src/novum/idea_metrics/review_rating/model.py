"""The fitted model: a linear function of words and style for the rating and for each aspect that reviewers scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from novum.core import PredictedRating, Subject
from novum.core.arrays import Floats
from novum.core.record import Value
from novum.idea_metrics.fluency import english
from novum.idea_metrics.review_rating.features import style_features, word_features
from novum.statistics.quantile_table import QuantileTable

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Aspect = Literal["rating", "soundness", "originality", "significance", "clarity"]
ASPECTS: tuple[Aspect, ...] = ("rating", "soundness", "originality", "significance", "clarity")
"""What is predicted where the reviews have it; `rating` always."""
FEWEST_WORDS = 25
"""A shorter text gets no prediction."""
_NINETY_PERCENT = 1.645
_AT_ONCE = 512


@dataclass(frozen=True)
class ReviewedText:
    """A reviewed title and abstract."""

    title: str
    text: str
    group: str
    """Venue and year."""
    year: int | None
    scores: Mapping[str, float]
    """The mean over reviewers, by aspect."""
    accepted: bool | None = None

    @property
    def whole(self) -> str:
        """Title and abstract."""
        return whole_text(self.title, self.text)


class AspectCard(Value):
    """What one aspect was fitted to, and how far it agrees with reviewers of papers that were left out."""

    papers: int
    spearman: float
    """Mean over venues and years of Spearman's correlation with the mean of the reviewers, cross-validated."""
    spread: float
    """Standard deviation of what the prediction misses, in standard deviations of its venue and year."""


class RatingCard(Value):
    """What a model was fitted to."""

    form: Literal[2] = 2
    """Changes when the features change, so that a model of other features is refused."""
    name: str
    groups: dict[str, int]
    """Papers by venue and year."""
    aspects: dict[str, AspectCard]
    least_known: float
    """Share of known words and pairs of words below which a text is of another kind than the fitted papers."""


@dataclass(frozen=True)
class AspectModel:
    """A linear function for one aspect, in standard deviations from the mean of the venue and year."""

    words: Floats
    """Weights of words, shape (WORD_FEATURES,)."""
    style: Floats
    """Weights of style, shape (14,)."""
    constant: float
    predictions: QuantileTable
    """The distribution of cross-validated predictions for the fitted papers."""


@dataclass(frozen=True, eq=False)
class RatingModel:
    """A model of ratings, with what it needs to recognise texts that it cannot rate."""

    card: RatingCard
    aspects: Mapping[str, AspectModel]
    style_range: Floats
    """Mean and standard deviation of style features, shape (2, 14)."""
    known: Floats
    """1 for words and pairs of words that are usual in the fitted papers, else 0, shape (WORD_FEATURES,)."""

    def predict(self, subjects: Sequence[Subject], problems: Sequence[str] | None = None) -> list[PredictedRating]:
        """A prediction for each subject; without a value, and with the reason, where the model has no basis.

        `problems`: what `Fluency.problem` says of each, where that is known.
        """
        made: list[PredictedRating] = []
        for begin in range(0, len(subjects), _AT_ONCE):
            some = subjects[begin : begin + _AT_ONCE]
            known = [english().problem(each.whole) for each in some] if problems is None else problems[begin:]
            made += self._predict(some, known[: len(some)])
        return made

    def _predict(self, subjects: Sequence[Subject], problems: Sequence[str]) -> list[PredictedRating]:
        texts = [whole_text(each.title, each.text) for each in subjects]
        words = word_features(texts)
        style = self.standard_style(style_features([each.title for each in subjects], texts))
        values = {name: words @ part.words + style @ part.style + part.constant for name, part in self.aspects.items()}
        known = known_share(words, self.known)
        spread = self.card.aspects["rating"].spread
        return [
            self._made(row, values, spread)
            if not (why := self._problem(text, problem, float(share)))
            else PredictedRating(value=None, why=why)
            for row, (text, problem, share) in enumerate(zip(texts, problems, known, strict=True))
        ]

    def _made(self, row: int, values: Mapping[str, Floats], spread: float) -> PredictedRating:
        value = float(values["rating"][row])
        shares = {
            name: float(part.predictions.share(values[name][row : row + 1])[0]) for name, part in self.aspects.items()
        }
        return PredictedRating(
            value=value,
            low=value - _NINETY_PERCENT * spread,
            high=value + _NINETY_PERCENT * spread,
            share=shares.pop("rating"),
            aspects=shares,
            why=f"from the words and style of {self.card.aspects['rating'].papers:,} reviewed papers",
        )

    def _problem(self, text: str, problem: str, known: float) -> str:
        """Why the model has no basis for a text; empty where it has one."""
        if len(text.split()) < FEWEST_WORDS:
            return f"the text has fewer than {FEWEST_WORDS} words"
        if problem:
            return problem
        if known < self.card.least_known:
            return f"its words are unlike those of the reviewed papers ({', '.join(self.card.groups)})"
        return ""

    def standard_style(self, style: Floats) -> Floats:
        """Style features in standard deviations, at most three."""
        mean, deviation = self.style_range
        standard: Floats = np.clip((style - mean) / deviation, -3, 3)
        return standard


def whole_text(title: str, text: str) -> str:
    """Title and abstract in the form in which the model reads them."""
    return f"{title.strip().rstrip('.')}. {' '.join(text.split())}"


def known_share(words: csr_array, known: Floats) -> Floats:
    """The share of known features among those of each text, shape (n,)."""
    return np.asarray((words @ known) / np.maximum(np.diff(words.indptr), 1))
