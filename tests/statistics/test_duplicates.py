"""Ideas that nearly repeat others, and how fast a set stops saying anything new."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from novum.idea_metrics import duplicates
from novum.idea_metrics.duplicates import distinct_counts, nearest_others, rarely_exceeded


def unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def some(seed: int, n: int) -> NDArray[np.float64]:
    """Of few directions, so that many are alike."""
    rng = np.random.default_rng(seed)
    return unit(rng.normal(size=(4, 6))[rng.integers(0, 4, n)] + rng.normal(scale=0.2, size=(n, 6)))


def test_of_three_ideas_two_repeat_each_other_and_the_later_one_is_not_new() -> None:
    nearest = nearest_others(unit(np.array([[1.0, 0.05], [0.0, 1.0], [1.0, 0.0]])))
    assert nearest.index.tolist() == [2, 0, 0]
    assert nearest.earlier_index.tolist() == [-1, 0, 0]
    assert nearest.repeated(0.9).tolist() == [True, False, True]
    assert nearest.new(0.9).tolist() == [True, True, False]


@settings(max_examples=25)
@given(st.integers(0, 1000), st.integers(1, 20), st.floats(0.2, 0.99))
def test_it_agrees_with_looking_at_each_pair(seed: int, n: int, threshold: float) -> None:
    rows = some(seed, n)
    nearest = nearest_others(rows)
    alike = {(i, j) for i in range(n) for j in range(n) if i != j and rows[i] @ rows[j] > threshold}
    assert nearest.repeated(threshold).tolist() == [any((i, j) in alike for j in range(n)) for i in range(n)]
    assert nearest.new(threshold).tolist() == [all((i, j) not in alike for j in range(i)) for i in range(n)]


@settings(max_examples=25)
@given(st.integers(0, 1000), st.integers(2, 20))
def test_fewer_are_near_duplicates_above_a_higher_threshold(seed: int, n: int) -> None:
    nearest = nearest_others(some(seed, n))
    repeated = [nearest.repeated(each).sum() for each in (0.5, 0.8, 0.95, 1.0)]
    new = [nearest.new(each).sum() for each in (0.5, 0.8, 0.95, 1.0)]
    assert repeated == sorted(repeated, reverse=True)
    assert new == sorted(new)
    assert new[0] >= 1


def test_large_sets_are_compared_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = some(1, 50)
    whole = nearest_others(rows)
    monkeypatch.setattr(duplicates, "_AT_ONCE", 150)  # three rows
    parts = nearest_others(rows)
    assert np.allclose(parts.similarity, whole.similarity)
    assert np.allclose(parts.earlier_similarity, whole.earlier_similarity, equal_nan=True)


def test_what_has_no_words_is_like_nothing() -> None:
    nearest = nearest_others(np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    assert nearest.index.tolist() == [2, -1, 0]
    assert nearest.repeated(0.5).tolist() == [True, False, True]
    assert len(nearest_others(np.zeros((0, 2))).similarity) == 0


def test_the_threshold_is_what_one_in_a_hundred_passes_with_its_nearest_other() -> None:
    rows = some(3, 150)
    nearest = sorted(max(rows[i] @ rows[j] for j in range(150) if j != i) for i in range(150))
    threshold = rarely_exceeded(rows, share=0.01)
    assert threshold == pytest.approx(np.quantile(nearest, 0.99))
    assert nearest_others(rows).repeated(threshold).sum() <= 2
    assert np.isnan(rarely_exceeded(rows[:1]))


@settings(max_examples=25)
@given(st.lists(st.booleans(), max_size=200))
def test_the_curve_ends_at_the_whole_and_never_falls(new: list[bool]) -> None:
    curve = distinct_counts(np.array(new, dtype=bool))
    assert len(curve) == min(50, len(new))
    assert [point.new for point in curve] == [sum(new[: point.ideas]) for point in curve]
    assert not new or curve[-1].ideas == len(new)
