"""Real ratings of candidates: what decides a preference where they are known, and what checks it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from novum.core import Subject, normal_title
from novum.core.arrays import Floats
from novum.idea_metrics.review_rating import ReviewedText
from novum.idea_metrics.review_rating.training import standard_scores
from novum.training.preferences.pool import Rows
from novum.training.preferences.records import HumanAgreement, PreferencePair, PreferenceSettings
from novum.training.preferences.scores import Scores


@dataclass(frozen=True)
class HumanRatings:
    """Ratings of n candidates by their reviewers."""

    scores: Floats
    """In standard deviations of the venue and year, shape (n,); NaN where there is none."""
    groups: Rows
    """A number for each venue and year, shape (n,); 0 where there is no rating."""


def human_ratings(subjects: Sequence[Subject], reviewed: Sequence[ReviewedText]) -> HumanRatings:
    """The ratings of the candidates whose titles are among the reviewed papers. A title that was reviewed twice, at two
    venues, has no rating: it is not known which text was meant."""
    given = standard_scores(
        np.array([each.scores.get("rating", np.nan) for each in reviewed], dtype=float),
        [each.group for each in reviewed],
    )
    numbers = {group: number for number, group in enumerate(sorted({each.group for each in reviewed}), 1)}
    known: dict[str, tuple[float, int] | None] = {}
    for each, score in zip(reviewed, given, strict=True):
        title = normal_title(each.title)
        known[title] = None if title in known or np.isnan(score) else (float(score), numbers[each.group])
    found = [known.get(normal_title(subject.title)) or (np.nan, 0) for subject in subjects]
    return HumanRatings(np.array([score for score, _ in found], dtype=float), np.array([g for _, g in found], np.intp))


def deciding_scores(scores: Scores, human: HumanRatings, settings: PreferenceSettings) -> tuple[Floats, Rows]:
    """The scores that decide, shape (k, n), and the groups inside which they are compared, shape (n,).

    Real ratings are scaled so that their own margin equals that of ranks: one margin then holds for both.
    """
    ranks = np.stack(scores.ranks(settings.better))
    if settings.better != "reviews":
        return ranks, np.zeros(ranks.shape[1], np.intp)
    scaled = human.scores * settings.margin / settings.review_margin
    return np.where(human.groups > 0, scaled, ranks), human.groups


def agreement_with_people(
    pairs: Iterable[PreferencePair], groups: Sequence[tuple[int, int]], *, made_from_them: bool
) -> HumanAgreement:
    """How often the chosen idea is rated higher, of pairs whose ideas were rated in one group. `groups`: those of the
    chosen and of the rejected idea of each pair; 0: not rated."""
    differences = [
        pair.chosen.reviewed - pair.rejected.reviewed
        for pair, (one, other) in zip(pairs, groups, strict=True)
        if one and one == other and pair.chosen.reviewed is not None and pair.rejected.reviewed is not None
    ]
    apart = [each for each in differences if each != 0]
    right = sum(each > 0 for each in apart) / len(apart) if apart else None
    return HumanAgreement(
        pairs=len(apart), ties=len(differences) - len(apart), right=right, made_from_them=made_from_them
    )
