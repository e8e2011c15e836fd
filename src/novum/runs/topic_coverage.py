"""Whether the literature at hand covers the topic of a run: found out, and said, before anything is made of it."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import ValidationError

from novum.core import shorten
from novum.errors import BadInput, SourceError
from novum.lab import Lab
from novum.literature import Coverage, coverage_of
from novum.literature.fetching.starter_abstracts import complete_starter

_EVENT = "coverage"
_SLOW = frozenset({"arxiv"})
"""Services whose pace leaves no room for work in the background of a run."""


async def ensure_coverage(lab: Lab, topic: str, before: dt.date | None, *, force: bool = False) -> tuple[str, ...]:
    """Asks live sources for the topic, and judges how well the library covers it then. Returns notes for the report.

    The verdict is recorded, so that a resumed run keeps it. Raises BadInput where nothing is known of the topic, unless
    `force` is set.
    """
    for event in lab.run.earlier(_EVENT):
        try:
            return _notes(Coverage.model_validate(event.data["coverage"]))
        except (KeyError, ValidationError):  # written by another version
            continue
    failure = await _fetch(lab, topic, before)
    coverage = await coverage_of(lab.library, topic, before=before)
    if coverage.verdict == "none" and not force:
        raise BadInput(f"Nothing is known about “{shorten(topic, 80)}”: {_lacking(coverage)}. {_advice(lab, failure)}")
    lab.run.emit(_EVENT, coverage=coverage.model_dump(mode="json"))
    return _notes(coverage)


@asynccontextmanager
async def starter_abstracts(lab: Lab) -> AsyncIterator[None]:
    """Fetches missing abstracts of the starter library in the background, where services may be asked. What is not
    there at the end is fetched by a later run."""
    if not lab.live:
        yield
        return
    sources = [source for source in lab.live.sources if source.name not in _SLOW]
    task = asyncio.create_task(complete_starter(lab.library.stored, lab.live.client, sources))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _fetch(lab: Lab, topic: str, before: dt.date | None) -> str:
    """Why no service answered; empty when one did, or none may be asked."""
    if not lab.live:
        return ""
    try:
        await lab.live(topic, before)
    except SourceError as refusal:
        lab.run.emit("note", text=str(refusal))
        return str(refusal)
    return ""


def _notes(coverage: Coverage) -> tuple[str, ...]:
    if coverage.verdict == "good":
        return ()
    how = "nothing" if coverage.verdict == "none" else "little"
    return (f"The library knows {how} about this topic: {_why(coverage)}.",)


def _why(coverage: Coverage) -> str:
    return coverage.reason.partition(": ")[2].rstrip(".") or coverage.reason


def _lacking(coverage: Coverage) -> str:
    """What the library lacks, in a few words."""
    if not coverage.searched:
        return "the library has no paper that may be used"
    papers = f"{coverage.searched:,} papers of the library"
    if words := ", ".join(f"“{word}”" for word in coverage.missing_words[:4]):
        return f"none of the nearest of {papers} has {words}"
    return f"the nearest of {papers} are no closer to it than to random topics"


def _advice(lab: Lab, failure: str) -> str:
    rest = "add papers of your own (`novum library add FILE`), or repeat the command with --force."
    if lab.live is None:
        return f"Let services be searched (`--source openalex --source crossref`), {rest}"
    if failure:
        return f"{failure} Then run this again, {rest}"
    return f"Services had nothing on it either: name it in the words of its field, {rest}"
