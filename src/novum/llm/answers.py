"""Reading the answer of a model: its reasoning is separated, a refusal recognised, JSON found and validated. Pure
functions.
"""

from __future__ import annotations

import copy
import functools
import html
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

import orjson
from pydantic import BaseModel, ValidationError

Form = TypeVar("Form", bound=BaseModel)

_OPENS, _CLOSES = (
    r"<\s*(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning|analysis|scratchpad)(?:\s[^<>]{0,80})?>|\[THINK\]|[◁◀]think[▷▶]"
    r"|<\|(?:start_thinking|begin_of_thought)\|>|<\|channel\|>(?:analysis|commentary)[^<]{0,80}<\|message\|>",
    r"<\s*/\s*(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning|analysis|scratchpad)\s*>|\[/THINK\]|[◁◀]/think[▷▶]"
    r"|<\|(?:end_thinking|end_of_thought)\|>|<\|end\|>|(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>",
)
"""Marks of thoughts: of DeepSeek, Qwen and most others; of Seed-OSS, Magistral, Kimi, Command A, Sky-T1, gpt-oss."""
_THINK = re.compile(rf"\s*(?:{_OPENS})(.*?)(?:{_CLOSES}|\Z)", re.DOTALL | re.IGNORECASE)
"""At the beginning only: an idea may well speak of `<think>` tokens."""
_THINK_CLOSED_ONLY = re.compile(
    r"(?!\s*(?:```|\{))(.*?)(?:</(?:seed:)?(?:think|thinking|reasoning)>|\[/THINK\]|[◁◀]/think[▷▶]"
    r"|<\|(?:end_thinking|end_of_thought)\|>)",
    re.DOTALL | re.IGNORECASE,
)
_ANSWER_MARK = re.compile(r"\s*(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>", re.IGNORECASE)
"""By which gpt-oss begins its answer."""
_THOUGHT_MARK = re.compile(rf"(?<!`)(?:(?P<opens>{_OPENS})|{_CLOSES})", re.IGNORECASE)
"""In backticks the mark is spoken of."""
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

_LAST_COMMA = re.compile(r'(?P<string>"(?:[^"\\]|\\.)*")|,(?P<end>\s*[}\]])', re.DOTALL)
_PLACEHOLDER = re.compile(r":\s*<[^<>{}\"\n]{1,80}>")
_LEFT_OPEN = re.compile(r"\s*(?:<[^<>]*>|\.{3}|…)\s*")
"""A text in the place of a value that is still to be written."""
_SCALE = re.compile(r"\s*[01]\s*(?:to|-|–)\s*\d{1,3}\s*")
"""A scale in the place of a number."""
_CODED = re.compile(r"\\u([0-9a-fA-F]{4})")
_FENCE = re.compile(r"```\w*")
_REMARK = re.compile(r"/\*[^*]{0,200}\*/|[\u00ad\u200b-\u200f\u2060\ufeff]")
"""A comment, or a character without width: what may stand within a name or between a name and its colon."""


@dataclass(frozen=True)
class SplitAnswer:
    """What a model wrote: `text` is the answer, `reasoning` what came before it."""

    text: str
    reasoning: str


def split_reasoning(content: str, reasoning: str = "") -> SplitAnswer:
    """Moves thoughts, such as `<think>…</think>` (also one that was never opened or closed), from the answer to the
    reasoning."""
    thoughts, begin = [], 0
    while opening := _THINK.match(content, begin):
        thoughts.append(opening[1].strip())
        begin = opening.end()
    if mark := _ANSWER_MARK.match(content, begin):
        begin = mark.end()
    if orphan := _THINK_CLOSED_ONLY.match(content, begin):
        thoughts.append(orphan[1].strip())
        begin = orphan.end()
    return SplitAnswer(content[begin:].strip(), "\n\n".join(part for part in (reasoning.strip(), *thoughts) if part))


def without_unclosed_thoughts(text: str) -> str:
    """The text up to thoughts that begin somewhere in it and do not end."""
    end: int | None = None
    for mark in _THOUGHT_MARK.finditer(text):
        end = (mark.start() if end is None else end) if mark["opens"] else None
    return text[:end]


def is_refusal(text: str) -> bool:
    """Whether an answer opens by declining. Only its beginning counts: an idea may well say what «AI cannot» do."""
    return _DECLINES.match(text[:300]) is not None


def json_objects(text: str) -> list[str]:
    """The outermost objects of a text in their order, JSON or what was meant to be JSON, the last perhaps cut off.

    Other braces, as in formulas, are passed over. What stands in a string or within an object is part of it.
    """
    return [text[span] for span in _object_spans(text)]


def _object_spans(text: str) -> list[slice]:
    spans, position = [], 0
    while start := _OBJECT_START.search(text, position):
        position = _closing_brace(text, start.start()) + 1
        spans.append(slice(start.start(), position))
    return spans


def parse_form(text: str, form: type[Form], asked: str = "") -> Form:
    """The typed answer in a text: its last JSON object that has fields of the form.

    A model may draft before it answers, and may quote JSON from the text that it judges. So what it means is certain
    only when nothing else is, or may be, another answer, be it complete, incomplete, malformed or of another form,
    when the answer does not stand in thoughts, and when it does not stand in what was `asked` unless it is all that the
    model wrote. Raises ValueError with a message that the model can act on.
    """
    if text.startswith("{"):  # most answers are one object and nothing else: looking for it takes longer
        with suppress(orjson.JSONDecodeError):
            return _validated(_value(text), form)
    spans = _object_spans(text)
    own = [each for each in spans if _has_field(text[each], form)]
    *earlier, last = own or spans[-1:] or [slice(0, len(text))]
    answer = _parsed(text[last], form)
    others = [text[each] for each in spans if each not in own]
    if not all(_says_nothing_else(text[each], answer) for each in earlier) or any(
        _says_otherwise_in_part(each, text[last], form) for each in others
    ):
        raise ValueError(
            "The answer has several JSON objects with the names asked for, and they differ. Answer with one JSON "
            "object and nothing else."
        )
    if _names_fields([_outside(text, spans), *others], form):
        raise ValueError(
            "The answer has several objects of the form asked for, and one of them is not valid JSON. Answer with one "
            "JSON object and nothing else."
        )
    before = _outside(text[: last.start], [each for each in spans if each.stop <= last.start])
    if without_unclosed_thoughts(before) != before:
        raise ValueError("The JSON object stands within thoughts. Answer with one JSON object and nothing else.")
    if is_quotation(text, last, asked):
        raise ValueError(
            "The JSON object stands word for word in the text that you were given. If it is your answer too, give it "
            "as one JSON object and nothing else."
        )
    return answer


def is_quotation(text: str, passage: slice, source: str) -> bool:
    """Whether a passage of an answer may be quoted from `source`: it stands there, spaces aside, and the answer has
    words around it."""
    around = _FENCE.sub("", text[: passage.start]) + _FENCE.sub("", text[passage.stop :])
    return any(map(str.isalnum, around)) and _without_spaces(text[passage]) in _without_spaces(source)


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def _outside(text: str, spans: Sequence[slice]) -> str:
    """The text around these passages."""
    starts, ends = [*(span.start for span in spans), len(text)], [0, *(span.stop for span in spans)]
    return "{}".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def _has_field(text: str, form: type[BaseModel]) -> bool:
    """Whether an object was meant as the answer: it has a field of the form, or names one where it is no JSON."""
    try:
        return not form.model_fields.keys().isdisjoint(orjson.loads(text))
    except orjson.JSONDecodeError:
        return _field_of(form).search(text) is not None


def _says_nothing_else(text: str, answer: BaseModel) -> bool:
    """Whether an object is the answer once more, or its form that is not filled in, with `<grade>` in the place of a
    value. One that is incomplete, or does not fit, may be what the model means, and the complete one a quotation."""
    with suppress(ValueError):
        if _parsed(text, type(answer)) == answer:
            return True
    return _is_left_open(text)


def _says_otherwise_in_part(text: str, answer: str, form: type[BaseModel]) -> bool:
    """Whether an object beside the answer has names of what the form nests, as its marks, and no such object of the
    answer has the same values: the answer may be a quotation, and this the model's own."""
    parts = _names_of_parts(form)
    try:
        other = orjson.loads(text)
    except orjson.JSONDecodeError:
        plain = _plainly(text)
        return any(sum(f"{name}{mark}" in plain for name in names for mark in ('":', "':", ":")) > 1 for names in parts)
    given = orjson.loads(answer)
    for each in _objects_in(other):
        named = [given[name] for name in each.values() if isinstance(name, str) and isinstance(given.get(name), dict)]
        own = named or list(_objects_in(given))
        for shared in filter(None, (each.keys() & names for names in parts)):
            if not any(all(name in mine and mine[name] == each[name] for name in shared) for mine in own):
                return not _is_left_open(text)
    return False


@functools.cache
def _names_of_parts(form: type[BaseModel]) -> tuple[frozenset[str], ...]:
    """The names of the fields of each form that stands within a form."""
    seen: list[type[BaseModel]] = [form]
    waiting = [field.annotation for field in form.model_fields.values()]
    while waiting:
        each = waiting.pop()
        if isinstance(each, type) and issubclass(each, BaseModel):
            if each not in seen:
                seen.append(each)
                waiting += [field.annotation for field in each.model_fields.values()]
        else:
            waiting += get_args(each)
    return tuple(frozenset(each.model_fields) for each in seen[1:])


def _is_left_open(text: str) -> bool:
    """Whether an object is the form that is not filled in."""
    try:
        values = list(_single_values(orjson.loads(_PLACEHOLDER.sub(': "<>"', text))))
    except orjson.JSONDecodeError:
        return False
    left_open = [isinstance(each, str) and _LEFT_OPEN.fullmatch(each) is not None for each in values]
    return any(left_open) and all(
        is_open or (isinstance(each, str) and _SCALE.fullmatch(each))
        for is_open, each in zip(left_open, values, strict=True)
    )


def _single_values(value: Any) -> Iterator[object]:
    """All values in a JSON value that are neither objects nor lists."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            waiting.extend(each.values() if isinstance(each, dict) else each)
        else:
            yield each


def _names_fields(passages: Sequence[str], form: type[BaseModel]) -> bool:
    """Whether braces that begin like no object, or objects with names in another spelling, hold fields of the form all
    the same, such as after a comment: all of them, or two. One name alone may be a formula."""
    pattern = _field_in_braces(form)
    found = {name for each in passages for braces in _braces(_plainly(each)) for name in pattern.findall(braces)}
    return len(found) >= min(len(form.model_fields), 2)


def _plainly(text: str) -> str:
    """A text with names of fields in one spelling: small letters, without codes, comments and characters that cannot be
    seen. Raises nothing."""
    decoded = _CODED.sub(lambda code: chr(int(code[1], 16)), html.unescape(html.unescape(text)))
    return _REMARK.sub("", unicodedata.normalize("NFKC", decoded)).casefold()


def _braces(text: str) -> Iterator[str]:
    """From each outermost opening brace to the one that closes it, or to the end."""
    position = 0
    while (start := text.find("{", position)) >= 0:
        position = _closing_brace(text, start) + 1
        yield text[start:position]


@functools.cache
def _field_in_braces(form: type[BaseModel]) -> re.Pattern[str]:
    names = "|".join(re.escape(name.casefold()) for name in form.model_fields)
    return re.compile(rf"(?<!\w)({names})[^\w{{}}:=]{{0,4}}(?:[:=→]|->)")


@functools.cache
def _field_of(form: type[BaseModel]) -> re.Pattern[str]:
    """Finds a name of the form in what is JSON only nearly."""
    names = "|".join(map(re.escape, form.model_fields))
    return re.compile(rf"(?:\"(?:{names})\"|[{{,]\s*['“‘]?(?:{names})['”’]?)\s*:")


def _parsed(text: str, form: type[Form]) -> Form:
    try:
        value = _value(text)
    except orjson.JSONDecodeError as error:
        raise ValueError(
            f"The answer is not valid JSON: {error}. Answer with one JSON object and nothing else."
        ) from error
    return _validated(value, form)


def _value(text: str) -> Any:
    """Raises orjson.JSONDecodeError when it is malformed or cut off, ValueError when a field has two values. A comma
    before a closing bracket does no harm."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        text = _LAST_COMMA.sub(lambda found: found["string"] or found["end"], text)
        value = orjson.loads(text)
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
        answer = _read_in_any_case(value, form)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, each['loc'])) or 'object'}: {each['msg']}" for each in error.errors()[:8]
        )
        raise ValueError(f"The JSON object is not of the form asked for: {wrong}.") from error
    if about := _entries_that_differ(answer.model_dump()):
        raise ValueError(f"The answer has two entries about {about!r}, and they differ. Give one entry for each.")
    if _answers_twice(value, answer.model_dump()):
        raise ValueError(
            "The JSON object answers twice, under names that were not asked for too, and the answers differ. Give one "
            "answer, in the form asked for."
        )
    return answer


def _read_in_any_case(value: Any, form: type[Form]) -> Form:
    """The typed answer; a word to choose counts in any case of its letters. Raises ValidationError."""
    try:
        return form.model_validate(value)
    except ValidationError as error:
        wrong = [each for each in error.errors() if each["type"] == "literal_error" and isinstance(each["input"], str)]
        changed = copy.deepcopy(value) if wrong else None
        for each in wrong:
            words = {word.casefold(): word for word in re.findall(r"'([^']*)'", each["ctx"]["expected"])}
            if (word := words.get(each["input"].strip().casefold())) is not None:
                *way, last = each["loc"]
                functools.reduce(lambda part, step: part[step], way, changed)[last] = word
        if changed is None or changed == value:
            raise
    return form.model_validate(changed)


_NAMING = ("number", "label", "criticism")
"""Fields of entries that say what each is about."""


def _entries_that_differ(read: Any) -> object:
    """What two entries of one list are about, by their number or label, and say otherwise; None without such two."""
    waiting = [read]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list | tuple):
            said: dict[tuple[str, object], dict[str, Any]] = {}
            for entry in _entries_of(list(each)):
                about = next(((name, entry[name]) for name in _NAMING if name in entry), None)
                if about and said.setdefault(about, entry) != entry:
                    return about[1]
        if isinstance(each, dict | list | tuple):
            waiting.extend(each.values() if isinstance(each, dict) else each)
    return None


def _answers_twice(given: Any, read: Any) -> bool:
    """Whether what was given has, beside what is `read` of it, the same names again with other values: in another
    spelling, or in an object under a name that was not asked for."""
    if isinstance(given, list) and isinstance(read, list | tuple) and len(given) == len(read):
        return any(map(_answers_twice, given, read))
    if not isinstance(given, dict) or not isinstance(read, dict):
        return False
    return any(
        _answers_twice(value, read[name]) if name in read else _repeats(name, value, given, read)
        for name, value in given.items()
    )


def _repeats(name: str, value: Any, given: dict[str, Any], read: dict[str, Any]) -> bool:
    """Whether a member that was not asked for holds another value for one that was, or an object with several such."""
    plain = _plainly(name).strip()
    if plain in read and plain in given and given[plain] != value:
        return True
    entries = [entry for each in given.keys() & read.keys() for entry in _entries_of(given[each])]
    return any(
        _differs(inner, given, read) or any(_is_other_entry(inner, entry) for entry in entries)
        for inner in _objects_in(value)
    )


def _entries_of(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _is_other_entry(inner: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Whether an object is about the same thing as an entry of a list, by its number or label, and says otherwise."""
    same = any(inner.get(name) == entry[name] for name in _NAMING if name in entry)
    return same and any(inner[name] != entry[name] for name in inner.keys() & entry.keys())


def _differs(inner: dict[str, Any], given: dict[str, Any], read: dict[str, Any]) -> bool:
    """Whether an object is another answer: with half of the names, and not just a title as many things have one."""
    shared = inner.keys() & given.keys() & read.keys()
    enough = len(shared) >= max(min(2, len(read)), len(read) / 2)
    return enough and any(inner[each] != given[each] for each in shared)


def _objects_in(value: Any) -> Iterator[dict[str, Any]]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str) and each.lstrip()[:1] in {"{", "["}:
            with suppress(orjson.JSONDecodeError):
                waiting.append(orjson.loads(each))
        if isinstance(each, dict):
            yield each
        if isinstance(each, dict | list):
            waiting.extend(each.values() if isinstance(each, dict) else each)


def _closing_brace(text: str, start: int) -> int:
    """Index of the brace that closes the one at `start`, none in strings counted; the last character without one."""
    depth = 0
    for token in _STRING_OR_BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.start()
    return len(text) - 1
