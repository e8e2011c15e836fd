"""Fit a metrics model to a library and store it, after a search for the number of clusters where that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.errors import BadInput
from novum.files.atomic import write_all_atomic
from novum.idea_metrics.card import ModelCard
from novum.idea_metrics.clusters import elbow_curve, knee
from novum.idea_metrics.corpus import Corpus, read_corpus
from novum.idea_metrics.fit import MetricFit, Progress, fit_model
from novum.idea_metrics.report.plots import elbow_plot
from novum.idea_metrics.settings import FitSettings
from novum.literature import Filters, Library
from novum.literature.filters import EVERYTHING
from novum.reports.charts.drawing import png, svg

_GRID = (2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300, 450, 675, 1000)
"""Numbers of clusters to try, each about half as large again as the one before."""
_MIN_PAPERS_PER_CLUSTER = 10


@dataclass(frozen=True)
class StoredFit:
    """A fitted model on disk."""

    card: ModelCard
    folder: Path
    curve: Sequence[tuple[int, float]] = ()
    """Of the search: numbers of clusters with the sum of squares within clusters."""
    knee: int | None = None
    """The number of clusters at the knee of the curve; None where it has none."""


async def fit_to_folder(
    library: Library,
    settings: FitSettings,
    folder: Path,
    filters: Filters = EVERYTHING,
    *,
    search_clusters: bool = False,
    progress: Progress = lambda step: None,
) -> StoredFit:
    """Fits all metrics to the papers of `library` that pass `filters`, and writes the model to `folder`.

    `search_clusters`: choose the number of clusters at the knee of the elbow curve, which is drawn to `elbow.svg` and
    `elbow.png` beside the model; without a knee the number in `settings` is used. `progress` is called with the name of
    each step. Raises BadInput where there are too few papers or the folder cannot be written, LibraryError where the
    library cannot be read.
    """
    curve: list[tuple[int, float]] = []
    number: int | None = None
    progress("papers")
    corpus = await read_corpus(library, filters)
    if search_clusters:
        progress("number of clusters")
        curve, number = _search_clusters(corpus, settings.seed)
        settings = settings.model_copy(update={"clusters": number or settings.clusters})
    model = await fit_model(MetricFit(corpus, settings, filters), library.embedder, progress)
    model.save(folder)
    _write_elbow(folder, curve, number)
    return StoredFit(model.card, folder, curve, number)


def _search_clusters(corpus: Corpus, seed: int) -> tuple[list[tuple[int, float]], int | None]:
    grid = [clusters for clusters in _GRID if clusters * _MIN_PAPERS_PER_CLUSTER <= len(corpus)]
    curve = elbow_curve(corpus.vectors, grid, seed)
    at = knee([clusters for clusters, _ in curve], [within for _, within in curve])
    return curve, None if at is None else curve[at][0]


def _write_elbow(folder: Path, curve: Sequence[tuple[int, float]], number: int | None) -> None:
    """Draws the curve of a search; without one, removes the plot of an earlier model, which is no longer true."""
    files = folder / "elbow.svg", folder / "elbow.png"
    try:
        if curve:
            image = svg(elbow_plot(curve, number))
            write_all_atomic({files[0]: image, files[1]: png(image)})
        else:
            for file in files:
                file.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(
            f"The model is in {folder}; its plot cannot be written there: {error.strerror or error}."
        ) from error
