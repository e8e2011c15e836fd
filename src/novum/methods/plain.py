"""A plain prompt: the topic, one question, no literature. What reading is worth is measured against it."""

from __future__ import annotations

from novum.core import Candidate, Ideation, Topic
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Question
from novum.methods.experiment_design import find_visible_paper
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.proposal import Proposal, draft_from_proposal
from novum.reading import Bibliography

NAME = "plain"


class PlainOptions(ConcludingOptions):
    """Nothing beside what all methods have."""


@method(NAME, PlainOptions)
async def plain(lab: Lab, topic: Topic, options: PlainOptions) -> Ideation:
    """One idea from the writer's own knowledge: it sees no paper.

    Source: none; it is the usual baseline of studies on ideas. Works that the writer names are looked up in the
    library, and those that are not there are marked, as in all methods. `before` limits only this look-up: it cannot
    remove what a model learned in training.
    """
    try:
        with lab.run.step("idea"):
            answer = await lab.models.ask(Question("plain_idea", {"topic": topic.text}, Proposal))
    except NoUsableAnswer:
        return await ideation_from(
            lab, topic, MethodOutcome(NAME, options, (), notes=["The writer gave no usable idea."])
        )
    filters = Filters(before=options.before)
    shelf = Bibliography(())
    draft = draft_from_proposal(
        answer, topic, shelf, lambda title: find_visible_paper(lab, title, filters), generator=NAME
    )
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, [Candidate(idea=draft.idea)]))
