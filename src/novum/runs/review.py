"""Reviews of ideas as durable runs: several reports and a decision on each idea, with revisions on request.

async with Workplace(load_settings()) as workplace:
    reviews = await start(REVIEW, workplace, ReviewTask(ideas=…, refereeing=Reviewing(judges=…, …)))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import Field, JsonValue, ValidationError

from novum.core import Account, Idea, Paper
from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.core.reviewing import ReviewedIdea, ReviewerReport, ReviewRound, Reviews, Revision
from novum.errors import BadInput
from novum.judges.novelty import nearest_papers
from novum.judges.reporter import ReviewSubject, write_free_review
from novum.judges.reviewer import STANCES, USUAL_STANCES, ReviewerAssignment, assign_reviewers, review_idea
from novum.judges.revision import revise_idea
from novum.judges.verdict import decide_on_reviews
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.literature import Filters
from novum.llm import ModelName, conduct
from novum.reports.phrases import count
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models, ensure_library
from novum.settings import LoadedSettings

MOST_REPORTS, MOST_ROUNDS = 12, 10


class ReviewProtocol(Value):
    """How ideas are reviewed, and by which models (`provider:model`)."""

    judges: Annotated[tuple[str, ...], Field(min_length=1)]
    """The reviewers. Reports are spread over them."""
    decider: str
    writer: str
    """The model that revises ideas, where `rounds` is above 0."""
    reports: Annotated[int, Field(ge=1, le=MOST_REPORTS)] = 3
    stances: Annotated[tuple[str, ...], Field(min_length=1)] = USUAL_STANCES
    """Used in turn. Trained reviewer models take no stance."""
    with_papers: bool = False
    """Show reviewers the nearest papers of the library; trained reviewer models get none."""
    rounds: Annotated[int, Field(ge=0, le=MOST_ROUNDS)] = 0
    """Maximum number of revisions."""

    @property
    def asks_for_forms(self) -> bool:
        """Whether any reviewer fills in a form. Otherwise all write prose, without stances and papers."""
        return not all(ModelName.parse(name).provider.writes_reports for name in self.judges)

    @property
    def models(self) -> tuple[ModelName, ...]:
        """All models that take part."""
        return tuple(map(ModelName.parse, (*self.judges, self.decider, *([self.writer] if self.rounds else []))))


class ReviewTask(Value):
    """The ideas, and how they are reviewed."""

    ideas: Annotated[tuple[Idea, ...], Field(min_length=1)]
    refereeing: ReviewProtocol


def check_reviewers(refereeing: ReviewProtocol) -> None:
    """Raises BadInput for an unknown stance, and for a trained reviewer model that should decide or revise."""
    unknown = [name for name in refereeing.stances if name not in STANCES]
    if unknown:
        raise BadInput(f"There is no stance {unknown[0][:40]!r}: choose of {', '.join(STANCES)}.")
    for job, option, name in (("decide", "--decider", refereeing.decider), ("revise", "--model", refereeing.writer)):
        if (model := ModelName.parse(name)).provider.writes_reports:
            raise BadInput(f"{model.short} writes reports and cannot {job}: name another model by {option}.")


def review_protocol(
    settings: LoadedSettings, *, judges: Sequence[ModelName] = (), decider: str = "", reports: int = 3,
    stances: Sequence[str] = USUAL_STANCES, with_papers: bool = False, rounds: int = 0,
) -> ReviewProtocol:  # fmt: skip
    """How ideas are reviewed, with the models of the settings where none are named. Without a `decider`, the first
    judge decides that can fill in a form. Raises BadInput."""
    roles = settings.model_roles()
    judges = list(judges) or list(roles.judges)
    forms = [each for each in (*judges, roles.reader, roles.writer) if not each.provider.writes_reports]
    decides = settings.model_named(decider) if decider else (forms or judges)[0]
    try:
        refereeing = ReviewProtocol(
            judges=tuple(str(judge) for judge in dict.fromkeys(judges)),
            decider=str(decides),
            writer=str(roles.writer),
            reports=reports,
            stances=tuple(dict.fromkeys(stances)) or USUAL_STANCES,
            with_papers=with_papers,
            rounds=rounds,
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(f"{first['loc'][0]} cannot be used: {first['msg'].lower()}.") from error
    check_reviewers(refereeing)
    return refereeing


async def review_header(workplace: Workplace, title: str, refereeing: ReviewProtocol) -> RunHeader[Any]:
    """Checks models and library before anything is spent, and describes a run of reviews. Raises BadInput,
    ModelRefusedUs or LibraryError."""
    check_reviewers(refereeing)
    if refereeing.with_papers:
        ensure_library(workplace)
    await check_models(workplace, refereeing.models)
    options = refereeing.model_dump(mode="json") | {
        "judges": [ModelName.parse(name).short for name in refereeing.judges],
        "decider": ModelName.parse(refereeing.decider).short,
        "writer": ModelName.parse(refereeing.writer).short if refereeing.rounds else None,
        "stances": list(refereeing.stances) if refereeing.asks_for_forms else None,
    }
    roles: dict[str, JsonValue] = {"judges": list(refereeing.judges), "writer": refereeing.writer}
    return RunHeader(title, options, "review", roles)


async def _prepare(workplace: Workplace, task: ReviewTask) -> RunHeader[ReviewTask]:
    first = task.ideas[0]
    title = first.title if len(task.ideas) == 1 else f"{count(len(task.ideas), 'idea')}, {first.title}"
    return await review_header(workplace, f"Review: {title}", task.refereeing)


async def _carry_out(lab: Lab, record: RunRecord, task: ReviewTask) -> SessionResult[Reviews]:
    lab = lab.going_on()
    done = await run_concurrently(_in_a_step(lab, number, idea, task) for number, idea in enumerate(task.ideas, 1))
    ideas = tuple(sorted(done, key=lambda each: each.rank_key))
    papers = cited_papers(turn for each in ideas for turn in each.rounds) if task.refereeing.with_papers else []
    reviews = Reviews(
        ideas=ideas,
        papers=tuple(lab.library.get_many(papers)),
        options=options if isinstance(options := record.params.get("options"), dict) else {},
        reports=task.refereeing.reports,
        failures=sum(each.failures for each in ideas),
        account=await review_account(lab, record, task.refereeing),
    )
    return SessionResult(reviews, count=len(ideas))


REVIEW = RunKind("review", "a review of ideas", ReviewTask, Reviews, _prepare, _carry_out)


async def _in_a_step(lab: Lab, number: int, idea: Idea, task: ReviewTask) -> ReviewedIdea:
    with lab.run.step(f"idea {number}" if len(task.ideas) > 1 else "review"):
        return await review_until_done(lab, idea, task.refereeing)


def cited_papers(rounds: Iterable[ReviewRound]) -> list[str]:
    """The ids of the papers that criticisms cite."""
    every = (each for turn in rounds for report in turn.reports for each in report.criticisms)
    return list(dict.fromkeys(paper for each in every for paper in each.papers))


async def review_until_done(lab: Lab, idea: Idea, refereeing: ReviewProtocol) -> ReviewedIdea:
    """Reviews an idea, and revises and reviews it again while its utility rises."""
    turn = int(idea.id.rpartition("-")[2], 16)
    rounds, lost, ended = [await _round(lab, idea, refereeing, turn)], "", ""
    while not ended and len(rounds) <= refereeing.rounds:
        last = rounds[-1]
        if last.decision.utility is None:
            break
        writer = ModelName.parse(refereeing.writer)
        papers = lab.library.get_many(cited_papers([last])) if refereeing.with_papers else []
        rewritten = await conduct(lab.models, revise_idea(last.idea, last.reports, last.decision, writer, papers))
        if rewritten.idea is None:
            lost, ended = rewritten.revision.failure, "The writer gave no usable revision."
        elif rewritten.idea.id == last.idea.id:
            ended = "The writer left the idea as it was."
        else:
            rounds.append(await _round(lab, rewritten.idea, refereeing, turn, rewritten.revision))
            ended = _no_better(last, rounds[-1])
    return ReviewedIdea(rounds=tuple(rounds), ended=ended or _to_the_end(rounds, refereeing), lost_revision=lost)


def _no_better(before: ReviewRound, after: ReviewRound) -> str:
    """Why no further revision follows; empty where the utility rose."""
    was, now = before.decision.utility, after.decision.utility
    return "The utility rose no further." if was is not None and now is not None and now <= was else ""


def _to_the_end(rounds: Sequence[ReviewRound], refereeing: ReviewProtocol) -> str:
    if rounds[-1].decision.utility is None:
        return "Nothing could be decided."
    return "All rounds that were asked for." if refereeing.rounds else "No revision was asked for."


async def _round(
    lab: Lab, idea: Idea, refereeing: ReviewProtocol, turn: int, revision: Revision | None = None
) -> ReviewRound:
    with_papers = refereeing.with_papers and refereeing.asks_for_forms
    papers = await _papers_near(lab, idea) if with_papers else []
    judges = [ModelName.parse(name) for name in refereeing.judges]
    assignments = assign_reviewers(judges, refereeing.stances, refereeing.reports, turn)
    reports = tuple(await run_concurrently(_report(lab, idea, each, papers) for each in assignments))
    decision = await conduct(lab.models, decide_on_reviews(idea, reports, ModelName.parse(refereeing.decider), papers))
    return ReviewRound(idea=idea, revision=revision, reports=reports, decision=decision)


async def _papers_near(lab: Lab, idea: Idea) -> list[Paper]:
    return [hit.paper for hit in await nearest_papers(lab.library, idea, (), (), Filters())]


async def _report(lab: Lab, idea: Idea, assigned: ReviewerAssignment, papers: Sequence[Paper]) -> ReviewerReport:
    model, number, sample = assigned.model, assigned.number, assigned.sample
    if model.provider.writes_reports:
        return await conduct(lab.models, write_free_review(ReviewSubject.of(idea), model, number, sample))
    return await conduct(lab.models, review_idea(idea, model, assigned.stance, number, papers, sample))


async def review_account(lab: Lab, record: RunRecord, refereeing: ReviewProtocol) -> Account:
    """The account with the models that took part."""
    account = await account_of(lab, record)
    parts = {"referees": ", ".join(ModelName.parse(name).short for name in refereeing.judges)}
    parts["decision"] = ModelName.parse(refereeing.decider).short
    if refereeing.rounds:
        parts["writer"] = ModelName.parse(refereeing.writer).short
    offline = [ModelName.parse(name).provider.name == "offline" for name in (*refereeing.judges, refereeing.decider)]
    return account.model_copy(update={"models": parts, "demonstration": offline[-1] or all(offline[:-1])})
