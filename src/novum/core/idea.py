"""A research proposal that has not been carried out."""

from __future__ import annotations

from typing import ClassVar

from novum.core.record import Record, Value

DETAILS = {
    "mechanism": "Central mechanism",
    "assumption": "Assumption",
    "check": "Cheapest check that could refute it",
    "rival": "Strongest rival",
    "unchecked": "Could not be checked",
}
"""Fields of an idea that methods may leave empty, with their headings."""


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
    mechanism: str = ""
    """The one central mechanism, in a sentence or two."""
    assumption: str = ""
    """What everything rests on."""
    check: str = ""
    """The cheapest check that could refute the assumption, with the outcome that would."""
    rival: str = ""
    """The strongest rival that does without the mechanism, and the case that separates the two."""
    unchecked: str = ""
    """What the author could not check."""
    citations: tuple[Citation, ...] = ()
    generator: str = ""
    """Public name of the method that made it."""

    def identity(self) -> dict[str, object]:
        """The parts that every idea has, and those of the later fields that are filled: ideas stored without them keep
        their ids."""
        later = {name: getattr(self, name) for name in DETAILS if getattr(self, name)}
        return {name: getattr(self, name) for name in self.id_fields} | later

    @property
    def text(self) -> str:
        """The idea as one text for judges: all parts under the same headings, without the generator. The mechanism
        comes before the parts that use its terms."""
        parts = (
            ("Title", self.title),
            ("Motivation", self.motivation),
            (DETAILS["mechanism"], self.mechanism),
            ("Novelty", self.novelty),
            ("Method", self.method),
            *((heading, getattr(self, name)) for name, heading in DETAILS.items() if name != "mechanism"),
            ("Final idea", self.summary),
            ("Refers to", "; ".join(each.name for each in self.citations)),
        )
        return "\n\n".join(f"{name}: {text}" for name, text in parts if text)
