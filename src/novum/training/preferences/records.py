"""Records of preference data: pairs of a chosen and a rejected answer on one topic, and facts about a data set."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from novum.core.record import Value
from novum.core.scorecard import Share

SPLITS = ("train", "validation", "test")
"""In chronological order."""
SHARES = (0.8, 0.1, 0.1)
"""Target shares of the splits."""
Apart = Literal["time-and-topic", "topic"]
Form = Literal["fitted", "published", "corrected"]
TopicKind = Literal["neighbours", "lda"]
"""What a topic is: about sixty neighbours, named by phrases of their titles; or a topic of the topic model (Latent
Dirichlet Allocation), named by its words, as in the DBLP study (section 4.1)."""
Better = Literal["rating", "reviews", "published"]
"""What decides which idea of a pair is better: the predicted rating; real ratings, and the predicted one where there
are none; or Creativity Index and User Satisfaction Score, as in the DBLP study."""


class PreferenceSettings(Value):
    """Settings of pairs. Shares and cosines are numbers from 0 to 1."""

    better: Better = "rating"
    margin: Annotated[float, Field(gt=0, lt=1)] = 0.3
    """How much lower the rejected idea is in the predicted rating, or in the Creativity Index and in the User
    Satisfaction Score: in each, the share of all candidates that lie between the two."""
    review_margin: Annotated[float, Field(gt=0, le=5)] = 1.0
    """How much lower real reviewers rated it, in standard deviations of the ratings of its venue and year."""
    similarity_from: Annotated[float, Field(ge=-1, le=1)] = 0.5
    similarity_to: Annotated[float, Field(ge=-1, le=1)] = 0.9
    """Least and largest cosine of the two ideas' embeddings."""
    overlap: Share = 0.25
    """Least overlap of the two ideas' topics."""
    length_ratio: Annotated[float, Field(ge=1)] = 1.5
    """Largest ratio of the numbers of words of the two ideas."""
    years_apart: Annotated[int, Field(ge=0)] = 3
    """Largest difference in years."""
    uses: Annotated[int, Field(ge=1)] = 3
    """Largest number of pairs with the same idea."""
    per_topic: Annotated[int, Field(ge=1)] = 50
    """Largest number of pairs on one topic."""
    most: Annotated[int, Field(ge=3)] | None = None
    """Largest number of pairs in total."""
    topics: TopicKind = "neighbours"
    topic_size: Annotated[int, Field(ge=2)] = 60
    """Approximate number of ideas of one topic of neighbours."""
    duplicate: Annotated[float, Field(gt=0, le=1)] = 0.93
    """Cosine from which ideas in different splits are near-duplicates."""
    apart: Apart = "time-and-topic"
    """What separates the splits: time and topics, or topics alone."""
    originality: Form = "fitted"
    """The variant of originality in the Creativity Index."""
    seed: int = 0


class Preferred(Value):
    """The chosen or the rejected idea of a pair."""

    id: str
    """Id of the paper or the idea."""
    kind: Literal["paper", "idea"]
    title: str
    year: int | None
    """Year of publication; for an idea, the year after the newest paper that it builds on."""
    venue: str = ""
    fields: tuple[str, ...] = ()
    words: int
    creativity: float | None
    satisfaction: float | None
    rating: float | None = None
    """The predicted rating, in standard deviations of a venue and year."""
    reviewed: float | None = None
    """The mean rating of real reviewers, in the same unit; None where it is not known."""
    citations: int | None = None
    """Citations counted by its source. They influence no choice."""
    readability: float | None = None
    """Flesch reading ease of its text (higher is easier), a part of the satisfaction score."""


class PreferencePair(Value):
    """Facts about a pair besides its texts. `row`: line in the file of its split, from 0."""

    row: int
    topic: str
    chosen: Preferred
    rejected: Preferred
    similarity: float
    """Cosine of their embeddings."""
    overlap: float
    """Overlap of their topics."""


class Histogram(Value):
    """Numbers of chosen and rejected ideas between consecutive `edges`."""

    name: str
    edges: tuple[float, ...]
    chosen: tuple[int, ...]
    rejected: tuple[int, ...]


class Rule(Value):
    """A simple rule that ignores the content of ideas, and how often it finds the chosen one."""

    name: str
    right: float | None
    """Share of the pairs that it applies to; chance is 0.5."""
    pairs: int
    """Number of pairs that it applies to."""


class HumanAgreement(Value):
    """Pairs of which people have rated both ideas, in one venue and year, and how often the chosen one is rated
    higher."""

    pairs: int
    """Without ties."""
    ties: int
    right: float | None
    """Share of the pairs without a tie whose chosen idea is rated higher; chance is 0.5."""
    made_from_them: bool
    """Whether the same ratings decided what was chosen, so that the share says nothing."""


class SplitCounts(Value):
    """Numbers of one split."""

    name: str
    pairs: int
    topics: int
    ideas: int
    """Number of different ideas."""
    first_year: int | None
    last_year: int | None
    longer_chosen: float | None
    """Share of the pairs whose chosen idea has more words; an equal number counts half."""
    newer_chosen: float | None
    similarity: float | None
    """Mean cosine of a pair."""


class Dropped(Value):
    """A number of ideas or pairs that were left out, and the reason."""

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
    """ISO date."""
    novum: str
    """Version of the program."""
    library: str
    """Description of the library."""
    model: dict[str, str]
    """Facts about the fitted model."""
    prompt: str
    """Name, version and digest of the prompt."""
    settings: PreferenceSettings
    candidates: int
    """Ideas that were candidates for pairs."""
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
    people: HumanAgreement | None = None
    """None where no ratings were given."""
    files: tuple[str, ...]
