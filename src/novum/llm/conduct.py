"""The loop that carries out a protocol.

A protocol is a generator: it yields one question, or several that may be sent at the same time, and receives for each
the value of the answer, or the error where no answer was usable. The protocol decides; this loop only sends.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.llm.models import Models
from novum.llm.question import Question

Result = TypeVar("Result")
Protocol = Generator["Question[Any] | Sequence[Question[Any]]", Any, Result]


async def conduct(models: Models, protocol: Protocol[Result]) -> Result:
    """Runs `protocol` to its end and returns what it returns."""
    try:
        step = next(protocol)
        while True:
            if isinstance(step, Question):
                reply: Any = await _value_or_error(models, step)
            else:
                reply = await run_concurrently(_value_or_error(models, question) for question in step)
            step = protocol.send(reply)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # a generator's return value, untyped by StopIteration


async def _value_or_error(models: Models, question: Question[Any]) -> Any:
    try:
        return await models.ask(question)
    except NoUsableAnswer as error:
        return error
