"""An arena as tables, with a row for every verdict and every entry, and tables of others read as an arena."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from novum.benchmarks.arena.importing import read_entries, read_matches
from novum.benchmarks.arena.records import ArenaRun
from novum.core.comparison import CRITERIA, ArenaEntry, Entrant, JudgedPair
from novum.core.idea import DETAILS
from novum.core.record import first_error
from novum.errors import BadInput
from novum.files.atomic import atomic_path
from novum.files.inputs import read_plain
from novum.files.tables import ImportLog, Row, write_rows
from novum.judges.judging_protocol import FIRST_PROTOCOL

HEADER, MATCHES, ENTRIES = "arena.json", "matches", "entries"
LARGEST_HEADER = 64 * 2**20
FORMATS = ("jsonl", "csv")
MATCH_COLUMNS = (
    "topic", "kind", "first", "second", "judge", "order", "criterion", "outcome", "reason", "failure",
)  # fmt: skip
ENTRY_COLUMNS = (
    "topic", "entrant", "title", "motivation", "novelty", "method", "summary", *DETAILS, "citations", "generator",
    "experiment", "shown", "forfeit", "notes", "calls", "prompt_tokens", "completion_tokens", "usd",
    "usd_unknown", "seconds", "cost",
)  # fmt: skip


@dataclass(kw_only=True)
class ImportedArena(ImportLog):
    """An arena as far as it could be read, and the rows that could not be."""

    run: ArenaRun


# -- writing ----------------------------------------------------------------------------------------------------------


def check_formats(names: Iterable[str]) -> None:
    """Raises BadInput for an unknown format."""
    for name in names:
        if name not in FORMATS:
            raise BadInput(f"There is no format {name!r}: choose of {', '.join(FORMATS)}.")


def write_arena(run: ArenaRun, folder: Path, formats: Iterable[str] = FORMATS) -> list[Path]:
    """Writes matches and entries in each of `formats`, and `arena.json`, each atomically; returns the files.

    Raises BadInput when the folder cannot be written.
    """
    names = list(dict.fromkeys(formats))
    check_formats(names)
    header = run.model_copy(update={"entries": (), "judged_pairs": ()})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for form in names:
            for stem, rows, columns in (
                (MATCHES, match_rows(run.judged_pairs), MATCH_COLUMNS),
                (ENTRIES, entry_rows(run.entries), ENTRY_COLUMNS),
            ):
                write_rows(rows, columns, folder / f"{stem}.{form}")
                written.append(folder / f"{stem}.{form}")
        with atomic_path(folder / HEADER) as place:
            place.write_text(header.model_dump_json(indent=1), encoding="utf-8", errors="replace")
    except OSError as error:
        why = error.strerror or str(error)
        raise BadInput(f"The arena cannot be written to {folder}: {why}. Name another folder by --out.") from error
    return [*written, folder / HEADER]


def match_rows(judged_pairs: Iterable[JudgedPair]) -> Iterator[Row]:
    """A row for each verdict, and one without a verdict for a failed request. `order` numbers the requests to a judge
    about a pair from 1.
    """
    requests: dict[tuple[str, ...], int] = {}
    for judged in judged_pairs:
        names = sorted((judged.first, judged.second))
        key = (judged.topic, judged.kind, judged.judge, *names)
        requests[key] = requests.get(key, 0) + 1
        row = judged.model_dump(include={"topic", "kind", "first", "second", "judge", "failure"})
        row["order"] = requests[key]
        if not judged.verdicts:
            yield row
        for each in judged.verdicts:
            yield row | each.model_dump()


def entry_rows(entries: Iterable[ArenaEntry]) -> Iterator[Row]:
    """A row for each entry, including forfeits."""
    for entry in entries:
        row: dict[str, Any] = entry.model_dump(include={"topic", "entrant", "forfeit"}) | {"notes": [*entry.notes]}
        if entry.idea is not None:
            row |= entry.idea.model_dump(mode="json", exclude={"id", "topic"})
        if entry.experiment is not None:
            row["experiment"] = entry.experiment.model_dump(mode="json", exclude={"id", "idea_id"})
        if entry.shown is not None:
            row["shown"] = entry.shown.model_dump(include={"title", "motivation", "novelty", "method", "summary"})
        named = {"calls", "prompt_tokens", "completion_tokens", "usd", "usd_unknown"}
        row |= entry.cost.model_dump(include=named) | {"seconds": entry.seconds}
        yield row | {"cost": entry.cost.model_dump(exclude=named)}


# -- reading ----------------------------------------------------------------------------------------------------------


def read_arena(place: Path) -> ImportedArena:
    """The arena in a file of matches, or in a folder with matches, entries and `arena.json`, as far as they exist.

    Raises BadInput when it cannot be read or has neither a match nor an idea.
    """
    log = ImportLog()
    matches = _file_in(place, MATCHES) if place.is_dir() else place
    entries = _file_in(place if place.is_dir() else place.parent, ENTRIES) if _is_exported(place) else None
    header = _header((place if place.is_dir() else place.parent) / HEADER) if _is_exported(place) else None
    judged_pairs = read_matches(matches, log) if matches else []
    found = read_entries(entries, log) if entries else []
    if not judged_pairs and not found:
        first = f" The first fault: {log.why[0]}." if log.why else ""
        raise BadInput(
            f"{place} holds no matches.{first} A table needs the columns topic, first, second, judge, criterion and "
            "outcome (first, second or tie; or 0, 1, 2)."
        )
    run = _run(place.name, judged_pairs, found, header)
    return ImportedArena(run=run, rows=log.rows, refused=log.refused, why=log.why)


def _run(name: str, judged_pairs: list[JudgedPair], entries: list[ArenaEntry], header: ArenaRun | None) -> ArenaRun:
    topics = dict.fromkeys((*(each.topic for each in entries), *(each.topic for each in judged_pairs)))
    names = dict.fromkeys(
        (*(each.entrant for each in entries), *(name for each in judged_pairs for name in (each.first, each.second)))
    )
    judges = dict.fromkeys(each.judge for each in judged_pairs)
    kinds = {each.kind for each in judged_pairs} | {"idea"}
    run = header or ArenaRun(
        name=name, topics=(), entrants=(), judges=(),
        notes=("Read from a file without a protocol.",),
    )  # fmt: skip
    known = {each.name for each in run.entrants}
    return run.model_copy(
        update={
            "topics": tuple(dict.fromkeys((*run.topics, *topics))),
            "entrants": (*run.entrants, *(Entrant(name=each) for each in names if each not in known)),
            "judges": tuple(dict.fromkeys((*run.judges, *judges))),
            "kinds": tuple(kind for kind in CRITERIA if kind in {*kinds, *(header.kinds if header else ())}),
            "entries": tuple(entries),
            "judged_pairs": tuple(judged_pairs),
        }
    )


def _is_exported(place: Path) -> bool:
    """Whether the files beside it belong to the same arena."""
    return place.is_dir() or (place.stem == MATCHES and (place.parent / HEADER).is_file())


def _file_in(folder: Path, stem: str) -> Path | None:
    return next((file for form in FORMATS if (file := folder / f"{stem}.{form}").is_file()), None)


def _header(file: Path) -> ArenaRun | None:
    if not file.is_file():
        return None
    if file.stat().st_size > LARGEST_HEADER:
        raise BadInput(f"{file} is far too large to describe an arena. Remove it, or fix it, and try again.")
    try:
        header = ArenaRun.model_validate_json(read_plain(file))
    except ValidationError as error:
        raise BadInput(
            f"{file} does not describe an arena of Novum ({first_error(error)}). Move it away to read the tables alone."
        ) from error
    if header.seed < 0:
        raise BadInput(f"{file} names the seed {header.seed}: seeds are 0 or more. Fix it, or move the file away.")
    # The file may be from others: an entrant that is named twice takes part once.
    once = {each.name: each for each in reversed(header.entrants)}
    # Before protocols had names, there was the first one.
    protocol = header.protocol if "protocol" in header.model_fields_set else FIRST_PROTOCOL
    own = {"entrants": tuple(reversed(once.values())), "protocol": protocol}
    return header.model_copy(update={**own, "entries": (), "judged_pairs": ()})
