"""Reviewed ideas in a file, ranked without being held in memory: of each only its place in the ranking is."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any, NamedTuple

from pydantic import Field, ValidationError

from novum.core.record import Value
from novum.core.reviewing import READ_OF_IDEA, ReviewedIdea
from novum.errors import BadInput
from novum.files.inputs import open_input

_GONE = "Run the filter again: stored answers are reused."


class KeepRule(Value):
    """Which ideas of a ranking are kept. With neither share nor number: all accepted ones."""

    share: Annotated[float, Field(gt=0, le=1)] | None = None
    number: Annotated[int, Field(ge=1)] | None = None
    accepted_only: bool = False

    def most(self, ideas: int) -> int:
        """How many of so many ideas; a share is rounded up."""
        if self.share is not None:
            return math.ceil(self.share * ideas - 1e-9)
        return ideas if self.number is None else self.number

    @property
    def needs_acceptance(self) -> bool:
        """Whether what was rejected is dropped whatever its place."""
        return self.accepted_only or (self.share is None and self.number is None)


class RankingKey(NamedTuple):
    """What is held of each idea. It sorts by utility, then by mean score, then by the order in which ideas came."""

    utility: float
    """Negative, as the best come first; 1 where nothing was decided."""
    score: float
    position: int
    accepted: bool
    decided: bool
    offset: int
    """Where its line begins, in bytes."""


class AcceptanceCounts(Value):
    """All ideas of a file, counted."""

    ideas: int = 0
    accepted: int = 0
    rejected: int = 0
    undecided: int = 0
    """Nothing could be decided: they are in no rate, and are not kept."""
    kept: int = 0
    failures: int = 0
    """Reports, decisions and revisions without a usable answer."""
    criticisms: int = 0
    unfounded: int = 0
    """Criticisms that quote nothing, or what does not stand in the idea."""
    torn: int = 0
    """Decisions whose word and utility do not agree."""
    cut: int = 0
    """Ideas that are longer than reviewers read."""

    @property
    def acceptance(self) -> float | None:
        """The share of the decided ideas that were accepted."""
        decided = self.accepted + self.rejected
        return self.accepted / decided if decided else None


@dataclass(frozen=True)
class ReviewedRow:
    """One idea with all its reviews, where it came from, and the row that its source has of it."""

    reviewed: ReviewedIdea
    position: int
    row: Mapping[str, Any]
    source: str

    def written(self) -> bytes:
        """As a line."""
        fields = {"position": self.position, "source": self.source, "row": dict(self.row)}
        line = json.dumps(fields | {"refereed": self.reviewed.model_dump(mode="json")}, ensure_ascii=False)
        return line.encode("utf-8", "replace") + b"\n"

    @classmethod
    def read(cls, line: bytes) -> ReviewedRow:
        """Raises BadInput for what is no such line."""
        try:
            fields = json.loads(line)
            return cls(
                ReviewedIdea.model_validate(fields["refereed"]), fields["position"], fields["row"], fields["source"]
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ValidationError) as error:
            raise BadInput(f"The reviews of the ideas are damaged, or of another version of Novum. {_GONE}") from error


@dataclass(frozen=True)
class RankedOutcome:
    """A reviewed idea with its rank, from 1."""

    outcome: ReviewedRow
    rank: int
    kept: bool


def count_outcomes(file: Path, keep: KeepRule) -> AcceptanceCounts:
    """Reads a file of outcomes once. Raises BadInput where it cannot be read."""
    standings, failures, criticisms, unfounded, torn, cut = [], 0, 0, 0, 0, 0
    with _opened(file) as opened:
        for outcome, standing in _outcomes(opened):
            standings.append(standing)
            failures += outcome.reviewed.failures
            torn += outcome.reviewed.best.decision.torn
            cut += len(outcome.reviewed.best.idea.text) > READ_OF_IDEA
            points = [each for turn in outcome.reviewed.rounds for report in turn.reports for each in report.criticisms]
            criticisms += len(points)
            unfounded += sum(each.footing != "quoted" for each in points)
    accepted, decided = sum(each.accepted for each in standings), sum(each.decided for each in standings)
    return AcceptanceCounts(
        ideas=len(standings),
        accepted=accepted,
        rejected=decided - accepted,
        undecided=len(standings) - decided,
        kept=len(positions_to_keep(keep, sorted(standings))),
        failures=failures,
        criticisms=criticisms,
        unfounded=unfounded,
        torn=torn,
        cut=cut,
    )


def ranked_outcomes(file: Path, keep: KeepRule, most: int | None = None) -> Iterator[RankedOutcome]:
    """The outcomes of a file, the best first, one in memory at a time; `most`: only so many. Raises BadInput where it
    cannot be read."""
    with _opened(file) as opened:
        standings = sorted(standing for _, standing in _outcomes(opened))
        to_keep = positions_to_keep(keep, standings)
        for rank, each in enumerate(standings[:most], 1):
            opened.seek(each.offset)
            yield RankedOutcome(ReviewedRow.read(opened.readline()), rank, each.position in to_keep)


def positions_to_keep(keep: KeepRule, ranking: Sequence[RankingKey]) -> frozenset[int]:
    """Positions of the ideas that are kept, of a ranking with the best first. What nobody could decide is not."""
    eligible = (each for each in ranking[: keep.most(len(ranking))] if each.decided)
    return frozenset(each.position for each in eligible if each.accepted or not keep.needs_acceptance)


def _opened(file: Path) -> IO[bytes]:
    try:
        return open_input(file)
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror or error}. {_GONE}") from error


def _outcomes(file: IO[bytes]) -> Iterator[tuple[ReviewedRow, RankingKey]]:
    offset = 0
    for line in file:
        outcome = ReviewedRow.read(line)
        utility, score = outcome.reviewed.rank_key
        accept = outcome.reviewed.best.decision.accept
        yield outcome, RankingKey(utility, score, outcome.position, bool(accept), accept is not None, offset)
        offset += len(line)
