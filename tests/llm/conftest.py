"""A workbench for asking: a scripted server over real HTTP, a real ledger in a file, one run."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from pydantic import Field

from novum.ledger import Ledger, Run
from novum.llm import (
    Answer,
    Budget,
    BudgetGuard,
    CallSettings,
    Connections,
    ModelName,
    ModelRoles,
    Models,
    ModelSettings,
)
from novum.prompts import PromptBook

UNLIMITED = Budget()


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Who tries again does so soon. What a server itself asks for is waited for all the same."""
    monkeypatch.setattr("novum.llm.endpoint._FIRST_WAIT", 0.02)


PROMPT = "---\nname: repair\nversion: 1\nneeds: [problem]\nreturns: Grade\n---\n{{ problem | untrusted }}"


class Grade(Answer):
    reason: str = Field(max_length=50)
    grade: int = Field(ge=1, le=10)


GOOD = '{"reason": "clear", "grade": 7}'


class Bench:
    """Everything that stands around one call."""

    def __init__(self, folder):
        self.folder = folder
        self.ledger = Ledger.open(folder / "ledger.sqlite")
        self.prompts = PromptBook(folder / "prompts" if (folder / "prompts").is_dir() else None)

    def settings(self, model, **changes):
        name = ModelName.parse(model)
        calls = CallSettings(
            deadline_seconds=changes.pop("deadline", 300.0),
            **{
                key: changes.pop(key)
                for key in ("temperature", "seed", "max_tokens", "stall_seconds")
                if key in changes
            },
        )
        return replace(ModelSettings(ModelRoles(name, name, (name,)), calls), **changes)

    def run(self, settings, work, *, run_id=None, fresh=False, budget=UNLIMITED):
        """Does `work(models)` in an event loop of its own, within a new run or the one named."""

        async def inside():
            record = self.ledger.run(run_id) if run_id else self.ledger.start_run("test", "a test", {})
            connections = Connections(settings, self.folder / "models")
            run = Run(self.ledger, record, fresh=fresh)
            models = Models(
                settings, self.prompts, connections, run, BudgetGuard.opened(budget, self.ledger.account(record.id))
            )
            try:
                return await work(models)
            finally:
                await connections.close()

        return asyncio.run(inside())


@pytest.fixture
def bench(tmp_path):
    folder = tmp_path / "prompts"
    folder.mkdir()
    made = Bench(tmp_path)
    yield made
    made.ledger.close()


@pytest.fixture
def grading(bench):
    """The bench with a prompt of its own that asks for a grade. The text for mending answers is another prompt then."""

    def prompt(returns):
        text = PROMPT.replace("returns: Grade", f"returns: {returns}").replace("name: repair", "name: grade")
        return bench.prompts._parse(text, "grade.md")

    bench.prompts._loaded["grade"] = prompt("Grade")
    bench.prompts._loaded["say"] = prompt("str")
    return bench
