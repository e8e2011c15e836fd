"""Whether an answer says two different things: then one of them may be a quotation from the text that was judged, and
which one is the model's own is not known. Pure functions."""

from __future__ import annotations

import functools
import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, get_args

import orjson
from pydantic import BaseModel

from novum.llm.json_text import braces, json_value, objects_in

_PLACEHOLDER = re.compile(r":\s*<[^<>{}\"\n]{1,80}>")
_LEFT_OPEN = re.compile(r"\s*(?:<[^<>]*>|\.{3}|…)\s*")
"""A text in the place of a value that is still to be written."""
_SCALE = re.compile(r"\s*[01]\s*(?:to|-|–)\s*\d{1,3}\s*")
"""A scale in the place of a number."""
_CODED = re.compile(r"\\u([0-9a-fA-F]{4})")
_REMARK = re.compile(r"/\*[^*]{0,200}\*/|[\u00ad\u200b-\u200f\u2060\ufeff]")
"""A comment, or a character without width: what may stand within a name or between a name and its colon."""


def says_otherwise_in_part(text: str, answer: str, form: type[BaseModel]) -> bool:
    """Whether an object beside the answer has names of what the form nests, as its marks, and no such object of the
    answer has the same values: the answer may be a quotation, and this the model's own."""
    parts = _names_of_parts(form)
    try:
        other = orjson.loads(text)
    except orjson.JSONDecodeError:
        plain = _plainly(text)
        return any(sum(f"{name}{mark}" in plain for name in names for mark in ('":', "':", ":")) > 1 for names in parts)
    given = json_value(answer)
    for each in objects_in(other):
        named = [given[name] for name in each.values() if isinstance(name, str) and isinstance(given.get(name), dict)]
        own = named or list(objects_in(given))
        for shared in filter(None, (each.keys() & names for names in parts)):
            if not any(all(name in mine and mine[name] == each[name] for name in shared) for mine in own):
                return not is_left_open(text)
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


def is_left_open(text: str) -> bool:
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


def names_fields(passages: Sequence[str], form: type[BaseModel]) -> bool:
    """Whether braces that begin like no object, or objects with names in another spelling, hold fields of the form all
    the same, such as after a comment: all of them, or two. One name alone may be a formula."""
    pattern = _field_in_braces(form)
    found = {name for each in passages for block in braces(_plainly(each)) for name in pattern.findall(block)}
    return len(found) >= min(len(form.model_fields), 2)


def _plainly(text: str) -> str:
    """A text with names of fields in one spelling: small letters, without codes, comments and characters that cannot be
    seen. Raises nothing."""
    decoded = _CODED.sub(lambda code: chr(int(code[1], 16)), html.unescape(html.unescape(text)))
    return _REMARK.sub("", unicodedata.normalize("NFKC", decoded)).casefold()


@functools.cache
def _field_in_braces(form: type[BaseModel]) -> re.Pattern[str]:
    names = "|".join(re.escape(name.casefold()) for name in form.model_fields)
    return re.compile(rf"(?<!\w)({names})[^\w{{}}:=]{{0,4}}(?:[:=→]|->)")


_NAMING = ("number", "label", "criticism")
"""Fields of entries that say what each is about."""


def entries_that_differ(read: Any) -> object:
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


def answers_twice(given: Any, read: Any) -> bool:
    """Whether what was given has, beside what is `read` of it, the same names again with other values: in another
    spelling, or in an object under a name that was not asked for."""
    if isinstance(given, list) and isinstance(read, list | tuple) and len(given) == len(read):
        return any(map(answers_twice, given, read))
    if not isinstance(given, dict) or not isinstance(read, dict):
        return False
    return any(
        answers_twice(value, read[name]) if name in read else _repeats(name, value, given, read)
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
        for inner in objects_in(value)
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
