"""Pairs of references against chance: a formula in place of a thousand shuffles."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.idea_metrics.reference_pair_counts import PairCounts, pairs_within

kinds_of_papers = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), min_size=1, max_size=4)


def counted(lists: list[list[int]], a: int, b: int) -> int:
    """Pairs of references of a and b in the same list, by looking at each pair."""
    return sum({one, other} == {a, b} for each in lists for one, other in combinations(each, 2))


def fitted(lists: list[list[int]], kinds: int) -> PairCounts:
    return PairCounts.of([np.array(each, dtype=np.int64) for each in lists], kinds)


def dealt(lists: list[list[int]], order: tuple[int, ...]) -> list[list[int]]:
    """The same lists with the kinds dealt out in another order."""
    begin, made = 0, []
    for each in lists:
        made.append(list(order[begin : begin + len(each)]))
        begin += len(each)
    return made


@settings(max_examples=25)
@given(kinds_of_papers, st.integers(0, 2), st.integers(0, 2))
def test_links_are_counted_as_pairs_of_references(lists: list[list[int]], a: int, b: int) -> None:
    assert fitted(lists, 3).observed(np.array([a]), np.array([b]))[0] == counted(lists, a, b)


@pytest.mark.parametrize(
    "lists", [[[0, 0, 1], [1, 2, 0]], [[0, 1], [0, 1], [2, 2]], [[0, 0, 0, 1, 1, 2]], [[0, 1, 0, 1]]]
)
@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, 2), (0, 0)])
def test_mean_and_variance_are_exactly_those_of_all_shuffles(lists: list[list[int]], a: int, b: int) -> None:
    flat = [kind for each in lists for kind in each]
    all_of_them = [counted(dealt(lists, order), a, b) for order in permutations(flat)]
    pairs = fitted(lists, 3)
    assert pairs.expected(np.array(a), np.array(b)) == pytest.approx(np.mean(all_of_them))
    assert pairs.variance(np.array(a), np.array(b)) == pytest.approx(np.var(all_of_them), abs=1e-12)


def test_on_a_larger_corpus_they_agree_with_a_simulated_shuffle() -> None:
    rng, shuffles = np.random.default_rng(5), 200
    lists = [rng.choice(4, size=rng.integers(2, 9), p=[0.4, 0.3, 0.2, 0.1]).tolist() for _ in range(30)]
    pairs, flat = fitted(lists, 4), np.array([kind for each in lists for kind in each])
    a, b = np.triu_indices(4)
    dealt_anew = (dealt(lists, tuple(rng.permutation(flat).tolist())) for _ in range(shuffles))
    shuffled = np.array([fitted(each, 4).observed(a, b) for each in dealt_anew])
    spread = np.sqrt(pairs.variance(a, b))
    assert (np.abs(shuffled.mean(axis=0) - pairs.expected(a, b)) < 4 * spread / np.sqrt(shuffles)).all()
    assert shuffled.std(axis=0) == pytest.approx(spread, rel=0.25)


def test_kinds_that_keep_to_themselves_are_seldom_met_together() -> None:
    lists = [[0, 0, 0]] * 10 + [[1, 1, 1]] * 10 + [[0, 1]]
    pairs = fitted(lists, 2)
    assert pairs.z(np.array(0), np.array(1)) < -3
    assert pairs.z(np.array(0), np.array(0)) > 3


@settings(max_examples=25)
@given(kinds_of_papers, st.randoms())
def test_neither_the_order_of_papers_nor_of_references_matters(lists: list[list[int]], random) -> None:
    a, b = np.triu_indices(3)
    mixed = [random.sample(each, len(each)) for each in random.sample(lists, len(lists))]
    one, other = fitted(lists, 3), fitted(mixed, 3)
    np.testing.assert_allclose(one.z(a, b), other.z(a, b))
    np.testing.assert_allclose(one.z(a, b), one.z(b, a))


def test_where_every_shuffle_is_the_same_nothing_is_said() -> None:
    assert np.isnan(fitted([[0, 0], [0, 0, 0]], 1).z(np.array([0]), np.array([0]))).all()
    assert np.isnan(fitted([[0, 1]], 2).z(np.array([0]), np.array([1]))).all()
    assert np.isnan(fitted([], 2).z(np.array([0]), np.array([1]))).all()


@settings(max_examples=25)
@given(st.lists(st.integers(0, 9), max_size=12))
def test_every_pair_of_a_list_is_looked_at_once(kinds: list[int]) -> None:
    first, second = pairs_within(np.array(kinds, dtype=np.int64))
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == list(combinations(kinds, 2))


def test_many_lists_are_added_up_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = np.random.default_rng(2).integers(0, 8, size=(50, 6)).tolist()
    whole = fitted(lists, 8)
    monkeypatch.setattr("novum.idea_metrics.reference_pair_counts._PENDING", 40)
    parts = fitted(lists, 8)
    assert parts.codes.tolist() == whole.codes.tolist()
    assert parts.counts.tolist() == whole.counts.tolist()
