"""Reading the answer of a model: its reasoning is separated, a refusal recognised, JSON found and validated. Pure
functions.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

Form = TypeVar("Form", bound=BaseModel)

_THINK = re.compile(r"\s*<(think|thinking|reasoning)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
"""At the beginning only: an idea may well speak of `<think>` tokens."""
_THINK_CLOSED_ONLY = re.compile(r"(?!\s*(?:```|\{))(.*?)</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_DECLINES = re.compile(
    r"\A\W*(?:i(?:['’]m| am) (?:very |truly )?sorry\b[^.\n]{0,80}?\b(?:can(?:no|['’])t|can not|unable|not able)"
    r"|i (?:can(?:no|['’])t|can not|won['’]t|will not|am unable to|am not able to)\b "
    r"(?:help|assist|provide|comply|create|answer|do|discuss|engage|fulfil+)"
    r"|(?:sorry|unfortunately|apologies),? (?:but )?i (?:can(?:no|['’])t|can not|am unable)"
    r"|as an ai\b[^.\n]{0,60}\bi (?:can(?:no|['’])t|can not|am unable))",
    re.IGNORECASE,
)
_OBJECT_START = re.compile(r"\{\s*(?:[\"'“‘}]|\w+\s*:)")
"""Also of what is JSON only nearly: with other quotation marks around its names, or none."""
_STRING_OR_BRACE = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}]', re.DOTALL)


@dataclass(frozen=True)
class SplitAnswer:
    """What a model wrote: `text` is the answer, `reasoning` what came before it."""

    text: str
    reasoning: str


def split_reasoning(content: str, reasoning: str = "") -> SplitAnswer:
    """Moves `<think>…</think>` passages (also one that was never opened or closed) from the answer to the reasoning."""
    thoughts, begin = [], 0
    while opening := _THINK.match(content, begin):
        thoughts.append(opening[2].strip())
        begin = opening.end()
    if orphan := _THINK_CLOSED_ONLY.match(content, begin):
        thoughts.append(orphan[1].strip())
        begin = orphan.end()
    return SplitAnswer(content[begin:].strip(), "\n\n".join(part for part in (reasoning.strip(), *thoughts) if part))


def is_refusal(text: str) -> bool:
    """Whether an answer opens by declining. Only its beginning counts: an idea may well say what «AI cannot» do."""
    return _DECLINES.match(text[:300]) is not None


def json_objects(text: str) -> list[str]:
    """The outermost objects of a text in their order, JSON or what was meant to be JSON, the last perhaps cut off.

    Other braces, as in formulas, are passed over. What stands in a string or within an object is part of it.
    """
    objects, position = [], 0
    while start := _OBJECT_START.search(text, position):
        position = _closing_brace(text, start.start()) + 1
        objects.append(text[start.start() : position])
    return objects


def parse_form(text: str, form: type[Form]) -> Form:
    """The typed answer in a text: its last JSON object that has fields of the form.

    A model may draft before it answers, and may quote JSON from the text that it judges. So what it means is certain
    only when no earlier object is a different, complete answer. Raises ValueError with a message that the model can act
    on.
    """
    if text.startswith("{"):  # most answers are one object and nothing else: looking for it takes longer
        with suppress(orjson.JSONDecodeError):
            return _validated(_value(text, form), form)
    objects = json_objects(text)
    *earlier, last = [each for each in objects if _field_of(form).search(each)] or objects[-1:] or [text]
    answer = _parsed(last, form)
    if any(other != answer for other in _complete(earlier, form)):
        raise ValueError(
            "The answer has several JSON objects of the form asked for, and they differ. Answer with one JSON object "
            "and nothing else."
        )
    return answer


@functools.cache
def _field_of(form: type[BaseModel]) -> re.Pattern[str]:
    """Finds a name of the form in an object: then that was meant as the answer."""
    names = "|".join(map(re.escape, form.model_fields))
    return re.compile(rf"(?:\"(?:{names})\"|[{{,]\s*['“‘]?(?:{names})['”’]?)\s*:")


def _complete(objects: Sequence[str], form: type[Form]) -> Iterator[Form]:
    for each in objects:
        with suppress(ValueError):
            yield _parsed(each, form)


def _parsed(text: str, form: type[Form]) -> Form:
    try:
        value = _value(text, form)
    except orjson.JSONDecodeError as error:
        raise ValueError(
            f"The answer is not valid JSON: {error}. Answer with one JSON object and nothing else."
        ) from error
    return _validated(value, form)


def _value(text: str, form: type[BaseModel]) -> Any:
    """Raises orjson.JSONDecodeError when it is malformed or cut off, ValueError when a field has two values."""
    value = orjson.loads(text)
    if any(text.count(f'"{name}"') > 1 for name in form.model_fields):  # seldom: the check takes ten times as long
        try:
            json.loads(text, object_pairs_hook=_check_repetitions)
        except RecursionError as error:
            raise ValueError("The JSON object is nested too deeply.") from error
    return value


def _check_repetitions(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    for name, each in pairs:
        if value[name] != each:
            raise ValueError(f"The field {name!r} has two different values. Give it one.")
    return value


def _validated(value: Any, form: type[Form]) -> Form:
    try:
        return form.model_validate(value)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, each['loc'])) or 'object'}: {each['msg']}" for each in error.errors()[:8]
        )
        raise ValueError(f"The JSON object is not of the form asked for: {wrong}.") from error


def _closing_brace(text: str, start: int) -> int:
    """Index of the brace that closes the one at `start`, none in strings counted; the last character without one."""
    depth = 0
    for token in _STRING_OR_BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.start()
    return len(text) - 1
