"""A call that fails for good loses what depends on its answer, and not the run."""

from __future__ import annotations

import asyncio

import pytest
from tests.methods.conftest import LINE, entry

from novum.core import Idea
from novum.errors import CallFailed, ModelRefusedUs
from novum.lab import Workplace
from novum.llm.lost_answers import MOST_IN_A_ROW
from novum.methods import method_names
from novum.runs.bulk.durable import BULK
from novum.runs.bulk.task import BulkTask
from novum.runs.engine import start
from novum.runs.exploration import EXPLORATION, ExplorationTask
from novum.runs.filter import FILTER, FilterTask, QueuedIdea, filter_folder, queue_ideas
from novum.runs.ideation import IDEATION, IdeationTask
from novum.runs.judge import RUBRIC_MARKS, WIN_RATE, RubricTask, WinRateTask, contest_between
from novum.runs.review import REVIEW, ReviewTask, review_protocol
from novum.settings import load_settings
from novum.testing import ScriptedAnswer

NO_MORE_TRIES = ScriptedAnswer(status=503, headers={"retry-after": "86400"})
"""The server asks for a wait that no deadline allows: the call fails at once."""
TOO_LONG = ScriptedAnswer(status=400, raw='{"error": {"message": "longer than the context"}}')
WRONG_KEY = ScriptedAnswer(status=401, raw='{"error": {"message": "unknown key"}}')
IDEAS = [
    Idea(
        topic="widgets",
        title=f"Widgets that {what}",
        motivation="They stand still.",
        novelty="They move.",
        method=f"They {what}.",
        summary=f"They {what} by themselves.",
        generator="mine",
    )
    for what in ("learn", "plan", "rest")
]


def fails(answer, *, form="", first=0, times=1):
    """A script by which some calls for answers of this form fail: `times` of them from number `first`."""
    calls = []

    def script(asked):
        if form not in {"", asked.form}:
            return None
        calls.append(asked)
        return answer if first < len(calls) <= first + times else None

    return script


def forms_of(generate, serve, name):
    server = serve()
    generate(server, method=name)
    return dict.fromkeys(asked.form for asked in server.asked if asked.form)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in {"chain-of-ideas", "rag"} else pytest.mark.slow)
        for name in method_names()
        if name != "real-paper"
    ],
)
def test_no_single_answer_is_needed_by_a_whole_run(generate, serve, name):
    for form in forms_of(generate, serve, name):
        server = serve(fails(NO_MORE_TRIES, form=form))
        try:
            ideation = generate(server, method=name)
        except CallFailed:
            assert server.answered == 0, "the run ends where there is nothing else"
        else:
            assert any(note.startswith("1 response is missing") for note in ideation.notes), form


def test_a_chain_whose_writer_fails_leaves_the_other_chains(generate, serve):
    ideation = generate(serve(fails(NO_MORE_TRIES, form="Proposal")), drafts=1)
    assert len(ideation.candidates) == 2
    assert "1 of propose_idea" in ideation.notes[-1]


def test_a_draft_whose_writer_fails_leaves_the_other_draft(generate, serve):
    ideation = generate(serve(fails(NO_MORE_TRIES, form="Proposal")))
    assert len(ideation.candidates) == 3
    assert "1 of propose_idea" in ideation.notes[-1]


def test_a_request_that_is_too_long_loses_its_branch_alone(generate, serve):
    ideation = generate(serve(fails(TOO_LONG, form="Proposal")), drafts=1)
    assert len(ideation.candidates) == 2
    assert "1 of propose_idea" in ideation.notes[-1]


def test_settings_that_the_server_never_accepts_end_the_run(generate, serve):
    with pytest.raises(ModelRefusedUs, match="longer than the context"):
        generate(serve(fails(TOO_LONG, times=1_000)))


def test_a_wrong_key_ends_the_run_at_any_time(generate, serve):
    with pytest.raises(ModelRefusedUs, match="unknown key"):
        generate(serve(fails(WRONG_KEY, first=6, times=1_000)))


@pytest.mark.parametrize("name", ["plain", "rag"])
def test_a_run_none_of_whose_calls_was_answered_fails(work, serve, name):
    server = serve(fails(ScriptedAnswer(status=429, headers={"Retry-After": "99999999999"}), times=1_000))
    with pytest.raises(CallFailed, match=r"asks for a wait of .*Resume later"):
        work(server, IDEATION, lambda settings: IdeationTask(topic="widgets", method=name))


def test_a_model_that_is_gone_ends_the_run(generate, serve):
    server = serve(fails(NO_MORE_TRIES, first=4, times=1_000))
    with pytest.raises(CallFailed):
        generate(server)
    assert len(server.asked) <= 4 + MOST_IN_A_ROW + 3, "calls in flight may end after the one that decides"


def test_the_same_command_requests_only_what_is_missing(serve, work):
    server = serve(fails(NO_MORE_TRIES, form="Proposal"))
    task = IdeationTask(topic="widgets", method="chain-of-ideas", options={"drafts": 1})
    first, second = (work(server, IDEATION, lambda settings: task) for _ in range(2))
    assert (len(first.ideation.candidates), len(second.ideation.candidates)) == (2, 3)
    assert not any("missing" in note for note in second.ideation.notes)
    assert [request.form for request in server.asked].count("Proposal") == 3 + 1


# -- other kinds of run ------------------------------------------------------------------------------------------------


@pytest.fixture
def work(tmp_path):
    """Carries out a task on the invented literature, in the same home each time."""

    def carry_out(server, kind, task_of):
        settings = load_settings({"home": str(tmp_path), "writer": server.model}, environment={}, folder=tmp_path)

        async def inside():
            async with Workplace(settings) as workplace:
                workplace.library.add([entry(*each) for each in LINE])
                return await start(kind, workplace, task_of(settings))

        return asyncio.run(inside())

    return carry_out


@pytest.mark.parametrize("form", ["Report", "Verdict"])
def test_a_review_goes_on_without_a_report_or_a_decision(serve, work, form):
    server = serve(fails(NO_MORE_TRIES, form=form))
    reviews = work(server, REVIEW, lambda settings: ReviewTask(ideas=IDEAS, refereeing=review_protocol(settings)))
    assert reviews.failures == 1
    assert len(reviews.ideas) == 3


@pytest.mark.parametrize("form", ["Report", "Verdict"])
def test_a_filter_goes_on_without_a_report_or_a_decision(serve, work, form):
    def task(settings):
        queue = queue_ideas([QueuedIdea(idea=idea, row={}, source="mine") for idea in IDEAS], filter_folder(settings))
        return FilterTask(spool=queue.name, ideas=queue.ideas, refereeing=review_protocol(settings))

    result = work(serve(fails(NO_MORE_TRIES, form=form)), FILTER, task)
    assert (result.tally.ideas, result.tally.failures) == (3, 1)


def test_a_win_rate_goes_on_without_a_judgement(serve, work):
    theirs = [idea.but(title=f"{idea.title} more", generator="theirs") for idea in IDEAS]
    contest, _ = contest_between("mine", IDEAS, "theirs", theirs)
    server = serve(fails(NO_MORE_TRIES, form="Winners"))
    rates = work(server, WIN_RATE, lambda settings: WinRateTask(contests=(contest,), judges=(server.model,)))
    assert rates.contests[0].failures == 1
    assert len(rates.contests[0].bouts) == 6


def test_a_rubric_goes_on_without_a_sheet(serve, work):
    server = serve(fails(NO_MORE_TRIES, form="Marks"))
    marks = work(server, RUBRIC_MARKS, lambda settings: RubricTask(ideas=IDEAS, judges=(server.model,)))
    assert marks.failures == 1
    assert len(marks.sheets) == 3


def test_ideas_in_bulk_go_on_without_a_turn(serve, work):
    server = serve(fails(NO_MORE_TRIES, form="Proposal"))
    questions = ("widgets that learn", "gadgets that plan", "soup at altitude")
    result = work(server, BULK, lambda settings: BulkTask(questions=questions, number=3, method="rag"))
    assert result.failed == 1
    assert "1 of rag_idea" in result.failures[0].why
    assert result.ideas >= 2


@pytest.mark.parametrize("form", ["Sharper", "Finding", "EvidenceAnswer", "Prospects"])
def test_an_exploration_goes_on_without_an_answer(serve, work, form):
    server = serve(fails(NO_MORE_TRIES, form=form))
    report = work(server, EXPLORATION, lambda settings: ExplorationTask(question="How do widgets learn?"))
    asked = {request.form for request in server.asked}
    missing = [note for note in report.explorations[0].notes if "is missing" in note]
    assert len(missing) == (form in asked)
