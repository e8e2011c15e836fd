"""Distributions and correlations over ideas, with intervals over keywords."""

from __future__ import annotations

import numpy as np
import pytest

from novum.benchmarks.liveidea.records import IdeaRecord, Keyword
from novum.benchmarks.liveidea.report.relations import IdeaScores
from novum.benchmarks.liveidea.statistics.relations import (
    correlation_over_keywords,
    mean_over_keywords,
    score_bins,
)

RNG = np.random.default_rng(3)


def alike(keywords=30, ideas=8, within=0.05):
    """Two columns that depend on the keyword far more than on the idea, and the keyword of each idea."""
    keyword = np.repeat(np.arange(keywords), ideas)
    of_keyword = RNG.normal(size=(2, keywords))
    noise = RNG.normal(scale=within, size=(2, keywords * ideas))
    return (*(of_keyword[:, keyword] + noise), keyword)


def test_every_idea_is_in_one_bin_and_shares_add_up():
    scores = np.array([1.0, 1.49, 1.5, 9.99, 10.0, 12.0, 0.0])
    found = score_bins(scores, np.zeros(7, int), 1, [1, 1.5, 5, 10], draws=10)
    assert [each.ideas for each in found] == [3, 1, 3]
    assert sum(each.share.value for each in found) == pytest.approx(1)
    assert [(each.low, each.high) for each in found] == [(1, 1.5), (1.5, 5), (5, 10)]
    assert found[0].share.low is None, "one keyword has no interval"
    assert score_bins(np.empty(0), np.empty(0, int), 3, [1, 10]) == ()


def test_the_interval_of_a_share_contains_it_and_depends_on_the_keywords():
    keyword = np.repeat(np.arange(40), 5)
    high = np.repeat(np.arange(40) < 20, 5)  # all ideas of a keyword are alike
    share = score_bins(np.where(high, 9.0, 2.0), keyword, 40, [1, 5, 10], draws=2000)[1].share
    assert share.low < share.value == 0.5 < share.high
    independent = 2 * 1.96 * (0.25 / 200) ** 0.5
    assert share.high - share.low == pytest.approx(2 * 1.96 * (0.25 / 40) ** 0.5, rel=0.15)
    assert share.high - share.low > 1.8 * independent


def test_a_mean_has_the_interval_of_its_keywords():
    x, _, keyword = alike()
    found = mean_over_keywords(x, keyword, 30, draws=2000)
    means = np.array([x[keyword == each].mean() for each in range(30)])
    assert found.value == pytest.approx(x.mean())
    assert found.high - found.low == pytest.approx(2 * 1.96 * means.std() / 30**0.5, rel=0.15)
    assert mean_over_keywords(np.empty(0), np.empty(0, int), 3).value is None


def test_r_is_pearsons_and_its_interval_is_wider_than_for_independent_ideas():
    x, y, keyword = alike()
    found = correlation_over_keywords(x, y, keyword, 30, draws=2000)
    assert found.value == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert found.low <= found.value <= found.high
    assert found.high - found.low > 2 * 2 * 1.96 / len(x) ** 0.5


def test_r_does_not_depend_on_the_unit_and_a_constant_has_none():
    x, y, keyword = alike()
    same, far = (correlation_over_keywords(x, each, keyword, 30, draws=50) for each in (y, 1e6 + 1e-3 * y))
    assert far.value == pytest.approx(same.value)
    assert far.low == pytest.approx(same.low)
    assert correlation_over_keywords(x, np.ones_like(x), keyword, 30).value is None
    assert correlation_over_keywords(x[:2], y[:2], keyword[:2], 30).value is None


def test_keywords_without_ideas_change_no_interval():
    x, y, keyword = alike()
    few, many = (correlation_over_keywords(x, y, keyword, keywords, draws=100) for keywords in (30, 900))
    assert (few.value, few.low, few.high) == pytest.approx((many.value, many.low, many.high))
    few, many = (mean_over_keywords(x, keyword, keywords, draws=100) for keywords in (30, 900))
    assert (few.value, few.low, few.high) == pytest.approx((many.value, many.low, many.high))


def test_the_same_seed_gives_the_same_interval():
    x, y, keyword = alike()
    one, same, other = (correlation_over_keywords(x, y, keyword, 30, draws=100, seed=seed) for seed in (1, 1, 2))
    assert one == same != other


def written(model, keyword, full, idea="plan", **more):
    return IdeaRecord(model=model, keyword=f"keyword {keyword}", number=0, idea=idea, full=full, fate="judged", **more)


def single(ideas, scores):
    return IdeaScores(
        ideas, np.array(scores, float), [Keyword(keyword=f"keyword {n}") for n in range(9)], draws=50, seed=0
    )


def test_only_models_that_reason_first_have_lengths_of_responses():
    ideas = [
        *(written("thinker", at, "x" * (100 * at + 100), thoughts="hm") for at in range(4)),
        *(written("marker", at, *(2 * ["x" * (100 * at + 100)]), behind_marker=at == 0) for at in range(4)),
        *(written("plain", at, "plan") for at in range(4)),
    ]
    quality = [[at, at, at] for at in (2, 4, 6, 8)] + [[at, at, at] for at in (8, 6, 4, 2)] + [[5, 5, 5]] * 4
    found = {each.name: each for each in single(ideas, quality).response_lengths(["plain", "thinker", "marker"])}
    assert list(found) == ["thinker", "marker"]
    assert found["thinker"].r.value == pytest.approx(1)
    assert found["marker"].r.value == pytest.approx(-1)
    assert found["thinker"].across.high == 500
    assert (found["thinker"].ideas, sum(cell.count for cell in found["thinker"].hexagons)) == (4, 4)


def test_in_a_table_of_others_much_longer_responses_tell_who_reasons_first():
    ideas = [each for at in range(4) for each in (written("long", at, "x" * (40 + at)), written("short", at, "plan."))]
    found = single(ideas, [[at, at, at] for at in (2, 9, 4, 9, 6, 9, 8, 9)]).response_lengths(["long", "short"])
    assert [each.name for each in found] == ["long"]


def test_clarity_is_related_to_the_others_and_to_their_mean():
    scores = [[1, 9, 1], [2, 8, 2], [3, 7, 3], [4, 5, 4]]
    ideas = [written("m", at, "text") for at in range(4)]
    found = {each.y: each.r.value for each in single(ideas, scores).clarity_relations()}
    assert found["originality"] == pytest.approx(1)
    assert found["feasibility"] == pytest.approx(np.corrcoef([9, 8, 7, 5], [1, 2, 3, 4])[0, 1])
    assert found["mean of both"] == pytest.approx(np.corrcoef([5, 5, 5, 4.5], [1, 2, 3, 4])[0, 1])


def test_scores_are_spread_over_all_models_and_by_model():
    scores = [[4, 4, 4], [6, 6, 6], [8, 8, 8], [9, 6, 3]]
    ideas = [written("a", 0, ""), written("a", 1, ""), written("a", 2, ""), written("b", 0, "")]
    columns = single(ideas, scores)
    by_name = {each.what: each for each in columns.distributions()}
    assert list(by_name) == ["quality", "originality", "feasibility", "clarity"]
    counted = {bin_.low: bin_.ideas for bin_ in by_name["quality"].bins if bin_.ideas}
    assert counted == {4.0: 1, 6.0: 2, 8.0: 1}
    assert {bin_.low: bin_.ideas for bin_ in by_name["clarity"].bins if bin_.ideas} == {3.0: 1, 4.0: 1, 6.0: 1, 8.0: 1}
    spreads = columns.spreads(["b", "nobody", "a"])
    assert [(each.model, each.ideas, each.mean.value) for each in spreads] == [("b", 1, 6), ("a", 3, 6)]
    assert spreads[1].quantiles[2] == 6


def test_without_judged_ideas_there_is_nothing_to_show():
    columns = single([], np.empty((0, 3)))
    assert (columns.distributions(), columns.spreads(["a"]), columns.clarity_relations()) == ((), (), ())
    assert columns.response_lengths(["a"]) == ()
