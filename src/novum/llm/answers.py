"""Reading the answer of a model as the form that was asked for: JSON is found, checked for contradictions and
validated. Pure functions."""

from __future__ import annotations

import copy
import functools
import re
from contextlib import suppress
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from novum.llm.contradictions import (
    answers_twice,
    entries_that_differ,
    is_left_open,
    names_fields,
    says_otherwise_in_part,
)
from novum.llm.json_text import json_value, object_spans, text_around
from novum.llm.reasoning import without_unclosed_thoughts

Form = TypeVar("Form", bound=BaseModel)
_FENCE = re.compile(r"```\w*")


def parse_form(text: str, form: type[Form], asked: str = "") -> Form:
    """The typed answer in a text: its last JSON object that has fields of the form.

    A model may draft before it answers, and may quote JSON from the text that it judges. So what it means is certain
    only when nothing else is, or may be, another answer, be it complete, incomplete, malformed or of another form,
    when the answer does not stand in thoughts, and when it does not stand in what was `asked` unless it is all that the
    model wrote. Raises ValueError with a message that the model can act on.
    """
    if text.startswith("{"):  # most answers are one object and nothing else: looking for it takes longer
        with suppress(orjson.JSONDecodeError):
            return _validated(json_value(text), form)
    spans = object_spans(text)
    own = [each for each in spans if _has_field(text[each], form)]
    *earlier, last = own or spans[-1:] or [slice(0, len(text))]
    answer = _parsed(text[last], form)
    others = [text[each] for each in spans if each not in own]
    if not all(_says_nothing_else(text[each], answer) for each in earlier) or any(
        says_otherwise_in_part(each, text[last], form) for each in others
    ):
        raise ValueError(
            "The answer has several JSON objects with the names asked for, and they differ. Answer with one JSON "
            "object and nothing else."
        )
    if names_fields([text_around(text, spans), *others], form):
        raise ValueError(
            "The answer has several objects of the form asked for, and one of them is not valid JSON. Answer with one "
            "JSON object and nothing else."
        )
    before = text_around(text[: last.start], [each for each in spans if each.stop <= last.start])
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
    words or marks around it, and not just those of a block of code."""
    around = _FENCE.sub("", text[: passage.start]) + _FENCE.sub("", text[passage.stop :])
    return bool(around.strip()) and _without_spaces(text[passage]) in _without_spaces(source)


def _without_spaces(text: str) -> str:
    return "".join(text.split())


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
    return is_left_open(text)


@functools.cache
def _field_of(form: type[BaseModel]) -> re.Pattern[str]:
    """Finds a name of the form in what is JSON only nearly."""
    names = "|".join(map(re.escape, form.model_fields))
    return re.compile(rf"(?:\"(?:{names})\"|[{{,]\s*['“‘]?(?:{names})['”’]?)\s*:")


def _parsed(text: str, form: type[Form]) -> Form:
    try:
        value = json_value(text)
    except orjson.JSONDecodeError as error:
        raise ValueError(
            f"The answer is not valid JSON: {error}. Answer with one JSON object and nothing else."
        ) from error
    return _validated(value, form)


def _validated(value: Any, form: type[Form]) -> Form:
    try:
        answer = _read_in_any_case(value, form)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, each['loc'])) or 'object'}: {each['msg']}" for each in error.errors()[:8]
        )
        raise ValueError(f"The JSON object is not of the form asked for: {wrong}.") from error
    if about := entries_that_differ(answer.model_dump()):
        raise ValueError(f"The answer has two entries about {about!r}, and they differ. Give one entry for each.")
    if answers_twice(value, answer.model_dump()):
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
