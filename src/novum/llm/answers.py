"""Reading what a model said: reasoning kept apart, refusals told from answers, JSON found and validated. Pure
functions.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

Form = TypeVar("Form", bound=BaseModel)

_THINK = re.compile(r"\s*<(think|thinking|reasoning)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
"""At the beginning only: an idea may well speak of `<think>` tokens."""
_THINK_CLOSED_ONLY = re.compile(r"(?!\s*(?:```|\{))(.*?)</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```(?:json)?(.*?)```", re.DOTALL | re.IGNORECASE)
_DECLINES = re.compile(
    r"\A\W*(?:i(?:['’]m| am) (?:very |truly )?sorry\b[^.\n]{0,80}?\b(?:can(?:no|['’])t|can not|unable|not able)"
    r"|i (?:can(?:no|['’])t|can not|won['’]t|will not|am unable to|am not able to)\b "
    r"(?:help|assist|provide|comply|create|answer|do|discuss|engage|fulfil+)"
    r"|(?:sorry|unfortunately|apologies),? (?:but )?i (?:can(?:no|['’])t|can not|am unable)"
    r"|as an ai\b[^.\n]{0,60}\bi (?:can(?:no|['’])t|can not|am unable))",
    re.IGNORECASE,
)
_STRING_OR_BRACE = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}]', re.DOTALL)


@dataclass(frozen=True)
class SplitAnswer:
    """A model's words: `text` is the answer, `reasoning` what it thought aloud before."""

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


def find_json(text: str) -> str:
    """The JSON object in an answer: a fenced block, else from the first brace to its match, else the text itself."""
    for block in _FENCED.findall(text):
        if "{" in block:
            text = block
            break
    start = text.find("{")
    return text[start : _closing_brace(text, start) + 1] if start >= 0 else text


def parse_form(text: str, form: type[Form]) -> Form:
    """The typed answer. Raises ValueError with a message that the model can act on."""
    try:
        data = _loaded(text)
    except orjson.JSONDecodeError as error:
        raise ValueError(
            f"The answer is not valid JSON: {error}. Answer with one JSON object and nothing else."
        ) from error
    try:
        return form.model_validate(data)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, each['loc'])) or 'object'}: {each['msg']}" for each in error.errors()[:8]
        )
        raise ValueError(f"The JSON object is not of the form asked for: {wrong}.") from error


def _loaded(text: str) -> Any:
    """The JSON object in an answer. Most answers are one and nothing else: to look for it takes longer than to read it,
    and would find a fenced block in one of its texts."""
    if text.startswith("{"):
        with suppress(orjson.JSONDecodeError):
            return orjson.loads(text)
    return orjson.loads(find_json(text))


def _closing_brace(text: str, start: int) -> int:
    """Index of the brace that closes the one at `start`, none in strings counted; the last character without one."""
    depth = 0
    for token in _STRING_OR_BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.start()
    return len(text) - 1
