"""Removes what the workbench no longer needs: uploads that were read, old jobs, and reports that can be made anew."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

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
    needed = set(_uploads_of_unfinished(jobs))
    for place in _old(uploads, now - _ARRIVING_SECONDS):
        if place.name not in needed:
            shutil.rmtree(place, ignore_errors=True)
    for place in _old(reports, now - KEPT_SECONDS):
        shutil.rmtree(place, ignore_errors=True)


def _uploads_of_unfinished(jobs: Jobs) -> Iterator[str]:
    """The names of the upload folders that jobs still read."""
    for name in jobs.names():
        state, request = jobs.state(name), jobs.request(name)
        if request and state and not state.ended:
            yield from (Path(file).parents[1].name for file in request.files)


def _old(folder: Path, before: float) -> list[Path]:
    """The subfolders that were last changed before a moment."""
    if not folder.is_dir():
        return []
    return [each for each in folder.iterdir() if each.is_dir() and not each.is_symlink()
            and each.stat().st_mtime < before]  # fmt: skip
