"""The token probability of an idea, from the responses of its run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from novum.core import Idea

_DEEPEST = 20
"""Levels of nested fields of a response that are searched."""


def token_probability_of(idea: Idea, calls: Iterable[tuple[str, float | None]]) -> float | None:
    """The probability of the last response that contains both title and summary of the idea (its last draft); None
    where there is none, or its probability is unknown. `calls`: responses in order, each with its length-normalised
    probability."""
    wanted = [plain for text in (idea.title, idea.summary) if (plain := _plain(text))]
    if not wanted:
        return None
    result: float | None = None
    for answer, probability in calls:
        plain_answer = _plain(_strings_of(answer))
        if all(text in plain_answer for text in wanted):
            result = probability
    return result


def _strings_of(answer: str) -> str:
    """The strings in the JSON object of a response, one on each line; a response without JSON unchanged."""
    start, end = answer.find("{"), answer.rfind("}")
    try:
        return "\n".join(_strings(json.loads(answer[start : end + 1]), _DEEPEST))
    except (ValueError, RecursionError):
        return answer


def _strings(value: Any, deeper: int) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif deeper and isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each, deeper - 1)


def _plain(text: str) -> str:
    """The text in lower case with single spaces, as later processing may have changed both."""
    return " ".join(text.casefold().split())
