"""Prompts beside a user's own are the same as without: the sandbox takes nothing from the built-in ones."""

from __future__ import annotations

import pytest
from tests.prompts.hostile import variants

from novum.prompts import PromptBook

OWN = PromptBook()


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    return PromptBook(tmp_path_factory.mktemp("prompts"))


@pytest.mark.parametrize("name", OWN.names())
def test_a_built_in_prompt_says_the_same_beside_those_of_a_folder(beside, name):
    prompt = OWN.get(name)
    for values in variants(prompt, "x"):
        assert beside.get(name).render(values).messages == prompt.render(values).messages
