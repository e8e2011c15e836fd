"""An idea revised by a writer by what its reviewers wrote: the closed loop that SPARK leaves to later work.

The writer answers the criticisms first, one by one, and may refuse: a revision that bows to every reviewer is no better
for it. Only then comes the idea anew.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from novum.core import Idea, Paper
from novum.core.reviewing import Change, Decision, ReviewerReport, Revision, criticisms_of
from novum.errors import NoUsableAnswer
from novum.judges.verdict import bare_label, criticism_label, unknown_labels
from novum.llm import Answer, ModelName, Question, listed, prose

_PARTS = ("motivation", "novelty", "method", "summary")


class Answering(Answer):
    """What is done about one criticism."""

    criticism: str = criticism_label()
    done: bool = Field(description="whether the idea is changed for it")
    what: str = prose(300, "what is changed, or why it is not")


class Revised(Answer):
    """The answer to `revise_idea`."""

    changes: list[Answering] = listed(24, "one for each criticism that is not dismissed, in their order", few=1)
    title: str = prose(150, "the title, changed only where it no longer fits")
    motivation: str = prose(1800, "empty where the idea has no such part")
    novelty: str = prose(1500, "empty where the idea has no such part")
    method: str = prose(2800, "empty where the idea has no such part")
    summary: str = prose(1800, "the whole idea in one go")


@dataclass(frozen=True)
class RevisedIdea:
    """The idea as it is now (None: no usable answer), and what was done about the criticisms."""

    idea: Idea | None
    revision: Revision


def revise_idea(
    idea: Idea, reports: Sequence[ReviewerReport], decision: Decision, writer: ModelName, papers: Sequence[Paper] = ()
) -> Generator[Question[Revised], Any, RevisedIdea]:
    """One revision. Parts that the idea never had stay empty; topic, references and maker stay as they were."""
    usable = tuple(report for report in reports if not report.failure)
    dismissed = {each.criticism for each in decision.weighed if each.standing == "dismissed"}
    needs = {
        "topic": idea.topic,
        "parts": {name: getattr(idea, name).strip() for name in ("title", *_PARTS)},
        "reports": usable,
        "papers": {each.id: each for each in papers},
        "decision": decision,
        "dismissed": dismissed,
    }
    answer = yield Question("revise_idea", needs, Revised, role=writer)
    if isinstance(answer, NoUsableAnswer):
        return RevisedIdea(None, Revision(writer=writer.short, failure=str(answer) or "no answer"))
    known = criticisms_of(usable)
    answered = {label: each for each in answer.changes if (label := bare_label(each.criticism)) in known}
    revision = Revision(
        writer=writer.short,
        changes=tuple(Change(criticism=label, done=each.done, what=each.what) for label, each in answered.items()),
        unanswered=tuple(
            label
            for label, each in known.items()
            if each.severity != "minor" and label not in answered and label not in dismissed
        ),
        strays=unknown_labels([each.criticism for each in answer.changes], known)
        if known
        else (),  # as in `decide_on_idea`
    )
    return RevisedIdea(_rewritten(idea, answer), revision)


def _rewritten(idea: Idea, answer: Revised) -> Idea:
    """An empty answer to a part that the idea has leaves the part as it was: nothing is lost by an omission."""
    parts = {name: getattr(answer, name) or getattr(idea, name) for name in _PARTS if getattr(idea, name).strip()}
    return idea.but(title=answer.title or idea.title, **parts)
