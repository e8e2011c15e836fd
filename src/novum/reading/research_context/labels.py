"""Ideas under short labels (P1, P2, …) in a prompt, and answers that name them resolved to paper ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from novum.core.research_context import PaperIdea

_LABEL = re.compile(r"P\d{1,3}")
_IN_TEXT = re.compile(r"(^|[.!?]\s+)?[\[(]?\b(P\d{1,3})\b[\])]?")
"""A label in a sentence, with the end of the sentence before it where it begins one."""


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
        return self._replaced(text, {})

    def as_pair(self, text: str, source_id: str, target_id: str) -> str:
        """`text` on a relation from one paper to another, with “the former” and “the latter” in place of their labels,
        and titles in place of other ones. Both names stand beside the text wherever it is shown."""
        return self._replaced(text, {source_id: "the former", target_id: "the latter"})

    def _replaced(self, text: str, names: Mapping[str, str]) -> str:
        titles = {entry.label: f"“{entry.idea.title}”" for entry in self.entries}
        spoken = {label: names.get(paper_id, titles[label]) for label, paper_id in self._ids.items()}

        def replaced(found: re.Match[str]) -> str:
            before, name = found[1], spoken.get(found[2])
            if name is None:
                return found[0]
            return name if before is None else before + name[:1].upper() + name[1:]

        return _IN_TEXT.sub(replaced, text)
