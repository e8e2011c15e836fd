"""A Swiss tournament between proposals: which of two was accepted, which turned down?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from novum.core import Idea, Match, Outcome, Topic, Verdict, shorten
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.llm import Answer, Question, prose
from novum.statistics.tournament import Standings, swiss_round
from novum.statistics.win_rates import position_free_points

CRITERION = "acceptance"
_SEAT = re.compile(r"\b[Pp]roposal ([AB])\b")
_OUTCOMES: Mapping[str, Outcome] = {"A": "first", "B": "second"}


class Acceptance(Answer):
    """The answer to `researcher_choice`."""

    reason: str = prose(
        400, "what decides it: a strength of the one, a weakness of the other, pointing at what stands there"
    )
    accepted: Literal["A", "B"]


@dataclass(frozen=True)
class TournamentResult:
    """The tournament's matches, each pair in both orders, and by idea how it did: points per match, 0 to 1."""

    matches: tuple[tuple[Match, Match], ...]
    rates: Mapping[str, float]


async def play_tournament(lab: Lab, topic: Topic, ideas: Sequence[Idea], rounds: int) -> TournamentResult:
    """All rounds, the matches of one round at once; fewer rounds when all have met all."""
    standings = Standings.at_start(len(ideas))
    matches: list[tuple[Match, Match]] = []
    draws = np.random.default_rng(lab.rng("ai-researcher, tournament").getrandbits(64))
    for number in range(1, min(rounds, _until_all_met(len(ideas))) + 1):
        with lab.run.step(f"round {number}"):
            paired = swiss_round(standings, draws)
            met = await run_concurrently(
                _compare_in_both_orders(lab, topic, ideas[one], ideas[other]) for one, other in paired.pairs
            )
            standings = standings.after(
                paired, [position_free_points(there, back).get(CRITERION) for there, back in met]
            )
            matches += met
    rates = {idea.id: float(rate) for idea, rate in zip(ideas, standings.rates, strict=True)}
    return TournamentResult(tuple(matches), rates)


def _until_all_met(count: int) -> int:
    """Rounds that a full round robin takes: with an odd number one sits out in each."""
    return 0 if count < 2 else count - 1 + count % 2


async def _compare_in_both_orders(lab: Lab, topic: Topic, one: Idea, other: Idea) -> tuple[Match, Match]:
    """One pair, judged with each idea in the first position."""
    there, back = await run_concurrently((_judged(lab, topic, one, other), _judged(lab, topic, other, one)))
    return there, back


async def _judged(lab: Lab, topic: Topic, a: Idea, b: Idea) -> Match:
    """A judge without a usable answer decides nothing."""
    judge = lab.models.model_for("judge").short
    needs = {"topic": topic.text, "a": a.text, "b": b.text}
    try:
        answer = await lab.models.ask(Question("researcher_choice", needs, Acceptance, role="judge", temperature=0.0))
    except NoUsableAnswer as error:
        return Match(first_id=a.id, second_id=b.id, judge=judge, failure=str(error))
    titles = {"A": shorten(a.title, 60), "B": shorten(b.title, 60)}
    reason = _SEAT.sub(lambda seat: f"«{titles[seat[1]]}»", answer.reason)
    verdict = Verdict(criterion=CRITERION, outcome=_OUTCOMES[answer.accepted], reason=reason)
    return Match(first_id=a.id, second_id=b.id, judge=judge, verdicts=(verdict,))
