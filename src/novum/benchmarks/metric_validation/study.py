"""The whole study: outcomes read, every case scored, every metric held against every outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from novum.benchmarks.metric_validation.library import cited_cases, filled_from, learnt_by
from novum.benchmarks.metric_validation.measurement import Measured, Scorer, measure
from novum.benchmarks.metric_validation.outcomes import MOST_NAMES, Reading, read_cases
from novum.benchmarks.metric_validation.records import Case
from novum.benchmarks.metric_validation.report.phrases import named, verdicts
from novum.benchmarks.metric_validation.report.records import Account, Validation
from novum.benchmarks.metric_validation.table import SIGNIFICANT, ages, tables
from novum.errors import BadInput
from novum.idea_metrics.card import Card
from novum.literature import Library
from novum.reports.phrases import count


@dataclass(frozen=True)
class Asked:
    """What is to be validated on what."""

    files: Sequence[Path] = ()
    sets: Sequence[str] = ()
    """Of files of scored ideas only these sets; empty: all."""
    citations: bool = False
    """Citations of the library's papers too."""
    across_venues: bool = False
    """These among papers of a year, not of a venue and year."""
    with_known: bool = False
    """With papers that the model learnt from."""
    draws: int = 1000
    seed: int = 0


async def validate(
    asked: Asked,
    model: Scorer,
    card: Card,
    library: Library,
    *,
    better: dict[str, int],
    told: Callable[[int], None] = lambda done: None,
) -> Validation:
    """Holds the model against outcomes. `better`: -1 for metrics of which less is meant to be better.

    `library` is the one that the model learnt from: it tells which papers the model has seen, and who wrote a paper and
    what it cites. `told` hears how many papers have been scored. Raises BadInput where there is nothing to hold it
    against.
    """
    reading = Reading()
    cases: Iterator[Case] = read_cases(asked.files, reading, asked.sets)
    if asked.citations:
        cases = chain(cases, cited_cases(library, across_venues=asked.across_venues))
    measured = await measure(
        cases,
        model,
        better=better,
        known=learnt_by(library, card.learnt_from, model),
        with_known=asked.with_known,
        filled=filled_from(library),
        told=told,
    )
    if not len(measured):
        raise BadInput(_nothing(asked, reading, measured.learnt_from))
    return _study(asked, card, measured, reading)


def _study(asked: Asked, card: Card, measured: Measured, reading: Reading) -> Validation:
    learnt = card.learnt_from
    found = tables(measured, learnt.last_year, draws=asked.draws, seed=asked.seed)
    questions = [each for table in found for each in table.findings if not each.is_baseline and each.p is not None]
    return Validation(
        model=card.name,
        papers=learnt.papers,
        first_year=learnt.first_year,
        last_year=learnt.last_year,
        embedder=card.embedder,
        account=_account(asked, card, measured, reading),
        tables=tuple(found),
        verdicts=verdicts(found),
        asked=len(questions),
        starred=sum(each.q is not None and each.q <= SIGNIFICANT for each in questions),
        draws=asked.draws,
        seed=asked.seed,
    )


def _account(asked: Asked, card: Card, measured: Measured, reading: Reading) -> Account:
    by_age = {when: int(rows.sum()) for when, rows in ages(measured, card.learnt_from.last_year).items()}
    left_out = 0 if asked.with_known else measured.learnt_from
    return Account(
        files=tuple(file.name for file in asked.files),
        records=len(measured) + left_out + measured.repeated + reading.refused + reading.other_sets,
        refused=reading.refused,
        other_sets=reading.other_sets,
        repeated=measured.repeated,
        learnt_from=measured.learnt_from,
        left_out=not asked.with_known,
        later=by_age["later"],
        older=by_age["older"],
        undated=int(np.isnan(measured.years).sum()),
        unsettled=measured.unsettled,
        notes=tuple(_notes(measured, reading)),
    )


def _notes(measured: Measured, reading: Reading) -> Iterator[str]:
    yield from reading.why
    if reading.names_left_out:
        yield (
            f"{count(reading.names_left_out, 'score')} of other names than the first {MOST_NAMES} were left out: "
            "name fewer sets."
        )
    silent = [name for name in measured.metrics if np.isnan(measured.values[:, measured.metrics.index(name)]).all()]
    if silent:
        yield f"Nothing is said of any of these papers by: {', '.join(map(named, silent))}."


def _nothing(asked: Asked, reading: Reading, learnt_from: int) -> str:
    where = " and ".join(str(file) for file in asked.files) or "the library"
    first = f" The first fault: {reading.why[0]}." if reading.why else ""
    if learnt_from:
        return (
            f"The model learnt from all {count(learnt_from, 'paper')} with an outcome in {where}: fit one on earlier "
            "papers (`novum metrics fit --before YEAR --name NAME`), or count them all the same by --with-known."
        )
    if reading.other_sets:
        return f"{where} holds no record of the sets {', '.join(asked.sets)}: name another by --set.{first}"
    return (
        f"{where} holds no outcome.{first} A record needs a title, and reviews with ratings, a decision, or scores; "
        "papers of the library need a year and a count of citations."
    )
