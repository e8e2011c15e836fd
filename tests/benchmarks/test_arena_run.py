"""The arena as it is carried out: who meets whom, what odd judges and failing methods cost, what a stop leaves."""

from __future__ import annotations

import datetime as dt
from collections import Counter

import pytest

from novum.benchmarks.arena.durable import ARENA
from novum.benchmarks.arena.leaderboard import leaderboard
from novum.core.comparison import EXPERIMENT_CRITERIA, IDEA_CRITERIA
from novum.errors import BadInput
from novum.runs.engine import start
from novum.testing import ScriptedAnswer
from tests.benchmarks.arena_lab import (
    HIGH,
    LOW,
    MIDDLE,
    assignment,
    brought,
    by_level,
    choosing,
    competed,
    judging,
    recalled,
    register,
    resumed,
    sketching,
    working,
)
from tests.benchmarks.arena_lab import sketch as a_sketch

SORRY = "I'm sorry, but I cannot help with comparing these."


@pytest.fixture(autouse=True)
def sketch(monkeypatch):
    register(monkeypatch)


def order(run, kind=0):
    return [line.entrant for line in leaderboard(run, draws=0, orders=5).boards[kind].lines]


def ratings(run):
    return [(line.entrant, line.rating, line.elo) for line in leaderboard(run, draws=20, orders=5).boards[0].lines]


def unhurried(run):
    """Entries without the time that their calls took."""
    return [entry.model_copy(update={"seconds": 0}) for entry in run.entries]


def test_everybody_meets_everybody_on_every_topic_in_both_orders(serve, tmp_path):
    server = serve(by_level)
    run = competed(tmp_path, server, assignment(server))
    assert [(each.topic, each.entrant) for each in run.entries] == [
        (f"subject {number}", name) for number in range(3) for name in ("low", "middle", "high")
    ]
    met = Counter((judged.topic, judged.first, judged.second) for judged in run.judged_pairs)
    assert set(met.values()) == {1}
    assert len(met) == 3 * 3 * 2
    assert all(met[topic, second, first] for topic, first, second in met)
    assert {verdict.criterion for judged in run.judged_pairs for verdict in judged.verdicts} == set(IDEA_CRITERIA)
    assert order(run) == ["high", "middle", "low"]
    assert (run.stopped, run.notes) == ("", ())


def test_experiments_are_compared_by_criteria_of_their_own(serve, tmp_path):
    server = serve(by_level)
    run = competed(tmp_path, server, assignment(server, kinds=("idea", "experiment"), topics=2))
    assert Counter(judged.kind for judged in run.judged_pairs) == {"idea": 12, "experiment": 12}
    judged = {
        verdict.criterion for judged in run.judged_pairs if judged.kind == "experiment" for verdict in judged.verdicts
    }
    assert judged == set(EXPERIMENT_CRITERIA)
    assert order(run, 1) == ["high", "middle", "low"]
    asked = competed(tmp_path, server, assignment(server, topics=2))
    assert {judged.kind for judged in asked.judged_pairs} == {"idea"}


def test_no_experiment_is_designed_where_none_is_compared(serve, tmp_path):
    run = competed(tmp_path, server := serve(by_level), assignment(server, topics=1))
    assert all(entry.experiment is None and entry.idea for entry in run.entries)


def test_reasons_name_the_ideas_and_a_judge_may_write_of_the_idea_a_reader_had(serve, tmp_path):
    run = competed(tmp_path, server := serve(by_level), assignment(server, entrants=(LOW, HIGH), topics=1))
    assert {verdict.reason.split(" and ")[0] for judged in run.judged_pairs for verdict in judged.verdicts} == {
        "«Idea 1»", "«Idea 9»",
    }  # fmt: skip
    assert all("the idea a judge likes" in verdict.reason for judged in run.judged_pairs for verdict in judged.verdicts)


FAILING = {
    "prose": lambda asked: "Both are lovely.",
    "declines": lambda asked: SORRY,
    "filtered": lambda asked: ScriptedAnswer("", finish="content_filter"),
    "silent": lambda asked: " ",
    "another-form": lambda asked: '{"novelty": {"reason": "r", "better": "C"}}',
    "no-credit": lambda asked: ScriptedAnswer("no credit left", status=402),
}
SEATED = {"ties": lambda asked: choosing(asked, "tie"), "the-first": lambda asked: choosing(asked, "A")}


def test_odd_judges_are_counted_and_nobody_wins_by_them(serve, tmp_path):
    server = serve(judging(**FAILING, **SEATED))
    judges = (*FAILING, *SEATED, "sound")
    run = competed(tmp_path, server, assignment(server, entrants=(LOW, HIGH), judges=judges, topics=2))
    for judge in judges:
        mine = tuple(judged for judged in run.judged_pairs if judged.judge == f"server:{judge}")
        [board] = leaderboard(run.model_copy(update={"judged_pairs": mine}), draws=0, orders=5).boards
        assert (board.tally.asked, board.tally.failed) == (4, 4 if judge in FAILING else 0), judge
        assert board.tallies["novelty"].split == (2 if judge == "the-first" else 0)
        assert all(bool(judged.failure) == (judge in FAILING) != bool(judged.verdicts) for judged in mine)
        won = {line.entrant: line.rating.won for line in board.lines}
        assert won == pytest.approx({"high": 2 if judge == "sound" else 0, "low": 0}), judge
    failures = [note for note in run.notes if "gave no verdict" in note]
    assert failures == [f"4 requests to server:{judge} gave no verdict." for judge in sorted(FAILING)]


def test_a_judge_without_credit_is_given_up_and_asked_again_when_it_is_back(serve, tmp_path):
    broke = [True]

    def way(asked):
        return ScriptedAnswer("no credit left", status=402) if broke[0] else by_level(asked)

    server = serve(judging(poor=way))
    what = assignment(server, entrants=(LOW, HIGH), judges=("poor", "judge"), topics=8)
    run = competed(tmp_path, server, what, in_flight=2)
    asked = sum(each.model == "poor" for each in server.asked)
    assert 5 <= asked <= 6, "after five failures in a row it is asked for nothing new"
    assert any("server:poor got no more requests" in note for note in run.notes)
    again = recalled(tmp_path, server, run.name)
    assert (again.judged_pairs, again.stopped) == (run.judged_pairs, ""), "who looks back finds the failures too"
    broke[0] = False
    whole = resumed(tmp_path, server, run.name)
    assert all(judged.verdicts for judged in whole.judged_pairs)
    assert whole.notes == ()


def test_a_method_that_fails_on_a_topic_forfeits_it_visibly(serve, tmp_path):
    server = serve(by_level)
    entrants = (sketching("fails", 9, fails_on="1"), sketching("empty", 8, empty_on="2"), LOW)
    run = competed(tmp_path, server, assignment(server, entrants=entrants))
    forfeits = {(each.topic, each.entrant): each.forfeit for each in run.entries if each.forfeit}
    assert forfeits == {
        ("subject 1", "fails"): "the writer said nothing", ("subject 2", "empty"): "No paper was found for it.",
    }  # fmt: skip
    assert not any(
        {judged.first, judged.second} >= {"fails"} for judged in run.judged_pairs if judged.topic == "subject 1"
    )
    assert run.notes[:2] == ("fails forfeits 1 of 3 topics.", "empty forfeits 1 of 3 topics.")
    lines = {line.entrant: (line.entries, line.forfeits) for line in leaderboard(run, draws=0).boards[0].lines}
    assert lines == {"fails": (2, 1), "empty": (2, 1), "low": (3, 0)}


def test_a_topic_on_which_all_fail_is_listed_and_one_who_always_fails_has_no_rank(serve, tmp_path):
    server = serve(by_level)
    always = sketching("never", 9, fails_on="subject")
    entrants = (always, sketching("rarely", 5, fails_on="0"), sketching("low", 1, fails_on="0"))
    run = competed(tmp_path, server, assignment(server, entrants=entrants))
    assert "No entrant has an idea on «subject 0»." in run.notes
    lines = leaderboard(run, draws=20).boards[0].lines
    assert [line.entrant for line in lines] == ["rarely", "low", "never"]
    assert (lines[-1].rating.rank, lines[-1].elo, lines[-1].forfeits) == (None, None, 3)


def test_an_arena_in_which_everybody_fails_is_an_arena_without_matches(serve, tmp_path):
    server = serve(by_level)
    entrants = tuple(sketching(name, 1, fails_on="subject") for name in ("one", "other"))
    run = competed(tmp_path, server, assignment(server, entrants=entrants, topics=1))
    assert run.judged_pairs == ()
    assert [line.rating.rank for line in leaderboard(run, draws=20).boards[0].lines] == [None, None]


@pytest.mark.slow
def test_a_writer_that_cannot_be_asked_costs_its_entries_and_not_the_run(serve, tmp_path):
    def script(asked):
        return by_level(asked) or ScriptedAnswer("no such model", status=404)

    server = serve(script)
    run = competed(tmp_path, server, assignment(server, entrants=(LOW, HIGH), topics=2))
    assert all(entry.forfeit for entry in run.entries)
    assert len(run.entries) == 4


def test_ideas_of_others_take_part_and_forfeit_what_they_did_not_bring(serve, tmp_path):
    server = serve(by_level)
    guests = brought({"people": 9}, ("subject 0",))
    what = assignment(server, entrants=(LOW, *guests["entrants"]), given=guests["given"], topics=2)
    run = competed(tmp_path, server, what)
    assert [entry.forfeit for entry in run.entries if entry.entrant == "people"] == [
        "", "the file has no idea on this topic",
    ]  # fmt: skip
    assert {judged.topic for judged in run.judged_pairs} == {"subject 0"}
    assert order(run) == ["people", "low"]


def test_a_pair_is_judged_while_others_still_have_their_ideas(serve, tmp_path):
    judged = []

    def script(asked):
        if asked.form == "Comparison":
            judged.append(asked)
        elif "subject 1" in asked.text and not judged:
            return ScriptedAnswer("busy", status=503, headers={"Retry-After": "0"})
        return by_level(asked)

    server = serve(script)
    run = competed(tmp_path, server, assignment(server, entrants=(LOW, HIGH), topics=2))
    assert len(run.judged_pairs) == 4


def test_a_method_at_fault_costs_its_entry_and_not_the_run(serve, tmp_path, monkeypatch):
    async def faulty(lab, topic, options):
        return {}["nothing"] if options.level == 1 else await a_sketch(lab, topic, options)

    register(monkeypatch, faulty)
    run = competed(tmp_path, serve(by_level), assignment(serve(by_level), topics=1))
    assert [entry.forfeit for entry in run.entries] == ["KeyError: 'nothing'", "", ""]
    assert order(run) == ["high", "middle", "low"]


def test_the_day_before_which_to_read_is_handed_to_every_generator(serve, tmp_path, monkeypatch):
    seen = []

    async def noting(lab, topic, options):
        seen.append(options.before)
        return await a_sketch(lab, topic, options)

    register(monkeypatch, noting)
    day = dt.date(2024, 1, 1)
    run = competed(tmp_path, server := serve(by_level), assignment(server, topics=1, before=day))
    assert seen == [day] * 3
    assert run.before == "2024-01-01"


# -- schedules --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("schedule", [pytest.param("swiss", marks=pytest.mark.slow), "adaptive"])
def test_other_schedules_find_the_same_order_with_fewer_judgements(serve, tmp_path, schedule):
    server = serve(by_level)
    levels = {f"entrant {level}": level for level in range(8)}
    what = assignment(server, **brought(levels, [f"subject {n}" for n in range(8)]), schedule=schedule)
    run = competed(tmp_path, server, what)
    pairs = {(judged.topic, frozenset((judged.first, judged.second))) for judged in run.judged_pairs}
    assert 16 <= len(pairs) < 8 * 28 / 2
    assert len(run.judged_pairs) == 2 * len(pairs)
    assert order(run)[0] == "entrant 7"
    assert any(note.startswith("No more pairs were chosen") for note in run.notes)


@pytest.mark.slow
def test_what_an_adaptive_schedule_chose_is_played_again_after_a_stop(serve, tmp_path):
    server = serve(by_level)
    guests = brought({f"entrant {level}": level // 3 for level in range(6)}, [f"subject {n}" for n in range(6)])
    what = assignment(server, **guests, schedule="adaptive", level=0.99)
    part = competed(tmp_path / "a", server, what, budget_calls=130)
    assert server.answered == 130
    whole = resumed(tmp_path / "a", server, part.name, budget_calls=10_000)
    alone = competed(tmp_path / "b", server, what)
    assert whole.judged_pairs == alone.judged_pairs
    assert ratings(whole) == ratings(alone)
    assert server.answered == 2 * len(whole.judged_pairs), "each home asks once"


def test_the_number_of_pairs_can_be_bounded(serve, tmp_path):
    run = competed(tmp_path, server := serve(by_level), assignment(server, most_pairs=4))
    assert len(run.judged_pairs) == 8


# -- stops ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "calls", [pytest.param(2, marks=pytest.mark.slow), 12, pytest.param(22, marks=pytest.mark.slow)]
)
def test_a_budget_leaves_a_valid_smaller_arena_and_more_budget_the_whole_one(serve, tmp_path, calls):
    server = serve(by_level)
    part = competed(tmp_path / "a", server, assignment(server), budget_calls=calls)
    assert server.answered == calls
    assert "--budget-calls" in part.stopped
    assert len(part.entries) + len(part.judged_pairs) <= calls
    leaderboard(part, draws=10)
    assert recalled(tmp_path / "a", server, part.name).judged_pairs == part.judged_pairs
    whole = resumed(tmp_path / "a", server, part.name, budget_calls=1000)
    assert server.answered == 27, "nothing is paid for twice"
    alone = competed(tmp_path / "b", server, assignment(server))
    assert (unhurried(whole), whole.judged_pairs, whole.stopped) == (unhurried(alone), alone.judged_pairs, "")
    assert ratings(whole) == ratings(alone)


def test_an_arena_is_read_again_from_the_ledger_without_a_call(serve, tmp_path):
    server = serve(by_level)
    entrants = (LOW, MIDDLE, sketching("fails", 9, fails_on="1"))
    run = competed(tmp_path, server, assignment(server, entrants=entrants, kinds=("idea", "experiment")))
    asked = server.answered
    again = recalled(tmp_path, server, run.name)
    assert server.answered == asked
    hidden = {"ended", "account"}
    assert again.model_dump(exclude=hidden) == run.model_dump(exclude=hidden)
    assert again.account.spend == run.account.spend


def test_one_who_forfeited_gets_another_try_and_the_others_are_not_asked_again(serve, tmp_path):
    broke = [True]

    def script(asked):
        if asked.form == "" and broke[0] and "subject 1" in asked.text:
            return ScriptedAnswer("gone", status=404)
        return by_level(asked)

    server = serve(script)
    part = competed(tmp_path, server, assignment(server, entrants=(LOW, HIGH)))
    assert sum(bool(each.forfeit) for each in part.entries) == 2
    broke[0], asked = False, server.answered
    whole = resumed(tmp_path, server, part.name)
    assert not any(each.forfeit for each in whole.entries)
    assert len(whole.judged_pairs) == 6
    assert server.answered - asked == 2 + 2


@pytest.mark.slow
def test_a_second_arena_is_answered_from_the_ledger_and_a_fresh_one_is_not(serve, tmp_path):
    server = serve(by_level)
    first = competed(tmp_path, server, assignment(server))
    again = competed(tmp_path, server, assignment(server))
    assert server.answered == 27
    assert (again.entries, again.judged_pairs) == (first.entries, first.judged_pairs)
    assert again.account.spend.reused == 27
    working(tmp_path, server, lambda place: start(ARENA, place, assignment(server), fresh=True))
    assert server.answered == 54


def test_what_each_entry_took_is_counted_whoever_paid(serve, tmp_path):
    server = serve(by_level)
    run = competed(tmp_path, server, assignment(server))
    assert all(entry.cost.calls == 1 and entry.cost.prompt_tokens > 0 for entry in run.entries)
    written = sum(entry.cost.prompt_tokens for entry in run.entries)
    assert 0 < written < server.prompt_tokens
    assert all(entry.cost.usd_unknown == 1 for entry in run.entries), "nobody knows the price of a server of one's own"
    assert competed(tmp_path, server, assignment(server)).entries == run.entries


# -- what cannot be ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"entrants": (LOW,)}, "no other to compare it with"),
        ({"entrants": (LOW, LOW)}, "two entrants are called 'low'"),
        ({"topics": ("a", "a")}, "two topics are called 'a'"),
        ({"topics": ()}, "no topic is named"),
        ({"judges": ()}, "no judge is named"),
        ({"level": 2.0}, "can be sure to a level"),
        ({"most_pairs": 0}, "at least one pair"),
        ({"sure_about": ("beauty",)}, "no criterion 'beauty'"),
        ({"entrants": (LOW, sketching("a / b", 1))}, "cannot be shown"),
    ],
)
def test_what_cannot_meet_is_refused(serve, changes, why):
    with pytest.raises(ValueError, match=why):
        assignment(serve(by_level), **changes)


def test_a_budget_in_dollars_wants_a_price_for_every_model(serve, tmp_path):
    server = serve(by_level)
    with pytest.raises(BadInput, match="price of server:scripted is not known"):
        competed(tmp_path, server, assignment(server), budget_usd=1)
    assert server.answered == 0


def test_two_judges_that_a_table_could_not_tell_apart_are_refused(serve, tmp_path):
    one, two = serve(by_level), serve(by_level)
    both = assignment(one).model_copy(update={"judges": (*assignment(one).judges, *assignment(two).judges)})
    with pytest.raises(BadInput, match="could not distinguish them"):
        competed(tmp_path, one, both)
