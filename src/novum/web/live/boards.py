"""Leaderboards as parts of pages, from the report of a run: the same templates as in the file, read once and kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup
from pydantic import ValidationError

from novum.benchmarks.arena.report.comparisons_by_topic import TopicView, topic_views
from novum.benchmarks.arena.report.page import page_context as arena_context
from novum.benchmarks.arena.report.records import ArenaReport
from novum.benchmarks.liveidea.report.page import page_context as liveidea_context
from novum.benchmarks.liveidea.report.records import LiveIdeaReport
from novum.errors import BadInput
from novum.files.inputs import read_plain
from novum.ledger import RunRecord
from novum.reports.folder import CHARTS
from novum.web.live.exports import Exports
from novum.web.rendering import part

NATIVE = ("liveidea", "arena")
"""Kinds of runs whose leaderboard is a part of the page; reports of others are shown in a frame."""
_HELD = 6


@dataclass(frozen=True)
class Board:
    """The leaderboard of one run: its report, and what is shown of it."""

    report: ArenaReport | LiveIdeaReport
    html: Markup


class Boards:
    """Leaderboards that were looked at lately. They are read from the files of the runs' reports."""

    def __init__(self, exports: Exports) -> None:
        self._exports = exports
        self._held: OrderedDict[tuple[str, float], Board] = OrderedDict()

    def known(self, record: RunRecord) -> Board | None:
        """The leaderboard of a run, where it was read already."""
        return self._held.get((record.id, record.updated))

    async def board(self, record: RunRecord, home: Path) -> Board:
        """The leaderboard of a run. Raises BadInput where the run has no report that can be read."""
        if (found := self.known(record)) is None:
            files = await self._exports.files(record, home)
            found = await asyncio.to_thread(_read, record, files)
            self._held[record.id, record.updated] = found
            while len(self._held) > _HELD:
                self._held.popitem(last=False)
        return found

    async def topic(self, record: RunRecord, home: Path, number: int) -> tuple[ArenaReport, TopicView] | None:
        """A topic of an arena with all ideas and all pairs; None for a number that it has not."""
        report = (await self.board(record, home)).report
        if not isinstance(report, ArenaReport):
            return None
        views = await asyncio.to_thread(lambda: [each for each in topic_views(report.run) if each.number == number])
        return (report, views[0]) if views else None


def _read(record: RunRecord, files: Mapping[str, Path]) -> Board:
    svgs = {path.stem: read_plain(path).decode("utf-8") for name, path in files.items()
            if name.startswith(f"{CHARTS}/") and path.suffix == ".svg"}  # fmt: skip
    try:
        text = read_plain(files["report.json"])
        return _arena(record, text, svgs) if record.kind == "arena" else _liveidea(text, svgs)
    except (KeyError, ValidationError) as error:
        raise BadInput(
            f"Run {record.id} has no leaderboard that this version of Novum reads. Its report is in the zip archive."
        ) from error


def _arena(record: RunRecord, text: bytes, svgs: Mapping[str, str]) -> Board:
    report = ArenaReport.model_validate_json(text)
    context = arena_context(report, svgs) | {"topics_at": f"/leaderboards/{record.id}/topics"}
    return Board(report, part("boards/board_arena.html.j2", **context))


def _liveidea(text: bytes, svgs: Mapping[str, str]) -> Board:
    report = LiveIdeaReport.model_validate_json(text)
    return Board(report, part("boards/board_liveidea.html.j2", **liveidea_context(report, svgs)))
