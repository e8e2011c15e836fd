"""The effective number of ideas."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from novum.idea_metrics.set_diversity import vendi

sets = st.tuples(st.integers(1, 12), st.integers(2, 12)).flatmap(
    lambda shape: arrays(float, shape, elements=st.floats(-1, 1, width=16)).filter(
        lambda rows: bool((np.linalg.norm(rows, axis=1) > 0.1).all())
    )
)


def by_definition(vectors: NDArray[np.float64]) -> float:
    """The exponential of -Σ λ ln λ over the eigenvalues of the whole n × n matrix."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    values = np.linalg.eigvals(unit @ unit.T / len(unit)).real
    return math.exp(-sum(value * math.log(value) for value in values if value > 1e-12))


def test_ideas_that_are_all_the_same_count_as_one_and_ideas_with_nothing_in_common_as_all_of_them() -> None:
    assert vendi(np.ones((7, 3))) == pytest.approx(1)
    assert vendi(np.eye(5)) == pytest.approx(5)
    assert vendi(np.repeat(np.eye(3), 4, axis=0)) == pytest.approx(3)


def test_two_ideas_by_hand() -> None:
    """Of cosine c the eigenvalues are (1+c)/2 and (1-c)/2."""
    c = 0.6
    entropy = -(0.8 * math.log(0.8) + 0.2 * math.log(0.2))
    assert vendi([[1, 0], [c, 0.8]]) == pytest.approx(math.exp(entropy))
    assert vendi([[1, 0], [c, 0.8]], q=2) == pytest.approx(1 / (0.8**2 + 0.2**2))
    assert vendi([[1, 0], [c, 0.8]], q=math.inf) == pytest.approx(1 / 0.8)
    assert vendi([[1, 0], [c, 0.8]], q=0) == pytest.approx(2)


@settings(max_examples=25)
@given(sets)
def test_the_smaller_of_two_matrices_gives_the_same_as_the_definition(rows: NDArray[np.float64]) -> None:
    assert vendi(rows) == pytest.approx(by_definition(rows), rel=1e-6)


@settings(max_examples=25)
@given(sets, st.floats(0.1, 10), st.randoms())
def test_it_is_bounded_and_does_not_follow_order_or_length(rows: NDArray[np.float64], scale: float, random) -> None:
    found = vendi(rows)
    assert 1 - 1e-9 <= found <= min(rows.shape) + 1e-9
    order = random.sample(range(len(rows)), len(rows))
    assert vendi(scale * rows[order]) == pytest.approx(found)
    assert vendi(np.repeat(rows, 2, axis=0)) == pytest.approx(found)  # saying all twice adds nothing


@settings(max_examples=25)
@given(sets)
def test_a_higher_order_counts_rare_kinds_less(rows: NDArray[np.float64]) -> None:
    numbers = [vendi(rows, q) for q in (0, 0.5, 1, 2, 50, math.inf)]
    assert all(one >= other - 1e-6 for one, other in pairwise(numbers))


def test_what_says_nothing_is_left_out_and_of_nothing_nothing_is_said() -> None:
    assert vendi([[0, 0], [1, 0], [math.nan, 1], [0, 1]]) == pytest.approx(2)
    assert math.isnan(vendi(np.zeros((3, 2))))
    assert math.isnan(vendi(np.zeros((0, 2))))
    with pytest.raises(ValueError, match="0 or more"):
        vendi(np.eye(2), q=-1)


def test_thousands_of_ideas_take_a_moment() -> None:
    rows = np.random.default_rng(0).normal(size=(5000, 64))
    assert 60 < vendi(rows) <= 64
