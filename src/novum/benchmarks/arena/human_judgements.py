"""Matches judged by people, in the columns of a matches file; an outcome may also be one of five expert grades."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from novum.benchmarks.arena.importing import read_matches
from novum.benchmarks.arena.report.agreement import GradedComparison
from novum.core.comparison import CRITERIA, JudgedPair
from novum.errors import BadInput
from novum.files.tables import ImportLog, NumberedRows, Row, text_of
from novum.statistics.win_rates import BETTER, GRADES, Grade

_GRADES: dict[str, Grade] = {each: each for each in GRADES}
_CRITERIA = {name for names in CRITERIA.values() for name in names}
_OUTCOMES = {True: "first", False: "second"}
_MOST_LISTED = 20
_KEY = ("topic", "kind", "first", "second", "judge", "order", "criterion")
"""Columns that identify one answer of one person."""


@dataclass(frozen=True)
class HumanJudgements:
    """The judgements in a file. A grade of "both bad" is no match, but is in `graded`."""

    judged_pairs: list[JudgedPair]
    graded: list[GradedComparison]
    notes: list[str]
    """Rows that could not be read."""


def read_human_judgements(file: Path) -> HumanJudgements:
    """Raises BadInput when the file cannot be read or has no match."""
    log = _GradedRows()
    judged_pairs = read_matches(file, log)
    if not judged_pairs:
        first = f" The first fault: {log.why[0]}." if log.why else ""
        raise BadInput(
            f"{file} holds no matches.{first} It needs the columns topic, first, second, judge (the person), criterion "
            f"and outcome (first, second, tie; or {', '.join(GRADES)})."
        )
    notes = log.why[:_MOST_LISTED]
    if log.refused:
        notes.append(f"{log.refused:,} of {log.rows:,} rows could not be read and were left out.")
    return HumanJudgements(judged_pairs, log.graded, notes)


@dataclass
class _GradedRows(ImportLog):
    """Replaces a grade in a row by the outcome it means, and collects the grades."""

    graded: list[GradedComparison] = field(default_factory=list)
    _seen: set[tuple[str, ...]] = field(default_factory=set)

    def each(self, rows: NumberedRows, name: str) -> Iterator[tuple[int, Row]]:
        for number, row in super().each(rows, name):
            grade = _GRADES.get(" ".join(text_of(row, "outcome").casefold().replace("_", " ").split()))
            refused = self.refused
            yield number, row if grade is None else self._with_outcome(row, grade)
            if grade is not None and self.refused == refused:  # the reader has accepted the row
                self._collect(row, grade)

    def _collect(self, row: Row, grade: Grade) -> None:
        key = tuple(text_of(row, column) for column in _KEY)
        if key in self._seen:
            return
        self._seen.add(key)
        cells = {column: " ".join(text_of(row, column).split()) for column in ("topic", "first", "second", "criterion")}
        cells["criterion"] = cells["criterion"].casefold()
        if all(cells.values()) and cells["criterion"] in _CRITERIA:
            self.graded.append(GradedComparison(**cells, grade=grade))

    @staticmethod
    def _with_outcome(row: Row, grade: Grade) -> Row:
        better = BETTER[grade]
        if better is None:
            return {**row, "outcome": "", "failure": grade}
        return {**row, "outcome": _OUTCOMES[better]}
