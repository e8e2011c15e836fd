"""Requests a typed answer from a very small model by plain questions, one at a time.

Such a model writes good plain sentences, and nonsense inside JSON. So its prompts end in a block of lines, each with a
field and the question for it (`method: How does it work?`); a list has as many items as lines. The answers, in the
words of the model, are assembled to the JSON that larger models write themselves. A field without a line stays empty,
and so does one whose answers could not be used (`answer_faults.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from novum.llm.offline.answer_faults import answer_fault
from novum.llm.token_probability import geometric_mean
from novum.llm.wire import ChatReply, ChatRequest
from novum.prompts import Message

_LINE = re.compile(r"([a-z_]+(?:\.[a-z_]+)?): (\S.*)")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
_LIST_MARK = re.compile(r"^\s*(?:[-*#>]+|\d+[.)])\s+")
_TITLE, _SENTENCES = 32, 80
"""Tokens of an answer at most."""
_SHORT = 160
"""A string of at most so many characters is a title or a query: one line."""
_STUTTER = re.compile(r"\b(\w+)-\1\b|\b([\w-]+(?: [\w-]+){0,3})[,:]? (?:and )?\2\b", re.IGNORECASE)
"""LB-LB, or editing and editing: what such a model writes when it is in a loop."""
_TRIES, _TITLE_TRIES = 3, 6
"""Requests for one answer at most; a title is short, and nothing can be made of an idea without one."""

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class InterviewQuestion:
    """One question, and the field that its answer goes to: `method`, or `points.change` for a field of a record."""

    path: tuple[str, ...]
    text: str


def fits_interview(request: ChatRequest) -> bool:
    """Whether a typed answer is requested, and the prompt has questions for it."""
    return bool(request.schema and _questions_in(request)[1])


def interview(request: ChatRequest) -> Generator[ChatRequest, ChatReply, ChatReply]:
    """Yields plain questions, receives their replies, and returns one reply whose content is the requested JSON."""
    schema = json.loads(request.schema)
    material, lines = _questions_in(request)
    answers: list[Any] = []
    replies: list[ChatReply] = []
    for line in lines:
        leaf = leaf_of(schema, line.path)
        for attempt in range(_TITLE_TRIES if line.path[-1] == "title" else _TRIES):
            reply = yield _question(request, material, line, leaf, attempt + _repairs(request))
            replies.append(reply)
            answer = _read(reply.content, leaf)
            fault = "" if _bound(leaf) else answer_fault(line.path[-1], answer, f"{material}\n{line.text}")
            if _bound(leaf) or (answer and not fault and answer not in answers and not _STUTTER.search(answer)):
                break
        answers.append("" if fault else answer)
    content = json.dumps(assemble(schema, lines, answers), ensure_ascii=False)
    return ChatReply(
        content=content,
        reasoning="",
        finish="stop",
        refusal="",
        prompt_tokens=_total(reply.prompt_tokens for reply in replies),
        completion_tokens=_total(reply.completion_tokens for reply in replies),
        token_probability=geometric_mean((reply.token_probability, reply.completion_tokens) for reply in replies),
    )


def _total(counts: Iterable[int | None]) -> int | None:
    """The sum; None where a number is unknown."""
    known = list(counts)
    return None if None in known else sum(each or 0 for each in known)


def _questions_in(request: ChatRequest) -> tuple[str, list[InterviewQuestion]]:
    """The questions of the first message that has any. Others follow when an answer was returned to the model."""
    parts = (split_questions(message.content) for message in request.messages if message.role == "user")
    return next((part for part in parts if part[1]), ("", []))


def split_questions(text: str) -> tuple[str, list[InterviewQuestion]]:
    """The text before the closing block of questions, and the questions. Only the closing block counts: no text that
    is quoted before it can add one."""
    lines = text.rstrip().split("\n")
    first = len(lines)
    while first and _LINE.fullmatch(lines[first - 1]):
        first -= 1
    matches = [match for match in map(_LINE.fullmatch, lines[first:]) if match]
    return "\n".join(lines[:first]).strip(), [
        InterviewQuestion(tuple(match[1].split(".")), match[2]) for match in matches
    ]


def leaf_of(schema: Schema, path: tuple[str, ...]) -> Schema:
    """The schema of what one answer is read as."""
    node: Schema = schema
    for name in path:
        node = node["properties"][name]
        node = node.get("items", node)
    return node


def assemble(schema: Schema, lines: list[InterviewQuestion], answers: list[Any]) -> dict[str, Any]:
    """The record of `schema` that the answers make."""
    whole: dict[str, Any] = {name: _nothing(node) for name, node in schema["properties"].items()}
    for line, answer in zip(lines, answers, strict=True):
        name, node = line.path[0], schema["properties"][line.path[0]]
        if node.get("type") != "array":
            _put(whole, line.path, answer)
        elif len(line.path) == 1:
            whole[name] += [answer] if answer != "" else []
        else:
            if not whole[name] or whole[name][-1][line.path[1]]:
                whole[name].append(_nothing(node["items"]))
            whole[name][-1][line.path[1]] = answer
    return whole


def _put(record: dict[str, Any], path: tuple[str, ...], answer: Any) -> None:
    for name in path[:-1]:
        record = record[name]
    record[path[-1]] = answer


def _nothing(node: Schema) -> Any:
    if node.get("type") == "object":
        return {name: _nothing(child) for name, child in node["properties"].items()}
    return [] if node.get("type") == "array" else ""


def _question(request: ChatRequest, material: str, line: InterviewQuestion, leaf: Schema, attempt: int) -> ChatRequest:
    """The material and one question. No answer stands before it: a very small model would only repeat it."""
    bound = _bound(leaf)
    return replace(
        request,
        messages=[*_system(request), Message("user", f"{material}\n\n{line.text}".strip())],
        schema=json.dumps(leaf) if bound else "",
        schema_name=line.path[-1],
        max_tokens=_TITLE if bound or _short(leaf) else _SENTENCES,
        # An answer that repeats itself or an earlier one is requested again, with a little more randomness.
        seed=(request.seed or 0) + 7919 * attempt,
        temperature=(request.temperature or 0.0) + 0.3 * attempt,
    )


def _repairs(request: ChatRequest) -> int:
    """How often the whole answer was unusable: each time, every question is sent with more randomness."""
    return sum(message.role == "assistant" for message in request.messages)


def _system(request: ChatRequest) -> list[Message]:
    return [message for message in request.messages if message.role == "system"]


def _bound(leaf: Schema) -> bool:
    """Whether the schema itself limits the answer: a choice, yes or no, or a number."""
    return leaf.get("type") in {"boolean", "integer", "number"} or any(word in leaf for word in ("enum", "pattern"))


def _short(leaf: Schema) -> bool:
    return bool(leaf.get("maxLength", _SHORT + 1) <= _SHORT)


def _read(content: str, leaf: Schema) -> Any:
    if _bound(leaf):
        try:
            return json.loads(content)
        except json.JSONDecodeError:  # then the whole answer is unusable, and requested again
            return ""
    return first_line(content) if _short(leaf) else sentences(content)


def first_line(text: str) -> str:
    """The title in an answer: its first line, without quotation marks."""
    line = next((line for line in text.split("\n") if line.strip()), "")
    return line.strip().strip('"*#. ').removeprefix("Title: ").strip('"')


def sentences(text: str, most: int = 2) -> str:
    """The first whole sentences of the first paragraph that has one, each once."""
    for paragraph in text.split("\n"):
        clean = _LIST_MARK.sub("", paragraph).replace("**", "").strip()
        ends = [match.end() for match in _SENTENCE_END.finditer(clean)]
        pieces = [clean[start:end].strip() for start, end in zip([0, *ends], ends, strict=False)]
        if pieces:
            return " ".join(list(dict.fromkeys(pieces))[:most])
    return ""
