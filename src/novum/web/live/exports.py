"""Reports of runs of every kind as files, made by `novum runs export` in a process of its own and kept until the run
changes."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import sys
import zipfile
from pathlib import Path

from novum.errors import BadInput
from novum.files.inputs import read_plain
from novum.files.private import make_private_folder
from novum.ledger import RunRecord

_STAMP = "made-from"
OUTCOME = "outcome.txt"
"""What the run came to, as the command line prints it."""
_COLUMNS = "150"
"""Width of the tables in it."""
_SECONDS = 300
MEDIA = {
    ".html": "text/html; charset=utf-8", ".json": "application/json", ".jsonl": "application/x-ndjson",
    ".md": "text/markdown; charset=utf-8", ".bib": "application/x-bibtex", ".csv": "text/csv; charset=utf-8",
    ".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".parquet":
    "application/vnd.apache.parquet",
}  # fmt: skip
"""The media types of the files that reports consist of."""


class Exports:
    """The report folders of runs, one for each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._locks: dict[str, asyncio.Lock] = {}
        make_private_folder(folder)

    async def files(self, record: RunRecord, home: Path) -> dict[str, Path]:
        """The files of a run's report by their names inside its folder, made anew where the run has changed. Raises
        BadInput where the run has none yet."""
        place = self._folder / record.id
        async with self._locks.setdefault(record.id, asyncio.Lock()):
            stamp = place / _STAMP
            if not stamp.is_file() or read_plain(stamp).decode("utf-8") != _version(record):
                await _export(record, place, home)
                stamp.write_text(_version(record), "utf-8")
        found = sorted(each for each in place.rglob("*") if each.is_file() and not each.is_symlink())
        return {each.relative_to(place).as_posix(): each for each in found if each.name != _STAMP}


def main_page(files: dict[str, Path]) -> str:
    """The name of the page among the files of a report; empty where there is none."""
    pages = [name for name in files if name.endswith(".html") and "/" not in name]
    return "report.html" if "report.html" in pages else next(iter(pages), "")


def as_zip(files: dict[str, bytes]) -> bytes:
    """Files as one archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


async def _export(record: RunRecord, place: Path, home: Path) -> None:
    await asyncio.to_thread(shutil.rmtree, place, ignore_errors=True)
    make_private_folder(place)
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "novum", "runs", "export", record.id, "--out", str(place),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        env=_environment(home),
    )  # fmt: skip
    try:
        _, said = await asyncio.wait_for(child.communicate(), _SECONDS)
    except TimeoutError:
        child.kill()
        await child.wait()
        raise BadInput(f"The report of {record.id} takes longer than {_SECONDS} s: use `novum runs export`.") from None
    if child.returncode:
        last = said.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise BadInput(last[0].removeprefix("novum: ") if last else f"Run {record.id} has no report yet.")
    lines = said.decode("utf-8", "replace").splitlines()
    text = "\n".join(line for line in lines if str(place) not in line)  # names of files, which the page lists itself
    await asyncio.to_thread((place / OUTCOME).write_text, text.strip() + "\n", "utf-8")


def _environment(home: Path) -> dict[str, str]:
    return {**os.environ, "NOVUM_HOME": str(home), "COLUMNS": _COLUMNS}


def _version(record: RunRecord) -> str:
    return f"{record.status} {record.updated}"
