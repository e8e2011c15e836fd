"""A LiveIdeaBench run as columns of judgements, which all of its numbers are computed from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from novum.core.liveidea import FLUENCY, JudgementRecord, LiveIdeaRun
from novum.metrics.judgements import JUDGED, Judgements

NOBODY = "(nobody)"
"""Stands in the column of judges where none was left, or none is named."""


def judgements_of(run: LiveIdeaRun) -> Judgements:
    """One row for each score asked for, in the order of `run.models` and `run.keywords`.

    Where the run counts only the most alike pair of a keyword, the other pairs are left out.
    """
    return _columns(run, list(run.judgements))


def words_of_rows(run: LiveIdeaRun) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Words of the idea of each row of `judgements_of(run)`; NaN for pairs."""
    words = {each.key: each.words for each in run.ideas}
    of_row = [
        np.nan if each.of_pair else words.get((each.model, each.keyword, each.number), np.nan)
        for each, _ in _rows(run, list(run.judgements))
    ]
    return np.array(of_row, np.float64)


def _columns(run: LiveIdeaRun, records: list[JudgementRecord]) -> Judgements:
    rows = list(_rows(run, records))
    judges = tuple(dict.fromkeys([*(seat.model for seat in run.panel), *(each.judge or NOBODY for each, _ in rows)]))
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


def _rows(run: LiveIdeaRun, records: list[JudgementRecord]) -> Iterator[tuple[JudgementRecord, str]]:
    """Each record with each of its dimensions."""
    chosen = _most_alike(records) if run.protocol.combined == "lowest" else records
    return ((each, dimension) for each in chosen for dimension in each.scores)


def _most_alike(records: list[JudgementRecord]) -> list[JudgementRecord]:
    """All judgements of ideas, and of each keyword's pairs the one with the lowest score."""
    lowest: dict[tuple[str, str], JudgementRecord] = {}
    for each in records:
        if each.of_pair:
            place = (each.model, each.keyword)
            lowest[place] = min(lowest.get(place, each), each, key=_alikeness)
    return [each for each in records if not each.of_pair or lowest[each.model, each.keyword] is each]


def _alikeness(record: JudgementRecord) -> float:
    score = record.scores[FLUENCY]
    return np.inf if score is None else score


def _score(record: JudgementRecord, dimension: str) -> float:
    score = record.scores[dimension]
    return np.nan if score is None else score


def _places(names: tuple[str, ...]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


def _indices(values: Iterator[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.fromiter(values, np.int64)
