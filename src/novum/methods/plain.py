"""A plain prompt: the topic, one question, no literature. What reading is worth is measured against it."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from novum.core import Ideation, Topic
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Question
from novum.methods.drafting import DraftingOptions, DraftingTask, DraftWriter, drafted_ideas
from novum.methods.experiment_design import find_visible_paper
from novum.methods.finishing import MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.proposal import Draft, Proposal, RejectedDraft, draft_from_proposal
from novum.reading import Bibliography

NAME = "plain"
BEST_OF_N = "plain-best-of-n"


class PlainOptions(DraftingOptions):
    """Those of all methods that plan an experiment, and the treatment of drafts."""


class BestOfOptions(DraftingOptions):
    """Defaults make about as many requests as Chain of Ideas with its defaults."""

    drafts: int = Field(
        20, ge=1, le=100, description="Plain drafts; near-duplicates are dropped, and the best one is chosen"
    )
    check_best: bool = Field(
        True, description="Check the best draft against the nearest papers; where it is known, the next best, up to 3"
    )


@method(NAME, PlainOptions)
async def plain(lab: Lab, topic: Topic, options: PlainOptions) -> Ideation:
    """One idea from the writer's own knowledge: it sees no paper.

    Source: none; it is the usual baseline of studies on ideas. Works that the writer names are looked up in the
    library, and those that are not there are marked, as in all methods. `before` limits only this look-up: it cannot
    remove what a model learned in training. The options `drafts`, `novelty` and `write_up` give it the treatment that
    ideas of Chain of Ideas get.
    """
    return await _from_plain_prompt(lab, topic, options, NAME)


@method(BEST_OF_N, BestOfOptions)
async def plain_best_of_n(lab: Lab, topic: Topic, options: BestOfOptions) -> Ideation:
    """The best of many plain drafts, chosen by the judges of the run.

    Source: none; the control for the number of requests. A method that reads, plans and compares sends many requests,
    and many plain drafts with a good choice may do as well. Drafts are written independently by the plain prompt,
    near-duplicates are dropped, and those pairs are compared, in both orders, that tell most about the best draft.
    """
    return await _from_plain_prompt(lab, topic, options, BEST_OF_N)


async def _from_plain_prompt(lab: Lab, topic: Topic, options: DraftingOptions, name: str) -> Ideation:
    task = DraftingTask(topic, options, (), plain_writer(lab, topic, Filters(before=options.before), name), name)
    made = await drafted_ideas(lab, task)
    return await ideation_from(lab, topic, MethodOutcome(name, options, made.candidates, made.matches, made.notes))


def plain_writer(lab: Lab, topic: Topic, filters: Filters, generator: str) -> DraftWriter:
    """Writes drafts from the topic alone, for the method `generator`."""

    async def write(sent_back: Sequence[RejectedDraft], sample: int) -> Draft:
        needs = {"topic": topic.text, "sent_back": list(sent_back)}
        answer = await lab.models.ask(Question("plain_idea", needs, Proposal, sample=sample))
        return draft_from_proposal(
            answer, topic, Bibliography(()), lambda title: find_visible_paper(lab, title, filters), generator=generator
        )

    return write
