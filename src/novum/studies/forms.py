"""The forms of studies: what people are asked about an idea or a pair of ideas, and the answers that they may give.

Each follows the human evaluation of one of the papers behind Novum. A form is data: adding one is one row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from novum.core.record import Value
from novum.errors import BadInput
from novum.statistics.win_rates import GRADES

Subjects = Literal["idea", "pair"]


class Choice(Value):
    """One possible answer. `score`: its number in the statistics, from the view of the first idea of a pair; None for
    an answer that is no comparison, such as "both bad"."""

    value: str
    label: str
    score: float | None


class Question(Value):
    """One criterion, and what it means to the participant."""

    name: str
    text: str
    choices: tuple[Choice, ...]


class Form(Value):
    """All questions about one idea or pair. `source`: the paper whose evaluation it follows."""

    name: str
    title: str
    subjects: Subjects
    source: str
    questions: tuple[Question, ...]
    low: float
    """The lowest score on its scale."""
    high: float

    def question(self, name: str) -> Question:
        """The question of this name. Raises BadInput where there is none."""
        for each in self.questions:
            if each.name == name:
                return each
        raise BadInput(f"The form {self.name} has no question {name[:40]!r}.")


_MEANINGS = {
    "originality": "How far does it differ from what you know of the field?",
    "feasibility": "Could a good group carry it out within a year?",
    "clarity": "Is it stated clearly enough to begin?",
    "novelty": "Which one is newer?",
    "significance": "Which one would matter more if it worked?",
    "effectiveness": "Which one is more likely to work?",
    "overall": "Which one would you rather pursue?",
    "accept": "Would you accept a paper that carries this out well?",
}
_PAIR_MEANINGS = _MEANINGS | {
    "clarity": "Which one is stated more clearly?",
    "feasibility": "Which one is easier to carry out?",
}


def _scale(low: int, high: int) -> tuple[Choice, ...]:
    return tuple(Choice(value=str(n), label=str(n), score=float(n)) for n in range(low, high + 1))


_WINS = (
    Choice(value="2", label="A", score=2.0),
    Choice(value="1", label="equal", score=1.0),
    Choice(value="0", label="B", score=0.0),
)
_PREFERENCE = tuple(
    Choice(value=str(n), label=label, score=float(6 - n))
    for n, label in enumerate(("A, clearly", "A", "undecided", "B", "B, clearly"), 1)
)
_GRADES = tuple(
    Choice(value=grade, label=label, score=score)
    for grade, label, score in zip(
        GRADES,
        ("A is much better", "A is better", "B is better", "B is much better", "both are bad"),
        (4.0, 3.0, 2.0, 1.0, None),
        strict=True,
    )
)
_DECISION = (Choice(value="accept", label="accept", score=1.0), Choice(value="reject", label="reject", score=0.0))


def _questions(
    names: tuple[str, ...], choices: tuple[Choice, ...], meanings: Mapping[str, str]
) -> tuple[Question, ...]:
    return tuple(Question(name=name, text=meanings[name], choices=choices) for name in names)


FORMS: Mapping[str, Form] = {
    form.name: form
    for form in (
        Form(
            name="ratings", title="Rate each idea from 1 to 10", subjects="idea", source="LiveIdeaBench",
            low=1, high=10,
            questions=_questions(("originality", "feasibility", "clarity"), _scale(1, 10), _MEANINGS),
        ),
        Form(
            name="pairs", title="Choose between two ideas on five criteria", subjects="pair", low=0, high=2,
            source="Chain of Ideas, section 4.2 and Idea Arena",
            questions=_questions(
                ("novelty", "significance", "clarity", "feasibility", "effectiveness"), _WINS, _PAIR_MEANINGS
            ),
        ),
        Form(
            name="preference", title="Prefer one of two ideas, from 1 to 5", subjects="pair", low=1, high=5,
            source="Empowering AI as Autonomous Researchers",
            questions=_questions(("overall",), _PREFERENCE, _MEANINGS),
        ),
        Form(
            name="grades", title="Grade one idea against the other", subjects="pair", source="DeepInnovator", low=1,
            high=4, questions=_questions(("novelty", "feasibility", "effectiveness"), _GRADES, _PAIR_MEANINGS),
        ),
        Form(
            name="decision", title="Accept or reject", subjects="idea", source="SPARK", low=0, high=1,
            questions=_questions(("accept",), _DECISION, _MEANINGS),
        ),
    )
}  # fmt: skip


def form_named(name: str) -> Form:
    """The form of this name. Raises BadInput that names all forms."""
    if name not in FORMS:
        raise BadInput(f"There is no form {name[:40]!r}: choose of {', '.join(FORMS)}.")
    return FORMS[name]
