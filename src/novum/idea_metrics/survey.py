"""Survey forms on which people compare pairs of ideas, from 1 to 5 (DBLP study, appendix F, equation 28)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from novum.core import Idea

SCALE = {
    1: "A is much better",
    2: "A is slightly better",
    3: "neither is better",
    4: "B is slightly better",
    5: "B is much better",
}
"""The preferences of equation 28 in words."""
COLUMNS = ("number", "rater", "topic", "a", "b", "preference", "comment")
"""Of the table of a form; `preference` and `comment` are for the person to fill in."""

_MOST_IDEAS = 300
"""Ideas that pairs are drawn from; of more, a random sample."""


@dataclass(frozen=True)
class SurveyPair:
    """Two ideas on one topic, as one person sees them."""

    number: int
    a: Idea
    b: Idea

    @property
    def topic(self) -> str:
        return self.a.topic


def survey_pairs(ideas: Sequence[Idea], most: int, seed: int = 0) -> list[tuple[Idea, Idea]]:
    """Random pairs of ideas on the same topic, at most so many: no pair twice, no idea much more often than another.
    Fewer where there are not so many."""
    rng = np.random.default_rng(seed)
    on_topic: dict[str, list[Idea]] = defaultdict(list)
    for at in rng.permutation(len(ideas))[:_MOST_IDEAS].tolist():
        on_topic[" ".join(ideas[at].topic.casefold().split())].append(ideas[at])
    possible = [
        (one, other)
        for group in on_topic.values()
        for place, one in enumerate(group)
        for other in group[place + 1 :]
        if one.text != other.text
    ]
    left = [possible[at] for at in rng.permutation(len(possible))]
    used: Counter[str] = Counter()
    chosen: list[tuple[Idea, Idea]] = []
    while left and len(chosen) < most:
        pair = min(left, key=lambda each: used[each[0].id] + used[each[1].id])
        left.remove(pair)
        used.update(each.id for each in pair)
        chosen.append(pair)
    return chosen


def form_of(pairs: Sequence[tuple[Idea, Idea]], person: int, seed: int = 0) -> list[SurveyPair]:
    """The pairs in an order of this person's own. Every second person sees each with A and B exchanged, so that liking
    a position cancels out."""
    order = np.random.default_rng([seed, person]).permutation(len(pairs))
    sides = np.random.default_rng(seed).random(len(pairs)) < 0.5
    form = []
    for number, at in enumerate(order.tolist(), 1):
        one, other = pairs[at]
        swapped = bool(sides[at]) != (person % 2 == 1)
        form.append(SurveyPair(number, other, one) if swapped else SurveyPair(number, one, other))
    return form


def idea_as_text(idea: Idea) -> str:
    """What a person reads of an idea: title and summary, else its parts."""
    body = idea.summary or "\n\n".join(part for part in (idea.motivation, idea.novelty, idea.method) if part)
    return f"{idea.title}\n\n{body}".strip()
