"""Who made a model: needed to see whether judges favour their own family."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core.liveidea import LiveIdeaRun


def families(names: Sequence[str], run: LiveIdeaRun) -> tuple[str, ...]:
    """The organisation of each name: as the panel's ranking has it, else what stands before the model in `org/model`.

    Empty where neither says.
    """
    ranked = {key: seat.organisation for seat in run.panel for key in (_last(seat.model), seat.model)}
    return tuple(_plain(ranked.get(name) or ranked.get(_last(name)) or _before_slash(name)) for name in names)


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _before_slash(name: str) -> str:
    """`openrouter:openai/o1` → `openai`."""
    return name.rpartition("/")[0].rpartition(":")[2].rpartition("/")[2]


def _plain(organisation: str) -> str:
    """`OpenAI` and `openai`, `Mistral AI` and `mistralai` are the same."""
    return "".join(char for char in organisation.casefold() if char.isalnum())
