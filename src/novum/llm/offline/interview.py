"""Asks a very small model for a typed answer in plain questions, one at a time.

Such a model writes good plain sentences, and nonsense inside JSON. So its prompts end in a block of lines, each with a
field and the question for it (`method: How does it work?`); a list has as many items as lines. The answers, the
model's own words, are put together to the JSON that larger models write themselves. A field without a line stays empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any

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
"""LB-LB, or editing and editing: how such a model sounds when it is caught in a loop."""
_TRIES = 3

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class InterviewQuestion:
    """One question, and the field that its answer goes to: `method`, or `points.change` for a field of a record."""

    path: tuple[str, ...]
    text: str


def fits_interview(asking: ChatRequest) -> bool:
    """A typed answer is wanted, and the prompt says by which questions."""
    return bool(asking.schema and _questions_in(asking)[1])


def interview(asking: ChatRequest) -> Generator[ChatRequest, ChatReply, ChatReply]:
    """Yields plain questions, is sent their replies, and returns one reply whose content is the JSON asked for."""
    schema = json.loads(asking.schema)
    material, lines = _questions_in(asking)
    answers: list[Any] = []
    replies: list[ChatReply] = []
    for line in lines:
        leaf = leaf_of(schema, line.path)
        for attempt in range(_TRIES):
            reply = yield _question(asking, material, line, leaf, attempt + _sent_back(asking))
            replies.append(reply)
            said = _read(reply.content, leaf)
            if _bound(leaf) or (said and said not in answers and not _STUTTER.search(said)):
                break
        answers.append(said)
    content = json.dumps(assemble(schema, lines, answers), ensure_ascii=False)
    return ChatReply(
        content=content,
        reasoning="",
        finish="stop",
        refusal="",
        prompt_tokens=sum(reply.prompt_tokens or 0 for reply in replies),
        completion_tokens=sum(reply.completion_tokens or 0 for reply in replies),
        token_probability=geometric_mean((reply.token_probability, reply.completion_tokens) for reply in replies),
    )


def _questions_in(asking: ChatRequest) -> tuple[str, list[InterviewQuestion]]:
    """Those of the first message that has any: an answer sent back has others after it."""
    parts = (split_questions(message.content) for message in asking.messages if message.role == "user")
    return next((part for part in parts if part[1]), ("", []))


def split_questions(text: str) -> tuple[str, list[InterviewQuestion]]:
    """What comes before the closing block of questions, and the questions. Only the closing block counts: no text
    that is quoted before it can add one."""
    told = text.rstrip().split("\n")
    first = len(told)
    while first and _LINE.fullmatch(told[first - 1]):
        first -= 1
    matches = [match for match in map(_LINE.fullmatch, told[first:]) if match]
    return "\n".join(told[:first]).strip(), [
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
    for line, said in zip(lines, answers, strict=True):
        name, node = line.path[0], schema["properties"][line.path[0]]
        if node.get("type") != "array":
            _put(whole, line.path, said)
        elif len(line.path) == 1:
            whole[name].append(said)
        else:
            if not whole[name] or whole[name][-1][line.path[1]]:
                whole[name].append(_nothing(node["items"]))
            whole[name][-1][line.path[1]] = said
    return whole


def _put(record: dict[str, Any], path: tuple[str, ...], said: Any) -> None:
    for name in path[:-1]:
        record = record[name]
    record[path[-1]] = said


def _nothing(node: Schema) -> Any:
    if node.get("type") == "object":
        return {name: _nothing(child) for name, child in node["properties"].items()}
    return [] if node.get("type") == "array" else ""


def _question(asking: ChatRequest, material: str, line: InterviewQuestion, leaf: Schema, attempt: int) -> ChatRequest:
    """The material and one question. No answer stands before it: a very small model would only repeat it."""
    bound = _bound(leaf)
    return replace(
        asking,
        messages=[*_system(asking), Message("user", f"{material}\n\n{line.text}".strip())],
        schema=json.dumps(leaf) if bound else "",
        schema_name=line.path[-1],
        max_tokens=_TITLE if bound or _short(leaf) else _SENTENCES,
        # What was said before, or stuttered, is asked for again, a little more freely.
        seed=(asking.seed or 0) + 7919 * attempt,
        temperature=(asking.temperature or 0.0) + 0.3 * attempt,
    )


def _sent_back(asking: ChatRequest) -> int:
    """How often the whole answer was found unusable: then every question is asked more freely."""
    return sum(message.role == "assistant" for message in asking.messages)


def _system(asking: ChatRequest) -> list[Message]:
    return [message for message in asking.messages if message.role == "system"]


def _bound(leaf: Schema) -> bool:
    """Says itself what may be answered: a choice, yes and no, or a number."""
    return leaf.get("type") in {"boolean", "integer"} or any(word in leaf for word in ("enum", "pattern"))


def _short(leaf: Schema) -> bool:
    return bool(leaf.get("maxLength", _SHORT + 1) <= _SHORT)


def _read(content: str, leaf: Schema) -> Any:
    if _bound(leaf):
        try:
            return json.loads(content)
        except json.JSONDecodeError:  # found unusable as a whole then, and asked again
            return ""
    return first_line(content) if _short(leaf) else sentences(content)


def first_line(text: str) -> str:
    """A title out of what was said: its first line, without quotation marks."""
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
