"""The rows that a recipe asks of a data set, from what is known of each."""

from __future__ import annotations

from novum.errors import BadInput
from novum.training.finetuning.review_set import ReviewSet
from novum.training.finetuning.selection import SelectedRows, choose_papers, choose_rows, rating_values
from novum.training.recipes.recipe import Recipe


def select_rows(reviews: ReviewSet, recipe: Recipe) -> SelectedRows:
    """Raises BadInput where there is nothing to learn from."""
    about, wanted = reviews.about("train"), recipe.rows
    training = choose_rows(about, wanted, recipe.seed)
    if not training:
        named = ", ".join(task for task, share in wanted.tasks.items() if share)
        raise BadInput(
            f"{reviews.folder} has no training row of {named}: build it from more reviews, or change rows.tasks "
            "(idea tasks need --strip or --annotate when the data are built)."
        )
    there = {each.task for each in about}
    held_out = reviews.about(recipe.held_out.split)
    shared = {"papers": None}
    measured = wanted.model_copy(update=shared | {"most": recipe.held_out.rows})
    by_which = wanted.model_copy(update=shared | {"most": recipe.held_out.choosing_rows})
    read_at_start = reviews.rating_at == "start" and recipe.held_out.papers
    validation = reviews.about("validation") if recipe.held_out.choosing_rows else []
    choosing = choose_rows(validation, by_which, recipe.seed)
    taken = frozenset(choosing if recipe.held_out.split == "validation" else ())
    found = choose_rows(held_out, measured, recipe.seed) if recipe.held_out.rows else ()
    return SelectedRows(
        training=training,
        held_out=tuple(row for row in found if row not in taken),
        choosing=choosing,
        rated=choose_papers(held_out, recipe.held_out.papers, recipe.seed) if read_at_start else (),
        values=rating_values(about, training),
        left_tasks=tuple(task for task, share in wanted.tasks.items() if share and task not in there),
    )
