"""Matches that people judged, in the columns of a matches file; an outcome may be one of experts' five grades."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from novum.benchmarks.arena.exporting import ImportLog, read_matches
from novum.benchmarks.arena.report.agreement import GradedComparison
from novum.core.comparison import CRITERIA, JudgedPair
from novum.errors import BadInput
from novum.files.tables import NumberedRows, Row, text_of
from novum.statistics.win_rates import BETTER, GRADES, Grade

_GRADES: dict[str, Grade] = {each: each for each in GRADES}
_CRITERIA = {name for names in CRITERIA.values() for name in names}
_OUTCOMES = {True: "first", False: "second"}


@dataclass(frozen=True)
class People:
    """What people said. A grade of "both bad" is no match, but stands in `graded`."""

    judged_pairs: list[JudgedPair]
    graded: list[GradedComparison]
    notes: list[str]
    """Rows that could not be read."""


def read_people(file: Path) -> People:
    """Raises BadInput where the file cannot be read or holds nothing that people said."""
    reading = _GradedRows()
    judged_pairs = read_matches(file, reading)
    if not judged_pairs:
        first = f" The first fault: {reading.why[0]}." if reading.why else ""
        raise BadInput(
            f"{file} holds no matches.{first} It needs the columns topic, first, second, judge (the person), criterion "
            f"and outcome (first, second, tie; or {', '.join(GRADES)})."
        )
    notes = reading.why[:_TOLD]
    if reading.refused:
        notes.append(f"{reading.refused:,} of {reading.rows:,} rows could not be read and were left out.")
    return People(judged_pairs, reading.graded, notes)


_TOLD = 20
_ASKING = ("topic", "kind", "first", "second", "judge", "order", "criterion")
"""What tells one answer of one person from all others."""


@dataclass
class _GradedRows(ImportLog):
    """Rows with a grade in place of an outcome become rows with an outcome; the grades are kept."""

    graded: list[GradedComparison] = field(default_factory=list)
    _said: set[tuple[str, ...]] = field(default_factory=set)

    def each(self, rows: NumberedRows, name: str) -> Iterator[tuple[int, Row]]:
        for number, row in super().each(rows, name):
            grade = _GRADES.get(" ".join(text_of(row, "outcome").casefold().replace("_", " ").split()))
            refused = self.refused
            yield number, row if grade is None else self._settled(row, grade)
            if grade is not None and self.refused == refused:
                self._keep(row, grade)

    def _keep(self, row: Row, grade: Grade) -> None:
        """Once the row has been taken in: one that is refused says nothing, nor does one that is there again."""
        said = tuple(text_of(row, column) for column in _ASKING)
        if said in self._said:
            return
        self._said.add(said)
        told = {column: " ".join(text_of(row, column).split()) for column in ("topic", "first", "second", "criterion")}
        told["criterion"] = told["criterion"].casefold()
        if all(told.values()) and told["criterion"] in _CRITERIA:
            self.graded.append(GradedComparison(**told, grade=grade))

    @staticmethod
    def _settled(row: Row, grade: Grade) -> Row:
        better = BETTER[grade]
        if better is None:
            return {**row, "outcome": "", "failure": grade}
        return {**row, "outcome": _OUTCOMES[better]}
