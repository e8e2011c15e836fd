"""Ideas that a command names: by a run, by the report of one, or by a table of ideas."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from novum.benchmarks.arena.importing import read_entries
from novum.cli.shell.arguments import print_import_log
from novum.cli.shell.durable import record_named
from novum.cli.shell.terminal import print_message
from novum.core import Idea, Ideation, IdeationReport
from novum.errors import BadInput
from novum.files.tables import ImportLog
from novum.reports.phrases import count
from novum.runs import judge
from novum.runs.judge import Contest

_LARGEST = 256 * 2**20
"""Bytes of a report."""
_FORMS = "Name a run of `novum ideate`, its report.json, or a table of ideas (JSONL or CSV with topic and summary)."


def ideas_of(name: str) -> list[Idea]:
    """The ideas of a run or file, in its order: best first, where they are ranked. Raises BadInput."""
    place = Path(name)
    if place.is_dir():
        place = place / "report.json" if (place / "report.json").is_file() else place
    if place.is_file() and place.suffix.lower() != ".json":
        return _of_table(place)
    return [candidate.idea for candidate in ideation_of(name).candidates]


def ideation_of(name: str) -> Ideation:
    """The outcome of a run, from the ledger or its report. Raises BadInput."""
    place = Path(name)
    if place.is_dir():
        place = place / "report.json"
    return _of_report(place) if place.is_file() else _of_run(name)


def _of_report(file: Path) -> Ideation:
    if file.stat().st_size > _LARGEST:
        raise BadInput(f"{file} is larger than a report can be. {_FORMS}")
    try:
        return IdeationReport.model_validate_json(file.read_bytes()).ideation
    except ValidationError as error:
        raise BadInput(f"{file} is no report of ideas. {_FORMS}") from error


def _of_run(name: str) -> Ideation:
    # Loads every method, which takes longer than to score the ideas of a table.
    from novum.runs.engine import stored_outcome  # noqa: PLC0415
    from novum.runs.ideation import IDEATION  # noqa: PLC0415

    if Path(name).suffix or "/" in name:
        raise BadInput(f"There is no file {name}. {_FORMS}")
    # `last` is the newest run with ideas: a run that judges them is a run as well.
    record = record_named(name, "ideate", f"There is no run with ideas yet. {_FORMS}")
    if record.status != "finished":
        raise BadInput(f"Run {record.id} is not finished. Finish it: novum runs resume {record.id}")
    if record.kind != IDEATION.name:
        raise BadInput(f"Run {record.id} generated no ideas: it is of kind {record.kind}. {_FORMS}")
    return stored_outcome(IDEATION, record).ideation


def _of_table(file: Path) -> list[Idea]:
    """All ideas of a table, any number of them on one topic."""
    log = ImportLog()
    entries = read_entries(file, log, maker=file.stem, several=True)
    print_import_log(log)
    ideas = [entry.idea for entry in entries if entry.idea is not None]
    if not ideas:
        raise BadInput(f"{file} holds no idea. {_FORMS}")
    return ideas


def contest_between(subject: str, baseline: str) -> Contest:
    """Pairs the ideas of two runs or files by topic and number. Raises BadInput where they have no topic in common."""
    first, second = _names(subject, baseline)
    contest, alone = judge.contest_between(first, ideas_of(subject), second, ideas_of(baseline))
    if contest is None:
        raise BadInput(f"{subject} and {baseline} have no topic in common: ideas are compared on the same topic.")
    if alone:
        print_message(f"{count(alone, 'idea')} left out: without a counterpart on the same topic.")
    return contest


def contests_of_steps(name: str) -> list[Contest]:
    """Each later draft of the ideas of a run against the first. Raises BadInput where no idea has an earlier draft."""
    contests = judge.contests_of_drafts(ideation_of(name))
    if not contests:
        raise BadInput(f"No idea of {name} has an earlier draft: there are no steps to compare.")
    return contests


def _names(subject: str, baseline: str) -> tuple[str, str]:
    """Short names of the two sides that differ from each other."""
    one, other = Path(subject).stem or subject, Path(baseline).stem or baseline
    if one in {other, "report"} or other == "report":
        one, other = subject, baseline
    return (one, other) if one != other else (f"{one} (1)", f"{other} (2)")
