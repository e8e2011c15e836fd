"""Write the tables of a data set paper by paper, and count their contents."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from novum.core.peer_review import REVIEW_SPLITS, ReviewedPaper
from novum.training.reviews.annotating import IdeaTextStore
from novum.training.reviews.card import SplitCount, VenueCount
from novum.training.reviews.files import SplitFiles
from novum.training.reviews.finishing import to_reviewed_paper
from novum.training.reviews.gathering import CollectedPapers, StoredPaper, load_paper
from novum.training.reviews.leaks import leaks_in
from novum.training.reviews.lengths import TOKENS_PER_TURN, TokenCounter
from novum.training.reviews.object_file import ObjectFile
from novum.training.reviews.scales import VenueYear
from novum.training.reviews.screening import NOTES, count_oddities
from novum.training.reviews.tasks import Row, TaskWriter

LEAK_SAMPLE = 1_000
"""Number of original abstracts that are searched for leaks; searching all of a large set would take too long."""
_AT_ONCE = 20
"""Papers between two points at which Ctrl-C is handled."""


@dataclass
class _Venue:
    papers: int = 0
    reviews: int = 0
    texts: int = 0
    rated: int = 0
    total: float = 0.0
    decisions: Counter[str] = field(default_factory=Counter)
    splits: set[str] = field(default_factory=set)


@dataclass
class WrittenTables:
    """Numbers of what was written."""

    splits: list[SplitCount] = field(default_factory=list)
    lengths: dict[str, Counter[int]] = field(default_factory=dict)
    """By task: number of rows by number of tokens."""
    training: Counter[int] = field(default_factory=Counter)
    """The same for all training rows."""
    venues: dict[VenueYear, _Venue] = field(default_factory=dict)
    shortened: int = 0
    leaks: Counter[str] = field(default_factory=Counter)
    leaks_looked_at: int = 0


class TableWriter:
    """Writes the papers of `spool` to the tables in `place`."""

    def __init__(
        self, spool: ObjectFile, gathered: CollectedPapers, ideas: IdeaTextStore, tasks: TaskWriter,
        tokens: TokenCounter, place: Path,
    ) -> None:  # fmt: skip
        self._spool, self._gathered, self._ideas = spool, gathered, ideas
        self._tasks, self._tokens, self._place = tasks, tokens, place
        self.written = WrittenTables()

    async def write(self, splits: Sequence[Sequence[StoredPaper]], done: Callable[[], None]) -> WrittenTables:
        """Write all splits, in the order of `REVIEW_SPLITS`. Raises OSError when the disk is full."""
        for name, papers in zip(REVIEW_SPLITS, splits, strict=True):
            rows, sizes = Counter[str](), Counter[str]()
            with SplitFiles(self._place, name) as files:
                for number, stored in enumerate(papers):
                    self._paper(stored, name, files, rows, sizes)
                    done()
                    if number % _AT_ONCE == 0:
                        await asyncio.sleep(0)
            by_task = {task: rows[task] for task in sorted(rows)}
            counts = SplitCount(
                name=name, papers=len(papers), reviews=sizes["reviews"], rows=by_task, tokens=sizes["tokens"]
            )
            self.written.splits.append(counts)
        return self.written

    def _paper(
        self, stored: StoredPaper, split: str, files: SplitFiles, rows: Counter[str], sizes: Counter[str]
    ) -> None:
        raw = load_paper(stored, self._spool)
        paper = to_reviewed_paper(raw, self._gathered.observed)
        count_oddities(raw, self._gathered.tally)
        files.paper(paper)
        sizes["reviews"] += len(paper.reviews)
        self._count(paper, split)
        task_rows = list(self._tasks.rows(paper, self._ideas.get(stored.place)))
        for row, (prompt_tokens, completion_tokens) in zip(task_rows, self._lengths(task_rows), strict=True):
            files.row(row.prompt, row.completion, _about(row, paper, prompt_tokens, completion_tokens))
            rows[row.task] += 1
            sizes["tokens"] += prompt_tokens + completion_tokens
            self.written.shortened += row.cut
            self.written.lengths.setdefault(row.task, Counter())[prompt_tokens + completion_tokens] += 1
            if split == REVIEW_SPLITS[0]:
                self.written.training[prompt_tokens + completion_tokens] += 1

    def _lengths(self, rows: Sequence[Row]) -> list[tuple[int, int]]:
        """Tokens of prompt and completion of each row, including those of a chat template."""
        prompt_tokens = self._tokens.count(["\n".join(turn["content"] for turn in row.prompt) for row in rows])
        completion_tokens = self._tokens.count([row.completion[0]["content"] for row in rows])
        turns = [TOKENS_PER_TURN * len(row.prompt) for row in rows]
        return [
            (one + more, two + TOKENS_PER_TURN)
            for one, more, two in zip(prompt_tokens, turns, completion_tokens, strict=True)
        ]

    def _count(self, paper: ReviewedPaper, split: str) -> None:
        venue = self.written.venues.setdefault((paper.venue, paper.year), _Venue())
        scaled = [each.rating.scaled for each in paper.reviews if each.rating and each.rating.scaled is not None]
        venue.papers += 1
        venue.reviews += len(paper.reviews)
        venue.texts += sum(not each.unfit for each in paper.reviews)
        venue.rated += len(scaled)
        venue.total += sum(scaled)
        venue.decisions[paper.decision] += 1
        venue.splits.add(split)
        for each in paper.reviews:
            if each.rating and each.rating.value is not None and each.rating.scaled is None:
                why = "outside its scale" if each.rating.high is not None else "on an unknown scale"
                self._gathered.tally[NOTES, f"a rating {why}"] += 1
        if self.written.leaks_looked_at < LEAK_SAMPLE:
            kinds = {leak.kind for leak in leaks_in(paper.abstract)}
            self.written.leaks_looked_at += 1
            self.written.leaks.update([*kinds, *(["any"] if kinds else [])])


def _about(row: Row, paper: ReviewedPaper, prompt_tokens: int, completion_tokens: int) -> dict[str, object]:
    rating = paper.reviews[row.review].rating
    return {
        "task": row.task,
        "paper": paper.id,
        "review": row.review,
        "venue": paper.venue,
        "year": paper.year,
        "decision": paper.decision,
        "rating": rating.scaled if rating else None,
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "cut": row.cut,
    }


def venue_counts(written: WrittenTables, gathered: CollectedPapers) -> tuple[VenueCount, ...]:
    """Counts by venue and year."""
    counts = []
    for (name, year), each in sorted(written.venues.items(), key=lambda item: (item[0][0].lower(), item[0][1] or 0)):
        scale = gathered.observed.scale(name, year)
        description = f"{scale.low:g} to {scale.high:g} ({scale.source})" if scale else "unknown"
        counts.append(
            VenueCount(
                venue=name,
                year=year,
                split=", ".join(split for split in REVIEW_SPLITS if split in each.splits),
                papers=each.papers,
                reviews=each.reviews,
                texts=each.texts,
                rated=each.rated,
                accepted=each.decisions["accepted"],
                rejected=each.decisions["rejected"],
                scale=description,
                mean_rating=each.total / each.rated if each.rated else None,
            )
        )
    return tuple(counts)
