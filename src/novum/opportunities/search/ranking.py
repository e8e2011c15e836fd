"""The ranking of opportunities: by expected value, with no concept too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.search.initials import ShortForms
from novum.opportunities.search.plain_words import is_vague
from novum.opportunities.search.tables import SearchTables

MOST_USES = 2
"""How often a concept outside the topic may be used."""
_AGAIN, _AGAIN_OF_TOPIC, _SAME_KIND, _SAME_SIDES = 0.3, 0.9, 0.88, 0.85
"""Factor on the value for each earlier use of a concept, a concept of the topic, a kind, or two communities."""
_ALIKE = 0.6
"""Share of its value that an opportunity loses if it equals an earlier one."""
_VAGUE = 0.4
_SAME_NEIGHBOURS, _TAKEN_FOR_GRANTED = 0.35, 0.3
"""Factor on the value of an inactive pair whose unusualness is below the first number: it is rather taken for granted
than forgotten."""


def expected_value(tables: SearchTables, candidate: CandidatePair, near: Mapping[int, float]) -> float:
    """Expected value, without a unit: `chance^⅔ · unusualness · attention · specificity · √nearness to the topic`.

    The chance is weakened by a power, since the likeliest pairs are the most obvious; unusualness `u` counts as
    `4 u (1 − u)`, which is highest where half of the real pairs are more usual; attention as `½ + attention`; the
    specificity of either concept as `¼ + ¾ · rank`, times 0.4 where its name is vague.
    """
    unusual = 4 * max(candidate.unusual * (1 - candidate.unusual), 0)
    attention = 0.5 + (0.5 if candidate.attention is None else candidate.attention)
    specificity_rank = np.prod([_specificity(tables, at) for at in candidate.pair])
    nearness = max(near.get(at, 0.0) for at in candidate.pair) ** 0.5
    inactive = _TAKEN_FOR_GRANTED if candidate.rows and candidate.unusual < _SAME_NEIGHBOURS else 1
    return float(candidate.chance ** (2 / 3) * unusual * attention * specificity_rank * nearness * inactive)


def _specificity(tables: SearchTables, at: int) -> float:
    return float((0.25 + 0.75 * tables.specificity_rank[at]) * (_VAGUE if is_vague(tables.map.names[at]) else 1))


def title_share(tables: SearchTables, candidate: CandidatePair) -> float:
    """How much papers are about both concepts, 0 to 1: for each, 1 when it is in the titles of two fifths of its
    papers, 0.2 when it is in none."""
    return float(np.prod([min(0.2 + 2 * tables.titles.share(at), 1) for at in candidate.pair]))


def select_diverse(
    tables: SearchTables,
    candidates: Sequence[CandidatePair],
    values: Sequence[float],
    near: Mapping[int, float],
    count: int,
) -> list[CandidatePair]:
    """Up to `count` candidates, selected one after the other by their `values`, which decrease with the similarity to
    those selected before (maximal marginal relevance over concepts, communities and kinds), to 0 for candidates of the
    same paper. A concept is used at most twice; one of several concepts of the topic in at most half of the result, as
    long as others are left. Pairs that papers link by initials are excluded."""
    left = np.array(values, float)
    ends = np.array([each.pair for each in candidates]).reshape(-1, 2)
    most = count if len(near) < 2 else min(max(MOST_USES, round(2 * count / len(near))), max(MOST_USES, count // 2))
    postponed = np.zeros(len(candidates), bool)
    uses: Counter[int] = Counter()
    initials = ShortForms(tables.map)
    selected: list[CandidatePair] = []
    while len(selected) < count and left.max(initial=0) > 0:
        preferred = np.where(postponed, 0, left)
        best = int((preferred if preferred.any() else left).argmax())
        if initials.link(candidates[best]):
            left[best] = 0
            continue
        selected.append(candidates[best])
        left *= _remaining_value(tables, candidates, ends, best, near)
        uses.update(candidates[best].pair)
        for at in candidates[best].pair:
            contains = (ends == at).any(axis=1)
            if at in near:
                postponed |= contains & (uses[at] >= most)
            elif uses[at] >= MOST_USES:
                left[contains] = 0
    return selected


def _remaining_value(
    tables: SearchTables, candidates: Sequence[CandidatePair], ends: Ints, best: int, near: Mapping[int, float]
) -> Floats:
    """Factors on the values of all candidates after candidate `best` was selected, shape (candidates,)."""
    selected, position, words = candidates[best], tables.map.features.position, tables.name_stems
    sides = np.sort(position.community[ends], axis=1)
    factor = np.where([each.kind == selected.kind for each in candidates], _SAME_KIND, 1.0)
    factor[(sides == np.sort(position.community[list(selected.pair)])).all(axis=1)] *= _SAME_SIDES
    factor[(ends == selected.pair).all(axis=1)] = 0
    if selected.rows:
        factor[[each.rows == selected.rows for each in candidates]] = 0
    for at in selected.pair:
        factor[(ends == at).any(axis=1)] *= _AGAIN_OF_TOPIC if at in near else _AGAIN
        if at not in near:
            like = np.clip(position.directions[ends] @ position.directions[at], 0, 1)
            like = np.maximum(like, [[bool(words[at] & words[end]) for end in pair] for pair in ends.tolist()])
            same = np.where(np.isin(ends, list(near)), 0, like).max(axis=1)
            factor *= 1 - _ALIKE * same**2
    return factor
