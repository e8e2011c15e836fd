"""What decided the comparisons of a tournament, told in few words for those who learn from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from novum.core import Match
from novum.methods.evolution.population import Contender
from novum.metrics.win_rate import seat_free_points

_QUOTED_TITLE = re.compile(r"«([^«»]+)»")


def decisions(field: Sequence[Contender], matches: Sequence[tuple[Match, Match]]) -> list[str]:
    """`novelty, idea 2 before idea 1: why`, each once, the ideas numbered as in `field`.

    A criterion on which the two orders disagree is left out: a preference that follows the seat teaches nothing about
    ideas. Titles in reasons become numbers, since two of them would leave little room for the reason.
    """
    numbers = {one.id: f"idea {number}" for number, one in enumerate(field, 1)}
    titles = {one.sketched.idea.title: numbers[one.id] for one in field}
    return list(dict.fromkeys(line for both in matches for line in _lines(*both, numbers, titles)))


def _lines(there: Match, back: Match, numbers: Mapping[str, str], titles: Mapping[str, str]) -> Iterator[str]:
    first, second = numbers[there.first_id], numbers[there.second_id]
    reasons = {each.criterion: each.reason for each in (*back.verdicts, *there.verdicts) if each.reason}
    for criterion, points in seat_free_points(there, back).items():
        if points != 0.5 and criterion in reasons:
            winner, loser = (first, second) if points > 0.5 else (second, first)
            yield f"{criterion}, {winner} before {loser}: {_numbered(reasons[criterion], titles)}"


def _numbered(reason: str, titles: Mapping[str, str]) -> str:
    """A title that was shortened is known by its beginning; what names none of these ideas stays as it is."""

    def number(quoted: re.Match[str]) -> str:
        beginning = quoted[1].removesuffix("…").rstrip()
        return next((named for title, named in titles.items() if title.startswith(beginning)), quoted[0])

    return _QUOTED_TITLE.sub(number, reason)
