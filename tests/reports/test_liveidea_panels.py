"""Panels on anchor ideas: judges on common ideas, and runs before other panels in the points of one."""

from __future__ import annotations

import numpy as np
import pytest

from novum.benchmarks.liveidea.report.findings import panel_link_in_words
from novum.benchmarks.liveidea.report.numbers import liveidea_report
from novum.benchmarks.liveidea.statistics.linking import PanelLinking, severity_on_anchors
from novum.statistics.records import Estimate

from .liveidea_sample import DIMENSIONS, JUDGES, MODELS, by_another_panel, page_of, sample_run, with_anchors

RUN = with_anchors(sample_run(keywords=8))
OTHER = by_another_panel(RUN, times=0.5, plus=4.0)
REPORT = liveidea_report(RUN, draws=60, seed=RUN.seed, linked_to=[OTHER])
LINKS = {each.dimension: each for each in REPORT.others.links}


def without(run, *lost):
    """The run with the scores of these (anchor, judge) missing."""
    kept = [
        each.model_copy(update={"scores": dict.fromkeys(DIMENSIONS), "missing": dict.fromkeys(DIMENSIONS, "silent")})
        if (each.number, each.judge) in lost
        else each
        for each in run.anchor_judgements
    ]
    return run.model_copy(update={"anchor_judgements": tuple(kept)})


def test_a_panel_that_gives_more_and_uses_less_of_the_scale_is_seen_through():
    for each in LINKS.values():
        assert each.link.shift.value > 0
        assert each.link.spread_ratio == pytest.approx(0.5)
        assert (each.link.r.r, each.link.misfit) == pytest.approx((1, 0), abs=1e-6)
        assert each.link.linked(0.5 * 7 + 4) == pytest.approx(7)


def test_the_same_ideas_have_the_same_scores_once_linked_and_wider_intervals():
    own = {each.model: each for each in REPORT.others.models if each.own}
    linked = {each.model: each for each in REPORT.others.models if not each.own}
    assert own.keys() == linked.keys() == MODELS.keys()
    for model, dimension in ((model, dimension) for model in MODELS for dimension in DIMENSIONS):
        ours, theirs = getattr(own[model], dimension), getattr(linked[model], dimension)
        assert theirs.value == pytest.approx(ours.value)
        assert theirs.low <= ours.low + 1e-6
        assert theirs.high >= ours.high - 1e-6


def test_fewer_anchors_make_linked_scores_less_certain():
    rng = np.random.default_rng(0)
    quality = rng.uniform(3, 8, 60)
    here, there = quality + rng.normal(0, 0.7, 60), quality + rng.normal(0, 0.7, 60)
    score = Estimate(value=6.0, low=5.9, high=6.1)
    few = PanelLinking.of(here[:8], there[:8], draws=300).carried(score)
    many = PanelLinking.of(here, there, draws=300).carried(score)
    assert few.high - few.low > many.high - many.low > 0.2


def test_how_panels_differ_is_stated_in_words_and_numbers():
    told = panel_link_in_words(LINKS["clarity"])
    assert told.startswith("Clarity: its judges give the same ideas ")
    assert "points more (+" in told
    assert "use less of the scale (0.50 times as much)" in told
    assert "prefer the same ideas; r = 1.00" in told


def test_the_page_shows_all_models_on_one_scale_and_says_what_is_not_linked():
    words = page_of(REPORT).words
    assert "All models on one scale" in words
    assert "other-run, linked" in words
    assert "this run" in words
    assert "Fluency and flexibility are not linked" in words


def test_a_missing_judgement_is_left_out_and_never_filled_in():
    lost = [(3, judge) for judge in JUDGES]
    (gap,) = {each.link.r.n for each in liveidea_report(RUN, draws=0, linked_to=[without(OTHER, *lost)]).others.links}
    assert gap == 11
    lenient = without(RUN, (0, "severe-judge"))
    one = next(each for each in liveidea_report(lenient, draws=0).anchors if each.judge == "severe-judge")
    assert (one.anchors, one.missing) == (11, 3)


@pytest.mark.parametrize(
    ("ours", "theirs", "why"),
    [
        (RUN, with_anchors(OTHER, name="set-2"), "other-run is not linked: its anchor ideas are the set set-2"),
        (RUN, OTHER.model_copy(update={"anchors": ""}), "other-run is not linked: its panel judged no anchor ideas"),
        (RUN.model_copy(update={"anchors": ""}), OTHER, "other-run is not linked: the panel of this run"),
        (RUN, RUN, "it is this run itself"),
    ],
)
def test_runs_that_cannot_be_linked_are_reported_in_a_line_and_the_report_is_made(ours, theirs, why):
    report = liveidea_report(ours, draws=0, linked_to=[theirs])
    (note,) = report.others.notes
    assert why in note
    assert "\n" not in note
    assert report.others.models == ()
    assert why in page_of(report).words


def test_what_hangs_on_two_anchors_is_not_linked():
    few = RUN.model_copy(update={"anchor_judgements": RUN.anchor_judgements[: 2 * len(JUDGES)]})
    told = liveidea_report(RUN, draws=0, linked_to=[few.model_copy(update={"name": "few"}), OTHER]).others
    assert len(told.notes) == 3
    assert all("fewer than three anchor ideas" in note for note in told.notes)
    assert {each.run for each in told.models} == {RUN.name, "other-run"}


def test_judges_are_compared_on_the_ideas_that_all_of_them_saw():
    by_name = {each.judge: each for each in REPORT.anchors}
    assert [each.judge for each in REPORT.anchors] == sorted(JUDGES, key=JUDGES.get)
    for dimension in DIMENSIONS:
        assert sum(each.severity[dimension].value for each in REPORT.anchors) == pytest.approx(0, abs=1e-9)
        severe = by_name["severe-judge"]
        assert severe.means[dimension] < by_name["mild-judge"].means[dimension]
        assert severe.severity[dimension].low > 0 > by_name["mild-judge"].severity[dimension].high
    words = page_of(REPORT).words
    assert "On common ideas" in words
    assert "the set set-1, judged by the whole panel" in words


def test_a_judge_who_skipped_the_good_anchors_is_not_taken_for_a_severe_one():
    scores = np.array([[3, 3.0], [5, 5], [8, np.nan]])
    assert [each.value for each in severity_on_anchors(scores, draws=0)] == pytest.approx([0, 0])


def test_without_anchors_nothing_is_stated_about_them():
    words = page_of(liveidea_report(sample_run(keywords=2), draws=0)).words
    assert "On common ideas" not in words
    assert "Other panels" not in words


def test_judgements_of_anchors_count_in_no_score_and_stay_out_of_the_numbers_file():
    bare = liveidea_report(sample_run(keywords=8), draws=60, seed=RUN.seed)
    assert REPORT.leaderboard == bare.leaderboard
    assert REPORT.run.anchor_judgements == REPORT.run.informed == ()
