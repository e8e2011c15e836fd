"""Where does a curve bend? Knees put there by hand, and what no unit of measurement may change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.idea_metrics.clusters import SHALLOWEST, depths, knee

convex = st.lists(st.integers(1, 1_000), min_size=2, max_size=15).map(lambda steps: sorted(steps, reverse=True))
"""Falls that become smaller."""
powers = st.integers(-20, 20).map(lambda power: 2.0**power)
"""Units that no rounding spoils."""


def curve(falls):
    return np.arange(len(falls) + 1.0), 10_000 - np.concatenate(([0], np.cumsum(falls)))


def test_the_knee_is_where_the_steep_part_ends():
    # Scaled, the third point is (2/6, 0.1): 1 - 1/3 - 0.1 below the chord.
    x, y = [1, 2, 3, 4, 5, 6, 7], [100, 55, 10, 7, 4, 2, 0]
    assert knee(x, y) == 2
    assert depths(x, y)[2] == pytest.approx(1 - 2 / 6 - 0.1)


def test_a_sharper_bend_is_deeper():
    x = np.arange(1, 11)
    assert depths(x, 1 / x).max() < depths(x, 1 / x**3).max()


def test_the_order_of_points_does_not_matter():
    x, y = np.array([1, 2, 3, 4, 5, 6]), np.array([90, 40, 12, 8, 5, 3])
    order = [4, 2, 0, 5, 3, 1]
    assert order[knee(x[order], y[order])] == knee(x, y)


@given(convex, powers, powers, st.integers(-100, 100), st.integers(-100, 100))
def test_units_do_not_move_the_knee(falls, wide, high, right, up):
    x, y = curve(falls)
    assert knee((x + right) * wide, (y + up) * high) == knee(x, y)


@given(convex)
def test_the_knee_of_a_convex_curve_lies_within_it_and_nothing_is_deeper(falls):
    x, y = curve(falls)
    found, below = knee(x, y), depths(x, y)
    assert (below >= -1e-9).all()
    assert below.max() <= 1
    assert (found is None) == (below.max() < SHALLOWEST)
    if found is not None:
        assert 0 < found < len(x) - 1
        assert below[found] == pytest.approx(below.max())


@given(st.integers(3, 30), st.floats(0.01, 100), st.floats(-50, 50))
def test_a_straight_line_has_no_knee(points, slope, start):
    x = np.arange(points, dtype=float)
    assert knee(x, start - slope * x) is None


@given(convex)
def test_a_curve_that_bulges_or_rises_has_none(falls):
    x, y = curve(falls)
    assert knee(x, y[::-1]) is None
    assert knee(x, -y[::-1]) is None


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([], []),
        ([1, 2], [2, 1]),
        ([1, 2, 3], [3, np.nan, 1]),
        ([1, 2, np.inf], [3, 2, 1]),
        ([2, 2, 2], [3, 2, 1]),
        ([1, 2, 3], [5, 5, 5]),
    ],
)
def test_of_what_is_no_falling_curve_nothing_is_said(x, y):
    assert knee(x, y) is None


def test_numbers_of_any_size_are_no_trouble():
    assert knee([1, 2, 3, 4], [1.7e308, 1.5e308, 1.2e308, -1.7e308]) is None
    assert knee([1, 2, 3, 4], [1.7e308, -1.2e308, -1.5e308, -1.7e308]) == 1


def test_a_curve_with_an_end_missing_is_a_mistake_of_the_caller():
    with pytest.raises(ValueError, match="as many y as x"):
        knee([1, 2, 3], [1, 2])
