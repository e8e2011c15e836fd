"""A schema for the small model lets through prose, and nothing that is no prose."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.llm.offline import plain_prose


def pattern_of(string: dict[str, object]) -> str:
    schema = plain_prose({"type": "object", "properties": {"text": string}})
    return str(schema["properties"]["text"]["pattern"])


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("The later paper samples many lines of reasoning.", True),
        ("2023-04-11 23:30:00", False),
        ('The method", "summary": "][', False),
        ("the sentence never comes to its end and", False),
        ("Short.", False),
    ],
)
def test_a_long_string_must_be_a_sentence(text: str, fits: bool) -> None:
    assert bool(re.search(pattern_of({"type": "string", "maxLength": 240}), text)) is fits


@pytest.mark.parametrize(("text", "fits"), [("Tree search", True), ("", False), ("{{url}}", False)])
def test_a_short_string_may_be_a_phrase(text: str, fits: bool) -> None:
    assert bool(re.search(pattern_of({"type": "string", "maxLength": 80}), text)) is fits


@given(most=st.integers(min_value=1, max_value=2000), text=st.text(alphabet="Aab .,", max_size=400))
def test_what_fits_is_never_longer_than_the_schema_allows(most: int, text: str) -> None:
    if re.fullmatch(pattern_of({"type": "string", "maxLength": most}), text):
        assert len(text) <= min(most, 240)


def test_strings_that_are_already_bound_stay_as_they_are() -> None:
    choice = {"type": "string", "enum": ["first", "second"]}
    assert plain_prose(choice) == choice


def test_strings_inside_lists_and_records_are_reached() -> None:
    form = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 40}}}}
    assert "pattern" in plain_prose(form)["items"]["properties"]["name"]


def test_a_field_may_be_called_like_a_keyword() -> None:
    form = {"type": "object", "properties": {"type": {"type": "string"}, "format": {"type": "string"}}}
    assert all("pattern" in field for field in plain_prose(form)["properties"].values())
