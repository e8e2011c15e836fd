"""Removes what the workbench no longer needs: uploads that were read, old jobs, and reports that can be made anew."""

from __future__ import annotations

import shutil
from collections.abc import Set
from pathlib import Path

from novum.web.live.job_files import JobRequest
from novum.web.live.jobs import Jobs

KEPT_SECONDS = 30 * 86_400.0
"""How long an ended job and the report of a run that nobody looked at are kept."""
_ARRIVING_SECONDS = 3_600.0
"""An upload without a job may still be arriving for so long."""


def clean(jobs: Jobs, uploads: Path, reports: Path, now: float) -> None:
    """Removes uploads whose import has ended, jobs that ended a month ago, and reports made a month ago.

    `now`: seconds since the epoch. Nothing of a job under way is touched, and no run: those are in the ledger.
    """
    for place in _old(jobs.folder, now - KEPT_SECONDS):
        state = jobs.state(place.name)
        if (state is None or state.ended) and not jobs.is_alive(place.name):
            shutil.rmtree(place, ignore_errors=True)
    needed, read = _uploads_of_jobs(jobs)
    arrived = {each.name for each in _old(uploads, now - _ARRIVING_SECONDS)}
    _remove(uploads, (read | arrived) - needed)
    for place in _old(reports, now - KEPT_SECONDS):
        shutil.rmtree(place, ignore_errors=True)


def remove_uploads(request: JobRequest, uploads: Path) -> None:
    """Removes the uploaded files of a job that has ended."""
    _remove(uploads, _upload_names(request))


def _uploads_of_jobs(jobs: Jobs) -> tuple[set[str], set[str]]:
    """The names of the upload folders that jobs still read, and of those whose jobs have ended."""
    needed: set[str] = set()
    read: set[str] = set()
    for name in jobs.names():
        state, request = jobs.state(name), jobs.request(name)
        if state and request and request.files:
            ended = state.ended and not jobs.is_alive(name)
            (read if ended else needed).update(_upload_names(request))
    return needed, read


def _upload_names(request: JobRequest) -> set[str]:
    """The names of the folders of uploads that the files of a job lie in, each in a subfolder for its kind."""
    return {parts[-3] for parts in (Path(file).parts for file in request.files) if len(parts) >= 3}


def _remove(folder: Path, names: Set[str]) -> None:
    """Removes subfolders by name. Names of nothing in the folder itself are left out."""
    for place in _folders(folder):
        if place.name in names:
            shutil.rmtree(place, ignore_errors=True)


def _old(folder: Path, before: float) -> list[Path]:
    """The subfolders that were last changed before a moment."""
    return [each for each in _folders(folder) if each.stat().st_mtime < before]


def _folders(folder: Path) -> list[Path]:
    """The subfolders of a folder, which need not exist; links are left out."""
    if not folder.is_dir():
        return []
    return [each for each in folder.iterdir() if each.is_dir() and not each.is_symlink()]
