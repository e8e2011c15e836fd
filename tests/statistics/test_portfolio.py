"""The best ideas that differ: greedy against all that could be chosen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from novum.idea_metrics.portfolio import UNIQUE_SHARE, portfolio, quality_of

seeds, balances = st.integers(0, 10_000), st.floats(0, 1)
Rows = NDArray[np.float64]


def pool(seed: int, n: int, d: int = 5) -> tuple[Rows, Rows]:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, d)) + 0.8
    return rows / np.linalg.norm(rows, axis=1, keepdims=True), quality_of(rng.normal(size=n))


def rows_of(*arguments: object, **options: object) -> list[int]:
    return [step.row for step in portfolio(*arguments, **options)]  # type: ignore[arg-type]


def value_of(rows: Rows, worth: Rows, selected: Sequence[int], balance: float = 0.5) -> float:
    """The log value of a selection: (1-b) Σ quality + b log det K."""
    chosen = rows[list(selected)]
    kernel = (1 - UNIQUE_SHARE) * chosen @ chosen.T + UNIQUE_SHARE * np.eye(len(chosen))
    return (1 - balance) * float(worth[list(selected)].sum()) + balance * float(np.linalg.slogdet(kernel)[1])


def best(rows: Rows, worth: Rows, k: int, balance: float) -> float:
    return max(value_of(rows, worth, each, balance) for each in combinations(range(len(rows)), k))


@settings(max_examples=25)
@given(seeds, st.integers(3, 8), st.integers(1, 4), balances)
def test_greedy_keeps_its_guarantee_against_brute_force(seed: int, n: int, k: int, balance: float) -> None:
    """Every idea adds at least b log 0.01: counted from there, the value only grows as ideas are added, by less and
    less, and greedy comes to at least 1 - 1/e of the best."""
    rows, worth = pool(seed, n)
    k = min(k, n)
    floor = -k * balance * math.log(UNIQUE_SHARE)
    greedy = value_of(rows, worth, rows_of(rows, worth, k, balance=balance), balance)
    top = best(rows, worth, k, balance)
    assert greedy <= top + 1e-9
    assert greedy + floor >= (1 - 1 / math.e) * (top + floor) - 1e-9


@settings(max_examples=25)
@given(seeds, st.integers(1, 6), st.floats(0, 0.9))
def test_it_is_the_best_where_ideas_have_nothing_in_common(seed: int, k: int, balance: float) -> None:
    rows, worth = np.eye(7), quality_of(np.random.default_rng(seed).normal(size=7))
    chosen = rows_of(rows, worth, k, balance=balance)
    assert chosen == np.argsort(-worth)[:k].tolist()
    assert value_of(rows, worth, chosen, balance) == pytest.approx(best(rows, worth, k, balance))


@settings(max_examples=25)
@given(seeds, st.integers(1, 8))
def test_quality_alone_takes_the_best_in_their_order(seed: int, k: int) -> None:
    rows, worth = pool(seed, 8)
    assert rows_of(rows, worth, k, balance=0) == np.argsort(-worth)[:k].tolist()


@settings(max_examples=25)
@given(seeds, balances)
def test_the_first_and_the_whole_are_the_best_there_are(seed: int, balance: float) -> None:
    rows, worth = pool(seed, 6)
    one = rows_of(rows, worth, 1, balance=balance)
    assert value_of(rows, worth, one, balance) == pytest.approx(best(rows, worth, 1, balance))
    assert sorted(rows_of(rows, worth, 99, balance=balance)) == list(range(6))


@settings(max_examples=25)
@given(seeds, st.integers(1, 5), balances)
def test_a_larger_portfolio_begins_with_the_smaller_one(seed: int, k: int, balance: float) -> None:
    rows, worth = pool(seed, 10)
    assert rows_of(rows, worth, k + 2, balance=balance)[:k] == rows_of(rows, worth, k, balance=balance)


@settings(max_examples=25)
@given(seeds, st.integers(1, 6), balances)
def test_each_step_adds_what_the_determinant_says(seed: int, k: int, balance: float) -> None:
    """The rows of the growing decomposition come to the same as determinants computed anew."""
    rows, worth = pool(seed, 9, d=4)
    chosen: list[int] = []
    for row in rows_of(rows, worth, k, balance=balance):
        values = {
            each: value_of(rows, worth, [*chosen, each], balance) for each in range(len(rows)) if each not in chosen
        }
        assert values[row] == pytest.approx(max(values.values()), abs=1e-6)
        chosen.append(row)


@settings(max_examples=25)
@given(seeds, st.integers(2, 6), balances)
def test_no_two_near_duplicates_are_taken_while_there_is_anything_else(seed: int, k: int, balance: float) -> None:
    kinds = np.arange(18) % 6  # three of each of six directions
    rows, worth = np.eye(6)[kinds], quality_of(np.random.default_rng(seed).normal(size=18))
    steps = portfolio(rows, worth, k, balance=balance, threshold=0.9)
    assert len({int(kinds[step.row]) for step in steps}) == k
    assert not any(step.forced for step in steps)


def test_when_nothing_else_is_left_a_near_duplicate_is_taken_and_said_to_be_one() -> None:
    steps = portfolio(np.eye(2)[[0, 0, 1]], quality_of([3.0, 2.0, 1.0]), 3, threshold=0.9)
    assert [(step.row, step.forced) for step in steps] == [(0, False), (2, False), (1, True)]


def test_it_says_which_better_idea_was_passed_over_and_for_what() -> None:
    steps = portfolio(np.eye(2)[[0, 0, 1]], quality_of([3.0, 2.0, 1.0]), 2, threshold=0.9)
    assert (steps[1].passed, steps[1].like, steps[1].duplicate) == (1, 0, True)
    near = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    step = portfolio(near, quality_of([3.0, 2.0, 1.0]), 2, balance=0.9, threshold=0.9)[1]
    assert (step.row, step.passed, step.like, step.duplicate) == (2, 1, 0, False)


def test_equal_ideas_are_taken_by_quality_then_in_their_order() -> None:
    rows = np.tile([[1.0, 0.0]], (4, 1))
    assert rows_of(rows, np.zeros(4), 4) == [0, 1, 2, 3]
    assert rows_of(rows, np.array([0.0, 1.0, 2.0, 1.0]), 4, balance=1) == [2, 1, 3, 0]


@settings(max_examples=25)
@given(seeds, st.randoms())
def test_the_order_of_the_pool_does_not_matter_where_nothing_is_equal(seed: int, random) -> None:
    rows, worth = pool(seed, 8)
    order = random.sample(range(8), 8)
    mixed = rows_of(rows[order], worth[order], 4)
    assert [order[row] for row in mixed] == rows_of(rows, worth, 4)


def test_quality_is_reported_by_the_share_that_is_at_least_as_good() -> None:
    assert quality_of([10, 30, 20, 40]) == pytest.approx([-math.log(s) / 3 for s in (1, 0.5, 0.75, 0.25)])
    assert quality_of([5, 5, 1]) == pytest.approx([-math.log(2 / 3) / 3, -math.log(2 / 3) / 3, 0])
    assert quality_of([]).tolist() == []


@settings(max_examples=25)
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=20))
def test_quality_follows_from_the_order_alone(scores: list[int]) -> None:
    assert quality_of(scores) == pytest.approx(quality_of(np.exp(np.array(scores) / 10)))
    assert (quality_of(scores) >= 0).all()


def test_nothing_is_chosen_of_nothing_and_a_balance_has_bounds() -> None:
    assert portfolio(np.zeros((0, 3)), [], 5) == []
    with pytest.raises(ValueError, match="from 0 to 1"):
        portfolio(np.eye(2), [0, 0], 1, balance=1.5)
