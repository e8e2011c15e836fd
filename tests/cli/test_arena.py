"""`novum arena` as users meet it: from topics and methods to leaderboards, files, and back."""

from __future__ import annotations

import json

import pytest

from novum.testing import ScriptedAnswer
from tests.benchmarks.arena_lab import brought, by_level, idea_of, register

TOPICS = "subject one\nsubject two\n"
METHODS = "sketch:level=9,name=high,sketch:level=1,name=low"


@pytest.fixture(autouse=True)
def sketch(monkeypatch):
    register(monkeypatch)


@pytest.fixture
def server(serve):
    return serve(by_level)


@pytest.fixture
def run(server, here, tmp_path):
    """`novum arena run` of two entrants on two topics: four ideas, two pairs, eight calls."""
    (tmp_path / "topics.txt").write_text(TOPICS)

    def start(*more, methods=METHODS):
        given = ("--topics", "topics.txt", "--method", methods, "--model", "server:writer", "--judge", "server:judge")
        return here("arena", "run", *given, "--base-url", server.base_url, "--bootstrap-samples", "50", *more)

    return start


def board(finished):
    return json.loads(finished.out)["leaderboard"]


def test_an_arena_shows_its_leaderboard_and_writes_its_files(run, server, tmp_path):
    done = run("--out", "files")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].split()[:3] == ["rank", "entrant", "rating"]
    assert [line.split()[:2] for line in lines[1:3]] == [["1–2", "high"], ["1–2", "low"]]
    assert "No significant leader: high and low cannot be distinguished." in done.out
    assert "2 entrants on 2 topics: 4 ideas to generate; at most 2 pairs to judge, 4 requests." in done.err
    assert {file.name for file in (tmp_path / "files").iterdir()} == {
        "matches.jsonl", "matches.csv", "entries.jsonl", "entries.csv", "arena.json",
    }  # fmt: skip
    assert server.answered == 8


def test_its_files_are_read_to_the_same_leaderboard(run, here, server):
    first = board(run("--out", "files", "--json", "--experiments"))
    assert [each["kind"] for each in first["boards"]] == ["idea", "experiment"]
    for again in (("score", "last"), ("import", "files/matches.csv")):
        assert board(here("arena", *again, "--bootstrap-samples", "50", "--json")) == first
    assert here("arena", "export", "last", "--out", "again", "--format", "csv").code == 0
    assert server.answered == 12


@pytest.mark.parametrize(
    "resume", [("runs", "resume", "last"), pytest.param(("arena", "resume", "last"), marks=pytest.mark.slow)]
)
def test_a_budget_ends_it_with_what_there_is_and_it_goes_on_by_resuming(run, here, server, resume):
    part = run("--budget-calls", "6")
    assert part.code == 3
    assert "Not complete: The budget is spent" in part.out
    assert "novum runs resume" in part.err
    assert here("arena", "score", "last").code == 0
    whole = here(*resume, "--budget-calls", "100", "--json")
    assert whole.code == 0, whole.err
    assert server.answered == 8
    assert json.loads(whole.out)["run"]["stopped"] == ""


def test_forfeits_and_failed_verdicts_are_shown(serve, here, tmp_path):
    def script(asked):
        if asked.model == "odd":
            return "Both are lovely."
        return by_level(asked)

    server = serve(script)
    given = ("--topic", "subject one", "--topic", "subject two", "--model", "server:writer", "--judge", "server:odd")
    methods = "sketch:level=9,name=high,sketch:level=1,fails_on=two,name=low"
    done = here("arena", "run", *given, "--method", methods, "--base-url", server.base_url)
    assert done.code == 0, done.err
    assert "Forfeit: low on «subject two»: the writer said nothing" in done.out
    assert "Note: low forfeits 1 of 2 topics." in done.out
    assert "2 requests, 2 of them without a verdict" in done.out


def test_ideas_of_others_are_judged_without_a_generator(server, here, tmp_path):
    entries = brought({"people": 9, "machine": 1}, ["a", "b"])["given"]
    rows = [{"topic": e.topic, "entrant": e.entrant, "title": e.idea.title, "summary": e.idea.summary} for e in entries]
    text = "\n".join(json.dumps(row) for row in [*rows, rows[0] | {"topic": "c"}, "nonsense"])
    (tmp_path / "ideas.jsonl").write_text(text)
    (tmp_path / "topics.txt").write_text("A\nb\n")
    given = ("--ideas", "ideas.jsonl", "--topics", "topics.txt", "--judge", "server:judge")
    done = here("arena", "run", *given, "--bootstrap-samples", "0", "--base-url", server.base_url, "--json")
    assert done.code == 0, done.err
    lines = board(done)["boards"][0]["lines"]
    assert [(line["entrant"], round(line["rating"]["won"])) for line in lines] == [("people", 2), ("machine", 0)]
    assert "1 ideas are on other topics" in done.err
    assert "1 of 6 rows could not be read" in done.err
    assert json.loads(done.out)["run"]["account"]["models"] == {"judges": "server:judge"}


def test_topics_are_found_in_the_library_and_given_to_an_arena(serve, here, tmp_path):
    def script(asked):
        if asked.form == "PaperTopic":
            return json.dumps({"topic": f"topic {asked.number}", "task": "to know more"})
        return by_level(asked)

    server = serve(script)
    asked = ("--reader", "server:reader", "--base-url", server.base_url)
    found = here("arena", "topics", "--since", "2015-01-01", "--count", "2", "--out", "topics.jsonl", *asked)
    assert found.code == 0, found.err
    assert "novum arena run --topics topics.jsonl --before 2015-01-01" in found.out
    given = ("--topics", "topics.jsonl", "--method", METHODS, "--model", "server:writer", "--before", "2015-01-01")
    done = here("arena", "run", *given, "--judge", "server:judge", "--base-url", server.base_url, "--json")
    told = json.loads(done.out)["run"]
    assert (len(told["papers"]), told["before"]) == (2, "2015-01-01")
    assert here("arena", "topics", "--since", "2015-01-01", "--out", "topics.txt").code == 2


def test_the_commands_about_runs_know_an_arena(run, here):
    run()
    assert here("runs", "export", "last").code == 0
    assert "high, low on 2 topics" in here("runs", "list").out
    shown = here("runs", "show", "last").out
    assert "arena (" in shown
    assert "judging" in shown


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "Nobody takes part"),
        (("--method", "sketch,sketch:level=2"), "There is no topic"),
        (("--method", "sketch", "--topic", "t"), "no other to compare it with"),
        (("--method", "sketch,sketch", "--topic", "t"), "two entrants are called 'sketch'"),
        (("--method", "sketsh", "--topic", "t"), "Did you mean sketch"),
        (("--method", "sketch:level=high", "--topic", "t"), "option level"),
        (("--method", METHODS, "--topic", " "), "The topic is empty"),
        (("--method", METHODS, "--topic", "t", "--schedule", "random"), "This arena cannot be used: schedule"),
        (("--method", METHODS, "--topic", "t", "--level", "3"), "can be sure to a level"),
        (("--method", METHODS, "--topic", "t", "--before", "soon"), "is not a day"),
        (("--method", METHODS, "--topics", "none.txt"), "none.txt cannot be read"),
        (("--method", METHODS, "--topic", "t", "--format", "xml"), "There is no format 'xml'"),
        (("--method", METHODS, "--topic", "t", "--judge", "nobody:x"), "There is no model provider 'nobody'"),
        (("--ideas", "none.jsonl"), "none.jsonl cannot be read"),
    ],
)
def test_what_cannot_be_done_is_stated_in_a_line_before_anything_is_sent(here, arguments, why):
    done = here("arena", "run", *arguments)
    assert done.code == 2
    assert why in done.err
    assert len(done.lines) == 1


def test_rows_of_a_hostile_file_are_reported_and_the_rest_counts(here, tmp_path):
    good = {"topic": "t", "first": "a", "second": "b", "judge": "j", "criterion": "novelty", "outcome": "0"}
    rows = [json.dumps(good), "\x1b[2Jnonsense", json.dumps(good | {"topic": "u", "first": "\x1b]0;owned\x07"})]
    (tmp_path / "matches.jsonl").write_text("\n".join(rows))
    done = here("arena", "import", "matches.jsonl", "--out", "checked", "--bootstrap-samples", "0")
    assert done.code == 0
    assert "row 2: no JSON" in done.err
    assert "1 of 3 rows could not be read" in done.err
    assert "\x1b" not in done.out + done.err
    assert here("arena", "score", "checked").code == 0
    assert here("arena", "import", "missing.csv").code == 2


def test_the_name_in_the_files_of_others_chooses_no_folder_elsewhere(here, tmp_path):
    theirs, elsewhere = tmp_path / "theirs", tmp_path / "elsewhere"
    theirs.mkdir()
    header = {"name": str(elsewhere), "topics": ["t"], "entrants": [{"name": "a"}], "judges": ["j"]}
    (theirs / "arena.json").write_text(json.dumps(header))
    row = {"topic": "t", "first": "a", "second": "b", "judge": "j", "criterion": "novelty", "outcome": "first"}
    (theirs / "matches.jsonl").write_text(json.dumps(row))
    assert here("arena", "export", "theirs").code == 0
    assert not elsewhere.exists()
    assert (tmp_path / "novum-reports" / "elsewhere" / "matches.csv").is_file()


@pytest.mark.slow
def test_a_model_without_credit_costs_its_entries_and_not_the_run(serve, here, tmp_path):
    server = serve(lambda asked: by_level(asked) or ScriptedAnswer("no credit left", status=402))
    given = ("--topic", "t", "--method", METHODS, "--model", "server:writer", "--judge", "server:judge")
    done = here("arena", "run", *given, "--base-url", server.base_url)
    assert done.code == 0
    assert "Note: No entrant has an idea on «t»." in done.out
    assert idea_of("t", 1).title not in done.out
