"""In which order openings are shown: by expected worth, and no concept too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from novum.opportunities.openings.found import Found
from novum.opportunities.openings.plain_words import vague
from novum.opportunities.openings.scene import Scene

TWICE = 2
"""Times that a concept may be offered which is not one of the topic's."""
_AGAIN, _SAME_KIND, _SAME_SIDES = 0.4, 0.88, 0.85
"""What worth is left for each time that a concept, a kind, a pair of communities was chosen before."""
_ALIKE = 0.6
"""How much of its worth an opening loses that says just what one before it said."""
_VAGUE = 0.4


def worth(scene: Scene, found: Found, near: Mapping[int, float]) -> float:
    """Expected worth, of no unit: `chance^⅔ · unusualness · attention · particularity · nearness to the topic`.

    A power of the chance, as the likeliest pairs are the most obvious; unusualness `u` as `4 u (1 − u)`, highest where
    half of the real pairs are more usual; attention as `½ + attention`; particularity of company, by its rank among
    concepts, as `¼ + ¾ · rank` for either end, 0.4 of it where a name is one of many things.
    """
    unusual = 4 * max(found.unusual * (1 - found.unusual), 0)
    attention = 0.5 + (0.5 if found.attention is None else found.attention)
    particular = np.prod([_particular(scene, at) for at in found.pair])
    nearness = max(near.get(at, 0.0) for at in found.pair)
    return float(found.chance ** (2 / 3) * unusual * attention * particular * nearness)


def _particular(scene: Scene, at: int) -> float:
    return float((0.25 + 0.75 * scene.particular[at]) * (_VAGUE if vague(scene.map.names[at]) else 1))


def diverse(
    scene: Scene, found: Sequence[Found], worths: Sequence[float], near: Mapping[int, float], count: int
) -> list[Found]:
    """The best, one after the other: each loses worth by what was chosen before it (maximal marginal relevance over
    concepts, communities and kinds). A concept is offered twice at most, one of the topic as often as it must be."""
    position = scene.map.features.position
    directions, community = position.directions, position.community
    left = np.array(worths, float)
    ends = np.array([each.pair for each in found]).reshape(-1, 2)
    topic = {at: max(TWICE, round(1.5 * count / max(len(near), 1))) for at in near}
    uses: Counter[int] = Counter()
    chosen: list[Found] = []
    while len(chosen) < count and left.max(initial=0) > 0:
        best = int(left.argmax())
        pick = found[best]
        chosen.append(pick)
        left[(ends == pick.pair).all(axis=1)] = 0
        left[np.array([each.kind == pick.kind for each in found])] *= _SAME_KIND
        sides = np.sort(community[ends], axis=1)
        left[(sides == np.sort(community[list(pick.pair)])).all(axis=1)] *= _SAME_SIDES
        for at in pick.pair:
            uses[at] += 1
            holds = (ends == at).any(axis=1)
            left[holds] *= 0 if uses[at] >= topic.get(at, TWICE) else (0.9 if at in near else _AGAIN)
            if at not in near:
                like = np.clip(directions[ends] @ directions[at], 0, 1)
                same = np.where(np.isin(ends, list(near)), 0, like).max(axis=1)
                left *= 1 - _ALIKE * same**2
    return chosen
