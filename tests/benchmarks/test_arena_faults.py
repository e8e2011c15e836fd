"""Methods of other packages that fail in ways of their own: they forfeit, and the arena goes on."""

from __future__ import annotations

import pytest

from novum.errors import BudgetSpent
from tests.benchmarks.arena_lab import assignment, by_level, competed, register
from tests.benchmarks.arena_lab import sketch as a_sketch


class Odd(Exception):
    """Of a package that knows nothing of our errors."""


@pytest.mark.parametrize("fault", [Odd("no idea"), ExceptionGroup("tasks", [Odd("no idea"), ValueError("x")]), None])
def test_a_method_with_errors_of_its_own_or_without_an_answer_forfeits(serve, tmp_path, monkeypatch, fault):
    async def strange(lab, topic, options):
        if options.level != 1:
            return await a_sketch(lab, topic, options)
        if fault:
            raise fault
        return None

    register(monkeypatch, strange)
    run = competed(tmp_path, serve(by_level), assignment(serve(by_level), topics=1))
    assert [bool(entry.forfeit) for entry in run.entries] == [True, False, False]
    assert "Odd: no idea" in run.entries[0].forfeit or fault is None
    assert len(run.judged_pairs) == 2


def test_a_budget_that_ends_inside_a_group_of_tasks_is_no_forfeit(serve, tmp_path, monkeypatch):
    async def grouped(lab, topic, options):
        raise ExceptionGroup("tasks", [Odd("cancelled"), BudgetSpent("The budget is spent.")])

    register(monkeypatch, grouped)
    run = competed(tmp_path, serve(by_level), assignment(serve(by_level), topics=1))
    assert not run.entries
    assert run.stopped == "The budget is spent."
