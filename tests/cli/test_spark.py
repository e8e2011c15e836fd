"""`novum ideate --method spark`: killed anywhere, stopped by a budget, taken up again, and repeated by its seed."""

from __future__ import annotations

import json

import pytest

from novum.core import IdeationReport
from tests.cli.test_explore import grading, kill_after

COMMAND = (
    "ideate", "molecules", "--method", "spark", "--option", "ideas=2", "--option", "rounds=1", "--option", "passages=4",
    "--option", "experiment=false", "--json",
)  # fmt: skip


def ideation(ended):
    assert ended.code == 0, ended.err
    return IdeationReport.model_validate_json(ended.out).ideation


@pytest.mark.slow
@pytest.mark.parametrize("answers", [2, 6, 9, 14])
def test_killed_and_resumed_it_ends_as_if_left_alone(here, start, serve, answers):
    server = serve(grading(8), latency=0.02)
    kill_after(start(*COMMAND, "--model", server.model), server, answers)
    resumed = ideation(here("runs", "resume", "last", "--json"))
    fresh = ideation(here(*COMMAND, "--model", server.model, "--fresh"))
    assert resumed == fresh
    assert len(fresh.grounds) == len(fresh.candidates) > 0


@pytest.mark.slow
def test_a_budget_that_ends_in_the_middle_loses_nothing(here, serve):
    server = serve(grading(8))
    stopped = here(*COMMAND, "--model", server.model, "--budget-calls", "9")
    assert stopped.code != 0
    assert "runs resume" in stopped.err
    before = len(server.asked)
    assert ideation(here("runs", "resume", "last", "--budget-calls", "200", "--json")).candidates
    again = [json.dumps(asked.text) for asked in server.asked]
    assert len(set(again)) == len(again) > before, "nothing is asked twice"


@pytest.mark.slow
def test_the_seed_decides_what_ideas_start_from(here, serve):
    server = serve(grading(8))
    one, same, other = (
        [ground.concepts for ground in ideation(here(*COMMAND, "--model", server.model, "--seed", seed)).grounds]
        for seed in ("1", "1", "2")
    )
    assert one == same
    assert one != other
