"""Preferences to learn from: for one topic an answer that is chosen and one that is rejected, and what a set of such
pairs is made of.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from novum.core.record import Value
from novum.core.scorecard import Share

SPLITS = ("train", "validation", "test")
"""In the order of time."""
SHARES = (0.8, 0.1, 0.1)
"""How large they are to be."""
Apart = Literal["time-and-topic", "topic"]
Form = Literal["fitted", "published", "corrected"]


class PreferenceSettings(Value):
    """How pairs are made. What is a share or a cosine goes from 0 to 1."""

    margin: Annotated[float, Field(gt=0, lt=1)] = 0.15
    """By how much the rejected idea stands lower in the Creativity Index and in the User Satisfaction Score: in each,
    a share of all candidates that lie between the two."""
    similarity_from: Annotated[float, Field(ge=-1, le=1)] = 0.5
    similarity_to: Annotated[float, Field(ge=-1, le=1)] = 0.9
    """Cosine of the two ideas' embeddings, at least and at most."""
    overlap: Share = 0.25
    """Of the two ideas' topics, at least."""
    length_ratio: Annotated[float, Field(ge=1)] = 1.5
    """Words of the longer idea for one of the shorter, at most."""
    years_apart: Annotated[int, Field(ge=0)] = 3
    """Years between the two, at most."""
    uses: Annotated[int, Field(ge=1)] = 3
    """Pairs that one idea stands in, at most."""
    per_topic: Annotated[int, Field(ge=1)] = 50
    """Pairs of one topic, at most."""
    most: Annotated[int, Field(ge=3)] | None = None
    """Pairs altogether, at most."""
    topic_size: Annotated[int, Field(ge=2)] = 60
    """Ideas of one topic, about."""
    duplicate: Annotated[float, Field(gt=0, le=1)] = 0.93
    """Cosine from which two ideas in different splits are the same told twice."""
    apart: Apart = "time-and-topic"
    """What the splits differ in: later years and other topics, or topics alone."""
    originality: Form = "fitted"
    """Which way of originality the Creativity Index takes."""
    seed: int = 0


class Preferred(Value):
    """One side of a pair."""

    id: str
    """Of the paper or the idea."""
    kind: Literal["paper", "idea"]
    title: str
    year: int | None
    """Of publication; of an idea, the year after the newest paper that it builds on."""
    venue: str = ""
    fields: tuple[str, ...] = ()
    words: int
    creativity: float
    satisfaction: float
    citations: int | None = None
    """As counted by its source; no part of any choice."""
    readability: float | None = None
    """Flesch reading ease of its text, higher is easier; a part of the satisfaction score."""


class PreferencePair(Value):
    """What is known of a pair beside its texts. `row` is the line of the split's file, from 0."""

    row: int
    topic: str
    chosen: Preferred
    rejected: Preferred
    similarity: float
    """Cosine of their embeddings."""
    overlap: float
    """Of their topics."""


class Histogram(Value):
    """How often numbers fall between `edges`, of the chosen and of the rejected."""

    name: str
    edges: tuple[float, ...]
    chosen: tuple[int, ...]
    rejected: tuple[int, ...]


class Rule(Value):
    """A rule that knows nothing of ideas, and how often it finds the chosen one."""

    name: str
    right: float | None
    """Share of the pairs on which it says anything; a half is chance."""
    pairs: int
    """On which it says anything."""


class SplitCounts(Value):
    """One split in numbers."""

    name: str
    pairs: int
    topics: int
    ideas: int
    """That stand in it, each once."""
    first_year: int | None
    last_year: int | None
    longer_chosen: float | None
    """Share of the pairs whose chosen idea has more words; an equal number counts half."""
    newer_chosen: float | None
    similarity: float | None
    """Mean cosine of a pair."""


class Dropped(Value):
    """What did not come in, and why."""

    what: Literal["ideas", "pairs"]
    why: str
    number: int


class Count(Value):
    """Chosen and rejected ideas of one year, field or kind."""

    name: str
    chosen: int
    rejected: int


class PreferenceCard(Value):
    """The data card: where a set of preferences comes from, how it was made, what is in it."""

    name: str
    version: int = 1
    made: str
    """Day, ISO."""
    novum: str
    """Version of the program."""
    library: str
    """In words."""
    model: dict[str, str]
    """The fitted model, fact by fact."""
    prompt: str
    """Name, version and digest of the prompt."""
    settings: PreferenceSettings
    candidates: int
    """Ideas that could stand in a pair."""
    topics: int
    splits: tuple[SplitCounts, ...]
    years: tuple[Count, ...]
    fields: tuple[Count, ...]
    kinds: tuple[Count, ...]
    dropped: tuple[Dropped, ...]
    scores: tuple[Histogram, ...]
    similarity: Histogram
    """The same numbers on both sides: a pair has one similarity."""
    rules: tuple[Rule, ...]
    files: tuple[str, ...]
