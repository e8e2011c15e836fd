"""`novum explore`: a question goes in, an answer with its evidence comes out, and it can be talked about."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

from novum.cli.ideas.answer_text import answer_lines
from novum.core import Exploration, ExplorationReport, Paper, Snippet
from novum.testing import plausible_answer
from tests.observed import kill, kill_after, until

QUESTION = "What do graph networks learn about molecules?"
FOUND = "finds structure where none was seen before."


def grading(score):
    """A reader that gives every passage this score, for one sentence of it."""

    def script(request):
        if request.form != "Finding":
            return None
        answer = json.loads(plausible_answer(request.messages, request.schema))
        return json.dumps(answer | {"quote": FOUND, "kind": "result", "score": score})

    return script


@pytest.fixture
def server(serve):
    return serve(grading(8))


def test_a_question_becomes_an_answer_with_its_evidence_and_a_report(here, server, tmp_path):
    ended = here("explore", QUESTION, "--model", server.model)
    assert ended.code == 0, ended.err
    assert ended.out.startswith("Answers by server:scripted (as asked), papers read by server:scripted.")
    assert f"From a short account in the library, not the paper's own words: {FOUND}" in ended.out
    assert "“finds" not in ended.out
    assert "Ended:     Enough was found after 1 round" in ended.out
    (folder,) = (tmp_path / "novum-reports").iterdir()
    assert {file.name for file in folder.iterdir()} == {"report.html", "report.md", "report.json", "papers.bib"}
    assert (folder / "papers.bib").read_text().count("@") >= 3
    assert [line.split(":")[0] for line in ended.lines] == ["queries for round 1", "round 1", "answer"]


def test_json_on_stdout_is_the_report_and_nothing_else(here, server, tmp_path):
    ended = here("explore", QUESTION, "--model", server.model, "--json", "--quiet", "--out", str(tmp_path / "out"))
    report = ExplorationReport.model_validate(json.loads(ended.out))
    assert report.explorations[0].question == QUESTION
    assert json.loads((tmp_path / "out" / "report.json").read_text()) == json.loads(ended.out)


def test_options_reach_the_exploration_by_name_and_by_key_and_value(here, server, ledger):
    here("explore", QUESTION, "--model", server.model, "--before", "2016-01-01", "--rounds", "2", "--option", "score=9")
    record = ledger.run("last")
    assert record.kind == "explore"
    options = record.params["options"]
    assert (options["before"], options["rounds"], options["score"]) == ("2016-01-01", 2, 9)


def test_before_a_day_nothing_later_stands_in_the_report(here, server, tmp_path):
    here("explore", QUESTION, "--model", server.model, "--before", "2014-01-01", "--prospects", "--out", "out")
    report = ExplorationReport.model_validate_json((tmp_path / "out" / "report.json").read_text())
    assert {paper.year for paper in report.explorations[0].papers} == {2010, 2011, 2012, 2013}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("   ",), "The question is empty"),
        (("x" * 2001,), "at most 2,000"),
        ((QUESTION, "--option", "score=eleven"), "option score"),
        ((QUESTION, "--option", "rounds"), "KEY=VALUE"),
        ((QUESTION, "--before", "soon"), "is not a day"),
        ((QUESTION, "--rounds", "0"), "option rounds"),
    ],
)
def test_what_cannot_be_asked_is_reported_before_anything_is_spent(here, server, arguments, complaint):
    ended = here("explore", *arguments, "--model", server.model)
    assert ended.code == 2
    assert complaint in ended.lines[-1]
    assert server.answered == 0


def test_a_budget_stops_it_and_a_larger_one_takes_it_up(here, server):
    stopped = here("explore", QUESTION, "--model", server.model, "--budget-calls", "3")
    assert stopped.code == 3
    resumed = here("runs", "resume", "last", "--budget-calls", "100")
    assert resumed.code == 0
    assert resumed.out.startswith("Resuming ")
    assert "Outcome:   " in resumed.out


def test_the_run_is_listed_shown_and_exported_like_any_other(here, server, tmp_path):
    here("explore", QUESTION, "--model", server.model)
    assert QUESTION in here("runs", "list").out
    assert "explore" in here("runs", "show", "last").out
    here("runs", "export", "last", "--out", "again")
    assert QUESTION.replace("?", "") in (tmp_path / "again" / "report.md").read_text()


def test_the_same_question_again_costs_nothing(here, server):
    here("explore", QUESTION, "--model", server.model)
    paid = server.answered
    here("explore", QUESTION, "--model", server.model)
    assert server.answered == paid


def test_the_report_says_what_was_searched_what_was_rejected_and_what_the_answer_left_out(here, serve, tmp_path):
    def script(request):
        score = 8 if "crystals" in request.text or "proteins" in request.text else 2
        return grading(score)(request) if request.form != "EvidenceAnswer" else json.dumps(
            {"answer": "They learn structure [E1].", "gaps": "Not in the passages read: figures.", "stated_open": ""}
        )  # fmt: skip

    here("explore", QUESTION, "--model", serve(script).model, "--rounds", "1", "--out", "out")
    text, page = (tmp_path / "out" / "report.md").read_text(), (tmp_path / "out" / "report.html").read_text()
    report = ExplorationReport.model_validate_json((tmp_path / "out" / "report.json").read_text()).explorations[0]
    assert len(report.evidence) > 1
    for text_of_report in (text, page):
        assert (
            f"Searched: a library of {report.scope.papers} papers, 0 of them in full text, and no live sources"
            in text_of_report
        )
        assert text_of_report.count("Not used in the answer.") == len(report.evidence) - 1
        assert "Not in the passages read" in text_of_report
        assert text_of_report.count("not the paper&#39;s own words") + text_of_report.count(
            "not the paper's own words"
        ) == len(report.evidence)
    assert text.count("| 2 | ") == len(report.passed_over) > 0
    assert f"{len(report.passed_over)} passages read, and no evidence" in page


def test_only_a_papers_own_words_stand_in_quotation_marks():
    paper = Paper(title="Kites", year=2001, authors=("Ada Smith",), abstract="Kites fly.")
    snippet = Snippet(
        paper_id=paper.id, origin="abstract", start=0, end=10, section="1 Introduction", passage="Kites fly.",
        quote="Kites fly.", summary="They fly.", score=8, similarity=0.5, query="q", round=1,
    )  # fmt: skip
    lines = list(answer_lines(Exploration(question="Why?", evidence=(snippet,), papers=(paper,))))
    assert lines[-2:] == ["[1] Smith 2001: Kites (1 Introduction)", "    “Kites fly.”"]


@pytest.mark.slow
def test_killed_and_resumed_it_ends_as_if_left_alone(here, start, serve):
    server = serve(grading(5), latency=0.02)
    command = ("explore", QUESTION, "--option", "passages=2", "--rounds", "3", "--option", "papers=3", "--json")
    kill_after(start(*command, "--model", server.model), server, 3)
    resumed = here("runs", "resume", "last", "--json")
    assert resumed.code == 0, resumed.err
    fresh = here(*command, "--model", server.model, "--fresh")
    ended = [ExplorationReport.model_validate_json(each.out).explorations for each in (resumed, fresh)]
    assert ended[0] == ended[1]


@pytest.mark.slow
def test_questions_that_follow_are_asked_line_by_line_and_stand_in_one_report(environment, server, tmp_path):
    process = subprocess.run(
        [sys.executable, "-m", "novum", "explore", QUESTION, "--chat", "--model", server.model, "--out", "out"],
        input="And about crystals?\n\nAnd proteins?",
        env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    report = ExplorationReport.model_validate_json((tmp_path / "out" / "report.json").read_text())
    assert [each.asked for each in report.explorations] == ["", "And about crystals?", "And proteins?"]
    assert server.forms().count("WholeQuestion") == 2
    assert process.stdout.count("finds structure where none was seen before") >= 3
    assert "# Follow-up 2" in (tmp_path / "out" / "report.md").read_text()


@pytest.mark.slow
def test_on_a_terminal_it_waits_for_the_next_question_and_control_d_ends_the_talk(environment, server, tmp_path):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "novum", "explore", QUESTION, "--chat", "--model", server.model, "--out", "out"]
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=tmp_path,
        text=True,
    )
    os.write(ours, b"And crystals?\n\x04")
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert "Report:    out/report.html" in out
    report = ExplorationReport.model_validate_json((tmp_path / "out" / "report.json").read_text())
    assert len(report.explorations) == 2


@pytest.mark.slow
def test_a_killed_conversation_is_resumed_with_the_questions_that_had_been_asked(start, here, server):
    process = start("explore", QUESTION, "--chat", "--model", server.model, stdin=subprocess.PIPE)
    process.stdin.write("And about crystals?\n")
    process.stdin.flush()
    until(lambda: "WholeQuestion" in server.forms(), process)
    kill(process)
    ended = here("runs", "resume", "last", "--json")
    report = ExplorationReport.model_validate_json(ended.out)
    assert [each.asked for each in report.explorations] == ["", "And about crystals?"]


def test_hostile_words_of_papers_and_models_stay_words_in_the_report(here, serve, tmp_path):
    nasty = "<script>alert(1)</script> [x](javascript:alert(2)) \x1b[31m"

    def script(request):
        if request.form == "Finding":
            return json.dumps({"summary": nasty, "quote": nasty, "kind": "result", "score": 9})
        if request.form == "EvidenceAnswer":
            return json.dumps({"answer": f"{nasty} [E1]. {nasty}", "gaps": nasty, "stated_open": nasty})
        return None

    ended = here("explore", f"What of {QUESTION} <b>", "--model", serve(script).model, "--out", "out")
    page, text = (tmp_path / "out" / "report.html").read_text(), (tmp_path / "out" / "report.md").read_text()
    for text_of_report in (page, text, ended.out):
        assert "\x1b" not in text_of_report
    assert "<script" not in page
    assert 'href="javascript' not in page
    assert "<script" not in text
    assert "[x](javascript" not in text
    assert "no evidence cited" in page
    assert 'href="#q1-e1"' in page


def test_a_question_that_nothing_is_known_of_stops_in_one_line_and_force_goes_on(here, server):
    question = "Which trade guilds ruled medieval Flanders?"
    stopped = here("explore", question, "--model", server.model, "--quiet")
    assert (stopped.code, server.asked) == (2, [])
    (line,) = stopped.lines
    assert line.startswith("novum: Nothing is known about “Which trade guilds ruled medieval Flanders?”: ")
    assert "“guilds”" in line
    went_on = here("explore", question, "--model", server.model, "--force")
    assert went_on.code == 0, went_on.err
    assert "Note:      The library knows nothing about this topic: " in went_on.out


def test_the_services_that_see_the_queries_are_named_first(here, server, tmp_path):
    (tmp_path / "novum.toml").write_text('[source_addresses]\nopenalex = "http://127.0.0.1:9"\n')
    ended = here("explore", QUESTION, "--model", server.model, "--source", "openalex")
    assert ended.code == 0, ended.err
    assert ended.out.splitlines()[0].endswith(
        "Papers: the library and OpenAlex, which receive the question and search queries (not with --source none)."
    )
    assert sum(line.startswith("Note: ") and "cannot be reached" in line for line in ended.out.splitlines()) == 1
