"""The decision on reviews, by a model that wrote none of them (SPARK, "Decision Synthesis").

Source: a separate model reads idea and reviews and gives its reasoning, ACCEPT or REJECT, and a utility from 0 to 1.
Changed: before it decides it weighs the criticisms one by one, so that one can see which of them decided; it is told
which quotations do not stand in the idea; the utility is asked for in percent, with what its steps mean; and a model
whose decision contradicts its utility is asked once more.
"""

from __future__ import annotations

import re
from collections.abc import Container, Generator, Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field, field_validator

from novum.core import Idea, Paper, shorten
from novum.core.reviewing import (
    CriticismStatus,
    Decision,
    ReviewerReport,
    WeighedCriticism,
    criticisms_of,
    is_contradiction,
)
from novum.errors import NoUsableAnswer
from novum.llm import Answer, ModelName, Question, listed, prose

_LABEL = re.compile(r"(?<!\w)R\d{1,2}\.\d{1,2}(?!\w)", re.IGNORECASE)
NO_REPORT = "No reviewer gave a usable report: there is nothing to decide on."


def criticism_label() -> Any:
    """A field that names one criticism."""
    return Field(description="its label, such as R2.1", json_schema_extra={"pattern": "^R[0-9]{1,2}[.][0-9]$"})


class Weight(Answer):
    """What one criticism counts for; the reason first."""

    criticism: str = criticism_label()
    why: str = prose(250, "whether it holds, by what stands in the idea")
    standing: CriticismStatus


class Verdict(Answer):
    """The answer to `decide_on_idea`."""

    weighed: list[Weight] = listed(16, "criticisms that bear on the decision, those that decide it first", few=1)
    reasoning: str = prose(900, "why these lead to the decision, and what speaks against it")
    decision: Literal["ACCEPT", "REJECT"]
    utility: int = Field(ge=0, le=100, description="how worthwhile it is to pursue the idea, in percent")

    @field_validator("utility", mode="before")
    @classmethod
    def _in_percent(cls, value: object) -> object:
        """Some models give a share between 0 and 1 whatever the prompt says."""
        return round(100 * value) if isinstance(value, float) and 0 < value < 1 else value

    @property
    def contradicts_itself(self) -> bool:
        """Whether it accepts with a utility below the border, or rejects above it."""
        return is_contradiction(self.decision == "ACCEPT", self.utility / 100)


def decide_on_reviews(
    idea: Idea, reports: Sequence[ReviewerReport], model: ModelName, papers: Sequence[Paper] = ()
) -> Generator[Question[Verdict], Any, Decision]:
    """The decision on `reports`, those without a usable answer left aside. Where none is left, no request is sent.
    Then, and without a usable answer, nothing is decided. Where the decision contradicts its utility, the model is
    asked once more; the first answer stays where the second is no better. `papers`: those that reviewers saw."""
    usable = tuple(report for report in reports if not report.failure)
    if not usable:
        return Decision(idea_id=idea.id, judge=model.short, failure=NO_REPORT)
    needs = {"topic": idea.topic, "idea": idea.text, "reports": usable, "papers": {each.id: each for each in papers}}
    question = Question("decide_on_idea", needs, Verdict, role=model, temperature=0.0)
    answer = yield question
    if isinstance(answer, Verdict) and answer.contradicts_itself:
        second = yield replace(question, sample=1, temperature=None)  # at 0, it would say the same again
        answer = second if isinstance(second, Verdict) and not second.contradicts_itself else answer
    if isinstance(answer, NoUsableAnswer):
        return Decision(idea_id=idea.id, judge=model.short, failure=str(answer) or "no answer")
    known = criticisms_of(usable)
    weighed = {
        label: WeighedCriticism(criticism=label, standing=each.standing, why=each.why)
        for each in reversed(answer.weighed)
        if (label := bare_label(each.criticism)) in known
    }
    return Decision(
        idea_id=idea.id,
        judge=model.short,
        weighed=tuple(reversed(weighed.values())),
        # Where no point has a label, whatever label it had to give stands for a whole report.
        strays=unknown_labels([each.criticism for each in answer.weighed], known) if known else (),
        reasoning=answer.reasoning,
        accept=answer.decision == "ACCEPT",
        utility=answer.utility / 100,
    )


def bare_label(label: str) -> str:
    """`R2.1` of `[r2.1]` or of `R2.1 (fatal)`; what names no label stays as it is."""
    match = _LABEL.search(label)
    return match[0].upper() if match else label.strip()


def unknown_labels(labels: Sequence[str], known: Container[str]) -> tuple[str, ...]:
    """Labels that no criticism has, each once and short."""
    return tuple(
        dict.fromkeys(shorten(label, 40) for each in labels if (label := bare_label(each)) and label not in known)
    )
