"""The numbers of the report on a LiveIdeaBench run, which are also written beside the page."""

from __future__ import annotations

from collections.abc import Iterable

from novum.benchmarks.liveidea.records import IdeaFate, LiveIdeaRun
from novum.benchmarks.liveidea.report.shapes import AxisRange, Hexagon, LinePoint
from novum.benchmarks.liveidea.statistics.judge_audit import DimensionAudit
from novum.benchmarks.liveidea.statistics.linking import PanelLink
from novum.benchmarks.liveidea.statistics.relations import ScoreBin
from novum.benchmarks.liveidea.statistics.scores import ModelScores
from novum.core.record import Value
from novum.statistics.records import Correlation, Estimate

LENGTH_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
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
    """Requested ideas."""
    fates: dict[IdeaFate, int]
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
    across: AxisRange
    """Words that the honeycomb covers."""
    r: Correlation
    hexagons: tuple[Hexagon, ...]
    line: tuple[LinePoint, ...]


class ScoreDistribution(Value):
    """How one score is spread over the ideas of all models."""

    what: str
    bins: tuple[ScoreBin, ...]


class QualitySpread(Value):
    """How the quality of one model's ideas is spread: the mean of originality, feasibility and clarity."""

    model: str
    ideas: int
    quantiles: tuple[float, ...]
    """The scores that 5, 25, 50, 75 and 95 % of its ideas stay below."""
    mean: Estimate


class IdeaRelation(Value):
    """Two measures of single ideas: a honeycomb, a straight line, and their correlation."""

    name: str
    """Of the model, or of the two measures."""
    x: str
    y: str
    across: AxisRange
    ideas: int
    r: Estimate
    """Pearson's r with its interval by a bootstrap over keywords."""
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


class FailureCount(Value):
    """A kind of failure that occurred `times` times."""

    model: str
    role: str
    what: str
    times: int
    example: str = ""
    """The last one: where, and the text."""


class OutsidePoint(Value):
    """One model in both benchmarks."""

    model: str
    outside: float
    average: Estimate


class OutsideBenchmark(Value):
    """The average against another benchmark's score."""

    name: str
    points: tuple[OutsidePoint, ...]
    r: Correlation
    line: tuple[LinePoint, ...]
    unmatched: tuple[str, ...]
    """Models of this run that the other benchmark does not know."""


class ModelComparison(Value):
    """One model, measured in two ways."""

    model: str
    here: Estimate
    there: Estimate
    change: Estimate | None = None
    """From here to there, where both are of the same judgements: its interval is narrower than theirs."""

    @property
    def apart(self) -> Estimate:
        """The change; without one, the plain difference."""
        if self.change is not None:
            return self.change
        here, there = self.here.value, self.there.value
        return Estimate(value=None if here is None or there is None else there - here)


class ScoreChange(Value):
    """The change of single judgements from the first measurement to the second."""

    judgements: int
    """With both scores."""
    missing: int
    """Requested in both ways, with one of the two scores missing."""
    change: Estimate
    """On average, in points."""
    unchanged: float | None
    """Share that stayed the same; None without judgements."""
    r: Correlation


class MeasureComparison(Value):
    """Two measurements compared: with and without correction for severity, with and without papers."""

    name: str
    """One word, for names of files."""
    title: str
    here: str
    there: str
    text: str
    """What a reader should know of it."""
    pairs: tuple[ModelComparison, ...]
    measure: str = "average of five dimensions"
    """What is measured in both ways."""
    heading: str = ""
    """Of its section; empty: its title."""
    moved: ScoreChange | None = None

    def ranks(self) -> dict[str, tuple[int | None, int | None]]:
        """Model to its place here and there; None without a value."""
        here = places((pair.model, pair.here.value) for pair in self.pairs)
        there = places((pair.model, pair.there.value) for pair in self.pairs)
        return {pair.model: (here[pair.model], there[pair.model]) for pair in self.pairs}


class AnchorJudge(Value):
    """One judge on the anchor ideas, which all judges scored."""

    judge: str
    means: dict[str, float | None]
    """By dimension, over the anchors that it judged."""
    severity: dict[str, Estimate]
    """By dimension: points that it scores below the panel on the same anchors."""
    anchors: int
    """With a score of it."""
    missing: int
    """Requested scores that were not given."""


class AnchorLink(Value):
    """How another run's panel differs from this one's on the anchor ideas that both judged."""

    other: str
    dimension: str
    link: PanelLink


class LinkedModel(Value):
    """One model of this run or of another, all in points of this run's panel. NOTHING where there is no link."""

    run: str
    model: str
    own: bool
    """Of this run: nothing had to be linked."""
    originality: Estimate
    feasibility: Estimate
    clarity: Estimate


class OtherPanels(Value):
    """Other runs beside this one, by the anchor ideas that both panels judged."""

    anchors: str
    """Name of the set."""
    links: tuple[AnchorLink, ...]
    models: tuple[LinkedModel, ...]
    """Of all runs, best first; empty where no run could be linked."""
    notes: tuple[str, ...] = ()
    """What could not be linked, and why."""


class DistinctPoint(Value):
    """One model: fluency by judges, and how far its ideas for a keyword lie apart."""

    model: str
    fluency: float | None
    """Mean over its keywords; None where no judge gave any."""
    distinctness: float
    """Mean cosine distance over its keywords."""
    r: Correlation
    """Of the two, over its keywords."""


class Distinctness(Value):
    """Distance between ideas, which needs no judge, compared with fluency, which does."""

    embedder: str
    r: Correlation
    """Over keywords and models."""
    across: Correlation
    """Over models alone."""
    models: tuple[DistinctPoint, ...]
    """Most distinct first."""


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
    failures: tuple[FailureCount, ...]
    comparisons: tuple[MeasureComparison, ...]
    outside: OutsideBenchmark | None = None
    anchors: tuple[AnchorJudge, ...] = ()
    """Judges on the anchor ideas, most severe first; empty in a run without any."""
    others: OtherPanels | None = None
    distinctness: Distinctness | None = None
    distributions: tuple[ScoreDistribution, ...] = ()
    """Of quality and of each dimension, over all ideas."""
    spreads: tuple[QualitySpread, ...] = ()
    """Best average first."""
    clarity: tuple[IdeaRelation, ...] = ()
    """Clarity with originality, with feasibility, and with their mean."""
    response_lengths: tuple[IdeaRelation, ...] = ()
    """Of each model that reasons first: characters of the whole response with the quality of its idea."""


def places(scores: Iterable[tuple[str, float | None]]) -> dict[str, int | None]:
    """Name to its place, from 1; equal scores share the better one, and who has no score has no place."""
    known = dict(scores)
    ranked = sorted((score for score in known.values() if score is not None), reverse=True)
    return {name: None if score is None else ranked.index(score) + 1 for name, score in known.items()}
