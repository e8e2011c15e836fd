"""Idea and experiment of a real paper, written as if the work were still to be done: a baseline for all methods."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import Field

from novum.core import Candidate, Experiment, ExperimentDraft, Idea, Ideation, Identifiers, Paper, Topic, normal_title
from novum.core.concurrency import run_concurrently
from novum.errors import BadInput, NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters, PaperLibrary
from novum.llm import Answer, Question, listed
from novum.methods.double_blind import IdentifyingDetails, IdentityLeak, find_leaks, identifying_details
from novum.methods.experiment_design import Design, find_visible_paper
from novum.methods.finishing import ConcludingOptions
from novum.methods.method import method
from novum.methods.proposal import Proposal, draft_from_proposal
from novum.reading import Bibliography, OutOfSight
from novum.reading.insight import FULL_TEXT_LIMIT

NAME = "real-paper"
_MATCHES = 10
"""Search results for the topic; the best one with a text is used."""
_CITED = 12
"""Cited works put before the reader, those nearest to the paper."""
_NEAR = 0.1
"""Cosine to the topic below which a paper may be about something else."""
_NUMBER = re.compile(r"^\s*(?:step\s*)?\d+\s*[.:)]\s*", re.IGNORECASE)
Form = TypeVar("Form", bound=Answer)
One = TypeVar("One")
Other = TypeVar("Other")


class RealPaperOptions(ConcludingOptions):
    """Options of the idea from a real paper."""

    paper: str = Field("", description="Id, DOI, arXiv id or title of the paper; empty: the best match for the topic")
    before: dt.date | None = Field(
        None,
        description="The paper is one published on or after this day, which the other methods cannot have read; "
        "only works from before it are cited",
    )
    experiment: bool = Field(True, description="Also describe the paper's own experiment")
    refinements: int = Field(0, ge=0, le=5, description="Not used: the paper's own experiment is not refined")


class BlindIdea(Proposal):
    """The answer to `real_paper_idea`."""

    own_names: list[str] = listed(
        6, "names that the paper gives to its own method, system, data set or code; left out of all else", few=0
    )


@dataclass(frozen=True)
class _Source:
    """The paper, what of it can be read, and the works that may be cited in its place."""

    paper: Paper
    text: str
    shelf: Bibliography
    filters: Filters
    fit: float
    """Cosine of topic and paper, -1 to 1."""

    def needs(self, leaks: Sequence[IdentityLeak]) -> dict[str, object]:
        """The variables of the prompts; `leaks`: what an earlier answer revealed."""
        return {
            "title": self.paper.title,
            "text": self.text,
            "limit": FULL_TEXT_LIMIT,
            "cited": self.shelf.entries,
            "leaks": [str(leak) for leak in leaks],
        }


@method(NAME, RealPaperOptions)
async def real_paper(lab: Lab, topic: Topic, options: RealPaperOptions) -> Ideation:
    """The idea and the experiment of a real paper, without results and names.

    Source: the "Real Paper" baseline of Chain of Ideas (sections 4.2 and 4.3, Tables 22 and 23): a model takes idea and
    experiment from a recent paper, without results, for a double-blind comparison. From the source: both, by one
    request each, in the form that all methods share. Added: rules that detect authors, the paper's title, names that it
    coined, its venue, addresses, results, and mentions of the paper itself; the model is asked once to remove what they
    find, and what remains is listed in the notes. Left out: people who choose the papers; the paper named in the
    options is used, or the best match for the topic.

    The option `before` has the reverse meaning here: the paper is from that day or later, so that no other method with
    the same day can have read it. The works that it cites are from before that day, and the paper itself is never
    cited.
    """
    with lab.run.step("paper"):
        paper = await _choose(lab, topic, options)
        source = await _source(lab, topic, paper, options) if paper else None
    if source is None:
        return _outcome(lab, topic, options, notes=[_nothing(options)])
    with lab.run.step("extraction"):
        blind, plan = await _run_both(_idea(lab, source), _plan(lab, source, options))
    secrets = identifying_details(source.paper, source.text, blind.own_names if blind else (), topic.text)
    with lab.run.step("blinding"):
        (blind, seen), (plan, also_seen) = await _run_both(
            _make_blind(blind, secrets, lambda leaks: _idea(lab, source, leaks)),
            _make_blind(plan, secrets, lambda leaks: _plan(lab, source, options, leaks)),
        )
    notes = [*_notes(source, options), *(f"It may still reveal the paper. {leak}." for leak in (*seen, *also_seen))]
    if blind is None:
        return _outcome(lab, topic, options, source, notes=[*notes, "The reader gave no usable idea of it."])
    idea = draft_from_proposal(blind, topic, source.shelf, _finder(lab, source), generator=NAME).idea
    experiment = _experiment(idea, plan, source, _finder(lab, source)) if plan else None
    notes += ["The reader gave no usable experiment."] if options.experiment and experiment is None else []
    return _outcome(lab, topic, options, source, idea, experiment, notes)


# The paper


async def _choose(lab: Lab, topic: Topic, options: RealPaperOptions) -> Paper | None:
    """The paper that is named, or the best match of which there is something to read. Raises BadInput for a name that
    the library does not know."""
    if options.paper.strip():
        return find_named_paper(lab.library, options.paper.strip())
    hits = await lab.library.search(topic.text, _MATCHES, Filters(since=options.before))
    return next((hit.paper for hit in hits if _text(lab.library, hit.paper)), None)


def find_named_paper(library: PaperLibrary, name: str) -> Paper:
    """The paper of this id, DOI, arXiv id or other identifier, or title. Raises BadInput when there is none."""
    by_id = library.get(name) or next(
        (paper for scheme in Identifiers.model_fields if (paper := library.by_identifier(scheme, name))), None
    )
    paper = by_id or library.find(name)
    if paper is None:
        raise BadInput(
            f"The library has no paper {name!r}. Give its id, DOI, arXiv id or title as the library has it: "
            "`novum library search` shows them."
        )
    return paper


def _text(library: PaperLibrary, paper: Paper) -> str:
    return (library.full_text(paper.id) or paper.gist)[:FULL_TEXT_LIMIT].strip()


async def _source(lab: Lab, topic: Topic, paper: Paper, options: RealPaperOptions) -> _Source | None:
    """None where there is nothing to read of it."""
    text, filters = _text(lab.library, paper), Filters(before=options.before, exclude_ids=(paper.id,))
    if not text:
        return None
    cited = lab.library.references(paper.id, filters)
    nearest = await lab.library.rank(f"{paper.title}\n{paper.gist}", cited)
    (match,) = await lab.library.rank(topic.text, [paper])
    return _Source(paper, text, Bibliography([hit.paper for hit in nearest[:_CITED]]), filters, match.similarity)


def _finder(lab: Lab, source: _Source) -> Callable[[str], Paper | None]:
    """Finds works that may be cited: not the paper itself, under any spelling that the library understands."""

    def find(title: str) -> Paper | None:
        paper = find_visible_paper(lab, title, source.filters)
        if normal_title(title) == normal_title(source.paper.title) or (paper and paper.id == source.paper.id):
            raise OutOfSight(title)
        return paper

    return find


# The questions


async def _idea(lab: Lab, source: _Source, leaks: Sequence[IdentityLeak] = ()) -> BlindIdea | None:
    return await _ask(lab, Question("real_paper_idea", source.needs(leaks), BlindIdea, temperature=0.0))


async def _plan(
    lab: Lab, source: _Source, options: RealPaperOptions, leaks: Sequence[IdentityLeak] = ()
) -> Design | None:
    if not options.experiment:
        return None
    return await _ask(lab, Question("real_paper_experiment", source.needs(leaks), Design, temperature=0.0))


async def _ask(lab: Lab, question: Question[Form]) -> Form | None:
    try:
        return await lab.models.ask(question)
    except NoUsableAnswer:
        return None


async def _run_both(one: Coroutine[Any, Any, One], other: Coroutine[Any, Any, Other]) -> tuple[One, Other]:
    """Two jobs at once that come to different things."""
    jobs: list[Coroutine[Any, Any, Any]] = [one, other]
    first, second = await run_concurrently(jobs)
    return first, second


async def _make_blind(
    answer: Form | None, secrets: IdentifyingDetails, again: Callable[[Sequence[IdentityLeak]], Awaitable[Form | None]]
) -> tuple[Form | None, list[IdentityLeak]]:
    """The answer, requested once more if it reveals something, and what it still reveals."""
    seen = find_leaks(list(_texts(answer)), secrets) if answer else []
    if not seen:
        return answer, []
    second = await again(seen)
    left = find_leaks(list(_texts(second)), secrets) if second else seen
    return (second, left) if second and len(left) <= len(seen) else (answer, seen)


def _texts(answer: Answer) -> Iterator[str]:
    """What of an answer can be read later: not the names that are to be left out, nor titles of other works."""
    hidden = {"own_names", "other_works", "prior_work_queries"}
    for name, value in answer:
        if name not in hidden:
            yield from [value] if isinstance(value, str) else value


# What comes out


def _experiment(idea: Idea, design: Design, source: _Source, find: Callable[[str], Paper | None]) -> Experiment:
    """The record of the paper's experiment, its labels spelled out and its citations resolved."""
    fields = design.model_dump(exclude={"other_works"})
    fields["steps"] = [_NUMBER.sub("", step) for step in fields["steps"]]
    spelled = {
        name: source.shelf.spelled_out(value)
        if isinstance(value, str)
        else tuple(source.shelf.spelled_out(each) for each in value)
        for name, value in fields.items()
    }
    cited = source.shelf.citations(_texts(design), design.other_works, find)
    return Experiment(idea_id=idea.id, citations=cited, **spelled)


def _notes(source: _Source, options: RealPaperOptions) -> Iterator[str]:
    paper = source.paper
    yield f"The idea is that of a real paper: «{paper.title}» ({paper.year or 'n.d.'}), {paper.id}."
    if not options.paper.strip() and source.fit < _NEAR:
        yield f"It is the best match in the library, but may be about something else (cosine {source.fit:.2f})."
    if source.text == paper.gist.strip():
        yield "Only its abstract was available: details of the experiment that it does not contain are missing."
    if options.before and paper.is_before(options.before):
        yield f"It was published before {options.before}: the other methods may have read it."


def _nothing(options: RealPaperOptions) -> str:
    if options.paper.strip():
        return "The paper cannot be read: the library has neither its text nor its abstract."
    since = f" from {options.before} or later" if options.before else ""
    return f"The library has no paper on the topic{since} with a text or an abstract."


def _outcome(
    lab: Lab,
    topic: Topic,
    options: RealPaperOptions,
    source: _Source | None = None,
    idea: Idea | None = None,
    experiment: Experiment | None = None,
    notes: Sequence[str] = (),
) -> Ideation:
    """Not as other generators conclude: the experiment is the paper's, neither designed nor reviewed."""
    citations = (*(idea.citations if idea else ()), *(experiment.citations if experiment else ()))
    ids = [each.paper_id for each in citations if each.paper_id] + ([source.paper.id] if source else [])
    return Ideation(
        topic=topic.text,
        method=NAME,
        options=options.model_dump(mode="json"),
        candidates=(Candidate(idea=idea),) if idea else (),
        drafts=(ExperimentDraft(experiment=experiment),) if experiment else (),
        papers=tuple(lab.library.get_many(dict.fromkeys(ids))),
        notes=tuple(notes),
    )
