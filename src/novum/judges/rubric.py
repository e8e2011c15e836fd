"""Does an idea meet the six things that a plan must not lack? (DeepInnovator, sections 5.2 and A.3, Table A2.)

Each judge of a panel says of each item whether it is satisfied; the item goes to the majority. Changed: the judge names
the worst fault of each item before it decides, since a bare yes is cheap.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from novum.core import Idea, RubricMark, RubricSheet, Topic
from novum.errors import NoUsableAnswer
from novum.llm import Answer, ModelName, Question, prose

RUBRIC: Mapping[str, str] = {
    "specific": "It says how each part is done, in plain words; nothing is promised that is not shown how.",
    "flawless": "It has no weakness that would keep it from doing what it claims, or it answers the one that it has.",
    "justified": "It gives good grounds, also for why nothing simpler and no rival explanation would do.",
    "efficient": "No needless effort or cost: nothing plainer would bring the same.",
    "ethical": "It harms nobody, and what could harm is dealt with.",
    "consistent": "Its parts agree with each other and with its aim.",
}


class Mark(Answer):
    """One item: the case against first, then whether it holds nevertheless."""

    fault: str = prose(300, "the worst that can be said against it here, pointing at what stands in the idea")
    satisfied: bool


class Marks(Answer):
    """The answer to `mark_rubric`."""

    specific: Mark
    flawless: Mark
    justified: Mark
    efficient: Mark
    ethical: Mark
    consistent: Mark


def mark_by_rubric(
    topic: Topic, idea: Idea, model: ModelName
) -> Generator[Question[Marks], Marks | NoUsableAnswer, RubricSheet]:
    """One judge's sheet. An answer that cannot be used makes a sheet without marks."""
    needs = {"topic": topic.text, "idea": idea.text, "rubric": RUBRIC}
    answer = yield Question("mark_rubric", needs, Marks, role=model, temperature=0.0)
    if isinstance(answer, NoUsableAnswer):
        return RubricSheet(idea_id=idea.id, judge=model.short, failure=str(answer))
    marks = {name: getattr(answer, name) for name in RUBRIC}
    return RubricSheet(
        idea_id=idea.id,
        judge=model.short,
        marks=tuple(
            RubricMark(item=name, satisfied=each.satisfied, fault=each.fault.strip()) for name, each in marks.items()
        ),
    )
