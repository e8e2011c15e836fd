"""Ideas as `novum judge` is told of them: a run, the report of one, or a table of ideas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.core import Candidate, Idea, Ideation
    from novum.runs.judge import Contest

_LARGEST = 256 * 2**20
"""Bytes of a report."""
_FORMS = "Name a run of `novum ideate`, its report.json, or a table of ideas (JSONL or CSV with topic and summary)."


def ideas_of(name: str) -> list[Idea]:
    """The ideas of a run or file, in its order: the best first, where they are ranked. Raises BadInput."""
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
    from pydantic import ValidationError

    from novum.core import IdeationReport

    if file.stat().st_size > _LARGEST:
        raise BadInput(f"{file} is larger than a report can be. {_FORMS}")
    try:
        return IdeationReport.model_validate_json(file.read_bytes()).ideation
    except ValidationError as error:
        raise BadInput(f"{file} is no report of ideas. {_FORMS}") from error


def _of_run(name: str) -> Ideation:
    from novum.cli.shell.durable import record_named
    from novum.runs.engine import stored_outcome
    from novum.runs.ideation import IDEATION

    if Path(name).suffix or "/" in name:
        raise BadInput(f"There is no file {name}. {_FORMS}")
    # `last` is the newest that had ideas: a judging of them is a run as well.
    record = record_named(name, "ideate", f"There is no run with ideas yet. {_FORMS}")
    if record.status != "finished":
        raise BadInput(f"Run {record.id} is not finished: novum runs resume {record.id}")
    if record.kind != IDEATION.name:
        raise BadInput(f"Run {record.id} had no ideas: it is of kind {record.kind}. {_FORMS}")
    return stored_outcome(IDEATION, record).ideation


def _of_table(file: Path) -> list[Idea]:
    from novum.benchmarks.arena.exporting import ImportLog, read_entries
    from novum.cli.arena.lookup import tell_unread

    reading = ImportLog()
    entries = read_entries(file, reading, maker=file.stem)
    tell_unread(reading)
    ideas = [entry.idea for entry in entries if entry.idea is not None]
    if not ideas:
        raise BadInput(f"{file} holds no idea. {_FORMS}")
    return ideas


def contest_between(subject: str, baseline: str) -> Contest:
    """Pairs the ideas of both on the same topic, the first with the first, the second with the second. Raises BadInput
    where they have no topic in common."""
    from novum.cli.shell.terminal import print_message
    from novum.reports.phrases import count
    from novum.runs.judge import Contest, Pair

    ours, theirs = _by_topic(ideas_of(subject)), _by_topic(ideas_of(baseline))
    pairs = [
        Pair(topic=topic, subject=one, baseline=other)
        for topic, ideas in ours.items()
        for one, other in zip(ideas, theirs.get(topic, ()), strict=False)
    ]
    if not pairs:
        raise BadInput(f"{subject} and {baseline} have no topic in common: ideas are compared on the same topic.")
    alone = sum(map(len, ours.values())) + sum(map(len, theirs.values())) - 2 * len(pairs)
    if alone:
        print_message(f"{count(alone, 'idea')} left out: without a counterpart on the same topic.")
    names = _names(subject, baseline)
    return Contest(subject=names[0], baseline=names[1], pairs=tuple(pairs))


def contests_of_steps(name: str) -> list[Contest]:
    """Each later draft of the ideas of a run against the first: does refinement help? Raises BadInput where no idea
    has an earlier draft."""
    from novum.runs.judge import Contest, Pair

    ideation = ideation_of(name)
    drafted = [_drafts(candidate) for candidate in ideation.candidates]
    longest = max(map(len, drafted), default=0)
    contests = []
    for step in range(1, longest):
        pairs = [
            Pair(topic=ideation.topic, subject=drafts[step], baseline=drafts[0])
            for drafts in drafted
            if len(drafts) > step
        ]
        contests.append(Contest(subject=f"step {step + 1}", baseline="step 1", pairs=tuple(pairs)))
    if not contests:
        raise BadInput(f"No idea of {name} has an earlier draft: there are no steps to compare.")
    return contests


def _drafts(candidate: Candidate) -> list[Idea]:
    return [*candidate.earlier_drafts, candidate.idea]


def _by_topic(ideas: Sequence[Idea]) -> dict[str, list[Idea]]:
    found: dict[str, list[Idea]] = defaultdict(list)
    for idea in ideas:
        found[" ".join(idea.topic.split())].append(idea)
    return found


def _names(subject: str, baseline: str) -> tuple[str, str]:
    """Short and unlike each other."""
    one, other = Path(subject).stem or subject, Path(baseline).stem or baseline
    if one in {other, "report"} or other == "report":
        one, other = subject, baseline
    return (one, other) if one != other else (f"{one} (1)", f"{other} (2)")
