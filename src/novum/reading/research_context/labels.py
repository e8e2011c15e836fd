"""Ideas under short labels (P1, P2, …) in a prompt, and answers that name them resolved to paper ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from novum.core.research_context import PaperIdea

_LABEL = re.compile(r"P\d{1,3}")


@dataclass(frozen=True)
class LabelledIdea:
    """An idea under its label, as prompts show it."""

    label: str
    idea: PaperIdea


class IdeaLabels:
    """Labels for ideas in their order. `first`: the number of the first label."""

    def __init__(self, ideas: Sequence[PaperIdea], first: int = 1) -> None:
        self.entries = tuple(LabelledIdea(f"P{number}", idea) for number, idea in enumerate(ideas, first))
        self._ids = {entry.label: entry.idea.paper_id for entry in self.entries}

    def paper_id(self, label: str) -> str | None:
        """The paper behind a label, however the model wrapped it; None for an unknown one."""
        found = _LABEL.search(label)
        return self._ids.get(found[0]) if found else None

    def paper_ids(self, labels: Iterable[str]) -> tuple[str, ...]:
        """The papers behind the known ones among these labels, each once."""
        return tuple(dict.fromkeys(filter(None, map(self.paper_id, labels))))

    def without_labels(self, text: str) -> str:
        """`text` with each known label replaced by the title of its paper, so that it can be read without the list."""
        titles = {entry.label: f"“{entry.idea.title}”" for entry in self.entries}
        return re.sub(r"[\[(]?\b(P\d{1,3})\b[\])]?", lambda found: titles.get(found[1], found[0]), text)
