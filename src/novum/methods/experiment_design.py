"""Designing an experiment for an idea: draft, review, look-up if the review asks for one, refined draft.

Shared by all generators (Chain of Ideas, section 3.4, Tables 17 to 20).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from novum.core import (
    Chain,
    Entity,
    Experiment,
    ExperimentDraft,
    Idea,
    Paper,
    Review,
    Topic,
    normal_title,
    shorten,
)
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, listed, prose
from novum.reading import Bibliography, OutOfSight, RelevanceQuery, labelled_insights, relevant

_CANDIDATES, _LOOKED_UP = 8, 4
"""Papers that a search for a reviewer finds, and the most of them that are shown."""
_NEAR_ENOUGH = 0.1
"""Minimum cosine of a paper with the search that found it: below it, nothing but chance connects the two."""
_TOPIC = 160
"""Characters of the topic in a search."""
_NAME, _PAPERS_ASKED = 4, 5
"""Most words in the name of a data set, and papers that are looked through for it."""
FLAW = "The idea itself: "
"""Starts a weakness that no plan can fix."""
_NUMBER = re.compile(r"^\s*(?:step\s*)?\d+\s*[.:)]\s*", re.IGNORECASE)
"""A number that a writer put before a step."""


class Design(Answer):
    """The answer to `design_experiment`."""

    hypothesis: str = prose(600, "what would have to be true, stated so that an outcome could contradict it")
    steps: list[str] = listed(
        12,
        "the procedure in order, without numbers, each step concrete enough to be carried out",
        longest=500,
        least=1,
        few=4,
    )
    datasets: list[str] = listed(
        8, "each data set or material, where it comes from, and why it fits", longest=300, few=1
    )
    baselines: list[str] = listed(8, "each method that the idea is compared with, and why", longest=300, few=1)
    metrics: list[str] = listed(
        8, "each quantity that is measured, and the size of difference that would matter", longest=300, few=1
    )
    ablations: list[str] = listed(
        8, "each part that is removed or changed, and what the result would show", longest=300, few=1
    )
    analysis: str = prose(1200, "how each outcome, also a negative one, decides about the hypothesis")
    feasibility: str = prose(1000, "time, people, equipment and cost; what may go wrong, and what is done then")
    sketch: str = prose(1600, "pseudo-code or outline of the core procedure; empty if it would add nothing")
    other_works: list[str] = listed(
        6, "full titles of papers used that carry no label; no data sets or software", longest=240, few=0
    )


class Revision(Design):
    """The answer to `refine_experiment`."""

    changes: list[str] = listed(
        8, "for each point of the review, what was done about it, or why nothing was done", longest=300
    )


class Point(Answer):
    """One weakness of a plan, and how to remove it."""

    weakness: str = prose(400, "what keeps the plan from testing the idea or from being carried out")
    change: str = prose(400, "one concrete change that removes the weakness")


class Critique(Answer):
    """The answer to `review_experiment`."""

    strengths: list[str] = listed(4, "what should stay as it is", longest=300)
    points: list[Point] = listed(6, "weaknesses, the most serious first, each with its change")
    idea_flaw: str = prose(400, "a flaw of the idea itself that no plan can remove; empty if there is none")
    search_query: str = prose(
        160, "a search for literature that would help to make the changes; empty if none would help"
    )


@dataclass(frozen=True)
class ExperimentBrief:
    """The input of an experiment design. `plan`: what the method itself would test, with citations spelled out.
    `finding`: what the novelty check of the idea came to. `reader_judges`: whether the reader may be asked which papers
    help; otherwise similarity decides."""

    topic: Topic
    idea: Idea
    chain: Chain | None
    filters: Filters
    plan: str = ""
    finding: str = ""
    reader_judges: bool = True

    @property
    def entities(self) -> tuple[Entity, ...]:
        """Entities of the chain that the idea mentions; the others would only distract."""
        text = self.idea.text.casefold()
        known = self.chain.entities if self.chain else ()
        return tuple(entity for entity in known if entity.name.casefold() in text)

    def shelf(self, looked_up: Sequence[Paper] = ()) -> Bibliography:
        """The papers that a plan may cite: those of the chain, then those looked up, oldest first. So a label keeps its
        paper through all rounds."""
        return Bibliography((*(self.chain.papers if self.chain else ()), *looked_up))


async def design_experiment(lab: Lab, brief: ExperimentBrief, refinements: int) -> list[ExperimentDraft]:
    """All drafts, oldest first; `refinements` rounds of review at most. Fewer, or none, when answers stay unusable."""
    try:
        with lab.run.step("draft"):
            design = await _draft(lab, brief)
    except NoUsableAnswer:
        return []
    drafts: list[ExperimentDraft] = []
    looked_up: list[Paper] = []
    experiment = await _experiment(lab, brief, brief.shelf(), design)
    changes: tuple[str, ...] = ()
    for turn in range(1, refinements + 1):
        try:
            with lab.run.step(f"refinement {turn}"):
                review = await _review(lab, brief, experiment)
                found = await _look_up(lab, brief, review)
                looked_up += [paper for paper in found if paper not in looked_up]
                drafts.append(_reviewed(experiment, changes, review, found))
                design = revision = await _refine(lab, brief, design, review, looked_up)
                shelf = brief.shelf(looked_up)
                experiment = await _experiment(lab, brief, shelf, revision)
                changes = tuple(shelf.spelled_out(each) for each in revision.changes)
        except NoUsableAnswer:
            break
    if not drafts or drafts[-1].experiment != experiment:
        drafts.append(ExperimentDraft(experiment=experiment, changes=changes))
    return drafts


async def _draft(lab: Lab, brief: ExperimentBrief) -> Design:
    past = [each for each in labelled_insights(brief.chain, brief.shelf()) if each["experiment"]] if brief.chain else []
    needs = {
        "idea": brief.idea.text,
        "finding": brief.finding,
        "past": past,
        "entities": brief.entities,
        "plan": brief.plan,
    }
    return await lab.models.ask(Question("design_experiment", needs, Design))


async def _review(lab: Lab, brief: ExperimentBrief, experiment: Experiment) -> Review:
    needs = {"idea": brief.idea.text, "experiment": experiment.text, "entities": brief.entities}
    answered = await lab.models.answer(Question("review_experiment", needs, Critique, role="judge", temperature=0.0))
    critique = answered.value
    flaw = [FLAW + critique.idea_flaw] if critique.idea_flaw else []
    return Review(
        subject_id=experiment.id,
        reviewer=answered.model.short,
        strengths=tuple(critique.strengths),
        weaknesses=(*(point.weakness for point in critique.points), *flaw),
        suggestions=tuple(point.change for point in critique.points),
        search_query=critique.search_query,
    )


async def _look_up(lab: Lab, brief: ExperimentBrief, review: Review) -> list[Paper]:
    """Papers for the reviewer's request. A request alone is often ambiguous, so the topic is searched with it. The
    reader drops papers that do not help, unless it is the small offline model, which cannot judge papers."""
    wish = review.search_query.strip()
    if not wish:
        return []
    query = f"{wish} {shorten(brief.topic.text, _TOPIC)}"
    hits = await lab.library.search(query, _CANDIDATES, brief.filters)
    near = [hit.paper for hit in hits if hit.similarity >= _NEAR_ENOUGH]
    if brief.reader_judges and lab.models.model_for("reader").provider.name != "offline":
        search = RelevanceQuery(brief.topic, wish)
        near = [each.paper for each in await relevant(lab.models, search, near, "experiment")]
    return near[:_LOOKED_UP]


async def _refine(
    lab: Lab, brief: ExperimentBrief, design: Design, review: Review, looked_up: Sequence[Paper]
) -> Revision:
    """The next plan, and what it did about each point of the review. The writer sees its plan with labels, so that what
    it cited before stays cited."""
    shelf = brief.shelf(looked_up)
    text = _as_written(brief, design).text
    new = {paper.id for paper in looked_up}
    cited = {each.paper_id for each in shelf.citations([text])}
    needs = {
        "idea": brief.idea.text,
        "experiment": text,
        "review": review,
        "cited": [entry for entry in shelf.entries if entry.paper.id in cited - new],
        "looked_up": [entry for entry in shelf.entries if entry.paper.id in new],
    }
    return await lab.models.ask(Question("refine_experiment", needs, Revision))


def _reviewed(
    experiment: Experiment, changes: tuple[str, ...], review: Review, looked_up: Sequence[Paper]
) -> ExperimentDraft:
    paper_ids = tuple(paper.id for paper in looked_up)
    return ExperimentDraft(experiment=experiment, changes=changes, review=review, looked_up=paper_ids)


def _as_written(brief: ExperimentBrief, design: Design) -> Experiment:
    """The record of a design, with the labels of its papers."""
    fields = design.model_dump(include=set(Design.model_fields) - {"other_works"})
    fields["steps"] = [_NUMBER.sub("", step) for step in fields["steps"]]
    return Experiment(
        idea_id=brief.idea.id,
        **{name: value if isinstance(value, str) else tuple(value) for name, value in fields.items()},
    )


async def _experiment(lab: Lab, brief: ExperimentBrief, shelf: Bibliography, design: Design) -> Experiment:
    """The record of a design, its labels spelled out and its citations resolved."""
    written = _as_written(brief, design)
    fields = written.model_dump(include=set(Design.model_fields) - {"other_works"})
    texts = [text for value in fields.values() for text in ([value] if isinstance(value, str) else value)]
    spelled = {
        name: shelf.spelled_out(value) if isinstance(value, str) else tuple(shelf.spelled_out(each) for each in value)
        for name, value in fields.items()
    }
    works = [
        work for work in design.other_works if shelf.paper(work) or not await _is_data_set(lab, brief, work, design)
    ]
    cited = shelf.citations(texts, works, lambda title: find_visible_paper(lab, title, brief.filters))
    return written.but(citations=cited, **spelled)


async def _is_data_set(lab: Lab, brief: ExperimentBrief, work: str, design: Design) -> bool:
    """Whether a work named beside the labels is a data set, a benchmark or another known thing of the field, which is
    no paper that could be cited: a short name that the plan uses as data, that the chain has as an entity, or that
    papers of the library mention."""
    name = normal_title(work)
    if not name or len(name.split()) > _NAME or lab.library.find(work) is not None:
        return False
    entities = brief.chain.entities if brief.chain else ()
    told = [*design.datasets, *(entity.name for entity in entities)]
    if mentions(told, name):
        return True
    hits = await lab.library.stored.search(work, _PAPERS_ASKED, brief.filters)
    return mentions((f"{hit.paper.title} {hit.paper.gist}" for hit in hits), name)


def mentions(texts: Iterable[str], name: str) -> bool:
    """Whether one of `texts` has these words in a row. `name`: in the form of `normal_title`."""
    return any(f" {name} " in f" {normal_title(text)} " for text in texts)


def find_visible_paper(lab: Lab, title: str, filters: Filters) -> Paper | None:
    """The library's paper of that title. Raises OutOfSight for one that the run may not know of."""
    paper = lab.library.find(title)
    if paper is not None and filters.before is not None and not paper.is_before(filters.before):
        raise OutOfSight(title)
    return paper
