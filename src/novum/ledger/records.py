"""Rows of the ledger as records."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import orjson
from pydantic import Field, JsonValue

from novum.core import Cost, Value

RUN_ID = re.compile(r"[^./\\\0][^/\\\0]*")
"""One name of a folder: reports are written to folders that are called as their runs."""
LATEST = 253_402_300_799.0
"""The end of the year 9999, in seconds since the epoch: clocks and calendars know no later time."""
UnixTime = Annotated[float, Field(ge=0, le=LATEST)]
"""Seconds since the epoch."""
RunStatus = Literal["running", "finished", "stopped", "failed"]
"""`stopped`: by the user or the budget, can be resumed. A `running` run whose process is gone was interrupted."""


class Call(Value):
    """One answered call of a model, whether its answer proved usable or not: it was paid for."""

    key: str
    """Hash of the whole question: model, address, messages, form, settings, sample."""
    run_id: str
    prompt: str
    prompt_version: int
    prompt_digest: str
    model: str
    sample: int
    settings: str
    """JSON: temperature, token limit, seed."""
    messages: str
    """JSON: the rendered conversation, its fences as placeholders."""
    returns: str
    answer: str
    reasoning: str = ""
    finish: str = "stop"
    refusal: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    usd: float | None = None
    energy_kwh: float | None = None
    co2_kg: float | None = None
    seconds: float = 0.0
    token_probability: float | None = None
    """The answer's length-normalised probability: the geometric mean over its tokens; None when it was not reported."""
    step: str = ""
    """Where in the run it was first sent: step names joined by ` / `."""
    at: float = 0.0
    """When the last byte of the answer arrived, in seconds since the epoch."""

    @property
    def conversation(self) -> list[tuple[str, str]]:
        """Role and text of each message, fences as placeholders. Raises ValueError where the record is damaged."""
        messages = orjson.loads(self.messages)
        if not isinstance(messages, list) or not all(isinstance(each, list) and len(each) == 2 for each in messages):
            raise ValueError("the messages of a call are no list of messages")
        return [(str(role), str(content)) for role, content in messages]


class Event(Value):
    """Something that happened in a run, for faces that follow it."""

    run_id: str
    at: UnixTime
    kind: str
    step: str
    data: dict[str, JsonValue] = {}


class Share(Cost):
    """What all calls of one model with one prompt took whose answers a run used, whoever paid for them."""

    model: str
    prompt: str
    seconds: float = 0.0


class StepCost(Value):
    """What the paid calls of one step took, without those of the steps inside it."""

    step: str
    """Step names joined by ` / `."""
    calls: int
    tokens: int
    usd: float
    usd_unknown: int
    """Calls whose price is unknown."""


class RunRecord(Value):
    """One run: its task, its state, its outcome."""

    id: str
    kind: str
    title: str
    params: dict[str, JsonValue]
    """Everything needed to do it again; resuming reads nothing else."""
    status: RunStatus
    reason: str = ""
    started: UnixTime
    updated: UnixTime
    seconds: float = 0.0
    """Time spent working on it, over all its sessions."""
    host: str = ""
    pid: int = 0
    result: str = ""
    """JSON of the outcome, when finished."""
