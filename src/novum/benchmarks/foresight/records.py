"""Foresight: how close ideas from literature before a day come to what was published after it."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from novum.core.account import Account
from novum.core.comparison import Entrant, Entry
from novum.core.record import Value

Kind = Literal["idea", "earlier", "topic"]
"""An idea; a paper from before the day, taken as if it were one; the topic's own words, taken so too."""

EARLIER, TOPIC = "earlier papers", "the topic's own words"
"""Names under which these two stand beside the methods."""


class Cutoff(Value):
    """Where reading ends and the future begins."""

    label: str
    """`2019` for all that was published up to the end of that year, or the day itself."""
    day: dt.date
    """The first day of the future."""


class Closeness(Value):
    """How close something comes to papers. None where nothing could be compared."""

    similarity: float | None = None
    """Mean cosine with the nearest of them."""
    hit: float | None = None
    """1 where the nearest passes the threshold, else 0; over several sets of papers, the share of those."""


class NearPaper(Value):
    """A paper of the future, and how near it is."""

    paper_id: str
    title: str
    published: str
    """ISO day by which it was certainly public."""
    similarity: float


class Sighting(Value):
    """One idea, or what stands in for one, held against the future of its topic."""

    cutoff: str
    """Label of the cut-off."""
    topic: str
    by: str
    """The method, or the name of what stands in for one."""
    kind: Kind = "idea"
    title: str
    whole: Closeness
    """With all years after the day together."""
    years: tuple[Closeness, ...]
    """With the first year after the day, the second, …"""
    elsewhere: Closeness
    """With the futures of the other topics: the mean over these."""
    elsewhere_years: tuple[Closeness, ...]
    nearest: tuple[NearPaper, ...] = ()


class FutureYear(Value):
    """One year after a cut-off."""

    cutoff: str
    year: int
    """1 for the first year after the day."""
    since: dt.date
    before: dt.date
    """The first day that is no longer of it."""
    papers: int
    """Papers of it that cannot be from before the cut-off, counted up to as many as matter."""
    used: bool
    """Whether they were enough to be compared with."""


class Calibration(Value):
    """The similarity at which two papers count as being about the same: what hardly any random pair reaches."""

    threshold: float | None = None
    """None where too few papers could be paired."""
    false_positives: float
    """Share of random pairs that should pass."""
    passed_random: float | None = None
    """Share of random pairs that do."""
    passed_citing: float | None = None
    """Share of pairs that cite each other that pass; None without such pairs."""
    random_pairs: int = 0
    citing_pairs: int = 0
    separation: float | None = None
    """Chance that a citing pair is more similar than a random one, ties as half: 0.5 is no better than a coin."""
    edges: tuple[float, ...] = ()
    """Of the bins of similarity that both kinds of pairs are counted in."""
    random_counts: tuple[int, ...] = ()
    citing_counts: tuple[int, ...] = ()


class Forecast(Value):
    """What one method handed in under one cut-off."""

    cutoff: str
    entry: Entry


class ForesightRun(Value):
    """One study of foresight, whole or stopped on the way: what its report is made from."""

    name: str
    cutoffs: tuple[Cutoff, ...]
    horizon: int
    """Years after each day."""
    neighbours: int
    """Nearest papers that a similarity is the mean of."""
    pool: int
    """Papers nearest to a topic that were to be looked at in each year."""
    pool_used: int
    """As many as were: the same in every year, so that none offers more chances than another, and no more than a fifth
    of the smallest, so that topics have futures of their own."""
    earlier: int
    """Papers from before the day that stand in for ideas, for each topic."""
    topics: tuple[str, ...]
    drawn: bool = False
    """Whether the topics were drawn from the library."""
    methods: tuple[Entrant, ...]
    plain: str = ""
    """Which of these is the prompt that reads nothing; empty without one."""
    library: str = ""
    """Papers and embedder, in a line."""
    calibration: Calibration
    futures: tuple[FutureYear, ...]
    forecasts: tuple[Forecast, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    seed: int = 0
    began: str = ""
    """ISO 8601, UTC, as is `ended`."""
    ended: str = ""
    stopped: str = ""
    """Why it is not complete; empty where it is."""
    notes: tuple[str, ...] = ()
    account: Account | None = None
