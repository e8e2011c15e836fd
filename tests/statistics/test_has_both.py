"""Groups in which both outcomes occur."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from novum.statistics.weighted import has_both


def test_a_tenth_of_either_outcome_is_enough_and_unknown_ones_do_not_count():
    outcomes = np.array([1.0] * 9 + [0.0] + [1.0] * 10 + [np.nan] * 10 + [1.0, np.nan, 0.0])
    groups = ["mixed"] * 10 + ["accepted"] * 10 + ["unknown"] * 10 + ["few"] * 3
    found = has_both(outcomes, groups, 0.1)
    assert found.tolist() == [True] * 10 + [False] * 20 + [True] * 3


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([0.0, 1.0])), min_size=1))
def test_it_is_the_same_for_all_of_a_group_and_in_any_order(rows):
    groups, outcomes = zip(*rows, strict=True)
    found = has_both(np.array(outcomes), groups, 0.1)
    back = has_both(np.array(outcomes[::-1]), groups[::-1], 0.1)
    assert found.tolist() == back[::-1].tolist()
    for group in set(groups):
        assert len({bool(each) for each, of in zip(found, groups, strict=True) if of == group}) == 1
