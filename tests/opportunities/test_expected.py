"""How many pairs a library will join: libraries that grow faster or slower than they did."""

import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.opportunities.calibration import LogOddsCalibration, shift_odds
from novum.opportunities.concepts import extract_concepts
from novum.opportunities.expected_links import papers_to_come, share_to_come
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.paper_columns import DatedPapers, read_columns
from novum.opportunities.score_bins import ScoreBins
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.snapshot import Snapshot
from novum.opportunities.training import fit_forecast
from novum.opportunities.unlinked_pairs import link_outcomes, unlinked_pairs
from tests.opportunities.made_up import library_of, literature

SETTINGS = OpportunitySettings(general=0.5, horizon=2)
YEAR = 2015


def graph_of(folder, entries):
    """Concepts as they were known at the end of the year, and their graph."""
    with library_of(folder, entries) as library:
        papers = read_columns(library)
        embedder = library.embedder
    dated = DatedPapers.of(papers)
    known = asyncio.run(extract_concepts(papers, dated, YEAR, SETTINGS, embedder))
    return known, DatedConceptGraph.of(known, dated)


def fit(folder, entries):
    """The models of the year."""
    known, graph = graph_of(folder, entries)
    return fit_forecast(graph, known.units, YEAR, SETTINGS)


def shares(folder, entries):
    """Of the pairs unjoined at the end of the year: what share is expected, and what share came."""
    known, graph = graph_of(folder, entries)
    now, before = (Snapshot(graph, year, known.units) for year in (YEAR, YEAR - SETTINGS.horizon))
    pairs = unlinked_pairs(now, SETTINGS.fewest, 10**6, np.random.default_rng(0))
    came = link_outcomes(graph, pairs, YEAR, SETTINGS.horizon, 1).linked
    return share_to_come(now, before, pairs.of, SETTINGS), came.sum() / max(len(came), 1)


def test_what_is_expected_is_about_what_comes_where_a_library_continues_as_it_did(tmp_path):
    expected, came = shares(tmp_path / "library", literature(600))
    assert expected == pytest.approx(came, rel=0.5)


def test_nothing_that_comes_after_the_year_moves_what_is_expected(tmp_path):
    entries = list(literature(500))
    past = [entry for entry in entries if entry.paper.year <= YEAR]
    assert shares(tmp_path / "without", past)[0] == shares(tmp_path / "with", entries)[0]


def test_the_forecast_of_a_year_is_the_same_whatever_comes_after_it(tmp_path):
    entries = list(literature(500))
    past = [entry for entry in entries if entry.paper.year <= YEAR]
    alone, later = (fit(tmp_path / name, some) for name, some in (("alone", past), ("later", entries)))
    np.testing.assert_array_equal(alone.link_forecast.calibration.at, later.link_forecast.calibration.at)
    np.testing.assert_array_equal(alone.link_forecast.calibration.chance, later.link_forecast.calibration.chance)
    assert alone.link_forecast.trees.file == later.link_forecast.trees.file


def test_nothing_is_expected_of_too_few_links(tmp_path):
    assert shares(tmp_path / "library", literature(60))[0] is None


def test_the_number_of_papers_continues_in_a_straight_line():
    years = np.repeat(np.arange(2010, 2016), [10, 20, 30, 40, 50, 60])
    assert papers_to_come(years, 2015, 3) == pytest.approx(70 + 80 + 90)


def test_a_library_that_hardly_collects_any_more_is_given_a_quarter_of_what_it_had():
    years = np.repeat(np.arange(2010, 2016), [90, 70, 50, 30, 10, 0])
    assert papers_to_come(years, 2015, 3) == pytest.approx(10)


@given(st.floats(-3, 3), st.lists(st.floats(0.001, 0.999), min_size=2, max_size=20))
def test_moving_odds_keeps_the_order_and_can_be_undone(by, chances):
    shifted = shift_odds(np.sort(chances), by)
    assert (np.diff(shifted) >= 0).all()
    np.testing.assert_allclose(shift_odds(shifted, -by), np.sort(chances), rtol=1e-6)


def test_pairs_come_true_in_the_share_that_was_requested():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=4000)
    calibration = LogOddsCalibration.fit(scores, rng.random(4000) < 1 / (1 + np.exp(2 - scores)))
    for share in (0.02, 0.1, 0.4):
        shifted = calibration.shifted(calibration.shift_to(share, scores))
        assert shifted.probability(scores).mean() == pytest.approx(share, rel=0.01)


def test_intervals_move_with_the_probabilities_they_belong_to():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=3000)
    score_bins = ScoreBins.fit(scores, rng.random(3000) < 1 / (1 + np.exp(2 - scores)))
    low, high = score_bins.shifted(-1.0).bounds(scores)
    chance = score_bins.shifted(-1.0).chance(scores)
    assert (score_bins.shifted(-1.0).usual) < score_bins.usual
    inside = (low - 0.01 <= chance) & (chance <= high + 0.01)
    assert inside.mean() > 0.95


def test_a_bin_with_a_smaller_share_than_the_one_below_it_is_merged_with_it():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=6000)
    score_bins = ScoreBins.fit(scores, rng.random(6000) < 0.2)  # scores that say nothing
    assert (np.diff(score_bins.linked / score_bins.pairs) >= 0).all()
    low, high = score_bins.bounds(scores)
    assert (low <= score_bins.chance(scores) + 0.01).all()
    assert (score_bins.chance(scores) <= high + 0.01).all()


def test_the_surest_pairs_have_bins_of_their_own():
    scores = np.linspace(-4, 4, 40_000)
    share = 1 / (1 + np.exp(3 - scores))
    score_bins = ScoreBins.fit(scores, np.random.default_rng(4).random(40_000) < share)
    low, high = score_bins.bounds(scores[-1:])
    assert low[0] > 0.6  # of a dozen bins the top one begins at about 0.55
    assert high[0] > 0.68
