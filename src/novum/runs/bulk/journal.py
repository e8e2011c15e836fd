"""Finished turns in a file, a line each: written as soon as they are known, found again when a run is taken up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from novum.errors import BadInput
from novum.runs.bulk.rounds import Turn

Row = Mapping[str, Any]


class Journal:
    """Opened for one session of work; of each line only its place is held in memory."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._places: dict[Turn, int] = {}
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._opened = file.open("a+b")
            self._end = self._read_back()
        except OSError as error:
            raise self._unusable(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def __contains__(self, turn: Turn) -> bool:
        return turn in self._places

    def note(self, turn: Turn, rows: list[Row], notes: tuple[str, ...]) -> None:
        """One more turn. Raises BadInput where there is no room."""
        told = json.dumps({"turn": turn, "rows": rows, "notes": notes}, ensure_ascii=False)
        line = told.encode("utf-8", "replace") + b"\n"
        try:
            self._opened.write(line)
            self._opened.flush()
        except OSError as error:
            raise self._unusable(error) from error
        self._places[turn] = self._end
        self._end += len(line)

    def rows(self, turn: Turn) -> list[Row]:
        """The ideas of a finished turn, the best first."""
        rows: list[Row] = self._line(turn)["rows"]
        return rows

    def notes(self, turn: Turn) -> list[str]:
        """What did not go as asked in it."""
        notes: list[str] = self._line(turn)["notes"]
        return notes

    def forget(self) -> None:
        """Removes the file: what it was for is done."""
        self._opened.close()
        self.file.unlink(missing_ok=True)

    def _line(self, turn: Turn) -> dict[str, Any]:
        self._opened.seek(self._places[turn])
        told: dict[str, Any] = json.loads(self._opened.readline())
        return told

    def _read_back(self) -> int:
        """Where whole lines end. What a process that was killed had begun to write is cut off: it is made again."""
        self._opened.seek(0)
        end = 0
        for line in self._opened:
            try:
                turn = Turn(*map(int, json.loads(line)["turn"])) if line.endswith(b"\n") else None
            except (ValueError, KeyError, TypeError):
                turn = None
            if turn is None:
                break
            self._places[turn] = end
            end += len(line)
        self._opened.truncate(end)
        return end

    def _unusable(self, error: OSError) -> BadInput:
        told = error.strerror or error
        return BadInput(f"Ideas cannot be noted down in {self.file}: {told}. Mend that, and resume the run.")
