"""Every typed answer of every judge is read from the same table of answers, good and bad."""

from __future__ import annotations

import functools
import html
import json
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module

import pytest
from tests import judge_answers as table

import novum.judges
from novum.judges.reporter import ReviewSubject, parse_free_review
from novum.llm import ModelName
from novum.llm.answers import parse_form
from novum.llm.reasoning import split_reasoning
from novum.llm.schema import Answer, schema_text
from novum.testing import plausible_answer

JUDGE = ModelName.parse("judge:mini@http://127.0.0.1:1/v1")


def forms_of_judges() -> list[type[Answer]]:
    """All answer forms of the modules of judges."""
    for module in pkgutil.iter_modules(novum.judges.__path__, "novum.judges."):
        import_module(module.name)
    forms = {each for each in _subclasses(Answer) if each.__module__.startswith("novum.judges.")}
    return sorted(forms, key=lambda form: form.__qualname__)


def _subclasses(parent: type[Answer]) -> Iterator[type[Answer]]:
    for each in parent.__subclasses__():
        yield each
        yield from _subclasses(each)


@functools.cache
def examples(form: type[Answer]) -> tuple[str, str]:
    """Two complete answers of a form that differ."""
    schema = json.loads(schema_text(form))
    texts = [plausible_answer([], schema, seed) for seed in range(20)]
    good = texts[0]
    return good, next(each for each in texts if parse_form(each, form) != parse_form(good, form))


def read(text: str, form: type[Answer]) -> Answer:
    """As a call of a model is read."""
    return parse_form(split_reasoning(text).text, form)


def name_of(value: object) -> str:
    return getattr(value, "__name__", "") or value.name


def other_spellings(good: str) -> dict[str, str]:
    """A good answer as what is no JSON, or not of the form."""
    escaped = json.dumps(good)[1:-1]
    return {
        "cut": good[: len(good) // 2],
        "escaped": escaped,
        "coded": good.replace('"', r"\u0022"),
        "single": good.replace('"', "'"),
        "unquoted": re.sub(r'"(\w+)":', r"\1:", good),
        "comma": good[:-1] + ",}",
        "comment": "{ /* mine */ " + good[1:],
        "curly": re.sub(r'"(\w+)":', r"“\1”:", good),
        "low": good.replace('"', "“"),
        "spaced": re.sub(r'"(\w+)":', '"\\1":\u00a0', good),
        "equal": re.sub(r'"(\w+)":', r'"\1" =', good),
        "arrows": re.sub(r'"(\w+)":', r'"\1" ->', good),
        "html": html.escape(good),
        "html_twice": html.escape(html.escape(good)),
        "wide": good.replace("{", "\uff5b").replace("}", "\uff5d"),
        "capitals": good.upper(),
        "remarks": re.sub(r'"(\w+)":', r'"\1" /* a remark */:', good),
        "unseen": re.sub(r'"(\w)(\w*)":', '"\\1\u200b\\2":', good),
    }


def other_shapes(good: dict[str, object]) -> dict[str, str]:
    """A good answer as JSON that does not fit."""
    first = next(iter(good))
    return {
        "unfit": json.dumps({name: [None] for name in good}),
        "lacking": json.dumps({name: value for name, value in good.items() if name != first} or {first: None}),
        "flat": json.dumps({name: {"better": 0} for name in good}),
        "pieces": "\n".join(json.dumps({name: value if len(good) > 1 else None}) for name, value in good.items()),
        "part": json.dumps({first: good[first] if len(good) > 1 else None}),
        "nulls": json.dumps(dict.fromkeys(good)),
        "blank": json.dumps(dict.fromkeys(good, "<to be written>")),
    }


def answer_to(text, form):
    """What is read in a text, or the complaint about it."""
    try:
        return read(text, form)
    except ValueError as problem:
        return str(problem)


@pytest.mark.parametrize("form", forms_of_judges(), ids=name_of)
def test_a_judge_reads_its_own_answer_or_none(form):
    good, other = examples(form)
    own = parse_form(good, form)
    parts = {"good": good, "other": other, **other_spellings(good), **other_shapes(json.loads(good))}
    for case in table.JSON_ANSWERS:
        text = case.text
        for name, part in parts.items():
            text = text.replace(f"{{{name}}}", part)
        answer = answer_to(text, form)
        as_it_should = answer == own if case.usable else isinstance(answer, str) and answer.endswith(".")
        assert as_it_should, (case.name, answer)


SHARED = [case for case in table.SCORES if table.BLOCK in case.text and case.expected == table.GOOD]
NESTED = {"nested under a name"}
"""Scores are looked for anywhere; a form has its fields at the top."""


@pytest.mark.parametrize("form", forms_of_judges(), ids=name_of)
def test_a_judge_reads_what_a_judge_of_scores_reads(form):
    good, _ = examples(form)
    own = parse_form(good, form)
    for case in SHARED:
        answer = answer_to(case.text.replace(table.BLOCK, good), form)
        if case.name in NESTED:
            assert "is not of the form" in answer, case.name
        else:
            assert answer == own, (case.name, answer)


@pytest.mark.parametrize("case", [*table.SCORES, *table.GRADES], ids=name_of)
def test_a_reviewer_that_writes_prose_reads_no_rating_from_other_answers(case):
    """Its own rating is `Rating: 0.56`; scores of ten and letters are none."""
    report = parse_free_review(case.text, ReviewSubject("idea-1", "Reefs", "Larvae hear."), JUDGE)
    assert report.rating is None
    assert report.failure or report.notes


def test_the_table_covers_every_form_that_a_judge_asks_for():
    assert len(forms_of_judges()) >= 10
    assert len(SHARED) >= 10
