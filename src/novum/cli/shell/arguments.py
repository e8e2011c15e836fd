"""Arguments of commands read and checked: lists, files and runs; and messages about what of a file was left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from novum.cli.shell.terminal import Printer, one_line, print_line, print_message
from novum.errors import BadInput
from novum.files.inputs import open_input
from novum.files.tables import ImportLog, SkippedRow

if TYPE_CHECKING:
    from novum.reports.folder import ReportFiles  # loads what draws charts

_LARGEST = 100_000_000
"""Bytes of a file that is read as a whole."""
_MOST_LISTED = 20


def comma_separated(given: Sequence[str] | None) -> list[str]:
    """Repeated options and comma-separated names as one list."""
    return [name.strip() for text in given or () for name in text.split(",") if name.strip()]


def text_of_file(file: Path, option: str = "") -> str:
    """The text of a file, invalid UTF-8 replaced. `option`: that named it. Raises BadInput when it cannot be read."""
    name = f"{option} {file}".strip()
    try:
        with open_input(file) as opened:
            raw = opened.read(_LARGEST + 1)
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror or error}.") from error
    if len(raw) > _LARGEST:
        raise BadInput(f"{name} is larger than {_LARGEST // 1_000_000} MB: leave out what is not needed.")
    return raw.decode("utf-8", "replace")


def print_skipped(rows: Sequence[SkippedRow], source: object) -> None:
    """Names the rows of a list that could not be used, on stderr. `source`: the file, or what they are."""
    _print_first((f"{source}, {each.where}: left out, {each.why}" for each in rows[:_MOST_LISTED]), len(rows))


def print_import_log(log: ImportLog) -> None:
    """Names the rows of tables that could not be used, on stderr, and their number."""
    _print_first((f"Left out: {why}" for why in log.why[:_MOST_LISTED]), 0)
    if log.refused:
        print_message(f"{log.refused:,} of {log.rows:,} rows could not be read and were left out.")


def print_report_files(files: ReportFiles, write: Printer = print_line) -> None:
    """The files of a report; of charts only their folder."""
    folder = files.html.parent
    for file in (files.html, files.json, *(other for other in files.others if other.parent == folder)):
        write(str(file))
    for charts in sorted({str(other.parent) for other in files.others} - {str(folder)}):
        write(f"{charts} (each chart as SVG and PNG)")


def folder_name(name: str, default: str) -> str:
    """The name of a run or file as the name of a folder; `default` when nothing of it can be used."""
    plain = "".join(char if char.isalnum() or char in "-_." else "-" for char in Path(name).stem)
    return plain.strip("-.")[:80] or default


def _print_first(lines: Iterable[str], total: int) -> None:
    for line in lines:
        print_message(one_line(line, 300))
    if total > _MOST_LISTED:
        print_message(f"… and {total - _MOST_LISTED:,} more were left out.")
