"""`novum ideate --count N --topics FILE`: any number of different ideas over many questions, as one table."""

from __future__ import annotations

import csv
import json
import time

import pytest

from novum.cli.shell.watch import watching
from novum.ledger import Event
from novum.runs.progress import RunProgress
from novum.testing import ScriptedAnswer, plausible_answer
from tests.observed import Silence, kill
from tests.together import once_together

QUESTIONS = ("graph networks for molecules", "message passing on crystals", "folding proteins by attention")
PLAIN = ("--method", "plain", "--max-similarity", "1")


@pytest.fixture
def questions(tmp_path):
    place = tmp_path / "questions.txt"
    place.write_text("\n".join(QUESTIONS))
    return place


@pytest.fixture
def bulk(here, questions, tmp_path):
    """Runs the command on the topics, by the plain method: one call an idea."""

    def start(server, *arguments, given=PLAIN):
        return here("ideate", "--topics", str(questions), *given, "--model", server.model, *arguments)

    return start


def rows(place):
    return [json.loads(line) for line in place.read_text().splitlines()]


def test_ideas_are_spread_over_the_questions_round_after_round(bulk, serve, tmp_path):
    server = serve()
    done = bulk(server, "--count", "7", "--out", "ideas.jsonl")
    assert done.code == 0, done.err
    assert "7 ideas on 3 topics, by 7 turns in 2 rounds." in done.out
    ideas = rows(tmp_path / "ideas.jsonl")
    assert [row["question"] for row in ideas] == [QUESTIONS[0]] * 3 + [QUESTIONS[1]] * 2 + [QUESTIONS[2]] * 2
    assert [row["turn"] for row in ideas] == [0, 1, 2, 0, 1, 0, 1]
    assert {row["generator"] for row in ideas} == {"plain"}
    assert all(len(row["method"]) > len("plain") for row in ideas), "a part of the idea"
    assert server.answered == 7, "no experiment is designed for a table"


def test_the_table_is_what_other_commands_read(bulk, here, serve, tmp_path):
    server = serve()
    bulk(server, "--count", "3", "--out", "ideas.csv")
    with (tmp_path / "ideas.csv").open(newline="") as file:
        assert [row["topic"] for row in csv.DictReader(file)] == list(QUESTIONS)
    selected = here("select", "ideas.csv", "--count", "2", "--balance", "1", "--json")
    assert selected.code == 0, selected.err
    assert len(json.loads(selected.out)["choices"]) == 2
    sifted = here("filter", "ideas.csv", "--judge", server.model, "--keep", "1", "--reviews", "1", "--out", "k.jsonl")
    assert sifted.code == 0, sifted.err
    assert rows(tmp_path / "k.jsonl")[0]["question"] in QUESTIONS


def test_one_topic_is_asked_about_in_many_ways(here, serve, tmp_path):
    done = here(
        "ideate", "molecules", *PLAIN, "--count", "4", "--out", "ideas.jsonl", "--model", serve().model, "--json"
    )
    assert done.code == 0, done.err
    outcome = json.loads(done.out)
    assert (outcome["ideas"], outcome["rounds"], outcome["questions"]) == (4, 2, 1), (
        "one turn says how many ideas it brings"
    )
    assert len({row["title"] for row in rows(tmp_path / "ideas.jsonl")}) == 4


def test_a_method_that_takes_a_number_gets_one(here, serve, questions, tmp_path):
    server = serve()
    options = (
        "--option",
        "fixes=0",
        "--option",
        "comparison_rounds=0",
        "--option",
        "similarity=1",
        "--option",
        "judge=similarity",
    )
    arguments = ("ideate", "--topics", str(questions), "--method", "spark", *options, "--max-similarity", "1")
    done = here(*arguments, "--count", "7", "--out", "ideas.jsonl", "--model", server.model)
    assert done.code == 0, done.err
    ideas = rows(tmp_path / "ideas.jsonl")
    assert [sum(row["question"] == each for row in ideas) for each in QUESTIONS] == [3, 2, 2]
    assert server.forms().count("Plan") == 7, "no more ideas are begun than are asked for"
    assert all(row["sources"] and row["citations"] and row["problem"] and row["concepts"] for row in ideas)


def test_near_duplicates_over_all_questions_are_left_out_and_the_lack_is_made_up_for(here, serve, questions, tmp_path):
    """The first turn of each question has the same idea: only one may keep it."""

    def script(request):
        answer = json.loads(plausible_answer(request.messages, request.schema, request.body["seed"]))
        if request.body["seed"] == 0:
            words = {"title": "The one idea", "summary": "Always the very same account of it."}
            answer |= words
        return json.dumps(answer)

    server = serve(script)
    arguments = ("ideate", "--topics", str(questions), "--method", "plain", "--model", server.model)
    done = here(*arguments, "--count", "5", "--max-similarity", "0.999", "--out", "ideas.jsonl", "--json")
    assert done.code == 0, done.err
    outcome = json.loads(done.out)
    assert (outcome["ideas"], outcome["repeated"], outcome["twins"]) == (5, 2, 0)
    ideas, dropped = rows(tmp_path / "ideas.jsonl"), rows(tmp_path / "ideas.dropped.jsonl")
    assert [row["question"] for row in ideas] == [QUESTIONS[0]] * 2 + [QUESTIONS[1]] * 2 + [QUESTIONS[2]]
    assert [(row["question"], row["like"], row["like_question"]) for row in dropped] == [
        (question, "The one idea", QUESTIONS[0]) for question in QUESTIONS[1:]
    ]


@pytest.mark.parametrize("slow", QUESTIONS)
def test_what_is_kept_does_not_depend_on_which_answer_comes_first(bulk, serve, tmp_path, slow):
    """Each run makes another question wait: it is asked again after a while."""
    late = [True]

    def script(request):
        waits = slow in request.text and late and late.pop()
        answer = json.loads(plausible_answer(request.messages, request.schema, request.body["seed"]))
        answer_text = json.dumps(answer | {"title": f"Idea {request.body['seed'] // 1000 % 2}"})
        return ScriptedAnswer(status=503, headers={"Retry-After": "0.1"}) if waits else answer_text

    bulk(serve(script), "--count", "3", "--out", "ideas.jsonl", given=("--method", "plain", "--max-similarity", "0.99"))
    assert not late
    assert [(row["question"], row["title"]) for row in rows(tmp_path / "ideas.jsonl")] == [
        (QUESTIONS[0], "Idea 0"),
        (QUESTIONS[1], "Idea 1"),
    ]


@pytest.mark.slow
def test_a_method_that_asks_once_an_idea_keeps_a_server_as_busy_as_it_may_be(here, serve, tmp_path, monkeypatch):
    monkeypatch.setenv("NOVUM_IN_FLIGHT", "100")
    (tmp_path / "many.txt").write_text("\n".join(f"question {number}" for number in range(101)))
    server = serve(once_together(100))
    done = here("ideate", "--topics", "many.txt", *PLAIN, "--model", server.model)
    assert done.code == 0, done.err
    assert server.most_in_flight == 100


def test_a_question_that_fails_is_reported_and_the_others_continue(bulk, serve, tmp_path):
    server = serve(lambda request: ScriptedAnswer(refusal="No.") if QUESTIONS[1] in request.text else None)
    done = bulk(server, "--count", "3", "--out", "ideas.jsonl")
    assert done.code == 0, done.err
    assert [row["question"] for row in rows(tmp_path / "ideas.jsonl")] == [QUESTIONS[0]] * 2 + [QUESTIONS[2]]
    assert "Without any idea: 1 topic." in done.out


def test_a_server_that_nobody_answers_at_ends_the_run_instead_of_failing_every_question(here, serve, tmp_path):
    (tmp_path / "many.txt").write_text("\n".join(f"question {number}" for number in range(40)))
    server = serve(lambda request: ScriptedAnswer(status=401, content="wrong key"))
    done = here("ideate", "--topics", "many.txt", *PLAIN, "--count", "40", "--model", server.model)
    assert done.code == 2
    assert "wrong key" in done.err
    assert "novum runs resume" in done.err


def test_a_budget_leaves_what_there_is_and_the_rest_comes_with_a_larger_one(bulk, here, serve, tmp_path):
    server = serve()
    stopped = bulk(server, "--count", "9", "--budget-calls", "5", "--out", "some.jsonl")
    assert stopped.code == 3
    assert "novum runs resume" in stopped.err
    assert 0 < len(rows(tmp_path / "some.jsonl")) <= 5
    assert server.answered == 5
    done = here("runs", "resume", "last", "--budget-calls", "100", "--out", "all.jsonl")
    assert done.code == 0, done.err
    assert len(rows(tmp_path / "all.jsonl")) == 9
    assert server.answered == 9, "nothing is asked twice"
    bulk(server, "--count", "9", "--out", "again.jsonl")
    assert server.answered == 9, "nor by the same command"
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "all.jsonl").read_bytes()


def test_a_finished_run_writes_its_table_again_and_its_steps_stay_few(bulk, here, serve, tmp_path):
    server = serve()
    bulk(server, "--count", "9", "--out", "ideas.jsonl")
    again = here("runs", "resume", "last", "--out", "folder")
    assert again.code == 0, again.err
    assert (tmp_path / "folder" / "ideas.jsonl").read_bytes() == (tmp_path / "ideas.jsonl").read_bytes()
    printed = here("runs", "show", "last").out
    assert "round 1" in printed
    assert len(printed.splitlines()) < 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("molecules", "--topics", "questions.txt"), "not both"),
        (("molecules", "--count", "2", "--out", "ideas"), "Name a file: --out ideas/ideas.jsonl"),
        (("--topics", "questions.txt", "--out", "questions.jsonl"), ""),
        (("--topics", "empty.txt"), "holds no topic"),
        (("--topics", "nowhere.txt"), "cannot be read"),
        (("--count", "3"), "The topic is empty"),
        (("molecules", "--count", "1000000"), "--count"),
        (("molecules", "--count", "3", "--method", "spark", "--option", "ideas=1000"), "ideas"),
        (("molecules", "--count", "0"), "--count"),
        (("molecules", "--count", "2", "--out", "folder.jsonl"), "is a folder"),
        (("molecules", "--count", "2", "--out", "questions.txt/ideas.jsonl"), "cannot be written"),
        (("--topics", "kept.dropped.csv", "--out", "kept.csv"), "would overwrite the topics"),
        (
            (
                "--topics",
                "all.dropped.csv",
            ),
            "no column topic",
        ),
        (("--topics", "long.txt"), "Split it"),
        (("--topics", "utf16.txt"), "save it as such"),
    ],
)
def test_a_mistake_is_reported_before_any_request(here, serve, questions, tmp_path, arguments, message):
    (tmp_path / "empty.txt").write_text("\n\n")
    (tmp_path / "long.txt").write_text("".join(f"{number}\n" for number in range(100_001)))
    (tmp_path / "utf16.txt").write_text("molecules\n", encoding="utf-16")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "all.dropped.csv").write_text("molecules\ncrystals\n")
    (tmp_path / "kept.dropped.csv").write_text("question\nmolecules\n")
    server = serve(lambda request: ScriptedAnswer(status=401))
    done = here("ideate", *arguments, "--model", server.model)
    assert done.code == 2
    assert message in done.err
    assert not message or not server.asked


def test_what_one_idea_may_know_of_holds_for_all(here, serve, questions, ledger):
    options = ("--before", "2014-01-01", "--option", "papers=3")
    done = here("ideate", "--topics", str(questions), "--method", "rag", *options, "--model", serve().model)
    assert done.code == 0, done.err
    options = ledger.run("last").params["options"]
    assert (options["before"], options["papers"], options["ideas in all"]) == ("2014-01-01", "3", 3)


def test_questions_come_from_a_column_of_a_table_too(here, serve, tmp_path):
    (tmp_path / "asked.jsonl").write_text('{"question": "molecules"}\nnonsense\n{"topic": "crystals"}\n')
    done = here("ideate", "--topics", "asked.jsonl", *PLAIN, "--model", serve().model, "--out", "ideas.jsonl")
    assert "line 2: left out" in done.err
    assert [row["question"] for row in rows(tmp_path / "ideas.jsonl")] == ["molecules", "crystals"]


@pytest.mark.slow
@pytest.mark.parametrize("answers", [5, 17])
def test_a_process_that_is_killed_in_the_middle_continues_without_a_repeated_request(
    start, bulk, here, serve, ledger, tmp_path, answers
):
    silence = Silence(answers, unanswered=2)
    server = serve(silence)
    arguments = ("--count", "20", "--method", "plain", "--max-similarity", "1", "--model", server.model)
    process = start("ideate", "--topics", "questions.txt", *arguments, NOVUM_IN_FLIGHT="2")
    silence.reached(process)
    kill(process)
    assert "interrupted" in here("runs", "list").out
    written, answered = ledger.spend(ledger.run("last").id).calls, server.answered
    silence.speak()
    done = here("runs", "resume", "last", "--out", "ideas.jsonl")
    assert done.code == 0, done.err
    assert len(rows(tmp_path / "ideas.jsonl")) == 20
    assert ledger.spend(ledger.run("last").id).calls == 20
    assert written <= answered
    assert server.answered == answered + 20 - written, "what was written down is not asked again"
    undisturbed = bulk(server, "--count", "20", "--fresh", "--out", "fresh.jsonl")
    assert undisturbed.code == 0, undisturbed.err
    assert (tmp_path / "fresh.jsonl").read_bytes() == (tmp_path / "ideas.jsonl").read_bytes()


def test_progress_says_how_far_it_has_come_how_fast_and_what_is_left():
    progress = RunProgress()
    for seconds, done in ((0, 0), (10, 20), (60, 100)):
        data = {"done": done, "of": 400, "noun": "ideas", "failed": seconds // 60}
        progress(Event(run_id="run", at=1000.0 + seconds, kind="progress", step="round 1", data=data))
    assert progress.root.inner["round 1"].note == "100 of 400 ideas, 100 a minute, 3 min 0 s left, 1 turn failed"


def test_away_from_a_terminal_a_line_now_and_then_says_the_same(capsys):
    with watching(RunProgress(), quiet=False) as watcher:
        began = time.time()
        for seconds, done in ((1, 1), (40, 20), (50, 30), (100, 50)):
            data = {"done": done, "of": 50, "noun": "ideas", "failed": 0}
            watcher(Event(run_id="run", at=began + seconds, kind="progress", step="round 1", data=data))
    assert [line.split(";")[0] for line in capsys.readouterr().err.splitlines()] == [
        "20 of 50 ideas, 29.2 a minute, 1 min 2 s left",
        "50 of 50 ideas",
    ]
