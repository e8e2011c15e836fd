"""Preference pairs from the ideas that a model wrote: the best on a topic against clearly worse ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import pstdev

from novum.core import normal_title
from novum.training.ideas.writing import WrittenIdea

_LONGER = 1.5
"""Largest ratio of the lengths of two ideas, so that length is not what is learnt."""
UNUSABLE = "not in the form that was asked for"
UNSCORED = "without a score"
REPEATED = "repeats an idea of the training data"
CLOSE = "no idea on the topic is better by the margin"


@dataclass(frozen=True)
class RankedPair:
    """Two ideas on one topic."""

    topic: str
    chosen: WrittenIdea
    rejected: WrittenIdea
    difference: float


@dataclass(frozen=True)
class RoundPairs:
    """The pairs of a round, and what was left out, by reason."""

    pairs: tuple[RankedPair, ...]
    left_out: Counter[str] = field(default_factory=Counter)


def pair_ideas(
    ideas: Sequence[WrittenIdea], scores: Sequence[float | None], margin: float, top: int = 1, most_rejected: int = 3,
    is_known: Callable[[WrittenIdea], bool] = lambda idea: False,
) -> RoundPairs:  # fmt: skip
    """On each topic, each of the `top` best ideas with at most `most_rejected` worse ones (algorithm 1, lines 7 and 8).

    `margin`: how much lower a rejected idea scores, in standard deviations of all scores. `is_known`: whether an idea
    repeats one of the training data. Of several equal ideas one is used. The largest differences come first.
    """
    left_out = Counter[str]()
    by_topic: dict[str, list[tuple[float, WrittenIdea]]] = defaultdict(list)
    seen: set[str] = set()
    for idea, score in zip(ideas, scores, strict=True):
        why = _unfit(idea, score, seen) or (REPEATED if is_known(idea) else "")
        if why or score is None:
            left_out[why] += 1
            continue
        seen.add(_key(idea))
        by_topic[idea.topic].append((score, idea))
    known = [score for ranked in by_topic.values() for score, _ in ranked]
    least = margin * pstdev(known) if len(known) > 1 else 0.0
    pairs = []
    for topic, ranked in by_topic.items():
        found = list(_pairs_on(topic, ranked, least, top, most_rejected))
        left_out[CLOSE] += not found
        pairs += found
    return RoundPairs(tuple(pairs), +left_out)


def _pairs_on(
    topic: str, ranked: list[tuple[float, WrittenIdea]], least: float, top: int, most_rejected: int
) -> list[RankedPair]:
    ordered = sorted(ranked, key=lambda each: (-each[0], each[1].sample))
    pairs = []
    for best, chosen in ordered[:top]:
        worse = [
            (score, idea)
            for score, idea in reversed(ordered)
            if best - score > max(least, 1e-12) and _similar_length(chosen, idea)
        ]
        pairs += [RankedPair(topic, chosen, idea, best - score) for score, idea in worse[:most_rejected]]
    return pairs


def _unfit(idea: WrittenIdea, score: float | None, seen: set[str]) -> str:
    if not idea.usable:
        return UNUSABLE
    if score is None:
        return UNSCORED
    return REPEATED if _key(idea) in seen else ""


def _key(idea: WrittenIdea) -> str:
    return f"{idea.topic}\n{normal_title(idea.title)}\n{idea.abstract[:200].lower()}"


def _similar_length(first: WrittenIdea, second: WrittenIdea) -> bool:
    short, long = sorted(len(each.text.split()) for each in (first, second))
    return long <= _LONGER * short
