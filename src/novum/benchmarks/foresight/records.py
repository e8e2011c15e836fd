"""Records of a foresight study: how close ideas from earlier literature come to what was published later."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from novum.core.account import Account
from novum.core.comparison import ArenaEntry, Entrant
from novum.core.record import Value

ItemKind = Literal["idea", "earlier", "topic"]
"""An idea, or a baseline that is compared in its place: a paper from before the day, or the words of the topic."""

EARLIER, TOPIC = "earlier papers", "the topic's own words"
"""Names of these two baselines beside the names of methods."""


class Cutoff(Value):
    """The end of the literature that methods may read, and the beginning of the future."""

    label: str
    """`2019` for everything published up to the end of that year, or the day itself."""
    day: dt.date
    """The first day of the future."""


class Closeness(Value):
    """How close an item comes to a set of papers. None where nothing could be compared."""

    similarity: float | None = None
    """Mean cosine with the nearest of the papers."""
    hit: float | None = None
    """1 where the nearest paper reaches the threshold, else 0; over several sets of papers, the share of hits."""


class NearPaper(Value):
    """A paper of the future near an idea."""

    paper_id: str
    title: str
    published: str
    """ISO date by which it was certainly public."""
    similarity: float


class ComparedItem(Value):
    """One idea or baseline item, compared with the future of its topic."""

    cutoff: str
    """Label of the cut-off."""
    topic: str
    by: str
    """The method, or the name of the baseline."""
    kind: ItemKind = "idea"
    title: str
    whole: Closeness
    """With the papers of all years after the cut-off."""
    years: tuple[Closeness, ...]
    """With the first year after the cut-off, the second, …"""
    elsewhere: Closeness
    """With the futures of the other topics: the mean over the topics."""
    elsewhere_years: tuple[Closeness, ...]
    nearest: tuple[NearPaper, ...] = ()


class FutureYear(Value):
    """One year after a cut-off."""

    cutoff: str
    year: int
    """1 for the first year after the day."""
    since: dt.date
    before: dt.date
    """The first day after the year."""
    papers: int
    """Papers that are certainly from this year, counted up to the number that is needed."""
    used: bool
    """Whether these papers are enough for a comparison."""


class ThresholdCalibration(Value):
    """The similarity above which two papers count as being about the same subject: one that few random pairs reach."""

    threshold: float | None = None
    """None where too few papers could be paired."""
    false_positives: float
    """Share of random pairs that may reach the threshold, at most."""
    passed_random: float | None = None
    """Share of random pairs that reach it."""
    passed_citing: float | None = None
    """Share of citing pairs that reach it; None without such pairs."""
    random_pairs: int = 0
    citing_pairs: int = 0
    separation: float | None = None
    """Probability that a citing pair is more similar than a random one, ties as half: 0.5 is chance."""
    edges: tuple[float, ...] = ()
    """Edges of the histogram bins of both kinds of pairs."""
    random_counts: tuple[int, ...] = ()
    citing_counts: tuple[int, ...] = ()


class CutoffEntry(Value):
    """The idea of one method on one topic under one cut-off."""

    cutoff: str
    entry: ArenaEntry


class ForesightRun(Value):
    """The outcome of a foresight study, complete or not: the input of its report."""

    name: str
    cutoffs: tuple[Cutoff, ...]
    horizon: int
    """Years after each cut-off."""
    neighbours: int
    """Number of nearest papers over which a similarity is averaged."""
    pool: int
    """Wanted number of papers near a topic in each year."""
    pool_used: int
    """The number that was used: the same in every year, since more papers give more chances, and at most a fifth of the
    smallest year, so that topics have different futures."""
    earlier: int
    """Papers from before the cut-off that serve as a baseline, for each topic."""
    topics: tuple[str, ...]
    drawn: bool = False
    """Whether the topics were sampled from the library."""
    methods: tuple[Entrant, ...]
    plain: str = ""
    """The name of the method that reads nothing; empty without one."""
    library: str = ""
    """Number of papers and embedder, in a line."""
    calibration: ThresholdCalibration
    futures: tuple[FutureYear, ...]
    forecasts: tuple[CutoffEntry, ...] = ()
    sightings: tuple[ComparedItem, ...] = ()
    seed: int = 0
    began: str = ""
    """ISO 8601, UTC, as is `ended`."""
    ended: str = ""
    stopped: str = ""
    """Why it is not complete; empty for a complete study."""
    notes: tuple[str, ...] = ()
    account: Account | None = None
