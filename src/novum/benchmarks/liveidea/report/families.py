"""Who made a model: needed to see whether judges favour their own family."""

from __future__ import annotations

from collections.abc import Sequence

from novum.benchmarks.liveidea.records import LiveIdeaRun

_HOSTS = frozenset({"groq", "offline", "ollama", "openrouter", "server", "together"})
"""Providers of models that others made: two models at one of them are no family."""


def families(names: Sequence[str], run: LiveIdeaRun) -> tuple[str, ...]:
    """The organisation of each name: as the panel's ranking has it, else as the name says; empty where neither does."""
    ranked = {key: seat.organisation for seat in run.panel for key in (_last(seat.model), seat.model)}
    return tuple(_plain(ranked.get(name) or ranked.get(_last(name)) or maker_of(name)) for name in names)


def maker_of(name: str) -> str:
    """Who made a model, as far as its name says: `openrouter:openai/o1` and `openai:o1` do, `ollama:qwen3` does not."""
    before, slash, _ = name.rpartition("/")
    if slash:
        return before.rpartition(":")[2].rpartition("/")[2].lstrip("~")
    provider = name.partition(":")[0] if ":" in name else ""
    return "" if provider in _HOSTS else provider


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _plain(organisation: str) -> str:
    """`OpenAI` and `openai`, `Mistral AI`, `mistralai` and `mistral` are the same."""
    return "".join(char for char in organisation.casefold() if char.isalnum()).removesuffix("ai")
