"""The ideas of a run of `novum ideate`, from the ledger or from its report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from novum.core import Ideation, IdeationReport, Subject
from novum.errors import BadInput
from novum.files.inputs import read_plain
from novum.idea_metrics.token_probabilities import token_probability_of
from novum.ledger import Ledger, RunRecord
from novum.runs.idea_sources.rows import SourcedIdea
from novum.settings import LoadedSettings

REPORT = "report.json"
FORMS = "Name a run of `novum ideate`, its report.json, a table of ideas (JSONL, CSV) or a text file."
_KINDS = ("ideate", "steer")
"""As in `novum.runs.ideation` and `novum.runs.steering`; these modules load every method, which
takes longer than to score a table."""
_LARGEST = 256 * 2**20
"""Bytes of a report."""


def ideation_of(name: str, settings: LoadedSettings) -> Ideation:
    """The outcome of a run: `name` is its id, a part of the id, `last`, its report.json or the folder of the report.

    Raises BadInput where there is none, or the run is not finished.
    """
    place = Path(name) / REPORT if Path(name).is_dir() else Path(name)
    if place.is_file():
        return _of_report(place)
    if Path(name).suffix or "/" in name:
        raise BadInput(f"There is no file {name}. {FORMS}")
    record = _record(name, settings)
    try:
        return IdeationReport.model_validate_json(record.result).ideation
    except ValidationError as error:
        raise BadInput(
            f"Run {record.id} was written by another version of Novum and cannot be read. Start a new run: recorded "
            "answers are used again."
        ) from error


def ideas_of_run(name: str, settings: LoadedSettings) -> Iterator[SourcedIdea]:
    """The ideas of a run or report, best first. For ideas of a run in the ledger, the subject has the probability that
    the model gave to its text, where a provider reported one. Raises BadInput as `ideation_of` does."""
    ideation = ideation_of(name, settings)
    answers = [] if Path(name).exists() else _answers(name, settings)
    for candidate in ideation.candidates:
        idea = candidate.idea
        probability = {"token_probability": token_probability_of(idea, answers)}
        scores = {} if candidate.win_rate is None else {"win_rate": candidate.win_rate}
        row = idea.model_dump(mode="json", exclude={"id"}) | scores
        yield SourcedIdea(idea, Subject.of_idea(idea).model_copy(update=probability), name, row, scores)


def _of_report(file: Path) -> Ideation:
    if file.stat().st_size > _LARGEST:
        raise BadInput(f"{file} is larger than a report can be. {FORMS}")
    try:
        return IdeationReport.model_validate_json(read_plain(file)).ideation
    except ValidationError as error:
        raise BadInput(f"{file} is no report of ideas. {FORMS}") from error


def _record(name: str, settings: LoadedSettings) -> RunRecord:
    """`last` is the newest run with ideas: a run that judges them is a run as well."""
    with Ledger.open(settings.ledger_place) as ledger:
        newest = next((record for record in ledger.runs() if record.kind in _KINDS), None) if name == "last" else None
        if name == "last" and newest is None:
            raise BadInput(f"There is no run with ideas yet. {FORMS}")
        record = newest or ledger.run(name)
    if record.kind not in _KINDS:
        raise BadInput(f"Run {record.id} generated no ideas: it is of kind {record.kind}. {FORMS}")
    if record.status != "finished":
        raise BadInput(f"Run {record.id} is not finished. Finish it: novum runs resume {record.id}")
    return record


def _answers(name: str, settings: LoadedSettings) -> list[tuple[str, float | None]]:
    """The answers of a run, each with its probability; none where no provider reported any."""
    record = _record(name, settings)
    with Ledger.open(settings.ledger_place) as ledger:
        answers = [(call.answer, call.token_probability) for call in ledger.used_calls(record.id)]
    return answers if any(probability is not None for _, probability in answers) else []
