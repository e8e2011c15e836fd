"""Records of a study: what is judged, who takes part, and what they answered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from novum.core import Idea
from novum.core.record import Value
from novum.studies.forms import FORMS, Form

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
State = Literal["open", "closed"]
CONSENT = (
    "You will read research ideas and answer questions about them. Where the ideas come from is not shown. Your "
    "answers are saved one by one under a random number, without your name, and are used for research on how good "
    "such ideas are. You may pause and come back by the same link, skip a question, or stop at any time."
)


class StudyItem(Value):
    """What one participant judges at one time: an idea, or a pair of ideas on one topic."""

    id: str
    topic: str
    first: Idea
    second: Idea | None = None
    first_source: str = ""
    """Where the first idea comes from; participants never see it."""
    second_source: str = ""


class JudgeScore(Value):
    """What a model judge said of an item on one criterion, on the scale of the form or as a share of wins (0 to 1)."""

    item: str
    criterion: str
    judge: str
    score: float


class Study(Value):
    """A study as it was set up. It does not change, so that all participants see the same."""

    id: str
    title: Name
    form_name: str
    items: Annotated[tuple[StudyItem, ...], Field(min_length=1, max_length=5_000)]
    consent: str = CONSENT
    per_participant: int = Field(10, ge=1, le=500)
    """Items that one participant is given."""
    checks: int = Field(1, ge=0, le=5)
    """Attention checks among them."""
    seed: int = 0
    judged: tuple[JudgeScore, ...] = ()
    """What model judges said of the same items, for comparison."""
    created: float = 0.0
    state: State = "open"

    @property
    def form(self) -> Form:
        return FORMS[self.form_name]

    def item(self, item_id: str) -> StudyItem | None:
        """The item of this id; None where there is none, as for an attention check."""
        return next((each for each in self.items if each.id == item_id), None)


class PlannedTask(Value):
    """One task of a participant. `item` is empty for an attention check, whose answer everywhere is `expected`."""

    item: str
    swapped: bool = False
    """Whether the second idea of the pair is shown as A."""
    expected: str = ""


class Participant(Value):
    """One participant. `link` is the unguessable part of the personal address."""

    number: int
    link: str
    label: str = ""
    """A note of the study's leader, such as a name; it is in no export."""
    plan: tuple[PlannedTask, ...]
    consented: float | None = None
    """When consent was given, in seconds since the epoch."""


class Answer(Value):
    """One answer to one question of one task; `value` as the participant saw it, in the shown order of a pair."""

    participant: int
    task: int
    """Position in the plan, from 0."""
    question: str
    value: str
    at: float


class Comment(Value):
    """What a participant wrote about one task."""

    participant: int
    task: int
    text: str
