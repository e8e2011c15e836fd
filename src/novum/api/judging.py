"""Ideas reviewed, filtered, scored, selected, compared and checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias, Unpack

from novum.api.ideas import IdeationResult
from novum.api.running import RunOptions, SettingOptions, checked, opened, synchronous
from novum.core import Idea, Scorecard, Subject
from novum.core.reviewing import Reviews
from novum.errors import BadInput
from novum.idea_metrics.portfolio import Portfolio
from novum.idea_metrics.saved_models import DEFAULT, load_model
from novum.judges.acceptance import KeepRule
from novum.judges.reviewer import USUAL_STANCES
from novum.reports.reviews import write_reviews
from novum.runs.bulk import BulkResult
from novum.runs.filter import FILTER, FilterResult, FilterTask, QueuedIdea, filter_folder, queue_ideas
from novum.runs.idea_sources import IdeaReader, SourcedIdea, idea_of_row, idea_of_text
from novum.runs.judge import (
    RUBRIC_MARKS,
    WIN_RATE,
    Contest,
    IdeaPair,
    RubricMarks,
    RubricTask,
    WinRates,
    WinRateTask,
)
from novum.runs.review import REVIEW, ReviewTask, review_protocol
from novum.runs.selection import SelectionOptions, select_ideas
from novum.settings import LoadedSettings, load_settings

Ideas: TypeAlias = "IdeationResult | BulkResult | Path | Idea | str | Iterable[Idea | str]"
"""Forms of ideas: an outcome of `ideate` or `ideate_many`, a file (a table of ideas in JSONL or CSV, the report.json of
a run, a text), idea records, or texts."""


def ideas_from(ideas: Ideas, topic: str = "") -> list[Idea]:
    """The ideas as records. `topic`: of texts and rows without one. A text of several lines has its title on the first.
    Raises BadInput where there is no idea, or one cannot be read."""
    return [each.idea for each in _sourced(ideas, topic)]


async def review_async(
    ideas: Ideas,
    *,
    topic: str = "",
    reports: int = 3,
    stances: Sequence[str] = USUAL_STANCES,
    rounds: int = 0,
    with_papers: bool = False,
    decider: str = "",
    out: str | Path | None = None,
    **options: Unpack[RunOptions],
) -> Reviews:
    """Reviews ideas: several reports on each, a decision on the reports, and a utility from 0 to 1; best first.

    `topic`: of texts. `rounds`: how often an idea is at most revised for its reviews and reviewed again.
    `with_papers`: reviewers see the nearest papers of the library. `judges` (a setting) write the reports, `decider`
    decides; by default the first judge. `out`: a folder for the report.
    """
    given = tuple(ideas_from(ideas, topic))
    async with opened(options) as place:
        refereeing = review_protocol(
            place.workplace.settings, decider=decider, reports=reports, stances=stances, rounds=rounds,
            with_papers=with_papers,
        )  # fmt: skip
        reviews = await place.start(REVIEW, ReviewTask(ideas=given, refereeing=refereeing))
    if out is not None:
        write_reviews(reviews, Path(out))
    return reviews


async def filter_async(
    ideas: Ideas,
    *,
    keep: int | float | None = None,
    accept_only: bool = False,
    topic: str = "",
    reports: int = 3,
    stances: Sequence[str] = USUAL_STANCES,
    rounds: int = 0,
    with_papers: bool = False,
    decider: str = "",
    **options: Unpack[RunOptions],
) -> FilterResult:
    """Reviews any number of ideas, ranks them by utility and keeps the best. `ranked()` of the outcome gives all.

    `keep`: a number of ideas (20), or a share of them (0.05); by default all accepted ones. `accept_only`: keep only
    accepted ideas. The other arguments are those of `review`.
    """
    number, share = (keep, None) if isinstance(keep, int) else (None, keep)
    rule = checked(KeepRule, number=number, share=share, accepted_only=accept_only)
    queued = (QueuedIdea(idea=one.idea, row=dict(one.row), source=one.source) for one in _sourced(ideas, topic))
    async with opened(options) as place:
        settings = place.workplace.settings
        refereeing = review_protocol(
            settings, decider=decider, reports=reports, stances=stances, rounds=rounds, with_papers=with_papers
        )
        queue = queue_ideas(queued, filter_folder(settings))
        task = FilterTask(spool=queue.name, ideas=queue.ideas, refereeing=refereeing, keep=rule)
        return await place.start(FILTER, task)


async def score_async(
    ideas: Ideas,
    *,
    topic: str = "",
    metrics: str = DEFAULT,
    explain: bool = True,
    **settings: Unpack[SettingOptions],
) -> list[Scorecard]:
    """Scores ideas by a fitted model (`fit_metrics`): Creativity Index, User Satisfaction Score and their parts. Calls
    no language model. `explain`: with the reason of each number; without it scoring is several times as fast."""
    subjects = [each.subject for each in _sourced(ideas, topic)]
    async with opened(settings) as place:
        model = load_model(metrics, place.workplace.settings.metrics_folder, place.workplace.library.embedder)
        return await model.score(subjects, explain=explain)


async def select_async(
    ideas: Ideas,
    *,
    k: int = 10,
    by: str | None = None,
    balance: float = 0.5,
    metrics: str | None = None,
    near: float | None = None,
    topic: str = "",
    **settings: Unpack[SettingOptions],
) -> Portfolio:
    """The `k` best ideas that differ from each other, in the order of their selection. Calls no language model.

    `by`: `rating`, a score of the fitted model, one of its parts, or a column of numbers in a table; by default
    `rating`, or `combined` where more than a tenth of the ideas have no predicted rating.
    `balance`: 0 for the best ideas, 1 for the most different ones, which needs no fitted model. `near`: the cosine from
    which two are near-duplicates; by default calibrated on the library.
    """
    pool = list({each.idea.id: each for each in _sourced(ideas, topic)}.values())
    async with opened(settings) as place:
        return await select_ideas(place.workplace, pool, k, SelectionOptions(by, balance, metrics, near))


async def win_rate_async(
    ideas: Ideas,
    baseline: Ideas,
    *,
    names: tuple[str, str] = ("ideas", "baseline"),
    protocol: str = "win-rate",
    **options: Unpack[RunOptions],
) -> WinRates:
    """How often ideas win against others on the same topic: novelty, feasibility, effectiveness, detailedness, overall.

    Ideas on one topic are paired in their order. Each judge compares each pair in both orders. `protocol`: the name
    of a pairwise judge. Raises BadInput where the two sides have no topic in common.
    """
    others: dict[str, list[Idea]] = {}
    for idea in ideas_from(baseline):
        others.setdefault(idea.topic, []).append(idea)
    pairs = [
        IdeaPair(topic=idea.topic, subject=idea, baseline=others[idea.topic].pop(0))
        for idea in ideas_from(ideas)
        if others.get(idea.topic)
    ]
    if not pairs:
        raise BadInput("The ideas and the baseline have no topic in common: ideas are compared on the same topic.")
    contest = Contest(subject=names[0], baseline=names[1], pairs=tuple(pairs))
    async with opened(options) as place:
        judges = judges_of(place.workplace.settings)
        return await place.start(WIN_RATE, WinRateTask(contests=(contest,), judges=judges, protocol=protocol))


async def rubric_async(ideas: Ideas, *, topic: str = "", **options: Unpack[RunOptions]) -> RubricMarks:
    """Which of six properties the ideas have: specific, flawless, justified, efficient, ethical, consistent."""
    given = tuple(ideas_from(ideas, topic))
    async with opened(options) as place:
        return await place.start(RUBRIC_MARKS, RubricTask(ideas=given, judges=judges_of(place.workplace.settings)))


def judges_of(settings: LoadedSettings) -> tuple[str, ...]:
    """The judges of the settings, each once."""
    return tuple(str(judge) for judge in dict.fromkeys(settings.model_roles().judges))


def _sourced(ideas: Ideas, topic: str) -> Iterator[SourcedIdea]:
    """The ideas with the rows of their tables, one in memory at a time where they are in a file."""
    reader = IdeaReader(load_settings(), topic)
    number = 0
    for number, each in enumerate(_ideas_in(ideas, reader), 1):
        if each is None:
            raise BadInput(f"Idea {number} has no text. Put it in a sentence or an abstract.")
        yield each
    if reader.log.why:
        raise BadInput(f"{reader.log.why[0]}.")
    if not number:
        raise BadInput("There is no idea. Give ideas, texts, a table of ideas, or the outcome of ideate().")


def _ideas_in(ideas: Ideas, reader: IdeaReader) -> Iterator[SourcedIdea | None]:
    if isinstance(ideas, IdeationResult):
        ideas = ideas.ideas
    if isinstance(ideas, BulkResult):
        yield from (idea_of_row(row, ideas.file, reader.topic) for row in ideas.rows())
    elif isinstance(ideas, Path):
        if not ideas.exists():
            raise BadInput(f"There is no file {ideas}.")
        yield from reader.read([str(ideas)])
    else:
        for each in (ideas,) if isinstance(ideas, Idea | str) else ideas:
            yield idea_of_text(each, "", reader.topic) if isinstance(each, str) else _of_record(each)


def _of_record(idea: Idea) -> SourcedIdea:
    return SourcedIdea(idea, Subject.of_idea(idea), "", idea.model_dump(mode="json", exclude={"id"}), {})


review = synchronous(review_async)
filter = synchronous(filter_async)  # the name of the command
score = synchronous(score_async)
select = synchronous(select_async)
win_rate = synchronous(win_rate_async)
rubric = synchronous(rubric_async)

__all__ = [
    "filter", "filter_async", "review", "review_async", "rubric", "rubric_async", "score", "score_async", "select",
    "select_async", "win_rate", "win_rate_async",
]  # fmt: skip
