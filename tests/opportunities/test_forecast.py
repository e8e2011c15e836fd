"""Forecasts: learnt from earlier years, held against later ones, and asked by name."""

import asyncio

import numpy as np
import pytest

from novum.errors import BadInput
from novum.opportunities.building import build_concept_map, evaluate_forecast
from novum.opportunities.calibration import LogOddsCalibration
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.evaluation_records import ModelMargin
from novum.opportunities.features.table import COLUMNS
from novum.opportunities.settings import OpportunitySettings
from novum.statistics.records import Estimate
from tests.opportunities.made_up import NAMES, library_of, literature

SETTINGS = OpportunitySettings(general=0.5, horizon=2)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with library_of(tmp_path_factory.mktemp("library"), literature(500)) as opened:
        asyncio.run(build_concept_map(opened, SETTINGS))
        yield opened


def test_a_map_answers_with_pairs_that_no_paper_links(library):
    found = ConceptMap.open(library)
    near = asyncio.run(found.near(f"What {NAMES[0]} does", 5))
    assert near[0].name == NAMES[0]
    pairs = found.candidates([each.name for each in near], 20)
    assert pairs
    assert not any(found.joint(*pair).papers for pair in pairs)


def test_forecasts_are_probabilities_with_reasons(library):
    found = ConceptMap.open(library)
    output = found.forecast(found.candidates(NAMES[:3], 10))
    assert all(0 <= each.probability <= 1 for each in output)
    assert {name for each in output for name, _ in each.reasons} <= set(COLUMNS)
    again = found.forecast([(each.other, each.one) for each in output])
    assert [each.probability for each in again] == pytest.approx([each.probability for each in output])


def test_an_evaluation_ranks_all_unlinked_pairs_beside_simple_scores(library):
    found = asyncio.run(evaluate_forecast(library, SETTINGS, years=1, most=10**6, draws=20))
    (year,) = found.years
    assert year.pairs == year.of
    assert 0 < year.joined < year.pairs
    assert [each.name for each in found.scores][:2] == ["the model", "preferential attachment"]
    model = found.scores[0].auc
    assert model.value > 0.5
    assert model.low <= model.value <= model.high
    assert {each.measure for each in found.margins} == {"auc", "average_precision", "precision_at_k"}
    assert sum(each.pairs for each in found.calibration.bins) == year.pairs
    assert year.told == pytest.approx(sum(each.pairs * each.told for each in found.calibration.bins))


def test_fields_with_too_few_linked_pairs_are_named_and_not_judged(library):
    found = asyncio.run(evaluate_forecast(library, SETTINGS, years=2, most=10**6, draws=5))
    assert {each.field for each in found.fields}.isdisjoint(found.thin)
    assert {*found.thin, *(each.field for each in found.fields)} <= {name[0] for name in NAMES}
    assert found.thin or found.fields
    assert all(count < 20 for count in found.thin.values())
    assert all(each.joined >= 20 and each.auc.value is not None for each in found.fields)


def test_a_sample_of_pairs_says_of_how_many(library):
    found = asyncio.run(evaluate_forecast(library, SETTINGS, years=1, most=200, draws=0))
    (year,) = found.years
    assert year.pairs <= 200 < year.of


@pytest.mark.parametrize(("years", "why"), [(1, "span"), ([2019], "not known")])
def test_years_that_cannot_be_tried_are_refused(library, years, why):
    settings = SETTINGS.model_copy(update={"horizon": 6})
    with pytest.raises(BadInput, match=why):
        asyncio.run(evaluate_forecast(library, settings, years=years, most=1000, draws=0))


def test_probabilities_never_fall_as_scores_rise_and_keep_the_rate():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=5000)
    happened = rng.random(5000) < 1 / (1 + np.exp(3 - scores))
    calibration = LogOddsCalibration.fit(scores, happened)
    output = calibration.probability(np.sort(scores))
    assert (np.diff(output) >= 0).all()
    assert output.sum() == pytest.approx(happened.sum(), rel=0.1)
    assert output.max() < 1


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.1, 0.3, "surely better"), (-0.1, 0.3, "not surely better"), (-0.3, -0.1, "surely worse"), (None, None, "")],
)
def test_what_is_sure_is_said_by_the_interval_and_nothing_without_one(low, high, verdict):
    difference = Estimate(value=0.0, low=low, high=high)
    assert ModelMargin(measure="auc", best="Jaccard", difference=difference).verdict == verdict
