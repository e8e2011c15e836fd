"""How probable an idea was to the model that wrote it, found among the answers of its run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from novum.core import Idea

_DEEPEST = 20
"""Answers nest their fields in a few levels; what nests deeper is nobody's idea."""


def token_probability_of(idea: Idea, calls: Iterable[tuple[str, float | None]]) -> float | None:
    """`calls`: answers in the order in which they were given, each with its length-normalised probability.

    That of the last answer that holds both title and summary of the idea (its last draft, where it was drafted more
    than once). None where no answer does, or where that one's probability was not told.
    """
    wanted = [plain for text in (idea.title, idea.summary) if (plain := _plain(text))]
    if not wanted:
        return None
    result: float | None = None
    for answer, probability in calls:
        plain_answer = _plain(_spoken(answer))
        if all(text in plain_answer for text in wanted):
            result = probability
    return result


def _spoken(answer: str) -> str:
    """The strings of a JSON answer, whatever stands around it, one a line; an answer that is none as it is."""
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
    """Without what tidying may have changed: case, and white space."""
    return " ".join(text.casefold().split())
