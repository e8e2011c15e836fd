"""The cards of the data sets that idea models are trained on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from novum.core.record import Value
from novum.core.scorecard import Share

SPLITS = ("train", "validation", "test")
Split = Literal["by-time", "by-chance"]


class IdeaDataSettings(Value):
    """How a data set of ideas is made from papers."""

    since: int = 2019
    before: int = 2024
    """The first year, and the year after the last one (DBLP study, section 4.1: 2019 to 2023)."""
    fields: tuple[str, ...] = ()
    shares: tuple[Share, Share, Share] = (0.8, 0.1, 0.1)
    """Shares of the splits (section 5.1)."""
    split: Split = "by-time"
    """`by-time`: validation papers are later than training papers, and test papers later still; `by-chance`: by a hash
    of the title."""
    topics: tuple[int, ...] = (10, 20, 40, 80)
    """Numbers of topics that are tried; the one with the largest coherence is used."""
    topic_words: Annotated[int, Field(ge=1, le=30)] = 6
    """Words in the name of a topic."""
    sample: Annotated[int, Field(ge=30)] = 20_000
    """Papers that topics are fitted to."""
    fewest_words: Annotated[int, Field(ge=1)] = 40
    most_words: Annotated[int, Field(ge=40)] = 600
    """Words of title and abstract."""
    most: Annotated[int, Field(ge=10)] | None = None
    """Largest number of papers, sampled by title."""
    seed: int = 0


class TriedTopics(Value):
    """A topic model that was tried."""

    topics: int
    coherence: float
    """Mean normalised pointwise mutual information of the ten most frequent words of its topics (−1 to 1)."""


class TopicRow(Value):
    """A topic: its name and its papers."""

    number: int
    name: str
    coherence: float
    papers: int


class IdeaSplit(Value):
    """Counts of one split."""

    name: str
    rows: int
    topics: int
    first_year: int | None
    last_year: int | None
    tokens: int
    """Tokens of prompts and completions, estimated."""


class IdeaDataCard(Value):
    """The data card of a set of ideas: its origin, how it was made, and its contents."""

    name: str
    version: int = 1
    kind: Literal["ideas", "merged-ideas"] = "ideas"
    made: str
    novum: str
    library: str
    prompt: str
    settings: IdeaDataSettings
    fitted_on: int
    """Papers that the topics were fitted to."""
    tried: tuple[TriedTopics, ...]
    topics: tuple[TopicRow, ...]
    splits: tuple[IdeaSplit, ...]
    left_out: dict[str, int]
    """Papers that were left out, by reason."""
    tokens_counted_by: str = "characters / 4.5"
    notes: tuple[str, ...] = ()


class RoundCard(Value):
    """The card of the pairs of one round of iterative training."""

    kind: Literal["round"]
    round: int
    made: str
    novum: str
    objective: str
    generator: str
    """Digest of the model that wrote the ideas."""
    pairs: dict[str, int]
    """Pairs by split."""
    topics: int
    margin: float
    seed: int
