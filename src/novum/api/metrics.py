"""Metrics of ideas: fitted to a library, tuned to people's ratings, and validated by known outcomes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Unpack

from novum.api.running import SettingOptions, checked, opened, synchronous
from novum.benchmarks.metric_validation.outcomes import check_files, check_library
from novum.benchmarks.metric_validation.report.page import write_validation
from novum.benchmarks.metric_validation.report.records import Validation
from novum.benchmarks.metric_validation.study import ValidationOptions, validate_model
from novum.errors import BadInput
from novum.idea_metrics.card import ModelCard
from novum.idea_metrics.folder import check_place
from novum.idea_metrics.idea_ratings import RatingScale, read_ratings
from novum.idea_metrics.library_fit import fit_to_folder
from novum.idea_metrics.saved_models import DEFAULT, find_model_folder, load_model, new_model_folder
from novum.idea_metrics.settings import FitSettings
from novum.idea_metrics.tuned_model import ModelTuning, tune_model
from novum.literature import Filters
from novum.runs.engine import ensure_library


async def fit_metrics_async(
    *,
    name: str = DEFAULT,
    clusters: int | Literal["elbow"] = 150,
    originality: Literal["published", "corrected"] = "corrected",
    top_cited: int = 1000,
    citation_weights: Literal["log", "count", "equal"] = "log",
    topics: int = 50,
    since: dt.date | None = None,
    before: dt.date | None = None,
    fields: Sequence[str] = (),
    venues: Sequence[str] = (),
    **settings: Unpack[SettingOptions],
) -> ModelCard:
    """Fits the metrics of ideas to the papers of the library, and stores them under `name` for `score` and `select`.

    Takes seconds for a thousand papers and calls no language model. `clusters="elbow"` searches for the number of
    clusters and stores a plot of the curve. `since`, `before`, `fields`, `venues`: which papers. The other arguments
    are the options of `novum metrics fit`.
    """
    filters = Filters(since=since, before=before, fields=tuple(fields), venues=tuple(venues))
    search = clusters == "elbow"
    async with opened(settings) as place:
        ensure_library(place.workplace)
        own = place.workplace.settings
        folder = new_model_folder(name, own.metrics_folder)
        check_place(folder)
        fit = checked(
            FitSettings, name=name, clusters=150 if search else clusters, originality=originality, top_cited=top_cited,
            citation_weights=citation_weights, topics=topics, seed=own.values.seed,
        )  # fmt: skip
        return (await fit_to_folder(place.workplace.library, fit, folder, filters, search_clusters=search)).card


async def tune_metrics_async(
    ratings: str | Path,
    *,
    metrics: str = DEFAULT,
    scale: str = "1-5",
    creativity: bool = False,
    ablation: bool = False,
    name: str = "",
    force: bool = False,
    dry_run: bool = False,
    **settings: Unpack[SettingOptions],
) -> ModelTuning:
    """Fits the User Satisfaction Score of a fitted model to people's ratings, and measures how well the two agree.

    `ratings`: a table of rated or compared ideas (JSONL, CSV). `scale`: of ratings whose row has no low and high.
    `creativity`: fit the weights of the Creativity Index too. `ablation`: also measure what each metric contributes.
    `name`: store the result as a new model. `force`: accept weights that agree no better with people. `dry_run`: store
    nothing. Raises BadInput for fewer than 20 rated ideas. Calls no language model.
    """
    try:
        rated = read_ratings([Path(ratings)], RatingScale.parse(scale))
    except ValueError as error:
        raise BadInput(f"scale: {error}.") from error
    async with opened(settings) as place:
        own = place.workplace.settings
        return await tune_model(
            find_model_folder(metrics, own.metrics_folder), place.workplace.library.embedder, rated,
            new_folder=new_model_folder(name, own.metrics_folder) if name else None, new_name=name,
            creativity=creativity, with_ablation=ablation, force=force, dry_run=dry_run, seed=own.values.seed,
        )  # fmt: skip


async def validate_metrics_async(
    *outcomes: str | Path,
    metrics: str = DEFAULT,
    citations: bool = False,
    across_venues: bool = False,
    subsets: Sequence[str] = (),
    with_known: bool = False,
    novelty: bool = False,
    bootstrap_samples: int = 1000,
    out: str | Path | None = None,
    **settings: Unpack[SettingOptions],
) -> Validation:
    """Compares every metric of a fitted model with what became of papers and ideas, beside the length of the text.

    `outcomes`: files of reviews or of ideas that people scored; `subsets`: of the latter only these. `citations`: also
    the citations of the library's papers, within a venue and year or, with `across_venues`, within a year.
    `with_known`: also papers that the model was fitted to. `novelty`: also literature novelty. `out`: a folder for the
    report. Raises BadInput where there is nothing to compare with, or no library where one is named. Calls no language
    model.
    """
    files = tuple(map(Path, outcomes))
    citations = citations or across_venues
    if not files and not citations:
        raise BadInput("Name files of outcomes (reviews, scored ideas), or set citations=True.")
    check_files(files)
    if named := settings.get("library"):
        check_library(str(named))
    async with opened(settings) as place:
        own, library = place.workplace.settings, place.workplace.library
        options = ValidationOptions(
            files, tuple(subsets), citations, across_venues, with_known, bootstrap_samples, own.values.seed
        )
        model = load_model(metrics, own.metrics_folder, library.embedder)
        validation = await validate_model(model, library, options, novelty=novelty)
    if out is not None:
        write_validation(validation, Path(out))
    return validation


fit_metrics = synchronous(fit_metrics_async)
tune_metrics = synchronous(tune_metrics_async)
validate_metrics = synchronous(validate_metrics_async)

__all__ = [
    "fit_metrics", "fit_metrics_async", "tune_metrics", "tune_metrics_async", "validate_metrics",
    "validate_metrics_async",
]  # fmt: skip
