"""The numbers of a study: an arena seen by what the study asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from novum.benchmarks.arena.records import ArenaRun, StudyName
from novum.benchmarks.arena.report.numbers import arena_report
from novum.benchmarks.arena.report.records import ArenaReport, ComparisonReport, EntrantCost, RatedEntrant
from novum.benchmarks.arena.statistics.blind_wins import BlindWins, blind_wins
from novum.benchmarks.arena.studies import STUDIES, StudyDesign, baselines_of, value_of
from novum.core.record import Value
from novum.errors import BadInput


class StudyRow(Value):
    """One entrant of a study."""

    entrant: str
    value: float | None
    """Of the option that the study varies; None where it varies none."""
    standing: RatedEntrant
    cost: EntrantCost
    words_written: float | None
    """Mean length of its ideas as they were written; `standing.mean_words` is that of what judges saw."""


class StudyReport(Value):
    """The results of a study."""

    study: StudyName
    run: ArenaRun
    """Without entries and judged pairs, which the arena's own files have."""
    rows: tuple[StudyRow, ...]
    """In the order of the design, or of the ratings where it has none."""
    board: ComparisonReport
    baselines: tuple[str, ...]
    """Entrants that others are compared with one by one."""
    wins: tuple[BlindWins, ...]
    """Of each entrant over each baseline, by baseline."""
    draws: int

    @property
    def design(self) -> StudyDesign:
        return STUDIES[self.study]

    @property
    def reference(self) -> StudyRow | None:
        """The row that points are counted against."""
        return next((each for each in self.rows if each.entrant == self.board.reference), None)


def study_report(
    run: ArenaRun,
    study: StudyName = "",
    *,
    baselines: Sequence[str] = (),
    draws: int = 1000,
    orders: int = 100,
    families: Mapping[str, str] | None = None,
) -> tuple[StudyReport, ArenaReport]:
    """The report of an arena as a study, and the arena's own report.

    `study`: by default the one that the run was started as, else one of quality. `baselines`: entrants that the others
    are compared with; by default those that run the methods `plain` and `plain-best-of-n`, in a study of quality.
    Raises BadInput for an unknown study, and for a baseline that did not take part.
    """
    name = study or run.study or "quality"
    if name not in STUDIES:
        raise BadInput(f"There is no study {name!r}. There are: {', '.join(STUDIES)}.")
    names = [each.name for each in run.entrants]
    if stranger := next((each for each in baselines if each not in names), ""):
        raise BadInput(f"The baseline {stranger!r} did not take part. There are: {', '.join(names)}.")
    arena = arena_report(run, draws=draws, orders=orders, equal_length=True, families=families)
    chosen = tuple(baselines) or (baselines_of(run) if name == "quality" else ())
    rows = _rows(arena, STUDIES[name])
    report = StudyReport(
        study=name,
        run=run.model_copy(update={"entries": (), "judged_pairs": ()}),
        rows=rows,
        board=arena.boards[0],
        baselines=chosen,
        wins=tuple(
            blind_wins(run.judged_pairs, row.entrant, baseline, seed=run.seed)
            for baseline in chosen
            for row in rows
            if row.entrant != baseline
        ),
        draws=draws,
    )
    return report, arena


def _rows(arena: ArenaReport, design: StudyDesign) -> tuple[StudyRow, ...]:
    standings = {each.entrant: each for each in arena.boards[0].standings}
    costs = {each.entrant: each for each in arena.costs}
    order = list(standings) if design.name == "quality" else [each.name for each in arena.run.entrants]
    by_name = {each.name: each for each in arena.run.entrants}
    rows = tuple(
        StudyRow(
            entrant=name,
            value=value_of(design, by_name[name]),
            standing=standings[name],
            cost=costs[name],
            words_written=_words_written(arena.run, name),
        )
        for name in order
    )
    return tuple(sorted(rows, key=lambda row: row.value or 0.0)) if design.option else rows


def _words_written(run: ArenaRun, entrant: str) -> float | None:
    words = [len(each.idea.text.split()) for each in run.entries if each.entrant == entrant and each.idea is not None]
    return sum(words) / len(words) if words else None
