"""The ideas of `novum score`: from runs, reports, tables, text files, stdin or the command line."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from novum.cli.judge.ideas import ideation_of
from novum.cli.shell.durable import record_named
from novum.cli.shell.terminal import one_line, print_message
from novum.core import Subject
from novum.core.record import first_error
from novum.errors import BadInput
from novum.files.tables import read_rows
from novum.idea_metrics.subject_rows import LONGEST, TEXT_COLUMNS, subject_of_row, subject_of_text
from novum.idea_metrics.token_probabilities import token_probability_of
from novum.ledger import Ledger
from novum.settings import load_settings

STDIN = "-"
MOST = 100_000
"""Ideas scored at once: what fits into memory with all that is said of them."""
_TABLES = {".jsonl", ".ndjson", ".csv"}
_WITHOUT_WORDS = f"none of the columns title, {', '.join(TEXT_COLUMNS)} has text"
_TOLD = 10
_FORMS = (
    "Name a run, a report.json, a table of ideas (JSONL, CSV) or a text file; pass a text with --text, or pipe it to "
    "`-`."
)


@dataclass
class IdeasToScore:
    """Ideas as far as they could be read, and what could not be."""

    subjects: list[Subject] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """A line for each, with why."""

    def take(self, subject: Subject | None, where: str, why: str = "it has no text") -> None:
        """Adds an idea, or the reason why there is none."""
        if subject is None:
            self.left_out.append(f"{where}: {why}")
        else:
            self.subjects.append(subject)
        if len(self.subjects) > MOST:
            raise BadInput(
                f"There are more than {MOST:,} ideas at once: split them, and score one part after the other."
            )


def read_ideas(names: Sequence[str], text: str | None = None, topic: str = "") -> IdeasToScore:
    """All ideas named, in their order. `topic`: of what names none of its own. Raises BadInput where nothing can be
    read, or where nothing is left of what was."""
    if not names and text is None:
        raise BadInput(f"Name ideas to score. {_FORMS}")
    found = IdeasToScore()
    for name in names:
        _read(name, topic, found)
    if text is not None:
        found.take(subject_of_text(_checked(text, "The text"), topic), "The text after --text")
    if not found.subjects:
        why = f"{found.left_out[0]}. Put the idea in words, a sentence or an abstract." if found.left_out else _FORMS
        raise BadInput(f"There is no idea to score. {why}")
    return found


def print_left_out(found: IdeasToScore) -> None:
    """Prints on stderr which ideas are left out."""
    for line in found.left_out[:_TOLD]:
        print_message(one_line(f"Left out: {line}", 300))
    if len(found.left_out) > _TOLD:
        print_message(f"… and {len(found.left_out) - _TOLD:,} more.")


def _read(name: str, topic: str, found: IdeasToScore) -> None:
    place = Path(name)
    try:
        there, folder = name == STDIN or place.exists(), place.is_dir()
    except (OSError, ValueError):  # too long for a name, or with a sign that no name has
        there = folder = False
    if name == STDIN:
        found.take(subject_of_text(_decoded(sys.stdin.buffer.read, "stdin"), topic), "stdin")
    elif folder or (there and place.suffix.lower() == ".json") or _may_be_run(name, there):
        _take_run(name, found)
    elif not there:
        raise BadInput(f"There is no file or run {name[:80]!r}. {_FORMS}")
    elif place.suffix.lower() in _TABLES:
        _take_table(place, topic, found)
    else:
        found.take(subject_of_text(_text_in(place), topic), name)


def _may_be_run(name: str, there: bool) -> bool:
    """Whether it could be the id of a run, or a part of one: words are not, nor are paths."""
    return not there and re.fullmatch(r"[\w-]{1,80}", name) is not None


def _take_run(name: str, found: IdeasToScore) -> None:
    ideation = ideation_of(name)
    calls = [] if Path(name).exists() else _calls_of(name)
    for number, candidate in enumerate(ideation.candidates, 1):
        told = {"token_probability": token_probability_of(candidate.idea, calls)}
        subject = Subject.of_idea(candidate.idea).model_copy(update=told)
        found.take(subject if subject.whole else None, f"{name}, idea {number}")


def _calls_of(name: str) -> list[tuple[str, float | None]]:
    """The answers of a run, each with its probability; none where no provider told any."""
    record = record_named(name, "ideate", _FORMS)
    with Ledger.open(load_settings().ledger_place) as ledger:
        calls = [(call.answer, call.token_probability) for call in ledger.used_calls(record.id)]
    return calls if any(probability is not None for _, probability in calls) else []


def _take_table(file: Path, topic: str, found: IdeasToScore) -> None:
    for number, row in read_rows(file):
        where = f"{file.name}, row {number}"
        try:
            subject = None if isinstance(row, str) else subject_of_row(row, topic)
            found.take(subject, where, row if isinstance(row, str) else _WITHOUT_WORDS)
        except ValueError as error:  # of pydantic too
            found.take(None, where, first_error(error))


def _text_in(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return _decoded(opened.read, str(file))
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror or error}. {_FORMS}") from error


def _decoded(read: Callable[[int], bytes], where: str) -> str:
    """What a file says, read no further than an idea can be long. Raises BadInput for what is no text."""
    content = read(4 * LONGEST + 1)
    text = content.decode("utf-8-sig", "replace")
    if "\0" in text or text.count("\ufffd") > 0.1 * max(len(text), 1):
        raise BadInput(f"{where} is not text in UTF-8. {_FORMS}")
    return _checked(text, where)


def _checked(text: str, where: str) -> str:
    if len(text) > LONGEST:
        raise BadInput(f"{where} has more than {LONGEST:,} characters, too many for one idea: keep only the idea.")
    return text
