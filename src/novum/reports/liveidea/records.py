"""What the report on a LiveIdeaBench run shows: all of its numbers, few enough to be written beside the page."""

from __future__ import annotations

from collections.abc import Iterable

from novum.core.liveidea import Fate, LiveIdeaRun
from novum.core.record import Value
from novum.metrics.correlation import Correlation
from novum.metrics.estimate import Estimate
from novum.metrics.judge_audit import DimensionAudit
from novum.metrics.linking import Link
from novum.metrics.liveidea_scores import ModelScores
from novum.reports.liveidea.shapes import Hexagon, LinePoint, Span

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Of a model's ideas: the lengths that so many stay below."""


class DisciplineScore(Value):
    """Mean of the four judged dimensions over the keywords of one discipline."""

    model: str
    discipline: str
    score: float
    keywords: int


class ModelIdeas(Value):
    """What one model wrote."""

    model: str
    asked: int
    """Ideas asked for, whatever came."""
    fates: dict[Fate, int]
    first_refused: int
    """First answers that decline: the phrases as whole words, near the beginning."""
    first_refused_as_released: int
    """The same, the phrases anywhere, inside words too."""
    words: tuple[float, ...] = ()
    """Lengths at `SHARES`; empty without ideas."""
    mean_words: float | None = None
    length_quality: Correlation
    """Of words with quality: the mean of originality, feasibility and clarity."""


class LengthQuality(Value):
    """Length in words against a score, over the ideas of all models."""

    what: str
    across: Span
    """Words that the honeycomb covers."""
    r: Correlation
    hexagons: tuple[Hexagon, ...]
    line: tuple[LinePoint, ...]


class Example(Value):
    """One idea with what its judges gave, on average."""

    model: str
    keyword: str
    discipline: str
    idea: str
    quality: float
    scores: dict[str, float]
    judges: int


class Failure(Value):
    """Something that went wrong in the same way `times` times."""

    model: str
    role: str
    what: str
    times: int
    example: str = ""
    """Of the last time: where, and what was said."""


class OutsidePoint(Value):
    """One model in both benchmarks."""

    model: str
    outside: float
    average: Estimate


class Outside(Value):
    """The average against another benchmark's score."""

    name: str
    points: tuple[OutsidePoint, ...]
    r: Correlation
    line: tuple[LinePoint, ...]
    unmatched: tuple[str, ...]
    """Models of this run that the other benchmark does not know."""


class Pair(Value):
    """One model, measured in two ways."""

    model: str
    here: Estimate
    there: Estimate


class Comparison(Value):
    """Two ways of measuring, side by side: with and without judges' severity, with and without papers at hand."""

    name: str
    """One word, for names of files."""
    title: str
    here: str
    there: str
    text: str
    """What a reader should know of it."""
    pairs: tuple[Pair, ...]

    def ranks(self) -> dict[str, tuple[int | None, int | None]]:
        """Model to its place here and there; None without a value."""
        here = places((pair.model, pair.here.value) for pair in self.pairs)
        there = places((pair.model, pair.there.value) for pair in self.pairs)
        return {pair.model: (here[pair.model], there[pair.model]) for pair in self.pairs}


class AnchorLink(Value):
    """How another run's panel differs from this one's on the anchor ideas that both judged."""

    other: str
    dimension: str
    link: Link


class DistinctPoint(Value):
    """One model: fluency by judges, and the mean distance between its ideas for a keyword."""

    model: str
    fluency: float
    distinctness: float


class Distinctness(Value):
    """Diversity without a judge beside fluency, which needs one."""

    embedder: str
    r: Correlation
    """Over keywords and models."""
    models: tuple[DistinctPoint, ...]


class LiveIdeaReport(Value):
    """A run in numbers. `run` holds its circumstances; ideas and judgements are left out, their data set holds them."""

    run: LiveIdeaRun
    leaderboard: tuple[ModelScores, ...]
    """Best average first."""
    corrected: tuple[ModelScores, ...]
    """The same models in the same order, judges' severity taken off."""
    draws: int
    disciplines: tuple[DisciplineScore, ...]
    ideas: tuple[ModelIdeas, ...]
    length_quality: tuple[LengthQuality, ...]
    audit: tuple[DimensionAudit, ...]
    best: tuple[Example, ...]
    worst: tuple[Example, ...]
    failures: tuple[Failure, ...]
    comparisons: tuple[Comparison, ...]
    outside: Outside | None = None
    anchors: tuple[AnchorLink, ...] = ()
    distinctness: Distinctness | None = None


def places(scores: Iterable[tuple[str, float | None]]) -> dict[str, int | None]:
    """Name to its place, from 1; equal scores share the better one, and who has no score has no place."""
    known = dict(scores)
    ranked = sorted((score for score in known.values() if score is not None), reverse=True)
    return {name: None if score is None else ranked.index(score) + 1 for name, score in known.items()}
