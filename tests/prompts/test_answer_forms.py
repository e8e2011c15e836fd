"""Fields, bounds and descriptions of all answer forms: they are part of the question, and decide what is accepted."""

from __future__ import annotations

import pytest
from tests.prompts.answer_forms import FILE, forms, name_of, told

from novum.prompts import builtin_prompts

TOLD = {each.split(":")[0]: each for each in FILE.read_text("utf-8").strip().split("\n\n")}
FORMS = {name_of(form): form for form in forms()}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_as_it_was(name):
    """If the change is on purpose: `python -m tests.prompts.answer_forms`."""
    assert told(FORMS[name]) == TOLD[name]


def test_no_form_is_left_of_one_that_is_gone():
    assert list(TOLD) == list(FORMS)


def test_every_prompt_returns_a_form_or_text():
    book = builtin_prompts()
    assert {book.get(name).returns for name in book.names()} - {"str"} <= {form.__name__ for form in FORMS.values()}
