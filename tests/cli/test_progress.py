"""A run as a tree of steps, from its events alone."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from novum.cli.shell.phrases import effort
from novum.cli.shell.watch import TreeWatcher
from novum.ledger import Event
from novum.runs.progress import RunProgress, StepTally


def event(kind, step="", at=0.0, **data):
    return Event(run_id="r", at=at, kind=kind, step=step, data=data)


def call(step, tokens=10, usd=None, reused=False):
    return event("call", step, prompt_tokens=tokens, completion_tokens=0, usd=usd, reused=reused)


@pytest.fixture
def progress():
    return RunProgress()


def test_steps_nest_by_their_path(progress):
    for each in (event("run-began", method="m"), event("step-began", "a", 1.0), event("step-began", "a / b", 2.0)):
        progress(each)
    progress(event("step-done", "a / b", 5.0))
    assert progress.method == "m"
    assert progress.root.inner["a"].state == "running"
    inside = progress.root.inner["a"].inner["b"]
    assert (inside.state, inside.seconds) == ("done", 3.0)


def test_a_step_entered_twice_adds_up_its_time(progress):
    for kind, at in (("step-began", 1.0), ("step-done", 2.0), ("step-began", 5.0), ("step-broke", 9.0)):
        progress(event(kind, "a", at))
    assert (progress.root.inner["a"].state, progress.root.inner["a"].seconds) == ("broke", 5.0)


def test_what_was_reused_is_counted_but_not_paid_for(progress):
    progress(call("a", tokens=10, usd=0.5))
    progress(call("a", tokens=99, usd=9.0, reused=True))
    tally = progress.root.tally
    assert (tally.calls, tally.reused, tally.tokens, tally.usd) == (2, 1, 10, 0.5)


def test_a_failed_answer_shows_at_every_step_above_it(progress):
    progress(event("no-answer", "a / b"))
    assert [progress.root.tally.failed, progress.root.inner["a"].tally.failed] == [1, 1]


def test_a_run_that_nobody_works_on_has_no_step_that_runs(progress):
    progress(event("step-began", "a / b", 1.0))
    progress.mark_unfinished()
    assert {progress.root.state, progress.root.inner["a"].state, progress.root.inner["a"].inner["b"].state} == {"broke"}


def rendered(progress):
    paper = Console(width=100, file=io.StringIO(), force_terminal=True, color_system=None)
    paper.print(TreeWatcher(progress).tree())
    return paper.file.getvalue()


def test_a_terminal_shows_what_runs_and_folds_what_is_done(progress):
    progress(event("run-began", method="chain-of-ideas"))
    for step in ("branch 1", "branch 1 / chain", "branch 2", "branch 2 / chain"):
        progress(event("step-began", step, 1.0))
    progress(event("note", "branch 2", text="sparse retrieval"))
    for step in ("branch 1 / chain", "branch 1"):
        progress(event("step-done", step, 3.0))
    printed = rendered(progress)
    assert "chain-of-ideas" in printed
    assert "✓ branch 1  2.0 s" in printed
    assert "branch 2: sparse retrieval" in printed
    assert printed.count("chain  ") == 1


def test_a_tree_too_tall_for_a_terminal_shows_only_the_current_steps(progress):
    for number in range(30):
        progress(event("step-began", f"idea {number}", 1.0))
    for number in range(28):
        progress(event("step-done", f"idea {number}", 2.0))
    printed = rendered(progress)
    assert "28 steps done" in printed
    assert "idea 29" in printed
    assert "idea 3 " not in printed


def test_a_step_named_by_a_paper_cannot_steer_the_terminal(progress):
    progress(event("step-began", "read \x1b[2J[bold]title", 1.0))
    assert "read [2J[bold]title" in rendered(progress)


PATHS = st.lists(st.sampled_from("abc"), max_size=3).map(" / ".join)


@given(st.lists(st.tuples(PATHS, st.integers(0, 1000), st.booleans())))
def test_the_root_holds_the_sum_of_all_calls_whatever_their_steps(calls):
    progress = RunProgress()
    for path, tokens, reused in calls:
        progress(call(path, tokens, 0.0, reused))
    assert progress.root.tally.calls == len(calls)
    assert progress.root.tally.tokens == sum(tokens for _, tokens, reused in calls if not reused)


@pytest.mark.parametrize("tally, seconds, text", [
    (StepTally(), 1.2, "1.2 s"),
    (StepTally(calls=1, tokens=1200, usd=0.0123), 90, "1 call, 1,200 tokens, $0.0123, 1 min 30 s"),
    (StepTally(calls=3, reused=3), 0.1, "3 calls (3 reused), 0.1 s"),
    (StepTally(calls=2, failed=1, tokens=5), 1, "2 calls (1 without usable answer), 5 tokens, 1.0 s"),
    (StepTally(calls=2, tokens=5, usd=1.5, usd_unknown=1), 1, "2 calls, 5 tokens, at least $1.50, 1.0 s"),
    (StepTally(calls=1, tokens=5, usd_unknown=1), 1, "1 call, 5 tokens, 1.0 s"),
])  # fmt: skip
def test_what_a_step_took_is_reported_in_a_few_words(tally, seconds, text):
    assert effort(tally, seconds) == text
