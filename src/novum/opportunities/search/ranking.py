"""In which order openings are shown: by expected worth, and no concept too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.opportunities.search.initials import ShortForms
from novum.opportunities.search.pair_features import OpportunityFeatures
from novum.opportunities.search.plain_words import is_vague
from novum.opportunities.search.results import CandidatePair

MOST_USES = 2
"""Times that a concept may be offered which is not one of the topic's."""
_AGAIN, _AGAIN_OF_TOPIC, _SAME_KIND, _SAME_SIDES = 0.3, 0.9, 0.88, 0.85
"""What worth is left for each time that a concept, one of the topic, a kind, two communities were chosen before."""
_ALIKE = 0.6
"""How much of its worth an opening loses that says just what one before it said."""
_VAGUE = 0.4
_SAME_COMPANY, _NEVER_LOST = 0.35, 0.3
"""What was joined and keeps so much of the same company goes without saying rather than being lost."""


def expected_value(scene: OpportunityFeatures, found: CandidatePair, near: Mapping[int, float]) -> float:
    """Expected worth, of no unit: `chance^⅔ · unusualness · attention · particularity · √nearness to the topic`.

    A power of the chance, as the likeliest pairs are the most obvious; unusualness `u` as `4 u (1 − u)`, highest where
    half of the real pairs are more usual; attention as `½ + attention`; particularity of company, by its rank among
    concepts, as `¼ + ¾ · rank` for either end, 0.4 of it where a name is one of many things.
    """
    unusual = 4 * max(found.unusual * (1 - found.unusual), 0)
    attention = 0.5 + (0.5 if found.attention is None else found.attention)
    particular = np.prod([_particular(scene, at) for at in found.pair])
    nearness = max(near.get(at, 0.0) for at in found.pair) ** 0.5
    never_lost = _NEVER_LOST if found.rows and found.unusual < _SAME_COMPANY else 1
    return float(found.chance ** (2 / 3) * unusual * attention * particular * nearness * never_lost)


def _particular(scene: OpportunityFeatures, at: int) -> float:
    return float((0.25 + 0.75 * scene.particular[at]) * (_VAGUE if is_vague(scene.map.names[at]) else 1))


def title_share(scene: OpportunityFeatures, found: CandidatePair) -> float:
    """How much papers are about both, 0 to 1: all of it from a concept that stands in the titles of two fifths of its
    papers, a fifth of it for one that stands in none."""
    return float(np.prod([min(0.2 + 2 * scene.about.share(at), 1) for at in found.pair]))


def select_diverse(
    scene: OpportunityFeatures,
    found: Sequence[CandidatePair],
    worths: Sequence[float],
    near: Mapping[int, float],
    count: int,
) -> list[CandidatePair]:
    """The best, one after the other: each loses worth by what was chosen before it (maximal marginal relevance over
    concepts, communities and kinds), and what rests on the same paper loses all. A concept is offered twice at most;
    one of several of the topic in half of all, as long as others have any left. What papers join by
    initials is no opening."""
    left = np.array(worths, float)
    ends = np.array([each.pair for each in found]).reshape(-1, 2)
    often = count if len(near) < 2 else min(max(MOST_USES, round(2 * count / len(near))), max(MOST_USES, count // 2))
    enough = np.zeros(len(found), bool)
    uses: Counter[int] = Counter()
    initials = ShortForms(scene.map)
    chosen: list[CandidatePair] = []
    while len(chosen) < count and left.max(initial=0) > 0:
        fresh = np.where(enough, 0, left)
        best = int((fresh if fresh.any() else left).argmax())
        if initials.join(found[best]):
            left[best] = 0
            continue
        chosen.append(found[best])
        left *= _remaining_value(scene, found, ends, best, near)
        uses.update(found[best].pair)
        for at in found[best].pair:
            holds = (ends == at).any(axis=1)
            if at in near:
                enough |= holds & (uses[at] >= often)
            elif uses[at] >= MOST_USES:
                left[holds] = 0
    return chosen


def _remaining_value(
    scene: OpportunityFeatures, found: Sequence[CandidatePair], ends: Ints, best: int, near: Mapping[int, float]
) -> Floats:
    """What share of its worth each keeps when one is chosen."""
    pick, position, words = found[best], scene.map.features.position, scene.words_of
    sides = np.sort(position.community[ends], axis=1)
    kept = np.where([each.kind == pick.kind for each in found], _SAME_KIND, 1.0)
    kept[(sides == np.sort(position.community[list(pick.pair)])).all(axis=1)] *= _SAME_SIDES
    kept[(ends == pick.pair).all(axis=1)] = 0
    if pick.rows:
        kept[[each.rows == pick.rows for each in found]] = 0
    for at in pick.pair:
        kept[(ends == at).any(axis=1)] *= _AGAIN_OF_TOPIC if at in near else _AGAIN
        if at not in near:
            like = np.clip(position.directions[ends] @ position.directions[at], 0, 1)
            like = np.maximum(like, [[bool(words[at] & words[end]) for end in pair] for pair in ends.tolist()])
            same = np.where(np.isin(ends, list(near)), 0, like).max(axis=1)
            kept *= 1 - _ALIKE * same**2
    return kept
