"""Validate a metrics model: score papers and ideas with known outcomes, and compare every metric with every outcome."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from novum.benchmarks.metric_validation.measurement import CaseScorer, MeasuredCases, NoveltyScorer, measure
from novum.benchmarks.metric_validation.outcomes import MAX_OUTCOMES, OutcomeLog, group_of, read_cases
from novum.benchmarks.metric_validation.records import CITATIONS, SIGNIFICANT, OutcomeCase
from novum.benchmarks.metric_validation.report.phrases import metric_title, verdicts
from novum.benchmarks.metric_validation.report.records import Validation, ValidationAccount
from novum.benchmarks.metric_validation.table import outcome_tables, rows_by_age
from novum.core import Paper, Subject, normal_title
from novum.errors import BadInput
from novum.idea_metrics.card import ModelCard, TrainingPapers
from novum.idea_metrics.model import FittedMetrics
from novum.literature import Filters, Library
from novum.reports.phrases import count


@dataclass(frozen=True)
class ValidationOptions:
    """The outcomes to compare with, and how."""

    files: Sequence[Path] = ()
    """Files of reviews or of scored ideas."""
    subsets: Sequence[str] = ()
    """Only these subsets of files of scored ideas; empty: all."""
    citations: bool = False
    """Also the citations of the library's papers."""
    across_venues: bool = False
    """Compare citations among papers of a year instead of a venue and year."""
    with_known: bool = False
    """Also papers that the model was fitted to."""
    bootstrap_samples: int = 1000
    seed: int = 0


async def validate_model(
    model: FittedMetrics,
    library: Library,
    options: ValidationOptions,
    *,
    novelty: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Validation:
    """Validates a fitted model. `novelty`: literature novelty as additional metrics, some ten milliseconds a paper. The
    rest as for `validate`."""
    scorer: CaseScorer = NoveltyScorer(model, library) if novelty else model
    direction = {name: metric.better for name, metric in model.parts.items()}
    rated = model.rating.card.groups if model.rating else ()
    return await validate(
        options, scorer, model.card, library, direction=direction, rated_groups=rated, progress=progress
    )


async def validate(
    options: ValidationOptions,
    scorer: CaseScorer,
    card: ModelCard,
    library: Library,
    *,
    direction: dict[str, int],
    rated_groups: Collection[str] = (),
    progress: Callable[[int], None] = lambda done: None,
) -> Validation:
    """Compares the scores of `scorer` with outcomes.

    `card`: of the model behind the scorer. `library`: the one that the model was fitted to; it shows which papers the
    model has seen, and has their authors and references. `direction`: -1 for metrics of which less is meant to be
    better. `rated_groups`: see `measure`. `progress` is called with the number of scored papers. Raises BadInput where
    no outcome is left.
    """
    log = OutcomeLog()
    cases: Iterator[OutcomeCase] = read_cases(options.files, log, options.subsets)
    if options.citations:
        cases = chain(cases, citation_cases(library, across_venues=options.across_venues))
    measured = await measure(
        cases,
        scorer,
        direction=direction,
        rated_groups=rated_groups,
        is_known=trained_on(library, card.learnt_from, scorer),
        with_known=options.with_known,
        fill=fill_from(library),
        progress=progress,
    )
    if not len(measured):
        raise BadInput(_why_empty(options, log, measured.learnt_from))
    training = card.learnt_from
    tables = outcome_tables(measured, training.last_year, draws=options.bootstrap_samples, seed=options.seed)
    tested = [each for table in tables for each in table.findings if not each.is_baseline and each.p is not None]
    return Validation(
        model=card.name,
        papers=training.papers,
        first_year=training.first_year,
        last_year=training.last_year,
        embedder=card.embedder,
        account=_account(options, card, measured, log),
        tables=tuple(tables),
        verdicts=verdicts(tables),
        asked=len(tested),
        starred=sum(each.q is not None and each.q <= SIGNIFICANT for each in tested),
        draws=options.bootstrap_samples,
        seed=options.seed,
    )


def _account(
    options: ValidationOptions, card: ModelCard, measured: MeasuredCases, log: OutcomeLog
) -> ValidationAccount:
    by_age = {when: int(rows.sum()) for when, rows in rows_by_age(measured, card.learnt_from.last_year).items()}
    left_out = 0 if options.with_known else measured.learnt_from
    return ValidationAccount(
        files=tuple(file.name for file in options.files),
        records=len(measured) + left_out + measured.repeated + log.refused + log.other_sets,
        refused=log.refused,
        other_sets=log.other_sets,
        repeated=measured.repeated,
        learnt_from=measured.learnt_from,
        left_out=not options.with_known,
        later=by_age["later"],
        older=by_age["older"],
        undated=int(np.isnan(measured.years).sum()),
        unsettled=measured.unsettled,
        notes=tuple(_notes(measured, log)),
    )


def _notes(measured: MeasuredCases, log: OutcomeLog) -> Iterator[str]:
    yield from log.why
    if log.out_of_range:
        yield f"{count(log.out_of_range, 'rating')} outside of −10 to 100, which no scale has, count for nothing."
    if log.names_left_out:
        yield (
            f"{count(log.names_left_out, 'score')} with other names than the first {MAX_OUTCOMES} were left out: name "
            "fewer subsets."
        )
    missing = [name for column, name in enumerate(measured.metrics) if np.isnan(measured.values[:, column]).all()]
    if missing:
        yield f"Not available for any of these papers: {', '.join(map(metric_title, missing))}."


def _why_empty(options: ValidationOptions, log: OutcomeLog, learnt_from: int) -> str:
    where = " and ".join(str(file) for file in options.files) or "the library"
    first = f" The first error: {log.why[0]}." if log.why else ""
    if learnt_from:
        return (
            f"The model was fitted to all {count(learnt_from, 'paper')} with an outcome in {where}. Fit one to earlier "
            "papers (`novum metrics fit --before YEAR --name NAME`), or use them all the same with --with-known."
        )
    if log.other_sets:
        return (
            f"{where} holds no record of the subsets {', '.join(options.subsets)}: name another with --subset.{first}"
        )
    return (
        f"{where} holds no outcome.{first} A record needs a title, and reviews with ratings, a decision, or scores; "
        "papers of the library need a year and a number of citations."
    )


def trained_on(library: Library, training: TrainingPapers, model: object = None) -> Callable[[Subject], bool]:
    """Whether a model was fitted to a paper of this title, whatever its year: a preprint has the same words as its
    published version. A fitted model stores its titles; for others they are taken from the library."""
    if isinstance(model, FittedMetrics):
        return lambda subject: model.knows(subject.title)
    filters = Filters(before=training.before, fields=training.fields, venues=training.venues)
    titles = {normal_title(paper.title) for paper in library.papers(filters) if paper.gist.strip()}
    return lambda subject: normal_title(subject.title) in titles


def fill_from(library: Library) -> Callable[[Sequence[Subject]], list[Subject]]:
    """A function that adds missing authors, fields, venue and references of papers that the library has under the same
    title and year. All of them were known on the day the paper appeared."""

    def fill(subjects: Sequence[Subject]) -> list[Subject]:
        ids = [Paper(title=each.title, year=each.year).id for each in subjects]
        papers = {paper.id: paper for paper in library.get_many(ids)}
        return [_filled(each, papers.get(paper_id)) for each, paper_id in zip(subjects, ids, strict=True)]

    return fill


def _filled(subject: Subject, paper: Paper | None) -> Subject:
    if paper is None:
        return subject
    known = {"authors": paper.authors, "fields": paper.fields, "venue": paper.venue, "references": paper.references}
    return subject.model_copy(update={name: value for name, value in known.items() if not getattr(subject, name)})


def citation_cases(library: Library, *, across_venues: bool = False) -> Iterator[OutcomeCase]:
    """The library's papers with a citation count, to be compared within their venue and year, or within their year
    alone. Citations differ far more between venues than within one."""
    for paper in library.papers():
        if paper.citation_count is not None and paper.year is not None and paper.gist.strip():
            yield OutcomeCase(
                id=paper.id,
                subject=Subject.of_paper(paper).model_copy(update={"topic": ", ".join(paper.fields)}),
                group=group_of("" if across_venues else paper.venue, paper.year),
                outcomes={CITATIONS: float(paper.citation_count)},
            )
