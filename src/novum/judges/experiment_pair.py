"""Two experiment designs side by side, in both orders, by three criteria (Chain of Ideas, section 4.4, Table 25).

As with ideas, a judge tends to like one seat: every pair is asked twice with the seats exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from novum.core import Experiment, Topic, shorten
from novum.judges.both_orders import Asked, Comparing
from novum.judges.pair import CriterionChoice
from novum.judges.registry import judge
from novum.llm import Answer, ModelName

CRITERIA: Mapping[str, str] = {
    "feasibility": "Can it be carried out with the time, data, tools and people that it says or that can be had?",
    "quality": "Does its outcome decide the question? Are baselines, measures and controls those of a sceptic?",
    "clarity": "Is each step told so that an informed reader could carry it out, and knows why it is there?",
}

_SEAT = re.compile(r"\b[Pp]lan ([AB])\b")


class ExperimentComparison(Answer):
    """The answer to `compare_experiments`."""

    feasibility: CriterionChoice
    quality: CriterionChoice
    clarity: CriterionChoice


def _by_hypothesis(plan: Experiment) -> str:
    return f"the plan for «{shorten(plan.hypothesis, 60)}»"


_COMPARING = Comparing("compare_experiments", ExperimentComparison, CRITERIA, _SEAT, _by_hypothesis)


@judge("experiment-pair")
def compare_experiments_in_both_orders(topic: Topic, first: Experiment, second: Experiment, model: ModelName) -> Asked:
    """Two matches: `first` in seat A, then `second` in seat A. An answer that cannot be used makes a match without
    verdicts.
    """
    return _COMPARING.in_both_orders(topic, first, second, model)
