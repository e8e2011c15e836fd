"""How good is a ranking? The figures beside hand-computed ones."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.statistics.ranking import ndcg, recall, reciprocal_rank, reciprocal_rank_fusion

SECOND, THIRD = 1 / math.log2(3), 1 / math.log2(4)


@pytest.mark.parametrize(
    ("ranking", "relevant", "gain"),
    [
        ("abc", "a", 1.0),
        ("abc", "b", SECOND),
        ("abc", "bc", (SECOND + THIRD) / (1 + SECOND)),
        ("abc", "x", 0.0),
        ("", "a", 0.0),
        ("abc", "abcdef", 1.0),  # the first three are all that three places can hold
    ],
)
def test_ndcg_is_the_discounted_gain_beside_the_best_possible(ranking, relevant, gain):
    assert ndcg(ranking, set(relevant), 3) == pytest.approx(gain)


@pytest.mark.parametrize(("ranking", "share"), [("abxy", 0.5), ("xayb", 0.25), ("xy", 0.0), ("ab", 0.5)])
def test_recall_is_the_share_of_the_relevant_among_the_first(ranking, share):
    assert recall(ranking, set("abcd"), 3) == share


@pytest.mark.parametrize(("ranking", "value"), [("axy", 1.0), ("xya", 1 / 3), ("xy", 0.0)])
def test_the_reciprocal_rank_is_that_of_the_first_relevant_one(ranking, value):
    assert reciprocal_rank(ranking, {"a", "b"}) == pytest.approx(value)


def test_where_nothing_is_relevant_nothing_is_measured():
    assert ndcg("abc", set()) is None
    assert recall("abc", set()) is None
    assert reciprocal_rank("abc", set()) is None


def test_fusion_by_rank_prefers_what_several_rankings_found():
    # b: 1/62 + 1/61 beats a: 1/61, c: 1/62 and d: 1/63
    assert reciprocal_rank_fusion([["a", "b"], ["b", "c", "d"]]) == ["b", "a", "c", "d"]


@given(st.permutations(range(8)), st.sets(st.integers(0, 7), min_size=1), st.integers(1, 8))
def test_no_ranking_is_better_than_the_relevant_ones_first(ranking, relevant, k):
    best = sorted(ranking, key=lambda item: item not in relevant)
    assert 0 <= ndcg(ranking, relevant, k) <= ndcg(best, relevant, k) == pytest.approx(1)
    assert recall(ranking, relevant, k) <= recall(best, relevant, k)
