"""Select rows for training and evaluation by hash: the same seed gives the same rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from statistics import fmean

from novum.errors import BadInput
from novum.training.finetuning.conversations import ConversationSet, RowFacts
from novum.training.recipes.recipe import Recipe, Rows, RowTask

RATED: tuple[RowTask, ...] = ("original-review", "idea-review")
"""Tasks whose completion begins with a rating, in order of preference for a paper that has both."""


@dataclass(frozen=True, slots=True)
class RatedPaper:
    """A paper with real ratings, and the number of a row whose prompt asks for a review of it."""

    paper: str
    row: int
    rating: float
    """Mean of the ratings of its reviews, 0 to 1."""


@dataclass(frozen=True)
class SelectedRows:
    """Selected rows as numbers, counted from 0, in the files of their splits."""

    training: tuple[int, ...]
    held_out: tuple[int, ...] = ()
    choosing: tuple[int, ...] = ()
    rated: tuple[RatedPaper, ...] = ()
    values: tuple[float, ...] = ()
    """Different ratings of the training rows: those that a model may have learned to write."""
    left_tasks: tuple[str, ...] = field(default=())
    """Tasks of the recipe that the data set does not have."""


def select_training_rows(reviews: ConversationSet, recipe: Recipe) -> SelectedRows:
    """Select the rows for training and evaluation by the shares, limits and seed of `recipe`.

    Raises BadInput if no training row belongs to a task of the recipe.
    """
    about, settings = reviews.about("train"), recipe.rows
    training = choose_rows(about, settings, recipe.seed)
    if not training:
        names = ", ".join(task for task, share in settings.tasks.items() if share)
        raise BadInput(
            f"{reviews.folder} has no training row of {names}: build it from more texts (`{reviews.builder}`), or "
            "change rows.tasks (idea tasks of reviews need --strip or --annotate when the data are built)."
        )
    present = {each.task for each in about}
    held_out = reviews.about(recipe.held_out.split)
    no_paper_limit = {"papers": None}
    measured = settings.model_copy(update=no_paper_limit | {"most": recipe.held_out.rows})
    for_choosing = settings.model_copy(update=no_paper_limit | {"most": recipe.held_out.choosing_rows})
    read_at_start = reviews.rating_at == "start" and recipe.held_out.papers
    validation = reviews.about("validation") if recipe.held_out.choosing_rows else []
    choosing = choose_rows(validation, for_choosing, recipe.seed)
    excluded = frozenset(choosing if recipe.held_out.split == "validation" else ())
    candidates = choose_rows(held_out, measured, recipe.seed) if recipe.held_out.rows else ()
    return SelectedRows(
        training=training,
        held_out=tuple(row for row in candidates if row not in excluded),
        choosing=choosing,
        rated=choose_papers(held_out, recipe.held_out.papers, recipe.seed) if read_at_start else (),
        values=rating_values(about, training),
        left_tasks=tuple(task for task, share in settings.tasks.items() if share and task not in present),
    )


def choose_rows(about: Sequence[RowFacts], rows: Rows, seed: int) -> tuple[int, ...]:
    """Select rows, each task by its share. Returns row numbers in the order of the file."""
    papers = _sample_papers(about, rows.papers, seed) if rows.papers else None
    by_task: dict[RowTask, list[int]] = defaultdict(list)
    for number, each in enumerate(about):
        if rows.tasks.get(each.task, 0) > 0 and (papers is None or each.paper in papers):
            by_task[each.task].append(number)
    counts = _counts({task: len(numbers) for task, numbers in by_task.items()}, rows)
    selected = [
        number
        for task, numbers in by_task.items()
        for number in sorted(numbers, key=lambda number: _rank(about[number], seed))[: counts[task]]
    ]
    return tuple(sorted(selected))


def choose_papers(about: Sequence[RowFacts], most: int, seed: int) -> tuple[RatedPaper, ...]:
    """Select at most `most` papers that have a rating and a row that asks for a review."""
    prompts: dict[str, int] = {}
    ratings: dict[str, dict[int, float]] = defaultdict(dict)
    rated = [(number, each) for number, each in enumerate(about) if each.task in RATED]
    for number, each in sorted(rated, key=lambda item: (RATED.index(item[1].task), item[0])):
        prompts.setdefault(each.paper, number)
        if each.rating is not None:
            ratings[each.paper][each.review] = each.rating
    sample = sorted(ratings, key=lambda paper: _hash(f"{seed} {paper}"))[:most]
    return tuple(RatedPaper(paper, prompts[paper], fmean(ratings[paper].values())) for paper in sample)


def rating_values(about: Sequence[RowFacts], rows: Sequence[int]) -> tuple[float, ...]:
    """The different ratings of these rows, rounded to two digits as they are written."""
    values = {round(rating, 2) for number in rows if (rating := about[number].rating) is not None}
    return tuple(sorted(values))


def _counts(available: Mapping[RowTask, int], rows: Rows) -> dict[RowTask, int]:
    """Number of rows of each task: its share of `most`, else as many as the shares allow."""
    shares = {task: rows.tasks[task] for task in available}
    total = sum(shares.values())
    if not total:
        return {}
    wholes = {task: share / total for task, share in shares.items()}
    most = rows.most or min(available[task] / share for task, share in wholes.items())
    counts = {task: int(most * share) for task, share in wholes.items()}
    # Distribute what rounding down left over, largest remainder first; otherwise few rows could be none of every task.
    lost = sorted(wholes, key=lambda task: counts[task] - most * wholes[task])
    for task in lost[: round(most) - sum(counts.values())]:
        counts[task] += 1
    return {task: min(available[task], count) for task, count in counts.items()}


def _sample_papers(about: Sequence[RowFacts], most: int, seed: int) -> frozenset[str]:
    papers = {each.paper for each in about}
    return frozenset(sorted(papers, key=lambda paper: _hash(f"{seed} {paper}"))[:most])


def _rank(each: RowFacts, seed: int) -> bytes:
    return _hash(f"{seed} {each.task} {each.paper} {each.review}")


def _hash(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=8).digest()
