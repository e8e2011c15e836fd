"""Steering runs: ideas changed on a researcher's word, paid for only where something changed."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from novum.errors import BadInput
from novum.lab import Workplace
from novum.ledger import Ledger
from novum.runs.engine import start
from novum.runs.ideation import IDEATION, IdeationTask
from novum.runs.steering import STEERING, Parent, SteeringTask, ideas_of
from novum.settings import load_settings


@pytest.fixture
def work(tmp_path, filled_library, serve, monkeypatch):
    """Carries out tasks one after the other in one home; returns their outcomes, and the server."""
    server = serve()
    home = tmp_path / "home"
    shutil.copytree(filled_library, home / "library")
    settings = load_settings({"home": str(home), "writer": server.model, "sources": ["none"]})

    def carry_out(kind, task):
        async def inside():
            async with Workplace(settings) as place:
                await start(kind, place, task)
                return place.ledger.run("last")

        return asyncio.run(inside())

    carry_out.server, carry_out.ledger = server, settings.ledger_place
    return carry_out


@pytest.fixture
def first(work):
    return work(IDEATION, IdeationTask(topic="graph learning for molecules", method="chain-of-ideas",
                                       options={"branches": 2, "experiment": False}, opportunities=False))  # fmt: skip


def parents(record, *numbers):
    candidates = ideas_of(record).candidates
    return tuple(Parent(run_id=record.id, idea_id=candidates[number].idea.id) for number in numbers)


def test_a_refined_idea_keeps_its_versions_and_is_checked(work, first):
    record = work(STEERING, SteeringTask(wish="refine", parents=parents(first, 0), comment="use public data only"))
    [candidate] = ideas_of(record).candidates
    before = ideas_of(first).candidates[0]
    assert candidate.earlier_drafts == (*before.earlier_drafts, before.idea)
    assert candidate.chain == before.chain
    assert candidate.final_check is not None
    assert any("use public data only" in each.text for each in work.server.asked)


def test_a_refined_idea_is_refined_again(work, first):
    once = work(STEERING, SteeringTask(wish="refine", parents=parents(first, 0), comment="use public data only"))
    twice = work(STEERING, SteeringTask(wish="refine", parents=parents(once, 0), comment="name a baseline"))
    [candidate] = ideas_of(twice).candidates
    assert ideas_of(once).candidates[0].idea in candidate.earlier_drafts


def test_two_ideas_become_one_that_comes_from_both(work, first):
    record = work(STEERING, SteeringTask(wish="merge", parents=parents(first, 0, 1)))
    [candidate] = ideas_of(record).candidates
    titles = {idea.title for idea in candidate.earlier_drafts}
    assert {each.idea.title for each in ideas_of(first).candidates[:2]} <= titles


def test_another_idea_of_the_same_kind_is_no_version_of_the_first(work, first):
    record = work(STEERING, SteeringTask(wish="similar", parents=parents(first, 0)))
    assert ideas_of(record).candidates[0].earlier_drafts == ()


def test_a_changed_chain_pays_only_for_what_changed(work, first):
    before = ideas_of(first).candidates[0]
    kept = [paper.id for paper in before.chain.papers][:-1]
    record = work(STEERING, SteeringTask(wish="chain", parents=parents(first, 0), papers=tuple(kept)))
    [candidate] = ideas_of(record).candidates
    assert sorted(paper.id for paper in candidate.chain.papers) == sorted(kept)
    with Ledger.open(work.ledger) as ledger:
        paid = {call.prompt for call in ledger.calls(record.id)}
        used = {call.prompt for call in ledger.used_calls(record.id)}
    assert "extract_insight" in used - paid or len(used) > len(paid)


@pytest.mark.parametrize(
    ("task", "says"),
    [
        ({"wish": "refine"}, "remark is empty"),
        ({"wish": "merge"}, "Two different ideas"),
        ({"wish": "chain", "papers": ("paper-0",)}, "1 to 12 papers"),
    ],
)
def test_a_wish_that_cannot_be_fulfilled_is_refused_before_anything_is_paid(work, first, task, says):
    asked = len(work.server.asked)
    with pytest.raises(BadInput, match=says):
        work(STEERING, SteeringTask(parents=parents(first, 0), **task))
    assert len(work.server.asked) == asked


def test_an_idea_that_the_run_has_not_is_refused(work, first):
    with pytest.raises(BadInput, match="has no idea"):
        work(STEERING, SteeringTask(wish="similar", parents=(Parent(run_id=first.id, idea_id="idea-0"),)))
