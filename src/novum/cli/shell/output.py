"""Where the outcome of a command goes: the options that all commands share, and the one rule for `--out`.

`--out` names a folder for reports and a file for tables.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.cli.shell.terminal import Printer, print_line, print_message, print_nothing
from novum.errors import BadInput

REPORTS_FOLDER = Path("novum-reports")
TABLES = (".jsonl", ".csv")
_FILES = frozenset({
    ".html", ".htm", ".md", ".pdf", ".txt", ".tex", ".bib", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet",
    ".xlsx", ".docx", ".png", ".svg", ".zip",
})  # fmt: skip
"""Endings that name a file: a folder called so is meant as a file."""


@dataclass(frozen=True)
class OutputOptions:
    """How the outcome of a command is shown and where it is written.

    `out`: the folder or file of `--out`; None for the default place. `formats`: of tables that are written beside a
    report. `bootstrap_samples`: behind confidence intervals. `force`: continue a run even if another process seems to
    be working on it.
    """

    out: Path | None = None
    as_json: bool = False
    quiet: bool = False
    formats: Sequence[str] = ()
    bootstrap_samples: int = 1000
    force: bool = False

    @property
    def print(self) -> Printer:
        """For results in words: on stdout, or on stderr when stdout carries JSON."""
        return print_message if self.as_json else print_line

    @property
    def note(self) -> Printer:
        """For everything that `--quiet` leaves out."""
        return print_nothing if self.quiet else self.print

    def table(self, run: str, name: str, suffixes: Sequence[str] = TABLES) -> Path:
        """The file of a table: that of `--out`, or `name` in the folder of `--out` or of the run. Raises BadInput."""
        if self.out is not None and self.out.suffix and not self.out.is_dir():
            return table_file(self.out, suffixes)
        return (self.out or REPORTS_FOLDER / run) / name

    def folder(self, name: str) -> Path:
        """The folder of the report of the run `name`. Raises BadInput where `--out` names a file."""
        return report_folder(self.out, name)


def report_folder(out: Path | None, name: str = "") -> Path:
    """The folder that `--out` names for a report; without it novum-reports/`name`.

    Raises BadInput where `out` is named like a file.
    """
    if out is None:
        return REPORTS_FOLDER / name
    if out.suffix.lower() in _FILES or out.is_file():
        raise BadInput(
            f"--out {out} names a file, but a report is a folder of several files. "
            f"Name a folder: --out {out.with_suffix('') if out.suffix else f'{out}-report'}"
        )
    return out


def checked_report_folder(out: Path | None) -> Path:
    """As `report_folder`, and it can be written to: found out before anything is spent. Raises BadInput."""
    folder = report_folder(out)
    check_writable(folder)
    return folder


def check_writable(folder: Path) -> None:
    """Raises BadInput where `folder` cannot be made or written to. It is not made: the command may yet be refused."""
    try:
        there = next(each for each in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(each))
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        why = error.strerror or str(error)
        raise BadInput(
            f"{folder} cannot be written to: {why}. Name a folder that you may write to: --out DIR"
        ) from error


def table_file(out: Path, suffixes: Sequence[str] = TABLES, name: str = "ideas") -> Path:
    """The file that `--out` names for a table. Raises BadInput where it is a folder or ends otherwise than `suffixes`.

    `name`: of the table, for the suggestion.
    """
    if out.is_dir() or not out.suffix:
        raise BadInput(
            f"--out {out} is a folder, but the result is one table. Name a file: --out {out / name}{suffixes[0]}"
        )
    if out.suffix.lower() not in suffixes:
        raise BadInput(
            f"--out {out}: a table ends in {' or '.join(suffixes)}. Name a file: --out {out.with_suffix(suffixes[0])}"
        )
    return out
