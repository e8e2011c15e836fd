"""What kind of judge each judge is, found again in judgements that were made that way."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from novum.benchmarks.liveidea.statistics.judge_audit import audit_judges
from novum.benchmarks.liveidea.statistics.judgements import Judgements
from novum.benchmarks.liveidea.statistics.linking import link_panels
from novum.benchmarks.liveidea.statistics.severity import JudgeTotals
from novum.idea_metrics.set_diversity import distinctness
from novum.statistics.correlation import pearson

JUDGES = ("mild", "severe", "noisy", "fond", "wordy")
MODELS = ("m0", "m1", "m2")
KEYWORDS = 150
MODEL_FAMILIES = ("acme", "other", "")
JUDGE_FAMILIES = ("", "other", "", "acme", "")


def made_up(seed=0):
    """Each judge as its name says: `fond` adds a point to its family's m0, `wordy` half a point per 100 words."""
    rng = np.random.default_rng(seed)
    columns, words = [], []
    for model, keyword, idea in product(range(3), range(KEYWORDS), range(2)):
        quality, length = 5 + rng.normal(0, 1), rng.integers(50, 200)
        for judge in rng.permutation(5)[:3]:
            score = quality + rng.normal(0, 2 if JUDGES[judge] == "noisy" else 0.3)
            score += {"mild": 1.0, "severe": -1.0}.get(JUDGES[judge], 0)
            score += (JUDGES[judge] == "fond" and model == 0) + (JUDGES[judge] == "wordy") * (length - 125) / 200
            columns.append((model, keyword, idea, judge, 0, score))
            words.append(length)
    *numbers, scores = (np.array(each) for each in zip(*columns, strict=True))
    return Judgements(MODELS, tuple(map(str, range(KEYWORDS))), JUDGES, *numbers, scores), np.array(words, float)


@pytest.fixture(scope="module")
def audit():
    run, words = made_up()
    return audit_judges(run, model_families=MODEL_FAMILIES, judge_families=JUDGE_FAMILIES, words=words, draws=200)


@pytest.fixture(scope="module")
def judges(audit):
    return {each.judge: each for each in audit[0].judges}


def test_severity_is_found_in_points_below_the_panel(judges):
    found = {name: each.severity.value for name, each in judges.items()}
    assert found["severe"] == pytest.approx(1.07, abs=0.15)  # a third of fond's fondness makes up the rest
    assert found["mild"] == pytest.approx(-0.93, abs=0.15)
    assert sum(found.values()) == pytest.approx(0, abs=1e-9)
    assert all(each.severity.low < each.severity.value < each.severity.high for each in judges.values())


def test_a_noisy_judge_spreads_and_agrees_least(judges):
    assert max(judges, key=lambda name: judges[name].spread) == "noisy"
    assert min(judges, key=lambda name: judges[name].r.r) == "noisy"


def test_severity_lowers_alpha_but_not_the_correlation(judges):
    assert judges["severe"].r.r > judges["severe"].alpha.alpha + 0.1


def test_fondness_of_the_own_family_is_distinguished_from_mildness(judges):
    fond, severe = judges["fond"].own_family, judges["severe"].own_family
    assert fond.low < 1 < fond.high
    assert fond.low > 0.5
    assert severe.low < 0 < severe.high
    assert judges["mild"].own_family.value is None  # it has no family


def test_fondness_of_length_is_distinguished_from_the_length_of_good_ideas(judges):
    wordy, mild = judges["wordy"].length_slope_beyond_panel, judges["mild"].length_slope_beyond_panel
    assert wordy.low < 0.5 < wordy.high
    assert wordy.low > 0.2
    assert mild.high < 0.2
    assert judges["wordy"].length_slope.value == pytest.approx(0.5, abs=0.3)


def test_the_panel_as_a_whole_has_an_alpha_and_is_linked(audit):
    assert audit[0].linked
    assert 0.2 < audit[0].alpha.alpha < 0.8
    assert [each.dimension for each in audit] == ["originality", "feasibility", "clarity", "fluency"]


def test_a_dimension_that_nobody_judged_has_no_numbers(audit):
    assert not audit[3].linked
    assert {each.severity.value for each in audit[3].judges} == {None}


def test_missing_judgements_are_counted_by_judge():
    run, _ = made_up()
    run.score[run.judge == 2] = np.nan
    noisy = audit_judges(run, draws=20)[0].judges[2]
    assert (noisy.given, noisy.missing) == (0, int((run.judge == 2).sum()))
    assert (noisy.severity.value, noisy.spread, noisy.r.r) == (None, None, None)


def test_judges_that_share_no_model_are_not_linked():
    columns = [np.array(each) for each in ([0, 0, 1, 1], [0] * 4, [0] * 4, [0, 1, 2, 3], [0] * 4)]
    run = Judgements(("a", "b"), ("k",), tuple("wxyz"), *columns, np.array([3.0, 5, 6, 9]))
    meetings = JudgeTotals.of(run)
    assert meetings.linked()[0] is False
    assert meetings.effects(np.ones((1, 1)))[0, 0] == pytest.approx([-1, 1, -1.5, 1.5])


def test_lists_that_do_not_fit_are_refused():
    run, words = made_up()
    with pytest.raises(ValueError, match="family"):
        audit_judges(run, model_families=("a",), judge_families=JUDGE_FAMILIES)
    with pytest.raises(ValueError, match="lengths"):
        audit_judges(run, words=words[:-1])


def test_a_panel_that_is_milder_and_wider_is_put_on_the_scale_of_the_other():
    reference = np.array([3.0, 4, 5, 6, 7, 8])
    link = link_panels(reference, 2 * reference - 3)
    assert (link.slope, link.intercept, link.spread_ratio) == pytest.approx((0.5, 1.5, 2))
    assert link.linked(9) == pytest.approx(6)
    assert link.shift.value == pytest.approx(2.5)
    assert link.shift.low < 2.5 < link.shift.high
    assert (link.r.r, link.misfit) == pytest.approx((1, 0))


def test_panels_that_like_different_ideas_show_it():
    rng = np.random.default_rng(0)
    link = link_panels(rng.normal(6, 1, 30), rng.normal(6, 1, 30))
    assert link.r.p > 0.05
    assert link.misfit > 0.8


def test_anchors_that_one_panel_did_not_judge_do_not_count():
    link = link_panels([1, 2, 3, np.nan, 5], [2, 3, 4, 5, np.nan])
    assert (link.r.n, link.r.left_out, link.intercept) == (3, 2, pytest.approx(-1))
    assert link_panels([1, 2], [1, 2]) is None
    assert link_panels([1, 2, 3], [5, 5, 5]) is None


def test_distinctness_is_the_mean_distance_of_all_pairs():
    vectors = [[1, 0], [0, 2], [1, 1], [3, 3], [1, 0], [-4, 0], [1, 0]]
    found = distinctness(vectors, [0, 0, 1, 1, 2, 2, 3], count=5)
    assert found[:3] == pytest.approx([1, 0, 2])
    assert np.isnan(found[3:]).all()  # one idea, and none
    three = distinctness([[1, 0], [0, 1], [-1, 0]], [0, 0, 0])
    assert three == pytest.approx([(1 + 1 + 2) / 3])


def test_a_vector_that_says_nothing_is_left_out():
    assert distinctness([[1, 0], [0, 0], [0, 1], [np.nan, 1]], [0, 0, 0, 0]) == pytest.approx([1])


def test_distinctness_can_be_held_against_fluency():
    rng = np.random.default_rng(0)
    closeness = rng.uniform(0, 1, 40)
    vectors = np.stack([np.stack([[1, 0], [c, np.sqrt(1 - c * c)]]) for c in closeness]).reshape(80, 2)
    fluency = np.select([closeness < 0.25, closeness < 0.5, closeness < 0.75], [10, 7, 4], 1)
    assert pearson(distinctness(vectors, np.repeat(np.arange(40), 2)), fluency).r > 0.9
