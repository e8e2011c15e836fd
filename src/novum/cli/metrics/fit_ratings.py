"""`novum metrics fit --target ratings`: fit the predicted rating to reviewed papers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from novum.benchmarks.metric_validation.outcomes import OutcomeLog, check_files
from novum.benchmarks.metric_validation.reviewed_texts import read_reviewed_texts
from novum.cli.shell.options import read_date_or_year
from novum.cli.shell.terminal import one_line, print_json, print_line, print_message, print_table
from novum.errors import BadInput
from novum.idea_metrics.review_rating import RatingModel, fit_rating_model, save_rating_model
from novum.idea_metrics.review_rating.storage import own_model_folder
from novum.reports import phrases
from novum.settings import load_settings


def fit_ratings(reviews: Sequence[Path], before: str | None, *, as_json: bool, seed: int | None) -> None:
    """Fits and stores the model, and prints how far it agrees with reviewers. Raises BadInput for files that cannot be
    read or hold too few ratings."""
    if not reviews:
        raise BadInput("Name files of reviewed papers: novum metrics fit --target ratings reviews.jsonl.gz")
    check_files(reviews)
    day = read_date_or_year(before, "--before")
    log = OutcomeLog()
    papers = read_reviewed_texts(reviews, log)
    if day is not None:
        papers = [each for each in papers if each.year is not None and each.year < day.year]
    settings = load_settings()
    model = fit_rating_model(papers, seed=settings.values.seed if seed is None else seed)
    folder = own_model_folder(settings.metrics_folder)
    save_rating_model(model, folder)
    if as_json:
        print_json(model.card.model_dump(mode="json") | {"folder": str(folder)})
    else:
        _print(model, folder)
    for reason in log.why[:3]:
        print_message(f"Left out: {one_line(reason)}")


def _print(model: RatingModel, folder: Path) -> None:
    groups = ", ".join(f"{name} ({count:,})" for name, count in model.card.groups.items())
    print_line(one_line(f"Fitted to {groups}.", 600))
    rows = [(name, f"{each.papers:,}", phrases.number(each.spearman)) for name, each in model.card.aspects.items()]
    print_table(("score", "papers", "agreement with reviewers"), rows)
    print_line("Agreement: Spearman's correlation inside a venue and year, for papers that were left out of the fit.")
    print_line(f"Stored in {folder}. Now score ideas: novum score last")
