"""Reviewed papers as what a rating model is fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from novum.benchmarks.metric_validation.outcomes import OutcomeLog, read_cases
from novum.benchmarks.metric_validation.records import ACCEPTED, OutcomeCase
from novum.idea_metrics.review_rating import ASPECTS, ReviewedText


def read_reviewed_texts(files: Sequence[Path], log: OutcomeLog) -> list[ReviewedText]:
    """The papers of files of reviews that have an abstract, each once. Raises BadInput where a file cannot be read."""
    found: dict[str, ReviewedText] = {}
    for case in read_cases(files, log):
        if case.subject.text.strip():
            found.setdefault(f"{case.group} {case.subject.title.casefold()}", _reviewed(case))
    return list(found.values())


def _reviewed(case: OutcomeCase) -> ReviewedText:
    accepted = case.outcomes.get(ACCEPTED)
    return ReviewedText(
        title=case.subject.title,
        text=case.subject.text,
        group=case.group,
        year=case.subject.year,
        scores={name: case.outcomes[name] for name in ASPECTS if name in case.outcomes},
        accepted=None if accepted is None else accepted > 0.5,
    )
