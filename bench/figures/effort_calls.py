"""Calls, tokens and dependent steps of every method at every effort, against a scripted model.

The library is the starter library. Writer, reader and judge are three names of one scripted model, which answers with
texts of plausible length about nothing; seeds and proposals differ, so that nothing is dropped as a near-duplicate. No
paper contains an idea, reviewers are never satisfied. Tokens are characters / 4.

Dependent steps are the longest sequence of calls that wait for each other. They are counted by a server that answers
all waiting requests at once, as soon as no further one comes in.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from novum.lab import Workplace
from novum.methods import get_method
from novum.methods.effort import LEVELS, has_effort
from novum.runs.engine import start
from novum.runs.ideation import IDEATION, IdeationTask
from novum.settings import load_settings
from novum.testing import ReceivedRequest, ScriptedAnswer, ScriptedServer, plausible_answer

TOPIC = "graph neural networks that predict molecular properties from few examples"
_QUIET = 0.25
"""Seconds without a further request after which all waiting ones are answered."""
_PATIENCE = 300.0
_TITLES = frozenset({"WrittenSeeds", "Seeds", "Plan", "Sketch", "Proposal", "RevisedProposal"})
"""Answers whose texts must differ, so that no idea repeats another one."""
_CUT = {
    "WrittenSeeds": ("seeds",),
    "Seeds": ("seeds",),
    "Perspectives": ("perspectives",),
    "Prospects": ("problems", "concepts"),
}
"""Answers whose lists have as many items as requested, or as there is room for, and the names of these lists."""
_COUNT = re.compile(r"(?:Write|Give|give) (\d+) ")
_MOST = 10


class SteppingServer:
    """A script for a scripted server: it counts, and answers in steps."""

    def __init__(self) -> None:
        self.roles: dict[str, Counter[str]] = {}
        self.steps = 0
        self._waiting: asyncio.Event | None = None
        self._last = 0.0
        self._task: asyncio.Task[None] | None = None

    def __call__(self, asked: ReceivedRequest) -> ScriptedAnswer:
        content = distinct_answer(asked)
        count = self.roles.setdefault(asked.model, Counter())
        count["calls"] += 1
        count["prompt_tokens"] += len(asked.text) // 4
        count["answer_tokens"] += len(content) // 4
        loop = asyncio.get_running_loop()
        self._last = loop.time()
        if self._waiting is None:
            self._waiting = asyncio.Event()
            self._task = loop.create_task(self._answer_when_quiet(self._waiting))
        return ScriptedAnswer(content, after=self._waiting)

    async def _answer_when_quiet(self, waiting: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        while loop.time() - self._last < _QUIET:  # noqa: ASYNC110  silence is no event
            await asyncio.sleep(_QUIET / 4)
        self.steps += 1
        self._waiting = None
        waiting.set()


def distinct_answer(asked: ReceivedRequest) -> str:
    """A plausible answer; words of ideas are drawn anew for each, so that no two are alike, and lists that are cut to a
    requested number are long enough for it."""
    text = plausible_answer(asked.messages, asked.schema, asked.body.get("seed", 0))
    if asked.form in _CUT:
        text = json.dumps(_lengthened(json.loads(text), asked, _CUT[asked.form]))
    if asked.form not in _TITLES:
        return text
    return json.dumps(_reworded(json.loads(text), random.Random(text)))


def _lengthened(value: dict[str, Any], asked: ReceivedRequest, fields: Sequence[str]) -> dict[str, Any]:
    """The answer with the items of further ones."""
    requested = int(next(iter(_COUNT.findall(asked.text)), _MOST))
    answers = [
        value,
        *(json.loads(plausible_answer(asked.messages, asked.schema, 1000 + n)) for n in range(_MOST)),
    ]
    return value | {field: [item for each in answers for item in each[field]][:requested] for field in fields}


def _reworded(value: Any, rng: random.Random, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _reworded(each, rng, key) for key, each in value.items()}
    if isinstance(value, list):
        return [_reworded(each, rng, name) for each in value]
    if not isinstance(value, str) or "quer" in name or "[P" in value or not value:
        return value
    return " ".join("".join(rng.choices("bcdfgklmnprstvwaeiou" * 3, k=len(word))) for word in value.split())


async def calls_of(folder: Path, method: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What one run takes: by role its calls and tokens, and the number of dependent steps."""
    script = SteppingServer()
    with ScriptedServer(script, keep=False) as server:
        base = server.model.partition("@")[2]
        names = {role: f"server:{role}@{base}" for role in ("writer", "reader", "judge")}
        given = {"home": str(folder), "ledger": str(folder / f"{method}.sqlite"), "writer": names["writer"]}
        given |= {"reader": names["reader"], "judges": names["judge"], "in_flight": 200, "sources": "none"}
        async with Workplace(load_settings(given, environment={}, folder=folder)) as place:
            task = IdeationTask(topic=TOPIC, method=method, options=dict(options), opportunities=False)
            report = await asyncio.wait_for(start(IDEATION, place, task, fresh=True), _PATIENCE)
    for note in report.ideation.notes:
        print(f"  {note}")
    assert report.ideation.candidates, f"{method} had no idea"
    return {"steps": script.steps, "roles": {role: dict(script.roles.get(role, {})) for role in names}}


def levels_of(method: str) -> dict[str, dict[str, Any]]:
    """The options of each row of the table: the defaults, and every effort that the method has."""
    levels = {level: {"effort": level} for level in LEVELS} if has_effort(method) else {}
    known = {"default": {}, **levels}
    fields = get_method(method).options.model_fields
    distinct = {"similarity": 1.0} if "similarity" in fields else {}  # invented words look alike to an embedder
    return {level: {**options, **distinct} for level, options in known.items()}
