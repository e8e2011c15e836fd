"""The reasons that decided the comparisons of a tournament, in short form, for the prompts that learn from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from novum.core import Match
from novum.methods.evolution.population import Contender
from novum.statistics.win_rates import position_free_points

_QUOTED_TITLE = re.compile(r"«([^«»]+)»")


def debate_summaries(field: Sequence[Contender], matches: Sequence[tuple[Match, Match]]) -> list[str]:
    """`novelty, idea 2 before idea 1: why`, each once, the ideas numbered as in `field`.

    A criterion on which the two orders disagree is left out: a preference that follows the seat teaches nothing about
    ideas. Titles in reasons become numbers, since two of them would leave little room for the reason.
    """
    numbers = {one.id: f"idea {number}" for number, one in enumerate(field, 1)}
    titles = {numbers[one.id]: one.sketched.idea.title for one in field}
    return list(dict.fromkeys(line for both in matches for line in _lines(*both, numbers, titles)))


def _lines(there: Match, back: Match, numbers: Mapping[str, str], titles: Mapping[str, str]) -> Iterator[str]:
    first, second = numbers[there.first_id], numbers[there.second_id]
    reasons = {each.criterion: each.reason for each in (*back.verdicts, *there.verdicts) if each.reason}
    for criterion, points in position_free_points(there, back).items():
        if points != 0.5 and criterion in reasons:
            winner, loser = (first, second) if points > 0.5 else (second, first)
            compared = {number: titles[number] for number in (first, second)}
            yield f"{criterion}, {winner} before {loser}: {_numbered(reasons[criterion], compared)}"


def _numbered(reason: str, titles: Mapping[str, str]) -> str:
    """A title that was shortened is known by its beginning; what does not name one of these ideas alone stays as it is.

    `titles`: of the two that were compared, by number.
    """

    def number(quoted: re.Match[str]) -> str:
        beginning = quoted[1].removesuffix("…").rstrip()
        named = [
            each
            for each, title in titles.items()
            if title == quoted[1] or (beginning and beginning != quoted[1] and title.startswith(beginning))
        ]
        return named[0] if len(named) == 1 else quoted[0]

    return _QUOTED_TITLE.sub(number, reason)
