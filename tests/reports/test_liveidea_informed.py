"""Judges with the nearest papers at hand: the same judges, the same ideas, what that did to originality."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.benchmarks.liveidea.report.findings import score_change_in_words
from novum.benchmarks.liveidea.report.informed import informed_comparison
from novum.benchmarks.liveidea.report.numbers import liveidea_report

from .liveidea_sample import MODELS, page_of, sample_run, with_papers

BARE = sample_run(keywords=6)
RUN = with_papers(BARE, {"acme/alpha": -1.5})
FOUND = informed_comparison(RUN, draws=80)


def test_only_the_model_whose_ideas_the_papers_knew_loses():
    changes = {pair.model: pair.apart for pair in FOUND.pairs}
    assert changes.keys() == MODELS.keys()
    assert changes.pop("acme/alpha").value == pytest.approx(-1.5)
    assert [each.value for each in changes.values()] == pytest.approx([0] * 4)


def test_what_all_draws_agree_on_has_no_width_though_the_scores_have():
    alpha = next(pair for pair in FOUND.pairs if pair.model == "acme/alpha")
    assert (alpha.change.low, alpha.change.high) == pytest.approx((-1.5, -1.5))
    assert alpha.here.low < alpha.here.value < alpha.here.high
    assert (alpha.there.low, alpha.there.high) == pytest.approx((alpha.here.low - 1.5, alpha.here.high - 1.5))


def test_without_papers_the_scores_are_those_of_the_leaderboard():
    board = {each.model: each.originality for each in liveidea_report(BARE, draws=80).leaderboard}
    for pair in FOUND.pairs:
        assert pair.here.value == pytest.approx(board[pair.model].value)
        assert (pair.here.low, pair.here.high) == pytest.approx((board[pair.model].low, board[pair.model].high))


def test_how_far_single_judgements_moved_is_reported():
    alphas = sum(each.model == "acme/alpha" for each in RUN.informed)
    assert FOUND.moved.unchanged == pytest.approx(1 - alphas / len(RUN.informed))
    assert FOUND.moved.change.value == pytest.approx(-1.5 * alphas / len(RUN.informed))
    assert 0 < FOUND.moved.r.r < 1
    assert "points less (−" in score_change_in_words(FOUND.moved)


def test_a_judgement_that_lacks_one_score_is_left_out_both_ways_and_counted():
    first, *rest = RUN.informed
    silent = first.model_copy(update={"scores": first.scores | {"originality": None}})
    stranger = rest[0].model_copy(update={"judge": "somebody else"})
    found = informed_comparison(RUN.model_copy(update={"informed": (silent, stranger, *rest[1:])}), draws=0)
    assert (found.moved.judgements, found.moved.missing) == (len(RUN.informed) - 2, 2)
    assert "2 judgements lack one of the two scores and are left out" in score_change_in_words(found.moved)


@settings(max_examples=15, deadline=None)
@given(st.dictionaries(st.sampled_from(list(MODELS)), st.floats(-3, 3), max_size=5))
def test_each_change_is_the_difference_of_the_two_scores(plus):
    for pair in informed_comparison(with_papers(sample_run(keywords=2), plus), draws=0).pairs:
        assert pair.apart.value == pytest.approx(pair.there.value - pair.here.value, abs=1e-9)
        assert pair.apart.value == pytest.approx(plus.get(pair.model, 0.0), abs=1e-9)


def test_the_report_shows_it_where_it_is_there_and_only_there():
    assert informed_comparison(BARE) is None
    report = liveidea_report(RUN, draws=20)
    assert [each.name for each in report.comparisons] == ["severity", "informed"]
    words = page_of(report).words
    assert "With the nearest papers: originality" in words
    assert "the 5 papers of the library nearest" in words
    assert "5 papers of the library shown in a second judgement" in words
    assert "With the nearest papers" not in page_of(liveidea_report(BARE, draws=0)).words


def test_judges_who_only_failed_with_papers_leave_nothing_to_compare():
    silent = [each.model_copy(update={"scores": {"originality": None}}) for each in RUN.informed]
    found = informed_comparison(RUN.model_copy(update={"informed": tuple(silent)}), draws=10)
    assert found.pairs == ()
    assert score_change_in_words(found.moved).startswith("No judgement has a score both ways")
