"""The distributions and relations over single ideas of a report: how scores are spread, clarity with the other
dimensions, and the length of a whole response with the quality of its idea (Supplementary Figures 3 and 5, Note 8).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from novum.benchmarks.liveidea.records import IDEA_DIMENSIONS, IdeaRecord, Keyword
from novum.benchmarks.liveidea.report.records import IdeaRelation, QualitySpread, ScoreDistribution
from novum.benchmarks.liveidea.report.shapes import AxisRange, fitted_line, honeycomb
from novum.benchmarks.liveidea.statistics.relations import (
    correlation_over_keywords,
    mean_over_keywords,
    score_bins,
)
from novum.core.arrays import Floats, Ints

COLUMNS, ROWS = 24, 9.0
"""Of the honeycomb: a double row for each point of the scale."""
SCALE = AxisRange(low=1, high=10)
_EDGES = tuple(np.arange(1, 10.01, 0.5))
"""Of the bins of scores: half points."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_SHOWN = 0.99
"""Share of whole responses that the axis covers; longer ones are counted at its end."""
_LONGER = 1.5
"""Length of a response, in lengths of its idea, from which it has more in it than the idea."""
_STEP = 500
"""Characters to which the end of that axis is rounded up."""
QUALITY = "quality"
"""Mean of originality, feasibility and clarity."""


class IdeaScores:
    """Judged ideas as columns. `scores`: ideas × originality, feasibility, clarity, each the mean of its judges."""

    def __init__(
        self, ideas: Sequence[IdeaRecord], scores: Floats, keywords: Sequence[Keyword], *, draws: int, seed: int
    ) -> None:
        place = {each.keyword: at for at, each in enumerate(keywords)}
        self._ideas, self._draws, self._seed = ideas, draws, seed
        self._keywords = len(keywords)
        self._keyword: Ints = np.array([place[each.keyword] for each in ideas], np.int64)
        self._columns: Mapping[str, Floats] = {
            QUALITY: scores.mean(axis=1),
            **dict(zip(IDEA_DIMENSIONS, scores.T, strict=True)),
        }

    def distributions(self) -> tuple[ScoreDistribution, ...]:
        """How the scores of all ideas are spread: of quality and of each dimension."""
        if not self._ideas:
            return ()
        return tuple(
            ScoreDistribution(what=name, bins=score_bins(column, self._keyword, self._keywords, _EDGES, **self._how))
            for name, column in self._columns.items()
        )

    def spreads(self, models: Sequence[str]) -> tuple[QualitySpread, ...]:
        """How the quality of each model's ideas is spread; models without judged ideas are left out."""
        return tuple(self._spread(model, rows) for model in models if (rows := self._rows_of(model)).size)

    def clarity_relations(self) -> tuple[IdeaRelation, ...]:
        """Clarity with originality, with feasibility, and with their mean, over the ideas of all models."""
        clarity = self._columns["clarity"]
        others = {name: self._columns[name] for name in ("originality", "feasibility")}
        others["mean of both"] = np.stack([*others.values()]).mean(axis=0)
        every = np.arange(len(self._ideas))
        return tuple(
            self._relation(f"clarity and {name}", "clarity", name, clarity, column, every, SCALE)
            for name, column in others.items()
            if every.size
        )

    def response_lengths(self, models: Sequence[str]) -> tuple[IdeaRelation, ...]:
        """For each model that reasons before it answers: characters of its whole responses with the quality of the
        idea in them."""
        return tuple(self._response_lengths(models))

    def _response_lengths(self, models: Sequence[str]) -> Iterator[IdeaRelation]:
        lengths = np.array([len(each.full) for each in self._ideas], float)
        for model in models:
            rows = self._rows_of(model)
            if rows.size and self._reasons_first(rows, lengths):
                end = np.ceil(np.quantile(lengths[rows], _SHOWN) / _STEP) * _STEP
                across = AxisRange(low=0.0, high=float(max(end, _STEP)))
                characters, quality = "characters of the whole response", self._columns[QUALITY]
                yield self._relation(model, characters, QUALITY, lengths, quality, rows, across)

    def _reasons_first(self, rows: Ints, lengths: Floats) -> bool:
        """Whether there are thoughts in the responses. Tables of others do not tell them apart: there, whether most
        responses are much longer than their ideas."""
        ideas = [self._ideas[at] for at in rows]
        if any(each.thoughts or each.behind_marker for each in ideas):
            return True
        return bool(np.median(lengths[rows] / [max(each.characters, 1) for each in ideas]) >= _LONGER)

    @property
    def _how(self) -> Mapping[str, int]:
        return {"draws": self._draws, "seed": self._seed}

    def _rows_of(self, model: str) -> Ints:
        return np.array([at for at, each in enumerate(self._ideas) if each.model == model], np.int64)

    def _spread(self, model: str, rows: Ints) -> QualitySpread:
        quality = self._columns[QUALITY][rows]
        return QualitySpread(
            model=model,
            ideas=len(rows),
            quantiles=tuple(map(float, np.quantile(quality, QUANTILES))),
            mean=mean_over_keywords(quality, self._keyword[rows], self._keywords, **self._how),
        )

    def _relation(
        self, name: str, x_title: str, y_title: str, x: Floats, y: Floats, rows: Ints, across: AxisRange
    ) -> IdeaRelation:
        x, y = x[rows], y[rows]
        return IdeaRelation(
            name=name,
            x=x_title,
            y=y_title,
            across=across,
            ideas=len(rows),
            r=correlation_over_keywords(x, y, self._keyword[rows], self._keywords, **self._how),
            hexagons=honeycomb(x, y, across, SCALE, COLUMNS, ROWS),
            line=fitted_line(x, y),
        )
