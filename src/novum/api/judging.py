"""Ideas reviewed, filtered, scored, selected, compared and checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias, Unpack

from novum.api.ideas import IdeationResult
from novum.api.running import RunOptions, SettingOptions, checked, opened, synchronous
from novum.core import Idea, Scorecard, Subject, shorten
from novum.core.reviewing import Reviews
from novum.errors import BadInput
from novum.files.tables import Row, read_rows
from novum.idea_metrics.corpus import LONGEST_TEXT
from novum.idea_metrics.duplicates import DuplicateThreshold
from novum.idea_metrics.model import embedded
from novum.idea_metrics.portfolio import Portfolio
from novum.idea_metrics.saved_models import DEFAULT, load_model
from novum.idea_metrics.selection import PoolIdea
from novum.idea_metrics.selection import select as select_entries
from novum.idea_metrics.set_diversity import near_duplicates_in
from novum.judges.acceptance import KeepRule
from novum.judges.reviewer import USUAL_STANCES
from novum.reports.reviews import write_reviews
from novum.runs.bulk import BulkResult
from novum.runs.bulk.turns import idea_from_row
from novum.runs.filter import FILTER, FilterResult, FilterTask, QueuedIdea, filter_folder, queue_ideas
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
from novum.settings import LoadedSettings

Ideas: TypeAlias = "IdeationResult | BulkResult | Path | Idea | str | Iterable[Idea | str]"
"""Ideas as they come: an outcome of `ideate` or `ideate_many`, a table of ideas (JSONL, CSV), ideas, or texts."""
_TITLE = 90


def ideas_from(ideas: Ideas, topic: str = "") -> list[Idea]:
    """The ideas as records. Of a text, the first line is the title. Raises BadInput where there is none."""
    found = [each.idea for each in _waiting(ideas, topic)]
    if not found:
        raise BadInput("There is no idea. Give ideas, texts, a table of ideas, or the outcome of ideate().")
    return found


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

    `topic`: of texts. `rounds`: so many times at most an idea is revised for its reviews and reviewed again.
    `with_papers`: reviewers see the nearest papers of the library. `judges` (a setting) write the reports, `decider`
    decides; by default the first judge. `out`: a folder for the report.
    """
    found = tuple(ideas_from(ideas, topic))
    async with opened(options) as place:
        refereeing = review_protocol(
            place.workplace.settings, decider=decider, reports=reports, stances=stances, rounds=rounds,
            with_papers=with_papers,
        )  # fmt: skip
        reviews = await place.start(REVIEW, ReviewTask(ideas=found, refereeing=refereeing))
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

    `keep`: a number of ideas (20), or a share of them (0.05); by default those that are accepted. `accept_only`: of
    these only what is accepted. The rest as for `review`.
    """
    number, share = (keep, None) if isinstance(keep, int) else (None, keep)
    kept = checked(KeepRule, number=number, share=share, accepted_only=accept_only)
    async with opened(options) as place:
        settings = place.workplace.settings
        refereeing = review_protocol(
            settings, decider=decider, reports=reports, stances=stances, rounds=rounds, with_papers=with_papers
        )
        queue = queue_ideas(_waiting(ideas, topic), filter_folder(settings))
        task = FilterTask(spool=queue.name, ideas=queue.ideas, refereeing=refereeing, keep=kept)
        return await place.start(FILTER, task)


async def score_async(
    ideas: Ideas,
    *,
    topic: str = "",
    metrics: str = DEFAULT,
    explain: bool = True,
    **settings: Unpack[SettingOptions],
) -> list[Scorecard]:
    """Scores ideas by a fitted model (`fit_metrics`): Creativity Index, User Satisfaction Score and their parts. Asks
    no language model. `explain`: with the reason of each number; without it scoring is several times as fast."""
    subjects = [Subject.of_idea(idea) for idea in ideas_from(ideas, topic)]
    async with opened(settings) as place:
        model = load_model(metrics, place.workplace.settings.metrics_folder, place.workplace.library.embedder)
        return await model.score(subjects, explain=explain)


async def select_async(
    ideas: Ideas,
    *,
    k: int = 10,
    by: str = "combined",
    balance: float = 0.5,
    metrics: str = DEFAULT,
    near: float | None = None,
    topic: str = "",
    **settings: Unpack[SettingOptions],
) -> Portfolio:
    """The `k` best ideas that differ from each other, in the order in which they were selected. Asks no language model.

    `by`: a score of the fitted model, or one of its parts. `balance`: 0 for the best ideas, 1 for the most different
    ones, which needs no fitted model. `near`: the cosine from which two are near-duplicates; by default as the library
    says.
    """
    found = ideas_from(ideas, topic)
    subjects = [Subject.of_idea(idea) for idea in found]
    async with opened(settings) as place:
        library = place.workplace.library
        scores: list[float | None] = [None] * len(found)
        if balance < 1:
            model = load_model(metrics, place.workplace.settings.metrics_folder, library.embedder)
            scores = [_score(card, by) for card in await model.score(subjects, explain=False)]
        vectors = await embedded([subject.whole[:LONGEST_TEXT] for subject in subjects], library.embedder)
        threshold = (
            DuplicateThreshold(cosine=near, why="as given") if near is not None else await near_duplicates_in(library)
        )
        entries = [PoolIdea(idea, "", score) for idea, score in zip(found, scores, strict=True)]
        return select_entries(entries, vectors, k, by=by, balance=balance, threshold=threshold)


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
    found = tuple(ideas_from(ideas, topic))
    async with opened(options) as place:
        return await place.start(RUBRIC_MARKS, RubricTask(ideas=found, judges=judges_of(place.workplace.settings)))


def judges_of(settings: LoadedSettings) -> tuple[str, ...]:
    """The judges of the settings, each once."""
    return tuple(str(judge) for judge in dict.fromkeys(settings.model_roles().judges))


def _waiting(ideas: Ideas, topic: str) -> Iterator[QueuedIdea]:
    """The ideas with the rows of their tables."""
    if isinstance(ideas, IdeationResult):
        ideas = ideas.ideas
    if isinstance(ideas, BulkResult):
        yield from (_of_row(row, ideas.file) for row in ideas.rows())
    elif isinstance(ideas, Path):
        yield from (_of_row(row, str(ideas)) for _, row in read_rows(ideas))
    else:
        for each in (ideas,) if isinstance(ideas, Idea | str) else ideas:
            idea = _of_text(each, topic) if isinstance(each, str) else each
            yield QueuedIdea(idea=idea, row=idea.model_dump(mode="json", exclude={"id"}), source="")


def _of_row(row: Row | str, source: str) -> QueuedIdea:
    if isinstance(row, str):
        raise BadInput(f"{source}: {row}.")
    words = {
        name: str(row.get(name) or "") for name in ("topic", "title", "motivation", "novelty", "method", "summary")
    }
    if not any(words.values()):
        raise BadInput(f"{source}: a row has none of the columns title, motivation, novelty, method, summary.")
    return QueuedIdea(idea=idea_from_row(dict(row) | words), row=dict(row), source=source)


def _of_text(text: str, topic: str) -> Idea:
    title = shorten(text.strip().partition("\n")[0].strip(), _TITLE)
    if not title:
        raise BadInput("An idea has no words. Put it in a sentence or an abstract.")
    return Idea(topic=topic, title=title, motivation="", novelty="", method="", summary=text.strip())


def _score(card: Scorecard, by: str) -> float | None:
    if by in card.parts:
        return card.parts[by].scaled
    return card.of(by)


review = synchronous(review_async)
filter = synchronous(filter_async)  # named as the command is
score = synchronous(score_async)
select = synchronous(select_async)
win_rate = synchronous(win_rate_async)
rubric = synchronous(rubric_async)

__all__ = [
    "filter", "filter_async", "review", "review_async", "rubric", "rubric_async", "score", "score_async", "select",
    "select_async", "win_rate", "win_rate_async",
]  # fmt: skip
