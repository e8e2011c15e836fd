"""The figures and facts that a report states, and how it states what is missing."""

from __future__ import annotations

import pytest

from novum.core import Candidate, NoveltyCheck, Spend
from novum.reports import phrases
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.ideation.comparisons import (
    judging_record,
    pair_comparisons,
    version_comparisons,
    versions_in_words,
)
from novum.reports.ideation.findings import headline, revisions
from novum.reports.ideation.novelty import closest_id, verdict

from .sample import BEST, CANDIDATES, DRAFTS, EMPTY, LONE_IDEA, REFINED, REPORT, SENT_BACK, TOLD


@pytest.mark.parametrize(
    ("spend", "said"),
    [
        (Spend(calls=3, usd=1.5), "$1.50"),
        (Spend(calls=3, usd=0.0004), "under $0.01"),
        (Spend(calls=3, usd=1234.5, usd_unknown=1), "at least $1,234.50 (price of 1 call unknown)"),
        (Spend(calls=3, usd_unknown=3), "unknown (price of 3 calls unknown)"),
        (Spend(calls=3, reused=3), "$0.00"),
    ],
)
def test_a_cost_is_stated_only_as_far_as_prices_are_known(spend, said):
    assert phrases.cost(spend) == said


@pytest.mark.parametrize(
    ("spend", "said"),
    [
        (Spend(calls=3, energy_kwh=1.5, co2_kg=1.5), ("1.50 kWh", "1.50 kg")),
        (
            Spend(calls=3, energy_kwh=0.02, co2_kg=0.001, footprint_unknown=1),
            ("at least 20 Wh (footprint of 1 call unknown)", "at least 1 g (footprint of 1 call unknown)"),
        ),
        (Spend(calls=3), ("unknown (footprint of 3 calls unknown)", "unknown (footprint of 3 calls unknown)")),
        (Spend(calls=3, reused=3), ("0 Wh", "0 g")),
    ],
)
def test_calls_that_were_made_never_have_a_footprint_of_zero(spend, said):
    assert (phrases.energy(spend), phrases.carbon(spend)) == said


@pytest.mark.parametrize(("seconds", "said"), [(3.21, "3.2 s"), (252.4, "4 min 12 s"), (4800, "1 h 20 min")])
def test_a_time_is_written_as_people_write_it(seconds, said):
    assert phrases.duration(seconds) == said


def test_a_time_that_is_none_is_left_as_it_stands():
    assert phrases.moment("yesterday") == "yesterday"


def test_calls_tell_what_was_free_and_what_failed():
    assert phrases.calls(REPORT.account.spend) == "61 answered, 4 of them reused from the ledger, 1 failed"


def test_the_final_check_is_the_one_of_the_idea_as_it_stands():
    assert CANDIDATES[0].final_check.idea_id == BEST.id
    unchecked = Candidate(idea=BEST, checks=(NoveltyCheck(idea_id=SENT_BACK.id, round=1, novel=False),))
    assert unchecked.final_check is None
    assert verdict(unchecked.final_check, CitedPapers(REPORT)) == "not checked"
    assert closest_id(unchecked.final_check) is None


def test_the_headline_of_a_run_without_ideas_does_not_invent_any():
    assert headline(EMPTY).startswith("This run ended without an idea.")


def test_both_orders_of_a_pair_stand_side_by_side():
    duel = pair_comparisons(REPORT.ideation)[0]
    novelty, significance, feasibility = duel.rows
    assert (duel.one, duel.other) == (1, 2)
    assert [side[0].winner for side in (novelty.one_first, novelty.other_first)] == [1, 1]
    assert [side[0].winner for side in (significance.one_first, significance.other_first)] == [0, 2]
    assert (novelty.decided_by_order, feasibility.decided_by_order) == (False, True)


def test_an_answer_that_could_not_be_read_counts_for_neither_and_is_kept():
    duel = pair_comparisons(REPORT.ideation)[1]
    assert [(failed.first, bool(failed.failure)) for failed in duel.unreadable] == [(3, True)]
    assert (duel.tally[1], duel.tally[3], duel.decided_by_order) == (2, 0, 0)
    assert judging_record(REPORT.ideation, LONE_IDEA.id).unreadable == 1


def test_matches_of_ideas_that_the_report_does_not_hold_are_shown_as_such():
    one = REPORT.ideation.but(candidates=CANDIDATES[:1])
    assert [(duel.one, duel.other) for duel in pair_comparisons(one)] == [(0, 0), (0, 1), (0, 1)]


def test_versions_of_one_idea_are_compared_with_each_other_and_not_with_other_ideas():
    ideation = REFINED.ideation
    assert pair_comparisons(ideation) == []
    assert judging_record(ideation, TOLD.id).judged == 0
    [pair] = version_comparisons(ideation, ideation.best)
    assert (pair.one, pair.other, pair.tally[2]) == (1, 2, 2)
    assert versions_in_words(ideation.best) == ("draft 1", "draft 2", "the idea above")
    assert "1 idea from 5 real papers (2020–2023) in 1 group; no prior paper" in headline(REFINED)


def test_a_revision_names_what_is_new_and_what_was_dropped():
    (_, first), (_, second) = revisions(DRAFTS)
    changed = {change.part: change for change in second}
    assert first == []
    assert changed["baselines"].added == ("step verifier trained on PRM800K",)
    assert changed["metrics"].dropped == ("accuracy",)
    assert "datasets" not in changed


def test_tokens_that_a_server_does_not_report_are_unknown():
    assert phrases.tokens(Spend(calls=3)) == "unknown"
    assert phrases.tokens(Spend(calls=3, completion_tokens=1200)) == "unknown read, 1,200 written"
    assert phrases.tokens(Spend(calls=3, reused=3)) == "0 read, 0 written"
