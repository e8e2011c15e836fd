"""Rankings of rare pairs: against the textbook, ties and weights included."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.statistics.ranking import RankedLinks

SCORED = st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=60)


@settings(max_examples=30)
@given(SCORED)
def test_it_is_the_area_and_the_precision_of_the_textbook(output):
    scores, true = (np.array(column) for column in zip(*output, strict=True))
    ends = np.arange(len(scores))
    auc, precision, _ = RankedLinks.of(scores, true, ends, ends).measured(10)
    if 0 < true.sum() < len(true):
        lead = np.subtract.outer(scores[true], scores[~true])
        assert auc == pytest.approx(np.mean((lead > 0) + (lead == 0) / 2))
        assert precision == pytest.approx(np.mean([true[scores >= score].mean() for score in scores[true]]))
    else:
        assert np.isnan(auc)


@settings(max_examples=30)
@given(SCORED, st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_a_weight_is_as_many_copies(output, times):
    scores, true = (np.array(column) for column in zip(*output, strict=True))
    one, other = np.arange(len(scores)) % 6, np.arange(len(scores)) // 6 % 6
    weights = np.array(times, float)
    copies = np.repeat(np.arange(len(scores)), (weights[one] * weights[other]).astype(int))
    weighted = RankedLinks.of(scores, true, one, other).measured(7, weights)
    written_out = RankedLinks.of(scores[copies], true[copies], copies, copies).measured(7)
    np.testing.assert_allclose(weighted, written_out, atol=1e-9)


def test_what_is_tied_at_the_border_counts_by_its_share():
    ranked = RankedLinks.of([3, 2, 2, 2, 1], [True, True, False, False, True], range(5), range(5))
    assert ranked.measured(2)[2] == pytest.approx((1 + 1 / 3) / 2)


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="lengths"):
        RankedLinks.of([1, 2], [True], [0], [1])
