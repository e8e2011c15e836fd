"""The ranking of opportunities: by expected value, with no concept too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.search.initials import ShortForms
from novum.opportunities.search.pair_features import OpportunityFeatures
from novum.opportunities.search.plain_words import is_vague

MOST_USES = 2
"""How often a concept outside the topic may be used."""
_AGAIN, _AGAIN_OF_TOPIC, _SAME_KIND, _SAME_SIDES = 0.3, 0.9, 0.88, 0.85
"""Factor on the value for each earlier use of a concept, a concept of the topic, a kind, or two communities."""
_ALIKE = 0.6
"""Share of its value that an opportunity loses if it equals an earlier one."""
_VAGUE = 0.4
_SAME_COMPANY, _NEVER_LOST = 0.35, 0.3
"""A pair that was linked and shares this many neighbours is taken for granted rather than forgotten."""


def expected_value(features: OpportunityFeatures, candidate: CandidatePair, near: Mapping[int, float]) -> float:
    """Expected value, without a unit: `chance^⅔ · unusualness · attention · specificity · √nearness to the topic`.

    A power of the chance, as the likeliest pairs are the most obvious; unusualness `u` as `4 u (1 − u)`, highest where
    half of the real pairs are more usual; attention as `½ + attention`; particularity of company, by its rank among
    concepts, as `¼ + ¾ · rank` for either end, 0.4 of it where a name is one of many things.
    """
    unusual = 4 * max(candidate.unusual * (1 - candidate.unusual), 0)
    attention = 0.5 + (0.5 if candidate.attention is None else candidate.attention)
    specificity_rank = np.prod([_particular(features, at) for at in candidate.pair])
    nearness = max(near.get(at, 0.0) for at in candidate.pair) ** 0.5
    never_lost = _NEVER_LOST if candidate.rows and candidate.unusual < _SAME_COMPANY else 1
    return float(candidate.chance ** (2 / 3) * unusual * attention * specificity_rank * nearness * never_lost)


def _particular(features: OpportunityFeatures, at: int) -> float:
    return float((0.25 + 0.75 * features.specificity_rank[at]) * (_VAGUE if is_vague(features.map.names[at]) else 1))


def title_share(features: OpportunityFeatures, candidate: CandidatePair) -> float:
    """How much papers are about both concepts, 0 to 1: for each, 1 when it is in the titles of two fifths of its
    papers, 0.2 when it is in none."""
    return float(np.prod([min(0.2 + 2 * features.about.share(at), 1) for at in candidate.pair]))


def select_diverse(
    features: OpportunityFeatures,
    candidates: Sequence[CandidatePair],
    worths: Sequence[float],
    near: Mapping[int, float],
    count: int,
) -> list[CandidatePair]:
    """The best, one after the other: each loses worth by what was chosen before it (maximal marginal relevance over
    concepts, communities and kinds), and what rests on the same paper loses all. A concept is offered twice at most;
    one of several of the topic in half of all, as long as others have any left. What papers join by
    initials is no opening."""
    left = np.array(worths, float)
    ends = np.array([each.pair for each in candidates]).reshape(-1, 2)
    often = count if len(near) < 2 else min(max(MOST_USES, round(2 * count / len(near))), max(MOST_USES, count // 2))
    enough = np.zeros(len(candidates), bool)
    uses: Counter[int] = Counter()
    initials = ShortForms(features.map)
    selected: list[CandidatePair] = []
    while len(selected) < count and left.max(initial=0) > 0:
        fresh = np.where(enough, 0, left)
        best = int((fresh if fresh.any() else left).argmax())
        if initials.join(candidates[best]):
            left[best] = 0
            continue
        selected.append(candidates[best])
        left *= _remaining_value(features, candidates, ends, best, near)
        uses.update(candidates[best].pair)
        for at in candidates[best].pair:
            holds = (ends == at).any(axis=1)
            if at in near:
                enough |= holds & (uses[at] >= often)
            elif uses[at] >= MOST_USES:
                left[holds] = 0
    return selected


def _remaining_value(
    features: OpportunityFeatures, candidates: Sequence[CandidatePair], ends: Ints, best: int, near: Mapping[int, float]
) -> Floats:
    """What share of its worth each keeps when one is chosen."""
    pick, position, words = candidates[best], features.map.features.position, features.name_stems
    sides = np.sort(position.community[ends], axis=1)
    selected = np.where([each.kind == pick.kind for each in candidates], _SAME_KIND, 1.0)
    selected[(sides == np.sort(position.community[list(pick.pair)])).all(axis=1)] *= _SAME_SIDES
    selected[(ends == pick.pair).all(axis=1)] = 0
    if pick.rows:
        selected[[each.rows == pick.rows for each in candidates]] = 0
    for at in pick.pair:
        selected[(ends == at).any(axis=1)] *= _AGAIN_OF_TOPIC if at in near else _AGAIN
        if at not in near:
            like = np.clip(position.directions[ends] @ position.directions[at], 0, 1)
            like = np.maximum(like, [[bool(words[at] & words[end]) for end in pair] for pair in ends.tolist()])
            same = np.where(np.isin(ends, list(near)), 0, like).max(axis=1)
            selected *= 1 - _ALIKE * same**2
    return selected
