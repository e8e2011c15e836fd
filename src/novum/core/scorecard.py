"""Scores that need no language model: the subject that is scored, its numbers, and the reason for each number."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from novum.core.idea import Idea
from novum.core.paper import Paper
from novum.core.record import Value, content_id

Share = Annotated[float, Field(ge=0, le=1)]
COMPOSITES = ("creativity", "creativity_published", "creativity_corrected", "satisfaction", "combined")
"""Names of the scores of a `Scorecard` that combine parts."""
RATING = "rating"
"""Name of the predicted rating of a `Scorecard`."""


class Subject(Value):
    """An idea, or a paper treated as an idea, with everything that metrics use. Unknown fields are empty."""

    title: str
    text: str = ""
    """The text beside the title: an abstract, or the description of an idea."""
    topic: str = ""
    keywords: tuple[str, ...] = ()
    """What the reader is interested in, beside the topic."""
    year: int | None = None
    """Year in which it was, or would be, published."""
    venue: str = ""
    fields: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    """Ids of papers in the library that it builds on."""
    authors: tuple[str, ...] = ()
    token_probability: Share | None = None
    """Length-normalised probability that the writing model gave the text: the geometric mean over its tokens."""
    samples: tuple[str, ...] = ()
    """Further answers of the same model to the same request."""

    @property
    def id(self) -> str:
        """An id derived from topic, title and text."""
        return content_id("subject", [self.topic, self.title, self.text])

    @property
    def whole(self) -> str:
        """Title and text as one string, in the form in which papers are embedded."""
        return ". ".join(part for part in (self.title.strip().rstrip("."), self.text.strip()) if part)

    @property
    def interests(self) -> str:
        """Topic and keywords in one line; empty when unknown."""
        return ", ".join(dict.fromkeys(part for part in (self.topic.strip(), *self.keywords) if part))

    @classmethod
    def of_idea(cls, idea: Idea) -> Subject:
        """The subject of an idea: its summary, else its motivation, novelty and method; and the papers that it
        cites."""
        return cls(
            title=idea.title,
            text=idea.summary or " ".join(part for part in (idea.motivation, idea.novelty, idea.method) if part),
            topic=idea.topic,
            references=tuple(dict.fromkeys(each.paper_id for each in idea.citations if each.paper_id)),
        )

    @classmethod
    def of_paper(cls, paper: Paper) -> Subject:
        """The subject of a paper: title, abstract, and what was known of it on the day of publication."""
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
    """The value of the formula; None when it is not available."""
    scaled: Share | None = None
    """From 0 to 1, higher is better: the share of the library's papers with a worse value, equal ones counting half."""
    why: str
    """What the number is based on, or why it is missing, in one line."""


class Composite(Value):
    """A weighted mean of parts."""

    value: float | None
    """None when no part is known."""
    share: Share | None = None
    """The share of the library's papers with a lower value, of the Creativity Index; None where that is not known."""
    weights: dict[str, float]
    """Weights of the known parts; they sum to 1."""
    missing: tuple[str, ...] = ()
    """Unknown parts; their weight is distributed over the others."""


class PredictedRating(Value):
    """How reviewers would rate a title and abstract, by a model of reviewed papers: in standard deviations from the
    mean of the submissions of a venue and year."""

    value: float | None
    """None where the model has no basis; `why` says the reason."""
    low: float | None = None
    """Lower end of the interval that holds the mean of real reviewers for nine papers in ten."""
    high: float | None = None
    share: Share | None = None
    """The share of reviewed papers with a lower prediction."""
    aspects: dict[str, Share] = Field(default_factory=dict)
    """The same share for soundness, originality, significance and clarity."""
    why: str = ""


class Scorecard(Value):
    """All scores of one subject. The card of the fitted model says how they were computed."""

    subject: Subject
    parts: dict[str, PartScore]
    creativity: Composite
    """The Creativity Index with the form of originality that the model uses."""
    creativity_published: Composite
    """The index with originality as printed: a smaller distance to a centroid scores higher."""
    creativity_corrected: Composite
    """The index with originality that grows with the distance."""
    satisfaction: Composite
    """The User Satisfaction Score, 0 to 1, made of scaled parts."""
    combined: float | None
    """0.638 CI + 0.352 USS / 10, with USS from 0 to 5 (Table 5 of the paper)."""
    rating: PredictedRating | None = None
    """None in scorecards of versions without it."""

    def of(self, name: str) -> float | None:
        """The value of a composite, the raw number of a part, or the predicted rating, by name; None when missing.
        Raises KeyError for an unknown name."""
        if name == RATING:
            return self.rating.value if self.rating else None
        whole = getattr(self, name) if name in COMPOSITES else self.parts[name].raw
        return whole.value if isinstance(whole, Composite) else whole
