"""Compare two reviews of one submission in both orders: which serves its authors and its editor better. Ties are
allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from novum.core import Topic, content_id
from novum.judges.both_orders import MatchRequests, PairwiseComparison
from novum.llm import Answer, ModelName, prose

REPORT_CRITERIA: Mapping[str, str] = {
    "specific": "Does it speak of this submission, its claims and its steps, in points that could not be raised "
    "against most others of the field?",
    "grounded": "Do its points rest on what the submission says, and are they right as far as one can tell?",
    "weighty": "Does it find what matters most for a decision, instead of many small things?",
    "helpful": "Could the authors act on it?",
    "overall": "Which of the two would you rather have as the editor who must decide?",
}
OVERALL = "overall"
_POSITION = re.compile(r"\b[Rr]eport ([AB])\b")


@dataclass(frozen=True)
class WrittenReport:
    """A report in words. `maker`: what it is called in reasons; the judge does not see it."""

    text: str
    maker: str

    @property
    def id(self) -> str:
        """By its words."""
        return content_id("written", [self.text, self.maker])


class ReportChoice(Answer):
    """One criterion's decision, the reason first."""

    reason: str = prose(300, "one sentence naming what decides it")
    better: Literal["A", "B", "tie"]


class ReportComparison(Answer):
    """The answer to `compare_reports`."""

    specific: ReportChoice
    grounded: ReportChoice
    weighty: ReportChoice
    helpful: ReportChoice
    overall: ReportChoice


def _by_maker(report: WrittenReport) -> str:
    return f"the report of {report.maker}"


_COMPARISON = PairwiseComparison("compare_reports", ReportComparison, REPORT_CRITERIA, _POSITION, _by_maker)


def compare_reports_in_both_orders(
    submission: Topic, first: WrittenReport, second: WrittenReport, model: ModelName
) -> MatchRequests:
    """Two matches: `first` in position A, then `second` in position A. `submission`: title and abstract. A
    match without a usable answer has no verdicts.
    """
    return _COMPARISON.in_both_orders(submission, first, second, model)
