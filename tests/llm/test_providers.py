"""Names of models."""

from __future__ import annotations

import pytest

from novum.errors import BadInput
from novum.llm import PROVIDERS, ModelName


@pytest.mark.parametrize(
    ("text", "provider", "model", "address"),
    [
        ("openai:gpt-5.5", "openai", "gpt-5.5", ""),
        ("ollama:llama3:8b", "ollama", "llama3:8b", ""),
        ("openrouter:anthropic/claude-x", "openrouter", "anthropic/claude-x", ""),
        ("server:m@http://127.0.0.1:8000/v1/", "server", "m", "http://127.0.0.1:8000/v1"),
        ("openai:x@https://proxy.example/v1", "openai", "x", "https://proxy.example/v1"),
        ("mistral", "mistral", PROVIDERS["mistral"].writer, ""),
    ],
)
def test_a_model_is_named_provider_model_and_perhaps_address(text, provider, model, address):
    name = ModelName.parse(text)
    assert (name.provider.name, name.model, name.base_url) == (provider, model, address)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("opnai:gpt", "Did you mean openai"),
        ("gpt-5", "provider:model"),
        ("", "no model provider"),
        ("server:m", "names no address"),
        ("server:@http://x/v1", "names no model"),
        ("server:m@http://", "not a web address"),
    ],
)
def test_a_name_that_cannot_be_read_says_what_to_write(text, told):
    with pytest.raises(BadInput, match=told):
        ModelName.parse(text)


def test_a_name_reads_back_as_it_was_written():
    for text in ("openai:gpt-5.5", "server:m@http://127.0.0.1:8000/v1"):
        assert str(ModelName.parse(text)) == text
