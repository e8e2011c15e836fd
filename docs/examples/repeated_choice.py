"""Repeated choice: a judge compares two ideas three times in each order, and each order counts by its majority."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from novum.core import Idea, Match, Topic, Verdict
from novum.judges import judge
from novum.judges.both_orders import MatchRequests
from novum.judges.win_rate import CHOOSE_WINNER
from novum.llm import ModelName

SAMPLES = 3


@judge("repeated-choice")
def repeated_choice(topic: Topic, first: Idea, second: Idea, model: ModelName) -> MatchRequests:
    """Two matches: `first` in position A, then `second` in position A."""
    orders = [(a, b) for a, b in ((first, second), (second, first)) for _ in range(SAMPLES)]
    requests = [CHOOSE_WINNER.question(topic, a, b, model) for a, b in orders]
    # Without a temperature of 0, each sample is another answer.
    answers = yield [replace(each, temperature=None, sample=at % SAMPLES) for at, each in enumerate(requests)]
    matches = [CHOOSE_WINNER.match(a, b, model, answer) for (a, b), answer in zip(orders, answers, strict=True)]
    return majority(matches[:SAMPLES]), majority(matches[SAMPLES:])


def majority(matches: list[Match]) -> Match:
    """One match in which each criterion has the outcome that most of the matches have."""
    verdicts: dict[str, list[Verdict]] = {}
    for verdict in (each for match in matches for each in match.verdicts):
        verdicts.setdefault(verdict.criterion, []).append(verdict)
    outcomes = {name: Counter(each.outcome for each in given).most_common(1)[0][0] for name, given in verdicts.items()}
    chosen = (next(each for each in given if each.outcome == outcomes[name]) for name, given in verdicts.items())
    return matches[0].model_copy(update={"verdicts": tuple(chosen), "failure": "" if verdicts else matches[0].failure})
