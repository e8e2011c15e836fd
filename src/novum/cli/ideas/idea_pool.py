"""A pool of ideas from runs, reports, tables and texts, each with all fields of its source."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from novum.cli.ideas.scored_ideas import read_ideas
from novum.cli.judge.ideas import ideation_of
from novum.cli.shell.terminal import one_line, print_message
from novum.core import Citation, Idea, Subject, shorten
from novum.core.record import first_error
from novum.errors import BadInput
from novum.files.tables import Row, read_rows, text_of, words_of
from novum.idea_metrics.subject_rows import subject_of_row
from novum.literature.store.storable import storable
from novum.reports.phrases import count

MOST = 50_000
"""Ideas in one pool: comparing each with each takes time that grows with the square."""
TABLES = (".jsonl", ".ndjson", ".csv")
RANK = "rank"
"""The place in the source as a score: 1 for the first, near 0 for the last."""
_TEXTS = ("summary", "abstract", "text", "idea", "description")
_PARTS = ("title", "motivation", "novelty", "method")
_TITLE = 90
_TOLD = 10


@dataclass(frozen=True)
class PooledIdea:
    """One idea of the pool."""

    idea: Idea
    subject: Subject
    """What formulas see of it."""
    source: str
    row: Row
    """As its source has it, and as it is written again."""
    scores: Mapping[str, float]
    """Numbers that its source has of it, by column, with `rank`."""


def pool_of(names: Sequence[str]) -> list[PooledIdea]:
    """All ideas of these sources in their order, each once. What was left out is told on stderr.

    Raises BadInput where a source cannot be read, or where there are none or far too many.
    """
    found: dict[str, PooledIdea] = {}
    repeated = 0
    for name in names:
        for one in _ranked(list(_read(name))):
            repeated += one.idea.id in found
            found.setdefault(one.idea.id, one)
            if len(found) > MOST:
                raise BadInput(f"At most {MOST:,} ideas in one pool: split them, and select from each part first.")
    if repeated:
        _print(f"Left out: {count(repeated, 'idea')} identical to an earlier one.")
    if not found:
        raise BadInput("There are no ideas. Name runs, reports or tables of ideas (JSONL, CSV).")
    return list(found.values())


def each_of(names: Sequence[str]) -> Iterator[PooledIdea]:
    """The ideas of these sources one after the other, as `pool_of` reads them but without `rank`, however many and
    whether or not they stood there before. Raises BadInput where a source cannot be read."""
    for name in names:
        yield from _read(name)


def _read(name: str) -> Iterator[PooledIdea]:
    place = Path(name)
    if place.suffix.lower() in TABLES and place.is_file():
        yield from _of_table(place)
    elif name == "-" or (place.is_file() and place.suffix.lower() != ".json"):
        yield from _of_text(name)
    else:
        yield from _of_run(name)


def _of_run(name: str) -> Iterator[PooledIdea]:
    candidates = [each for each in ideation_of(name).candidates if Subject.of_idea(each.idea).whole]
    subjects = read_ideas([name]).subjects if candidates else []
    for candidate, subject in zip(candidates, subjects, strict=True):
        scores = {} if candidate.win_rate is None else {"win_rate": candidate.win_rate}
        row = candidate.idea.model_dump(mode="json", exclude={"id"}) | scores
        yield PooledIdea(candidate.idea, subject, name, row, scores)


def _of_text(name: str) -> Iterator[PooledIdea]:
    for subject in read_ideas([name]).subjects:
        row = {"topic": subject.topic, "title": subject.title or shorten(subject.text, _TITLE), "summary": subject.text}
        yield PooledIdea(Idea(motivation="", novelty="", method="", **row), subject, name, row, {})


def _of_table(file: Path) -> Iterator[PooledIdea]:
    refused = 0
    for number, row in read_rows(file):
        why = row if isinstance(row, str) else ""
        if not isinstance(row, str):
            try:
                one = _of_row(row, str(file))
                why = "" if one else f"none of the columns title, {', '.join((*_TEXTS, *_PARTS[1:]))} has text"
                if one:
                    yield one
            except ValueError as error:  # of pydantic too
                why = first_error(error)
        if why:
            refused += 1
            if refused <= _TOLD:
                _print(f"Left out: {file.name}, row {number}: {why}")
    if refused > _TOLD:
        _print(f"… and {refused - _TOLD:,} more rows of {file.name}.")


def _of_row(row: Row, source: str) -> PooledIdea | None:
    """None for a row that says nothing. Raises ValueError for one that cannot be read."""
    row = {name: storable(value) if isinstance(value, str) else value for name, value in row.items()}
    subject = subject_of_row(row)
    if subject is None:
        return None
    parts = {name: words_of(row, name) for name in _PARTS}
    parts["title"] = parts["title"].strip() or subject.title or shorten(" ".join(subject.text.split()), _TITLE)
    idea = Idea(
        topic=subject.topic,
        summary=text_of(row, *_TEXTS),
        citations=tuple(Citation(name=each, paper_id=each) for each in subject.references),
        generator=text_of(row, "generator"),
        **parts,
    )
    return PooledIdea(idea, subject, source, row, _numbers(row))


def _numbers(row: Row) -> dict[str, float]:
    """The columns that hold a number, also those of a CSV."""
    found = {}
    for name, value in row.items():
        number = _number(value)
        if number is not None:
            found[name] = number
    return found


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value) if not isinstance(value, str) or len(value) <= 40 else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _ranked(ideas: list[PooledIdea]) -> Iterator[PooledIdea]:
    """With the place in the source as a score; a column `rank` says it, where all rows have one."""
    given = [one.scores.get(RANK) for one in ideas]
    known = [place for place in given if place is not None]
    places = known if len(known) == len(ideas) else [float(place) for place in range(1, len(ideas) + 1)]
    order = {place: above for above, place in reversed(list(enumerate(sorted(places))))}
    for one, place in zip(ideas, places, strict=True):
        scores = {**one.scores, RANK: 1 - order[place] / len(ideas)}
        yield PooledIdea(one.idea, one.subject, one.source, one.row, scores)


def _print(line: str) -> None:
    print_message(one_line(line, 300))
