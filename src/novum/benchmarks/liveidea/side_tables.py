"""Tables beside the table of ideas: judgements of anchor ideas, and judgements with papers. The published layout has no
place for either.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from novum.benchmarks.liveidea.anchors import NAME, built_in_anchors
from novum.benchmarks.liveidea.cells import critique_in, name_in, whole_in
from novum.benchmarks.liveidea.dataset import cells_of_critique
from novum.benchmarks.liveidea.importing import ImportedRun
from novum.benchmarks.liveidea.records import IDEA_DIMENSIONS, JudgementRecord, LiveIdeaRun
from novum.core.record import first_error
from novum.files.tables import Row

ANCHORS, INFORMED = "anchors.csv", "informed.csv"
_CRITIC = (
    "critic_model", *IDEA_DIMENSIONS, "missing", "critique_analysis", "raw_critique", "critique_reasoning",
    "critic_calls", "critic_prompt_tokens", "critic_completion_tokens",
)  # fmt: skip
"""Columns of a judge, named as in the table of ideas."""
MEANING = {
    "anchor_set": "name of the set of anchor ideas, with its version",
    "anchor_number": "of the anchor idea in its set, from 0",
}
"""Columns that the table of ideas does not have."""


@dataclass(frozen=True)
class SideTable:
    """One side table. `marks`: the columns by which it is recognised."""

    file: str
    about: str
    columns: tuple[str, ...]
    marks: tuple[str, ...]
    rows: Callable[[LiveIdeaRun], Iterator[Row]]
    take: Callable[[ImportedRun, Iterable[tuple[int, Row | str]]], None]

    def is_headed(self, head: Collection[str]) -> bool:
        """Whether a file with these columns is such a table."""
        return set(self.marks) <= set(head)


def _anchor_rows(run: LiveIdeaRun) -> Iterator[Row]:
    texts = {each.number: each.idea for each in built_in_anchors().anchors} if run.anchors == NAME else {}
    for each in run.anchor_judgements:
        about: dict[str, Any] = {"anchor_set": run.anchors, "anchor_number": each.number, "keywords": each.keyword}
        yield about | {"idea": texts.get(each.number)} | _critic(each)


def _informed_rows(run: LiveIdeaRun) -> Iterator[Row]:
    for each in run.informed:
        about: dict[str, Any] = {"keywords": each.keyword, "idea_model": each.model, "idea_number": each.number}
        yield about | _critic(each)


def _critic(judgement: JudgementRecord) -> dict[str, Any]:
    cells = cells_of_critique(judgement)
    return {name: cells[name] for name in _CRITIC}


def _take_anchors(found: ImportedRun, rows: Iterable[tuple[int, Row | str]]) -> None:
    """Adds judgements of anchors to `found`, of one set only, since those of two sets cannot be compared."""

    def read(row: Row) -> JudgementRecord | None:
        name = name_in(row, "anchor_set")
        if name != found.run.anchors:
            if found.run.anchors:
                raise ValueError(f"the anchor set {name[:60]!r} is not {found.run.anchors!r}")
            found.run = found.run.model_copy(update={"anchors": name})
        return critique_in(
            row, "", name_in(row, "keywords"), whole_in(row, "anchor_number"), released=found.run.protocol.as_released
        )

    judgements = _read_all(found, rows, ANCHORS, read)
    found.run = found.run.model_copy(update={"anchor_judgements": judgements})


def _take_informed(found: ImportedRun, rows: Iterable[tuple[int, Row | str]]) -> None:
    """Adds judgements with papers to `found`, of ideas that it has."""
    known = {idea.key for idea in found.run.ideas}

    def read(row: Row) -> JudgementRecord | None:
        key = name_in(row, "idea_model"), name_in(row, "keywords"), whole_in(row, "idea_number")
        if key not in known:
            raise ValueError("the table of ideas has no such idea")
        return critique_in(row, *key, released=found.run.protocol.as_released)

    judgements = _read_all(found, rows, INFORMED, read)
    found.run = found.run.model_copy(update={"informed": judgements})


def _read_all(
    found: ImportedRun,
    rows: Iterable[tuple[int, Row | str]],
    file: str,
    read: Callable[[Row], JudgementRecord | None],
) -> tuple[JudgementRecord, ...]:
    judgements = []
    for number, row in rows:
        found.rows += 1
        try:
            judgement = None if isinstance(row, str) else read(row)
            if judgement is None or not judgement.judge:
                raise ValueError(row if isinstance(row, str) else "no critic_model")
            judgements.append(judgement)
        except ValueError as error:  # of pydantic too
            found.refuse(f"{file}, row {number}", first_error(error))
    return tuple(judgements)


SIDE_TABLES = (
    SideTable(
        file=ANCHORS,
        about="scores of each judge for the anchor ideas, which belong to no model and count in no score",
        columns=("anchor_set", "anchor_number", "keywords", "idea", *_CRITIC),
        marks=("anchor_set", "anchor_number", "critic_model"),
        rows=_anchor_rows,
        take=_take_anchors,
    ),
    SideTable(
        file=INFORMED,
        about="the same ideas scored by the same judges with the nearest papers; they count in no score",
        columns=("keywords", "idea_model", "idea_number", *_CRITIC),
        marks=("idea_model", "idea_number", "critic_model"),
        rows=_informed_rows,
        take=_take_informed,
    ),
)
