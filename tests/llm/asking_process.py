"""A process that asks the same numbered questions within one run, for tests that end it in the middle.

python -m tests.llm.asking_process FOLDER MODEL RUN QUESTIONS IN_FLIGHT CALLS
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tests.llm.conftest import PROMPT, UNLIMITED, Bench

from novum.errors import ModelError
from novum.llm import Budget, Limits, Models, Question


async def ask_all(models: Models, count: int) -> None:
    """Asks all questions at once. A question that fails does not end the others; the end of the budget does."""

    async def ask(number: int) -> None:
        with suppress(ModelError):
            await models.ask(Question("say", {"problem": str(number)}, str))

    async with asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(ask(number))


def started(folder: Path, model: str, run_id: str, questions: int, in_flight: int, calls: int) -> subprocess.Popen[str]:
    """The process. `calls`: its budget; 0 for none."""
    arguments = [str(each) for each in (folder, model, run_id, questions, in_flight, calls)]
    command = [sys.executable, "-m", "tests.llm.asking_process", *arguments]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def main(folder: str, model: str, run_id: str, questions: str, in_flight: str, calls: str) -> None:
    bench = Bench(Path(folder))
    bench.prompts._loaded["say"] = bench.prompts._parse(PROMPT.replace("returns: Grade", "returns: str"), "say.md")
    settings = replace(bench.settings(model, deadline=60.0), limits=Limits(in_flight=int(in_flight)))
    budget = Budget(calls=int(calls)) if int(calls) else UNLIMITED
    with suppress(BaseExceptionGroup):
        bench.run(settings, lambda models: ask_all(models, int(questions)), run_id=run_id, budget=budget)
    bench.ledger.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
