"""Points of variants against the method they vary: 2 for a win, 1 for a tie."""

from __future__ import annotations

import numpy as np
import pytest

from novum.benchmarks.arena.statistics.points import mean_points, points_against
from novum.statistics.games import Games
from tests.statistics.arena_published import TABLE_2


def matches(won, tied, lost, players=("full", "variant")):
    """Of the variant, in either seat by turns."""
    points = np.repeat([1.0, 0.5, 0.0], [won, tied, lost])
    seat = np.arange(len(points)) % 2
    outcome = np.where(seat == 0, 1 - points, points)
    return Games(players, seat, 1 - seat, outcome, group=np.arange(len(points)))


def _ending_at(points):
    """Fifty matches that bring so many points."""
    return matches(points // 2, points % 2, 50 - points // 2 - points % 2)


def test_fifty_ties_are_fifty_points():
    (found,) = points_against("full", matches(0, 50, 0))
    assert (found.points, found.most, found.percent.value) == (50, 100, 50)
    assert (round(found.percent.low), round(found.percent.high)) == (36, 64)


def test_wins_count_two_ties_one():
    (found,) = points_against("full", matches(10, 21, 19))
    assert (found.player, found.won, found.tied, found.lost, found.points) == ("variant", 10, 21, 19, 41)
    assert found.percent.low < found.percent.value == 41 < found.percent.high


@pytest.mark.parametrize(("criteria", "average"), TABLE_2.values())
def test_published_averages_are_means_over_criteria(criteria, average):
    by_criterion = tuple(points_against("full", _ending_at(points))[0] for points in criteria)
    assert mean_points(by_criterion) == pytest.approx(average)


def test_games_between_variants_do_not_count():
    games = Games(("full", "a", "b"), np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([0.0, 1.0, 1.0]))
    assert [(each.player, each.points) for each in points_against("full", games)] == [("a", 2), ("b", 2)]


def test_a_variant_that_never_played_has_no_share():
    (found,) = points_against("full", matches(0, 0, 0))
    assert (found.points, found.most, found.percent.value) == (0, 0, None)
    assert mean_points((found,)) is None


def test_the_reference_must_be_there():
    with pytest.raises(ValueError, match="'other' is not among"):
        points_against("other", matches(1, 0, 0))
