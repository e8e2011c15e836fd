"""A research proposal that has not been carried out."""

from __future__ import annotations

from typing import ClassVar

from novum.core.record import Record, Value


class Citation(Value):
    """A paper that a text cites: the name in the text, and the id in the library (None: not found there)."""

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
    """The whole idea in one text: origin, motivation, challenge, and approach."""
    citations: tuple[Citation, ...] = ()
    generator: str = ""
    """Public name of the method that made it."""

    @property
    def text(self) -> str:
        """The idea as one text for judges: all parts under the same headings, without the generator."""
        parts = (
            ("Title", self.title),
            ("Motivation", self.motivation),
            ("Novelty", self.novelty),
            ("Method", self.method),
            ("Final idea", self.summary),
            ("Refers to", "; ".join(each.name for each in self.citations)),
        )
        return "\n\n".join(f"{name}: {text}" for name, text in parts if text)
