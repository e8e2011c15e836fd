"""`novum liveidea` as users meet it: from models and judges to a leaderboard, a data set, and back."""

from __future__ import annotations

import csv
import json

import pytest

from novum.testing import ScriptedAnswer, ideas_and_scores

JUDGES = "server:judge-a,server:judge-b,server:judge-c"


@pytest.fixture
def server(serve):
    return serve(ideas_and_scores)


@pytest.fixture
def run(server, here):
    """`novum liveidea run` of two models on two keywords."""

    def start(*more, command="run"):
        models = ("--model", "server:dreamer-3,server:dreamer-7", "--judge", JUDGES)
        rest = () if command == "plan" else ("--bootstrap-samples", "100")
        rest += () if "--anchors" in more else ("--anchors", "0")
        return here("liveidea", command, *models, "--keywords", "2", "--base-url", server.base_url, *rest, *more)

    return start


def board(finished):
    return json.loads(finished.out)["leaderboard"]


def test_a_run_shows_its_leaderboard_and_writes_its_data_set(run, server, tmp_path):
    done = run("--out", "data", "--format", "jsonl,csv")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].split()[:2] == ["model", "average"]
    assert [line.split()[0] for line in lines[1:3]] == ["server:dreamer-7", "server:dreamer-3"]
    assert {file.name for file in (tmp_path / "data").iterdir()} == {
        "ideas.jsonl",
        "ideas.csv",
        "run.json",
        "README.md",
    }
    assert server.answered == 36


def test_its_data_set_is_imported_to_the_same_leaderboard(run, here, server):
    first = board(run("--out", "data", "--json"))
    for again in (("score", "last"), ("score", "data"), ("import", "data/ideas.csv"), ("import", "data/ideas.jsonl")):
        assert board(here("liveidea", *again, "--bootstrap-samples", "100", "--json")) == first
    assert server.answered == 36


def test_a_budget_ends_it_with_what_there_is_and_it_goes_on_by_resuming(run, here, server):
    part = run("--budget-calls", "20")
    assert part.code == 3
    assert "server:dreamer-7" in part.out
    assert "Not complete: The budget is spent" in part.out
    assert "novum runs resume" in part.err
    assert here("liveidea", "score", "last").code == 0
    whole = here("runs", "resume", "last", "--budget-calls", "1000", "--json")
    assert whole.code == 0, whole.err
    assert server.answered == 36
    assert json.loads(whole.out)["run"]["stopped"] == ""


def test_how_many_scores_are_missing_stands_beside_each(here, tmp_path):
    head = "keywords,idea_model,critic_model,idea,originality,feasibility,clarity,fluency"
    rows = [f'moss,"a\nb",judge-{n},Moss that sings.,{score},5,6,7' for n, score in enumerate(("8", "N/A", "11"))]
    (tmp_path / "theirs.csv").write_text("\n".join([head, *rows]))
    told = here("liveidea", "import", "theirs.csv", "--bootstrap-samples", "0")
    assert told.out.splitlines()[1].startswith("a b    6.50     8.00 (2 missing)  5.00"), told.out


def test_twelve_anchors_are_judged_unless_one_says_otherwise(here, server, tmp_path):
    given = ("--model", "server:dreamer-3", "--judge", JUDGES, "--keywords", "1", "--base-url", server.base_url)
    plan = here("liveidea", "plan", *given)
    assert "Calls:   45 for 1 pair of model and keyword and 12 anchor ideas" in plan.out
    assert "Calls:   9 for" in here("liveidea", "plan", *given, "--as-released").out
    done = here("liveidea", "run", *given, "--out", "data")
    assert server.answered == 45
    assert "Not in the scores: 36 judgements of anchor ideas (novum-2026-11)." in done.out
    assert "Not in the scores: 36 judgements" in here("liveidea", "score", "data").out


def test_anchors_may_be_ones_own(run, server, tmp_path):
    (tmp_path / "mine.csv").write_text("keyword,idea\nants,Ants that farm fungi.\nbees,\n")
    done = run("--anchors", "mine.csv", "--json")
    assert "mine.csv, line 3: left out, no idea" in done.err
    assert json.loads(done.out)["run"]["anchors"].startswith("mine-")
    assert server.answered == 39


def test_judges_are_shown_papers_of_the_library_where_that_is_wanted(run, here, server):
    done = run("--papers", "2", "--before", "2015-01-01", "--out", "data")
    assert done.code == 0, done.err
    assert "Not in the scores: 24 judgements with the nearest papers shown to the judge." in done.out
    assert "Not in the scores: 24 judgements" in here("liveidea", "score", "data").out
    assert "Calls:   60 for" in run("--papers", "2", command="plan").out
    assert server.answered == 60


def test_a_plan_makes_no_call_and_a_pilot_a_few(run, server):
    plan = run(command="plan")
    assert plan.code == 0, plan.err
    assert "Calls:   36 for 4 pairs of model and keyword, by default averages" in plan.out
    assert "Price:   unknown (server:dreamer-3, server:dreamer-7" in plan.out
    assert server.answered == 0
    piloted = run("--pilot", "1", command="plan")
    assert "by a pilot on 1 keyword" in piloted.out
    assert server.answered == 18
    run()
    assert server.answered == 36, "the pilot's answers are used again"


def test_a_model_that_nobody_may_judge_is_named_before_it_costs_anything(here, server):
    given = ("--model", "server:judge-a,server:dreamer-3", "--judge", "server:judge-a", "--keywords", "1")
    done = here("liveidea", "plan", *given, "--base-url", server.base_url)
    assert done.code == 0
    assert "no judge but server:judge-a itself: ideas of server:judge-a will not be judged" in done.err
    assert server.asked == []


def test_a_panel_is_made_from_a_ranking(here, server, tmp_path):
    rows = [("model", "organisation", "score"), ("server:judge-a", "One", 9), ("server:judge-b", "One", 8)]
    rows += [("server:judge-c", "One", 7), ("server:judge-d", "Two", 6), ("", "Two", 5)]
    with (tmp_path / "ranking.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    given = ("--model", "server:dreamer-3", "--panel", "ranking.csv", "--keywords", "1", "--base-url", server.base_url)
    done = here("liveidea", "run", *given, "--json")
    told = json.loads(done.out)["run"]
    assert [seat["model"] for seat in told["panel"]] == ["server:judge-a", "server:judge-b", "server:judge-d"]
    assert told["passed_over"] == [{"model": "server:judge-c", "why": "One has 2 judges already"}]
    assert any("instead of 10" in note for note in told["notes"])
    assert "ranking.csv, line 6: left out, no model" in done.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--model", "offline"), "There is no judge"),
        (("--judge", "offline", "--panel", "x.csv"), "given twice"),
        (("--judge", "offline", "--keywords", "none.csv"), "none.csv cannot be read"),
        (("--judge", "offline", "--keywords", "0"), "give from 1 to as many"),
        (("--judge", "offline", "--pairs", "some"), "This measurement cannot be used: protocol.pairs"),
        (("--judge", "offline", "--ideas", "0"), "ideas must be from 1"),
        (("--judge", "nobody:x"), "There is no model provider 'nobody'"),
        (("--judge", "offline", "--format", "xml"), "There is no format 'xml'"),
        (("--judge", "offline", "--anchors", "25"), "there are 24; give from 0"),
        (("--judge", "offline", "--anchors", "none.csv"), "none.csv cannot be read"),
        (("--judge", "offline", "--papers", "21"), "papers must be from 0 to 20"),
        (("--judge", "offline", "--before", "2020-01-01"), "set their number with --papers"),
    ],
)
def test_what_cannot_be_done_is_stated_in_a_line_before_anything_is_sent(here, arguments, why):
    done = here("liveidea", "run", *arguments)
    assert done.code == 2
    assert why in done.err
    assert len(done.lines) == 1


@pytest.mark.slow
def test_the_commands_about_runs_know_a_measurement(run, here):
    run()
    assert here("runs", "export", "last").code == 0
    assert "server:dreamer-3, server:dreamer-7 on 2 keywords" in here("runs", "list").out


def test_rows_of_a_file_that_cannot_be_read_are_reported(here, tmp_path):
    good = {"keywords": "k", "idea_model": "m", "critic_model": "j", "idea": "x", "originality": 5}
    (tmp_path / "table.jsonl").write_text(f"{json.dumps(good)}\nnonsense\n")
    done = here("liveidea", "import", "table.jsonl")
    assert done.code == 0
    assert "row 2: no JSON" in done.err
    assert "1 of 2 rows could not be read" in done.err
    assert here("liveidea", "import", "missing.csv").code == 2


def test_keywords_are_listed_and_fresh_ones_need_papers_with_fields(here):
    assert "1,320 keywords in 22 disciplines" in here("liveidea", "keywords", "list").out
    table = here("liveidea", "keywords", "list", "--discipline", "chemistry", "--format", "csv").out.splitlines()
    assert table[0] == "keyword,discipline"
    assert len(table) == 61
    none = here("liveidea", "keywords", "refresh", "--out", "fresh.csv")
    assert none.code == 2
    assert "The library is too small for a list of keywords: 0 of 8 papers have a field" in none.err
    assert len(none.lines) == 1


def test_a_model_without_credit_costs_only_its_own_lines(serve, here):
    def script(asked):
        return ScriptedAnswer("no credit left", status=402) if asked.model == "dreamer-3" else ideas_and_scores(asked)

    server = serve(script)
    given = ("--model", "server:dreamer-3,server:dreamer-7", "--judge", JUDGES, "--keywords", "3")
    done = here("liveidea", "run", *given, "--base-url", server.base_url)
    assert done.code == 0
    assert "Not judged: 6 ideas failed." in done.out
    assert "Note: server:dreamer-3 got no more requests" in done.out
