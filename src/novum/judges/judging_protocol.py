"""Judging protocols: by which prompts and criteria the judges of an arena compare ideas and plans.

A protocol has a name, because results of different protocols cannot be compared, and because its prompts enter the keys
of recorded answers. A protocol that arenas were begun with never changes; a better one gets a new name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from novum.core import Topic
from novum.errors import BadInput
from novum.judges.both_orders import MatchRequests
from novum.judges.experiment_pair import PlanOfIdea, compare_experiments_in_both_orders
from novum.judges.novum_1 import compare_ideas_as_first, compare_plans_as_first
from novum.judges.pair import compare_in_both_orders
from novum.judges.registry import PairwiseJudge
from novum.llm import ModelName, Question
from novum.prompts import Prompt

FIRST_PROTOCOL = "novum-1"
"""The protocol of arenas that were begun before protocols had names."""
NEWEST_PROTOCOL = "novum-2"
PUBLISHED_PROTOCOL = "published"
"""The judges' prompts of Chain of Ideas, word for word, which a user installs from a copy of the paper."""
PROTOCOL_NAMES = (FIRST_PROTOCOL, NEWEST_PROTOCOL, PUBLISHED_PROTOCOL)


class PlanJudge(Protocol):
    """Compares two plans on a topic: a generator of requests to `model` that returns one match for each order."""

    def __call__(self, topic: Topic, first: PlanOfIdea, second: PlanOfIdea, model: ModelName) -> MatchRequests: ...


@dataclass(frozen=True)
class JudgingProtocol:
    """How ideas and plans are compared. Each judge yields the requests of both orders at once."""

    name: str
    ideas: PairwiseJudge
    plans: PlanJudge
    hashes: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 by name of the prompt, where the prompts are not part of Novum."""
    prompts: tuple[Prompt, ...] = ()
    """Those that are not part of Novum."""
    readable: Callable[[Question[Any], Any], bool] = lambda _question, _answer: True
    """Whether an answer has the form that the question asks for. Typed answers always have it."""


_BUILT_IN = {
    FIRST_PROTOCOL: JudgingProtocol(FIRST_PROTOCOL, compare_ideas_as_first, compare_plans_as_first),
    NEWEST_PROTOCOL: JudgingProtocol(NEWEST_PROTOCOL, compare_in_both_orders, compare_experiments_in_both_orders),
}


def built_in_protocol(name: str) -> JudgingProtocol:
    """The protocol of that name, the first one without a name. Raises BadInput when Novum has none."""
    found = _BUILT_IN.get(name or FIRST_PROTOCOL)
    if found is None:
        raise BadInput(f"There is no judging protocol {name!r}. There are: {', '.join(PROTOCOL_NAMES)}.")
    return found
