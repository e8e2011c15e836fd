"""Studies on disk: one SQLite file, in which each answer is safe as soon as it is given."""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self
from urllib.parse import quote

from pydantic import ValidationError

from novum.credentials.redaction import redact
from novum.errors import BadInput, NovumError
from novum.files.private import make_private_folder
from novum.files.sqlite import use_write_ahead_log
from novum.studies.assignment import plan_for
from novum.studies.records import Answer, Comment, Participant, State, Study

FILE = "studies.sqlite"
_PATIENCE = 10.0
_WRITING = "mode=rwc"
_MOST_PARTICIPANTS = 10_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS studies (id TEXT PRIMARY KEY, number INTEGER, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS participants (
    link TEXT PRIMARY KEY, study TEXT NOT NULL REFERENCES studies(id), number INTEGER NOT NULL,
    content TEXT NOT NULL, UNIQUE (study, number));
CREATE TABLE IF NOT EXISTS answers (
    study TEXT NOT NULL, participant INTEGER NOT NULL, task INTEGER NOT NULL, question TEXT NOT NULL,
    value TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (study, participant, task, question));
CREATE TABLE IF NOT EXISTS comments (
    study TEXT NOT NULL, participant INTEGER NOT NULL, task INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (study, participant, task));
"""


class StudyError(NovumError):
    """The file of studies cannot be opened, read or written."""


class StudyStore:
    """The studies of one home folder. Any number of processes may use it at once. A folder that may not be written is
    read as it is."""

    def __init__(self, home: Path) -> None:
        self._file = home / FILE
        make_private_folder(home)
        self._mode = _mode(self._file)
        if self._mode != _WRITING:
            return
        with self._connection() as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if tables and "studies" not in tables:
                raise StudyError(f"{self._file} is a database, but not one of studies. Move it away.")
            use_write_ahead_log(connection, _PATIENCE)
            connection.executescript(_SCHEMA)
        self._file.chmod(0o600)

    # -- studies ----------------------------------------------------------------------------------------------------

    def add(self, study: Study) -> Study:
        """Stores a new study, as it is returned: without keys."""
        content = _content(study)
        with self._connection() as connection:
            connection.execute(
                "INSERT INTO studies SELECT ?, coalesce(max(number), 0) + 1, ? FROM studies", (study.id, content)
            )
        return Study.model_validate_json(content)

    def studies(self) -> list[Study]:
        """All studies, newest first."""
        if not self._file.exists():  # in a folder that may not be written
            return []
        with self._connection() as connection:
            rows = connection.execute("SELECT content FROM studies ORDER BY number DESC")
            return [Study.model_validate_json(content) for (content,) in rows]

    def study(self, study_id: str) -> Study:
        """The study of this id, or the only one whose id begins so, or the newest for `last`. Raises BadInput."""
        every = self.studies()
        found = every[:1] if study_id == "last" else [each for each in every if each.id.startswith(study_id)]
        exact = [each for each in found if each.id == study_id] or found
        if len(exact) != 1 or not study_id:
            raise BadInput(f"There is no study {study_id[:60]!r}, or several. `novum study list` shows them.")
        return exact[0]

    def set_state(self, study_id: str, state: State) -> Study:
        """Opens or closes a study; a closed one takes no more answers."""
        study = self.study(study_id).model_copy(update={"state": state})
        with self._connection() as connection:
            connection.execute("UPDATE studies SET content = ? WHERE id = ?", (_content(study), study.id))
        return study

    # -- participants -----------------------------------------------------------------------------------------------

    def invite(self, study: Study, label: str = "") -> Participant:
        """A new participant with a personal link. Raises BadInput for a closed study."""
        if study.state == "closed":
            raise BadInput("The study is closed. Open it again to invite participants.")
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")  # two invitations at once must not see the same plans
            others = self._participants(connection, study.id)
            if len(others) >= _MOST_PARTICIPANTS:
                raise BadInput(f"A study has at most {_MOST_PARTICIPANTS:,} participants. Begin another one.")
            number = len(others) + 1
            link, plan = secrets.token_urlsafe(24), plan_for(study, number, others)
            participant = Participant(number=number, link=link, label=label.strip()[:200], plan=plan)
            connection.execute(
                "INSERT INTO participants VALUES (?, ?, ?, ?)",
                (participant.link, study.id, number, _content(participant)),
            )
        return participant

    def participants(self, study_id: str) -> list[Participant]:
        """The participants of a study in the order of their invitation."""
        with self._connection() as connection:
            return self._participants(connection, study_id)

    def by_link(self, link: str) -> tuple[Study, Participant] | None:
        """The study and the participant of a personal link; None for a link that nobody has."""
        with self._connection() as connection:
            row = connection.execute(
                "SELECT s.content, p.content FROM participants p JOIN studies s ON s.id = p.study WHERE p.link = ?",
                (link,),
            ).fetchone()
            return (Study.model_validate_json(row[0]), Participant.model_validate_json(row[1])) if row else None

    def consent(self, participant: Participant) -> Participant:
        """Notes that a participant has agreed to take part."""
        agreed = participant.model_copy(update={"consented": participant.consented or time.time()})
        with self._connection() as connection:
            connection.execute("UPDATE participants SET content = ? WHERE link = ?", (_content(agreed), agreed.link))
        return agreed

    # -- answers ----------------------------------------------------------------------------------------------------

    def save(self, study: Study, participant: Participant, task: int, question: str, value: str) -> Answer:
        """Saves one answer at once; a later one replaces it. Raises BadInput for what the form does not offer."""
        if study.state == "closed":
            raise BadInput("The study is closed, and takes no more answers. Those that you gave are kept.")
        if not 0 <= task < len(participant.plan):
            raise BadInput("There is no such task.")
        if value not in {choice.value for choice in study.form.question(question).choices}:
            raise BadInput(f"{value[:40]!r} is no answer to this question.")
        answer = Answer(participant=participant.number, task=task, question=question, value=value, at=time.time())
        with self._connection() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)",
                (study.id, answer.participant, task, question, value, answer.at),
            )
        return answer

    def comment(self, study: Study, participant: Participant, task: int, text: str) -> None:
        """Saves what a participant wrote about a task; an empty text removes it. Raises BadInput as `save` does."""
        if study.state == "closed" or not 0 <= task < len(participant.plan):
            raise BadInput("The study is closed, or has no such task.")
        with self._connection() as connection:
            connection.execute(
                "DELETE FROM comments WHERE study = ? AND participant = ? AND task = ?",
                (study.id, participant.number, task),
            )
            if text.strip():
                row = (study.id, participant.number, task, redact(text.strip())[:4_000])
                connection.execute("INSERT INTO comments VALUES (?, ?, ?, ?)", row)

    def answers(self, study_id: str, participant: int | None = None) -> list[Answer]:
        """The answers of a study, or of one participant of it, in the order of the plans."""
        query = "SELECT participant, task, question, value, at FROM answers WHERE study = ?"
        values: tuple[str | int, ...] = (study_id,)
        if participant is not None:
            query, values = f"{query} AND participant = ?", (study_id, participant)
        with self._connection() as connection:
            rows = connection.execute(f"{query} ORDER BY participant, task, question", values)
            return [Answer(participant=p, task=t, question=q, value=v, at=at) for p, t, q, v, at in rows]

    def comments(self, study_id: str) -> list[Comment]:
        """All comments of a study."""
        query = "SELECT participant, task, text FROM comments WHERE study = ? ORDER BY participant, task"
        with self._connection() as connection:
            rows = connection.execute(query, (study_id,))
            return [Comment(participant=p, task=t, text=text) for p, t, text in rows]

    # -- inside -----------------------------------------------------------------------------------------------------

    @staticmethod
    def _participants(connection: sqlite3.Connection, study_id: str) -> list[Participant]:
        rows = connection.execute("SELECT content FROM participants WHERE study = ? ORDER BY number", (study_id,))
        return [Participant.model_validate_json(content) for (content,) in rows]

    @contextmanager
    def _connection(self: Self) -> Iterator[sqlite3.Connection]:
        """A connection for one operation; what it changes is committed at the end, or nothing is."""
        try:
            place = f"file:{quote(str(self._file.absolute()))}?{self._mode}"
            connection = sqlite3.connect(place, timeout=_PATIENCE, uri=True)
            try:
                with connection:
                    yield connection
            finally:
                connection.close()
        except (sqlite3.DatabaseError, UnicodeDecodeError, ValidationError) as error:
            if _is_damage(error):
                raise StudyError(
                    f"The file of studies {self._file} is damaged. Restore it from a copy, or read what is left with "
                    "`sqlite3 FILE .recover`, and move it away."
                ) from error
            raise StudyError(f"The studies in {self._file} cannot be read or written: {error}.") from error


def _content(value: Study | Participant) -> str:
    """What is stored of a study or a participant: ideas and titles may hold a key."""
    return redact(value.model_dump_json())


def _is_damage(error: Exception) -> bool:
    """Whether an error of reading shows a damaged file, and not a full disk or another process's lock."""
    signs = ("malformed", "not a database", "Could not decode", "no such", "corrupt")
    return not isinstance(error, sqlite3.Error) or any(sign in str(error) for sign in signs)


def _mode(file: Path) -> str:
    """How SQLite is to open the file. Where it may not make its side files, it needs the promise that nothing changes;
    that holds only where no log with newer rows lies beside the file."""
    if all(os.access(each, os.W_OK) for each in (file.parent, file) if each.exists()):
        return _WRITING
    log = file.with_name(f"{file.name}-wal")
    return "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
