"""The numbers of a LiveIdeaBench report. No model is called and nothing is imputed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.liveidea.idea_distances import Distances, distinctness_beside
from novum.benchmarks.liveidea.panel import maker_of
from novum.benchmarks.liveidea.records import IDEA_DIMENSIONS, IdeaRecord, JudgementRecord, LiveIdeaRun
from novum.benchmarks.liveidea.report.informed import informed_comparison
from novum.benchmarks.liveidea.report.panels import judges_on_anchors, other_panels
from novum.benchmarks.liveidea.report.records import (
    LENGTH_QUANTILES,
    DisciplineScore,
    Example,
    FailureCount,
    LengthQuality,
    LiveIdeaReport,
    MeasureComparison,
    ModelComparison,
    ModelIdeas,
    OutsideBenchmark,
    OutsidePoint,
)
from novum.benchmarks.liveidea.report.relations import COLUMNS, ROWS, SCALE, IdeaScores
from novum.benchmarks.liveidea.report.shapes import AxisRange, fitted_line, honeycomb
from novum.benchmarks.liveidea.statistics.columns import judgements_of, words_of_rows
from novum.benchmarks.liveidea.statistics.judge_audit import DimensionAudit, audit_judges
from novum.benchmarks.liveidea.statistics.judgements import FLUENCY, Judgements
from novum.benchmarks.liveidea.statistics.scores import ModelScores, keyword_means, score_models
from novum.core.arrays import Floats
from novum.statistics.correlation import pearson

_SEVERITY = (
    "Judges are drawn at random, so each model has another mix of severe and mild ones. Corrected for severity: the "
    "estimated scores if the whole panel had judged all ideas (score = model + judge, fitted by least squares)."
)


def liveidea_report(
    run: LiveIdeaRun,
    *,
    draws: int = 1000,
    seed: int = 0,
    examples: int = 5,
    outside: Mapping[str, float] | None = None,
    outside_name: str = "",
    linked_to: Sequence[LiveIdeaRun] = (),
    distances: Distances | None = None,
    comparisons: Sequence[MeasureComparison] = (),
) -> LiveIdeaReport:
    """The whole report of a finished run, or of one that was stopped.

    `draws` of the bootstrap over keywords give the intervals. `outside` holds scores of another benchmark by the names
    of this run's models. `linked_to` are runs whose panels judged the same anchor ideas; `distances` between ideas come
    from an embedder. Further `comparisons` are shown after those of the run itself. The same run
    and seed give the same report. Raises ValueError where the distances are of another run.
    """
    judgements = judgements_of(run)
    plain = _scores(judgements, draws, seed, without_severity=False)
    order = sorted(range(len(plain)), key=lambda at: _rank(plain[at]))
    leaderboard = tuple(plain[at] for at in order)
    without = _scores(judgements, draws, seed, without_severity=True)
    corrected = tuple(without[at] for at in order)
    judged = _Judged.of(run)
    whole = judged.sorted()
    means = keyword_means(judgements)
    informed = informed_comparison(run, draws=draws, seed=seed)
    single = IdeaScores(judged.ideas, judged.scores, run.keywords, draws=draws, seed=seed)
    models = [each.model for each in leaderboard]
    return LiveIdeaReport(
        run=run.model_copy(update=dict.fromkeys(("ideas", "judgements", "anchor_judgements", "informed"), ())),
        leaderboard=leaderboard,
        corrected=corrected,
        draws=draws,
        disciplines=_disciplines(run, means),
        ideas=_written(models, run, judged),
        length_quality=_length_quality(judged),
        audit=_audit(run, judgements, draws, seed),
        best=tuple(judged.example(at) for at in whole[::-1][:examples]),
        worst=tuple(judged.example(at) for at in whole[: min(examples, max(len(whole) - examples, 0))]),
        failures=tuple(_failures(run)),
        comparisons=(_severity(leaderboard, corrected), *((informed,) if informed else ()), *comparisons),
        outside=_outside(leaderboard, outside, outside_name) if outside is not None else None,
        anchors=judges_on_anchors(run, draws=draws, seed=seed),
        others=other_panels(run, leaderboard, linked_to, draws=draws, seed=seed) if linked_to else None,
        distinctness=distinctness_beside(means[FLUENCY], distances, run.models) if distances is not None else None,
        distributions=single.distributions(),
        spreads=single.spreads(models),
        clarity=single.clarity_relations(),
        response_lengths=single.response_lengths(models),
    )


@dataclass(frozen=True, eq=False)
class _Judged:
    """The ideas that have all three scores, with the mean of each over their judges."""

    ideas: tuple[IdeaRecord, ...]
    scores: Floats
    """Ideas × originality, feasibility, clarity."""
    judges: NDArray[np.int64]

    @classmethod
    def of(cls, run: LiveIdeaRun) -> _Judged:
        given: dict[tuple[str, str, int], list[list[float]]] = {}
        for each in run.judgements:
            if each.of_pair:
                continue
            columns = given.setdefault((each.model, each.keyword, each.number), [[] for _ in IDEA_DIMENSIONS])
            for column, dimension in zip(columns, IDEA_DIMENSIONS, strict=True):
                if (score := each.scores.get(dimension)) is not None:
                    column.append(score)
        ideas = [each for each in run.ideas if all(given.get(each.key, [[]]))]
        means = [[sum(column) / len(column) for column in given[each.key]] for each in ideas]
        judges = [max(map(len, given[each.key])) for each in ideas]
        table = np.array(means, float).reshape(len(ideas), len(IDEA_DIMENSIONS))
        return cls(tuple(ideas), table, np.array(judges, np.int64))

    @property
    def quality(self) -> Floats:
        mean: Floats = self.scores.mean(axis=1)
        return mean

    @property
    def words(self) -> Floats:
        return np.array([each.words for each in self.ideas], float)

    def sorted(self) -> list[int]:
        """Places of the ideas, worst first; equals by model, keyword and number."""
        quality = self.quality
        return sorted(range(len(self.ideas)), key=lambda at: (quality[at], self.ideas[at].key))

    def example(self, at: int) -> Example:
        idea, scores = self.ideas[at], self.scores[at]
        return Example(
            model=idea.model,
            keyword=idea.keyword,
            discipline=idea.discipline,
            idea=idea.idea,
            quality=float(scores.mean()),
            scores=dict(zip(IDEA_DIMENSIONS, map(float, scores), strict=True)),
            judges=int(self.judges[at]),
        )


def _scores(judgements: Judgements, draws: int, seed: int, *, without_severity: bool) -> tuple[ModelScores, ...]:
    if not judgements.models:
        return ()
    return score_models(judgements, draws=draws, seed=seed, without_severity=without_severity)


def _audit(run: LiveIdeaRun, judgements: Judgements, draws: int, seed: int) -> tuple[DimensionAudit, ...]:
    if not judgements.judges or not judgements.keywords:
        return ()
    return audit_judges(
        judgements,
        model_families=families(judgements.models, run),
        judge_families=families(judgements.judges, run),
        words=words_of_rows(run),
        draws=draws,
        seed=seed,
    )


def _rank(scores: ModelScores) -> tuple[float, str]:
    """Best average first; who has none comes last, by name."""
    value = scores.average.value
    return (np.inf if value is None else -value), scores.model


def _disciplines(run: LiveIdeaRun, means: Floats) -> tuple[DisciplineScore, ...]:
    """From dimensions × keywords × models: a keyword counts where all four dimensions are there."""
    whole = means.mean(axis=0)
    places: dict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(run.keywords):
        places[each.discipline or "no discipline"].append(place)
    found = []
    for discipline, rows in sorted(places.items()):
        for at, model in enumerate(run.models):
            scores = whole[rows, at][np.isfinite(whole[rows, at])]
            if scores.size:
                score = DisciplineScore(
                    model=model, discipline=discipline, score=float(scores.mean()), keywords=int(scores.size)
                )
                found.append(score)
    return tuple(found)


def _written(models: Sequence[str], run: LiveIdeaRun, judged: _Judged) -> tuple[ModelIdeas, ...]:
    requested: dict[str, list[IdeaRecord]] = defaultdict(list)
    for idea in run.ideas:
        requested[idea.model].append(idea)
    rows: dict[str, list[int]] = defaultdict(list)
    for at, idea in enumerate(judged.ideas):
        rows[idea.model].append(at)
    words, quality = judged.words, judged.quality
    return tuple(_ideas_of(model, requested[model], words[rows[model]], quality[rows[model]]) for model in models)


def _ideas_of(model: str, ideas: Sequence[IdeaRecord], words: Floats, quality: Floats) -> ModelIdeas:
    lengths = np.array([each.words for each in ideas if each.idea], float)
    return ModelIdeas(
        model=model,
        asked=len(ideas),
        fates=dict(Counter(each.fate for each in ideas)),
        first_refused=sum(each.first_refused for each in ideas),
        first_refused_as_released=sum(each.first_refused_as_released for each in ideas),
        words=tuple(map(float, np.quantile(lengths, LENGTH_QUANTILES))) if lengths.size else (),
        mean_words=float(lengths.mean()) if lengths.size else None,
        length_quality=pearson(words, quality),
    )


def _length_quality(judged: _Judged) -> tuple[LengthQuality, ...]:
    words = judged.words
    if not words.size:
        return ()
    across = AxisRange(low=0.0, high=float(np.floor(words.max() / 20) + 1) * 20)
    columns = {"quality": judged.quality, **dict(zip(IDEA_DIMENSIONS, judged.scores.T, strict=True))}
    return tuple(
        LengthQuality(
            what=name,
            across=across,
            r=pearson(words, scores),
            hexagons=honeycomb(words, scores, across, SCALE, COLUMNS, ROWS),
            line=fitted_line(words, scores),
        )
        for name, scores in columns.items()
    )


def _failures(run: LiveIdeaRun) -> Iterator[FailureCount]:
    """Ideas that never came to the judges, then judgements without a score; of each kind the most frequent first."""
    ideas = [
        (each.model, each.fate, f"{each.keyword}: {each.why or each.idea or each.full}")
        for each in run.ideas
        if each.fate != "judged"
    ]
    requested = {"judging": run.judgements, "anchors": run.anchor_judgements, "with papers": run.informed}
    yield from _counted("ideas", ideas)
    for role, judgements in requested.items():
        yield from _counted(role, [missing for each in judgements for missing in _missing(each)])


def _missing(judgement: JudgementRecord) -> Iterator[tuple[str, str, str]]:
    for dimension, why in judgement.missing.items():
        yield judgement.judge or "nobody", why or "no score", f"{dimension} of {judgement.keyword}: {judgement.raw}"


def _counted(role: str, failures: Iterable[tuple[str, str, str]]) -> Iterator[FailureCount]:
    """Each kind of failure of a model, its number, and the text of the last one.

    `failures`: model, kind of failure, and text.
    """
    texts: dict[tuple[str, str], list[str]] = defaultdict(list)
    for model, what, text in failures:
        texts[model, what].append(text)
    for (model, what), each in sorted(texts.items(), key=lambda item: (-len(item[1]), item[0])):
        yield FailureCount(model=model, role=role, what=what, times=len(each), example=each[-1].removesuffix(": "))


def _severity(plain: Sequence[ModelScores], corrected: Sequence[ModelScores]) -> MeasureComparison:
    pairs = tuple(
        ModelComparison(model=one.model, here=one.average, there=other.average)
        for one, other in zip(plain, corrected, strict=True)
    )
    return MeasureComparison(
        name="severity",
        heading="Severity of judges",
        title="Corrected for the severity of judges",
        here="as judged",
        there="corrected for severity",
        text=_SEVERITY,
        pairs=pairs,
    )


def _outside(leaderboard: Sequence[ModelScores], scores: Mapping[str, float], name: str) -> OutsideBenchmark:
    points = tuple(
        OutsidePoint(model=each.model, outside=scores[each.model], average=each.average)
        for each in leaderboard
        if each.model in scores and each.average.value is not None
    )
    x, y = [point.outside for point in points], [point.average.value for point in points]
    return OutsideBenchmark(
        name=name or "another benchmark",
        points=points,
        r=pearson(x, np.array(y, float)),
        line=fitted_line(x, np.array(y, float)),
        unmatched=tuple(each.model for each in leaderboard if each.model not in scores),
    )


def families(names: Sequence[str], run: LiveIdeaRun) -> tuple[str, ...]:
    """The organisation of each name: as the panel's ranking has it, else as the name says; empty where neither does."""
    ranked = {key: judge.organisation for judge in run.panel for key in (_last(judge.model), judge.model)}
    return tuple(_plain(ranked.get(name) or ranked.get(_last(name)) or maker_of(name)) for name in names)


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _plain(organisation: str) -> str:
    """`OpenAI` and `openai`, `Mistral AI`, `mistralai` and `mistral` are the same."""
    return "".join(char for char in organisation.casefold() if char.isalnum()).removesuffix("ai")
