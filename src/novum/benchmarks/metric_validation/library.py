"""What a library adds: which papers a model learnt from, who wrote a paper and what it cites, and later citations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from novum.benchmarks.metric_validation.outcomes import group_of
from novum.benchmarks.metric_validation.records import CITATIONS, Case
from novum.core import Paper, Subject, normal_title
from novum.idea_metrics.card import LearntFrom
from novum.idea_metrics.model import FittedMetrics
from novum.literature import Filters, Library


def learnt_filters(learnt: LearntFrom) -> Filters:
    """By which the papers of a fit were chosen."""
    return Filters(before=learnt.before, fields=learnt.fields, venues=learnt.venues)


def learnt_by(library: Library, learnt: LearntFrom, model: object = None) -> Callable[[Subject], bool]:
    """Whether a model has seen a paper of this title, whatever its year: a preprint and the published paper are the
    same words. A fitted model remembers; of any other the library that it learnt from is asked."""
    if isinstance(model, FittedMetrics):
        return lambda subject: model.knows(subject.title)
    titles = {normal_title(paper.title) for paper in library.papers(learnt_filters(learnt)) if paper.gist.strip()}
    return lambda subject: normal_title(subject.title) in titles


def filled_from(library: Library) -> Callable[[Sequence[Subject]], list[Subject]]:
    """Subjects with authors, fields, venue and references, which were known on the day a paper appeared, as far as they
    lack them and the library has the paper under this title and year."""

    def fill(subjects: Sequence[Subject]) -> list[Subject]:
        ids = [Paper(title=each.title, year=each.year).id for each in subjects]
        found = {paper.id: paper for paper in library.get_many(ids)}
        return [_filled(each, found.get(paper_id)) for each, paper_id in zip(subjects, ids, strict=True)]

    return fill


def _filled(subject: Subject, paper: Paper | None) -> Subject:
    if paper is None:
        return subject
    known = {"authors": paper.authors, "fields": paper.fields, "venue": paper.venue, "references": paper.references}
    return subject.model_copy(update={name: value for name, value in known.items() if not getattr(subject, name)})


def cited_cases(library: Library, *, across_venues: bool = False) -> Iterator[Case]:
    """The papers whose citations were counted, to be compared with those of their own venue and year, or of their year
    alone: venues differ far more in their citations than papers of one venue do."""
    for paper in library.papers():
        if paper.citation_count is not None and paper.year is not None and paper.gist.strip():
            yield Case(
                id=paper.id,
                subject=Subject.of_paper(paper).model_copy(update={"topic": ", ".join(paper.fields)}),
                group=group_of("" if across_venues else paper.venue, paper.year),
                outcomes={CITATIONS: float(paper.citation_count)},
            )
