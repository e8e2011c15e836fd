"""Diversity without a judge, beside fluency: the numbers, and whether the cheap measure is enough."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from novum.benchmarks.liveidea.idea_distances import Distances, distinctness_beside
from novum.benchmarks.liveidea.report.findings import distance_in_place_of_fluency
from novum.benchmarks.liveidea.report.numbers import liveidea_report
from novum.benchmarks.liveidea.report.page import leaderboard_csv
from novum.benchmarks.liveidea.report.plots import plots
from novum.benchmarks.liveidea.statistics.columns import judgements_of
from novum.benchmarks.liveidea.statistics.judgements import FLUENCY
from novum.benchmarks.liveidea.statistics.scores import keyword_means

from .liveidea_sample import MODELS, page_of, sample_run

RUN = sample_run()
FLUENT = keyword_means(judgements_of(RUN))[FLUENCY]
NAMES = tuple(MODELS)


def noisy(noise):
    """Distances that follow fluency, but for so much noise."""
    return np.clip(FLUENT / 10 + np.random.default_rng(3).normal(0, noise, FLUENT.shape), 0, 2)


@pytest.mark.parametrize(
    ("noise", "verdict"),
    [(0.05, "is enough here"), (0.25, "partial replacement"), (5.0, "is not enough here")],
)
def test_the_report_says_whether_distance_can_replace_fluency(noise, verdict):
    found = distinctness_beside(FLUENT, Distances("tiny", noisy(noise)), NAMES)
    assert found.r.n == FLUENT.size
    assert verdict in distance_in_place_of_fluency(found)
    assert f"N = {FLUENT.size}" in distance_in_place_of_fluency(found)


def test_three_keywords_cannot_tell():
    few = distinctness_beside(FLUENT[:3, :1], Distances("tiny", noisy(0.2)[:3, :1]), NAMES[:1])
    assert distance_in_place_of_fluency(few).startswith("Too few keywords")


def test_each_model_has_its_point_over_its_own_keywords():
    table = noisy(0.1)
    table[:5, 2] = np.nan
    points = {each.model: each for each in distinctness_beside(FLUENT, Distances("tiny", table), NAMES).models}
    assert points["borealis/gamma"].r.n == 19
    assert points["acme/alpha"].distinctness == pytest.approx(table[:, 0].mean())
    assert points["acme/alpha"].fluency == pytest.approx(FLUENT[:, 0].mean())


def test_where_no_keyword_has_two_ideas_there_is_nothing():
    assert distinctness_beside(FLUENT, Distances("tiny", np.full(FLUENT.shape, np.nan)), NAMES) is None


def test_without_fluency_the_distances_are_still_shown():
    bare = RUN.model_copy(update={"judgements": tuple(each for each in RUN.judgements if not each.of_pair)})
    report = liveidea_report(bare, draws=0, distances=Distances("tiny", noisy(0.1)))
    assert "diversity" not in {plot.name for plot in plots(report)}
    words = page_of(report).words
    assert "Diversity without a judge" in words
    assert "Too few keywords have both" in words


def test_page_plot_and_leaderboard_show_the_same_figures():
    report = liveidea_report(RUN, draws=0, distances=Distances("tiny", noisy(0.1)))
    assert "by tiny, over the ideas" in page_of(report).words
    assert "diversity" in {plot.name for plot in plots(report)}
    rows = csv.DictReader(leaderboard_csv(report).splitlines())
    told = {row["model"]: float(row["distinctness"]) for row in rows}
    assert told == {each.model: each.distinctness for each in report.distinctness.models}


def test_distances_of_another_run_are_refused():
    with pytest.raises(ValueError, match="distances of"):
        liveidea_report(RUN, draws=0, distances=Distances("tiny", np.zeros((2, 2))))
