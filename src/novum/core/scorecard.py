"""What is scored without a model, and what is said of it: parts, each with its number and the reason for it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from novum.core.idea import Idea
from novum.core.paper import Paper
from novum.core.record import Value, content_id

Share = Annotated[float, Field(ge=0, le=1)]


class Subject(Value):
    """An idea, or a paper seen as one, as formulas see it. All that is not known is left empty."""

    title: str
    text: str = ""
    """What it says beyond its title: an abstract, or an idea's own account of itself."""
    topic: str = ""
    keywords: tuple[str, ...] = ()
    """What its reader asked for, beside the topic."""
    year: int | None = None
    """The year in which it was, or would be, published."""
    venue: str = ""
    fields: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    """Ids of the library's papers that it builds on."""
    authors: tuple[str, ...] = ()
    token_probability: Share | None = None
    """Its length-normalised probability by the model that wrote it: the geometric mean over its tokens."""
    samples: tuple[str, ...] = ()
    """What the same model said when it was asked the same again."""

    @property
    def id(self) -> str:
        """Follows from what it says."""
        return content_id("subject", [self.topic, self.title, self.text])

    @property
    def whole(self) -> str:
        """Title and text in one, as papers are embedded."""
        return ". ".join(part for part in (self.title.strip().rstrip("."), self.text.strip()) if part)

    @property
    def interests(self) -> str:
        """What its reader asked for, in one line; empty when not known."""
        return ", ".join(dict.fromkeys(part for part in (self.topic.strip(), *self.keywords) if part))

    @classmethod
    def of_idea(cls, idea: Idea) -> Subject:
        """An idea by the account that all generators give, with the papers of the library that it refers to."""
        return cls(
            title=idea.title,
            text=idea.summary or " ".join(part for part in (idea.motivation, idea.novelty, idea.method) if part),
            topic=idea.topic,
            references=tuple(dict.fromkeys(each.paper_id for each in idea.citations if each.paper_id)),
        )

    @classmethod
    def of_paper(cls, paper: Paper) -> Subject:
        """A real paper by its title and abstract, with what was known of it on the day it appeared."""
        return cls(
            title=paper.title,
            text=paper.gist,
            year=paper.year,
            venue=paper.venue,
            fields=paper.fields,
            references=paper.references,
            authors=paper.authors,
        )


class PartScore(Value):
    """One number about a subject."""

    name: str
    raw: float | None
    """As its formula has it; None where it cannot be said."""
    scaled: Share | None = None
    """From 0 to 1, higher is better: the share of the library's papers that do not do better."""
    why: str
    """What it rests on, or why it is missing, in a line for people."""


class Composite(Value):
    """Parts weighed together."""

    value: float | None
    """None where no part is known."""
    weights: dict[str, float]
    """Of the parts that were known, adding up to 1."""
    missing: tuple[str, ...] = ()
    """Parts that were left out, their weight shared among the others."""


class Scorecard(Value):
    """All that is said of one subject. Which way of measuring it follows is told by the model's card."""

    subject: Subject
    parts: dict[str, PartScore]
    creativity: Composite
    """The Creativity Index with the way of originality that was chosen."""
    creativity_published: Composite
    """With originality as printed: closer to a centroid scores higher."""
    creativity_corrected: Composite
    """With originality that grows with the distance."""
    satisfaction: Composite
    """The User Satisfaction Score from 0 to 1, of parts scaled by the library."""
    combined: float | None
    """0.638 CI + 0.352 USS / 10, the USS being counted from 0 to 5 as in the paper's tables (Table 5)."""

    def of(self, name: str) -> float | None:
        """A part's raw number, or one of `creativity`, `satisfaction` and `combined`, by name; None when missing.
        Raises KeyError for another name."""
        if name == "combined":
            return self.combined
        if name in {"creativity", "creativity_published", "creativity_corrected", "satisfaction"}:
            whole: Composite = getattr(self, name)
            return whole.value
        return self.parts[name].raw
