"""A proposed piece of research, before anybody has tried it."""

from __future__ import annotations

from typing import ClassVar

from novum.core.record import Record, Value


class Citation(Value):
    """A paper that a text leans on: as the text names it, and the library's paper for it (None: unresolved)."""

    name: str
    paper_id: str | None = None


class Idea(Record):
    """One idea. All methods fill the same fields, so that no judge can recognise them by their layout."""

    id_prefix: ClassVar[str] = "idea"
    id_fields: ClassVar[tuple[str, ...]] = ("topic", "title", "motivation", "novelty", "method", "summary")

    topic: str
    title: str
    motivation: str
    novelty: str
    method: str
    summary: str
    """The final idea in one go: origin, motivation, challenge, and how it is met."""
    citations: tuple[Citation, ...] = ()
    generator: str = ""
    """Public name of the method that made it."""

    @property
    def text(self) -> str:
        """What a judge reads: every part under the same heading, nothing about its maker."""
        parts = (
            ("Title", self.title),
            ("Motivation", self.motivation),
            ("Novelty", self.novelty),
            ("Method", self.method),
            ("Final idea", self.summary),
            ("Refers to", "; ".join(each.name for each in self.citations)),
        )
        return "\n\n".join(f"{name}: {text}" for name, text in parts if text)
