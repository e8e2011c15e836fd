"""A LiveIdeaBench run as columns of judgements, which all of its numbers are computed from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.liveidea.records import FLUENCY, IDEA_DIMENSIONS, JudgementRecord, LiveIdeaRun
from novum.benchmarks.liveidea.statistics.judgements import JUDGED, Judgements

NOBODY = "(nobody)"
"""Name in the column of judges when none was eligible, or none is named."""
_Row = tuple[JudgementRecord, str]
"""A judgement and one of its dimensions."""


def judgements_of(run: LiveIdeaRun) -> Judgements:
    """One row for each requested score, in the order of `run.models` and `run.keywords`.

    When the run counts only the lowest pair of a keyword, the other pairs are left out.
    """
    return _columns(run, list(_rows(run)))


def words_of_rows(run: LiveIdeaRun) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Words of the idea of each row of `judgements_of(run)`; NaN for pairs."""
    words = {each.key: each.words for each in run.ideas}
    of_row = [
        np.nan if each.of_pair else words.get((each.model, each.keyword, each.number), np.nan) for each, _ in _rows(run)
    ]
    return np.array(of_row, np.float64)


@dataclass(frozen=True, eq=False)
class PairedJudgements:
    """Scores of one dimension that the same judge gave the same idea without and with papers, in the same order."""

    plain: Judgements
    informed: Judgements
    """With the nearest papers."""
    missing: int
    """Judgements with papers of which one of the two scores is missing."""


def paired_judgements(run: LiveIdeaRun, dimension: str) -> PairedJudgements:
    """The judgements that have a score in both ways."""
    plain = {_key(each): each for each in run.judgements if not each.of_pair}
    with_papers = {_key(each): each for each in run.informed if dimension in each.scores}
    pairs = [(plain[key], informed) for key, informed in with_papers.items() if key in plain]
    both = [pair for pair in pairs if all(np.isfinite(_given(each, dimension)) for each in pair)]
    first, second = ([(pair[way], dimension) for pair in both] for way in (0, 1))
    return PairedJudgements(_columns(run, first), _columns(run, second), len(with_papers) - len(both))


@dataclass(frozen=True, eq=False)
class AnchorScores:
    """The panel's scores of the anchor ideas."""

    numbers: tuple[int, ...]
    """Of the anchors, rising."""
    judges: tuple[str, ...]
    scores: NDArray[np.float64]
    """Originality, feasibility, clarity × anchors × judges; NaN where there is none."""
    missing: NDArray[np.int64]
    """Requested scores that were not given: the three × judges."""

    def means(self, dimension: int, numbers: Sequence[int]) -> NDArray[np.float64]:
        """Mean of the judges of each anchor of these numbers, all of which must be known; NaN without a score."""
        places = {number: place for place, number in enumerate(self.numbers)}
        table = self.scores[dimension][[places[number] for number in numbers]]
        given = np.isfinite(table)
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = np.where(given, table, 0).sum(axis=1) / given.sum(axis=1)
        return means


def anchors_of(run: LiveIdeaRun) -> AnchorScores:
    """The judgements of anchor ideas as a table; of several by one judge for one anchor, the last counts."""
    judged = [each for each in run.anchor_judgements if each.judge and not each.of_pair]
    numbers = tuple(sorted({each.number for each in judged}))
    names = {each.judge for each in judged}
    in_panel = [judge.model for judge in run.panel if judge.model in names]
    judges = tuple(dict.fromkeys([*in_panel, *(each.judge for each in judged)]))
    at_number, at_judge = {number: place for place, number in enumerate(numbers)}, _places(judges)
    scores = np.full((len(IDEA_DIMENSIONS), len(numbers), len(judges)), np.nan)
    requested = np.zeros(scores.shape, dtype=bool)
    for each in judged:
        for place, dimension in enumerate(IDEA_DIMENSIONS):
            if dimension in each.scores:
                cell = place, at_number[each.number], at_judge[each.judge]
                scores[cell], requested[cell] = _score(each, dimension), True
    scores[~np.isfinite(scores)] = np.nan
    return AnchorScores(numbers, judges, scores, (requested & np.isnan(scores)).sum(axis=1))


def _key(record: JudgementRecord) -> tuple[str, str, int, str]:
    return record.model, record.keyword, record.number, record.judge


def _columns(run: LiveIdeaRun, rows: list[_Row]) -> Judgements:
    judges = tuple(dict.fromkeys([*(judge.model for judge in run.panel), *(each.judge or NOBODY for each, _ in rows)]))
    keywords = tuple(each.keyword for each in run.keywords)
    at_model, at_keyword, at_judge = _places(run.models), _places(keywords), _places(judges)
    return Judgements(
        models=run.models,
        keywords=keywords,
        judges=judges,
        model=_indices(at_model[each.model] for each, _ in rows),
        keyword=_indices(at_keyword[each.keyword] for each, _ in rows),
        idea=_indices(each.number for each, _ in rows),
        judge=_indices(at_judge[each.judge or NOBODY] for each, _ in rows),
        dimension=_indices(JUDGED.index(dimension) for _, dimension in rows),
        score=np.array([_score(each, dimension) for each, dimension in rows], np.float64),
    )


def _rows(run: LiveIdeaRun) -> Iterator[_Row]:
    """Each record with each of its dimensions."""
    records = _lowest_pairs(run.judgements) if run.protocol.combined == "lowest" else run.judgements
    return ((each, dimension) for each in records for dimension in each.scores)


def _lowest_pairs(records: Sequence[JudgementRecord]) -> list[JudgementRecord]:
    """All judgements of ideas, and of each keyword's pairs the one with the lowest score."""
    lowest: dict[tuple[str, str], JudgementRecord] = {}
    for each in records:
        if each.of_pair:
            place = (each.model, each.keyword)
            lowest[place] = min(lowest.get(place, each), each, key=_fluency_or_infinity)
    return [each for each in records if not each.of_pair or lowest[each.model, each.keyword] is each]


def _fluency_or_infinity(record: JudgementRecord) -> float:
    score = record.scores[FLUENCY]
    return np.inf if score is None else score


def _score(record: JudgementRecord, dimension: str) -> float:
    score = record.scores[dimension]
    return np.nan if score is None else score


def _given(record: JudgementRecord, dimension: str) -> float:
    """The same, NaN also when it was not requested."""
    return _score(record, dimension) if dimension in record.scores else np.nan


def _places(names: tuple[str, ...]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


def _indices(values: Iterator[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.fromiter(values, np.int64)
