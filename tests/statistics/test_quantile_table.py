"""Where does a value stand among others? A table of quantiles beside counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.statistics.quantile_table import MOST, QuantileTable

numbers = st.floats(-1e6, 1e6)
few = st.integers(0, 4).map(float)
"""Many ties."""
samples = st.lists(numbers | few, min_size=1, max_size=60)


def counted(sample, value):
    """The share below, equal ones as half."""
    others = np.asarray(sample)
    return ((others < value).sum() + (others == value).sum() / 2) / len(others)


def test_a_value_stands_above_what_is_less_and_above_half_of_what_is_equal():
    table = QuantileTable.of([1, 2, 2, 3])
    assert table.share([0, 1, 2, 2.5, 3, 4]).tolist() == [0, 0.125, 0.5, 0.75, 0.875, 1]


@given(samples, st.lists(numbers | few, min_size=1, max_size=10))
def test_of_a_small_sample_shares_are_those_of_counting(sample, values):
    shares = QuantileTable.of(sample).share(values)
    assert shares.tolist() == pytest.approx([counted(sample, value) for value in values])


@given(samples, st.lists(numbers, min_size=2, max_size=20))
def test_shares_never_fall_and_stay_between_nothing_and_all(sample, values):
    shares = QuantileTable.of(sample).share(sorted(values))
    assert (np.diff(shares) >= 0).all()
    assert ((shares >= 0) & (shares <= 1)).all()


@given(samples)
def test_what_is_below_all_has_nothing_below_it_and_what_is_above_all_has_everything(sample):
    table = QuantileTable.of(sample)
    assert table.share([min(sample) - 1, -np.inf, max(sample) + 1, np.inf]).tolist() == [0, 0, 1, 1]


@given(st.integers(0, 2**32 - 1), st.integers(MOST + 1, 6 * MOST), st.booleans())
@settings(max_examples=30)
def test_a_large_sample_is_reported_by_few_numbers_to_about_a_thousandth(seed, size, whole):
    rng = np.random.default_rng(seed)
    sample = rng.poisson(3, size) if whole else rng.normal(size=size)
    table = QuantileTable.of(sample)
    values = sample[:20]
    assert len(table.array) == MOST
    assert table.array[0] == sample.min()
    assert table.array[-1] == sample.max()
    assert np.abs(table.share(values) - [counted(sample, value) for value in values]).max() < 2 / MOST


@given(samples, st.floats(0.5, 8), numbers)
def test_units_do_not_matter(sample, scale, shift):
    whole = np.round(sample)  # so that what differs goes on differing
    moved = QuantileTable.of(whole * scale + shift)
    assert moved.share(whole * scale + shift).tolist() == QuantileTable.of(whole).share(whole).tolist()


@given(samples)
def test_what_is_stored_is_the_table(sample):
    table = QuantileTable.of(sample)
    assert QuantileTable(table.array.copy()).share(sample).tolist() == table.share(sample).tolist()


def test_what_is_not_a_number_is_left_out_and_nothing_is_said_of_it():
    table = QuantileTable.of([np.nan, 1, np.inf, 3])
    assert table.array.tolist() == [1, 3]
    assert np.isnan(table.share([np.nan, 2])).tolist() == [True, False]


@pytest.mark.parametrize("nothing", [[], [np.nan], [np.inf, -np.inf]])
def test_of_no_number_there_is_no_table(nothing):
    assert QuantileTable.of(nothing) is None


@pytest.mark.parametrize("damaged", [[], [2.0, 1.0], [1.0, np.nan], [[1.0, 2.0]], [0.0] * (MOST + 1)])
def test_a_damaged_table_is_refused(damaged):
    with pytest.raises(ValueError, match="ascending"):
        QuantileTable(np.array(damaged))
