"""Numbers that only charts need: honeycombs, lines with their band, and the front that nobody is beyond."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.benchmarks.liveidea.report.shapes import AxisRange, fitted_line, front, honeycomb

points = st.lists(st.tuples(st.floats(0, 200), st.floats(1, 10)), max_size=60)


@given(points)
@settings(max_examples=60, deadline=None)
def test_each_point_is_in_one_hexagon_no_further_than_its_corner(pairs):
    x, y = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    cells = honeycomb(x, y, AxisRange(low=0, high=200), AxisRange(low=1, high=10), 20, 10)
    assert sum(cell.count for cell in cells) == len(pairs)
    for one, other in pairs:
        # In units of a hexagon's width: a corner is 1/√3 from the centre.
        nearest = min(np.hypot((one - cell.x) / 10, (other - cell.y) / 0.9 * 3**0.5) for cell in cells)
        assert nearest <= 1 / 3**0.5 + 1e-6


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=20))
def test_nobody_is_beyond_the_front(pairs):
    best = {pairs[at] for at in front(pairs)}
    for x, y in pairs:
        assert any(a >= x and b >= y for a, b in best)
    for x, y in best:
        assert not any((a, b) != (x, y) and a >= x and b >= y for a, b in pairs)


def test_the_band_of_a_line_is_narrowest_in_the_middle_and_as_known():
    line = fitted_line([1, 2, 3, 4, 5], [2, 4, 5, 4, 5], points=5)
    assert [round(point.y, 3) for point in line] == [2.8, 3.4, 4.0, 4.6, 5.2]
    # s² = 0.8, t(0.975, 3) = 3.1824: at the mean the half width is t √(0.8 / 5).
    assert line[2].high - line[2].y == pytest.approx(3.18245 * (0.8 / 5) ** 0.5, abs=1e-4)
    assert min(point.high - point.low for point in line) == line[2].high - line[2].low


@pytest.mark.parametrize(("x", "y"), [([], []), ([1, 2], [1, 2]), ([3, 3, 3], [1, 2, 3]), ([1, 2, np.nan], [1, 2, 3])])
def test_a_line_that_nothing_holds_up_is_not_drawn(x, y):
    assert fitted_line(x, y) == ()
