"""Fits all metrics to the papers of a library, and the distribution of their values among these papers."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from pydantic import JsonValue

from novum.core import Subject
from novum.core.arrays import Floats
from novum.idea_metrics.card import ModelCard, TrainingPapers
from novum.idea_metrics.coherence import Coherence
from novum.idea_metrics.corpus import Corpus, read_corpus
from novum.idea_metrics.feasibility import Feasibility
from novum.idea_metrics.known_titles import KnownTitles
from novum.idea_metrics.metric import IdeaMetric, SubjectBatch
from novum.idea_metrics.model import FittedMetrics, creativity_scale, embedded
from novum.idea_metrics.originality import Originality
from novum.idea_metrics.registered import registered_metrics
from novum.idea_metrics.settings import AS_PUBLISHED, FitSettings
from novum.literature import Embedder, Filters, Library
from novum.literature.filters import EVERYTHING
from novum.statistics.quantile_table import QuantileTable

SCALED_BY = 5000
"""Size of the random sample of papers whose values scale a raw number."""
Progress = Callable[[str], None]
"""A function that is called with the name of each step."""


@dataclass(frozen=True)
class MetricFit:
    """A fit: training papers, settings, and the filters by which the papers were selected."""

    corpus: Corpus
    settings: FitSettings = AS_PUBLISHED
    filters: Filters = EVERYTHING

    def part(self, kind: type[IdeaMetric]) -> IdeaMetric:
        """Fits one metric."""
        settings = self.settings
        if kind is Originality:
            return Originality.fit(self.corpus, settings.clusters, settings.seed)
        if kind is Feasibility:
            return Feasibility.fit(self.corpus, settings.top_cited, settings.citation_weights)
        if kind is Coherence:
            return Coherence.fit(self.corpus, settings.topics, seed=settings.seed)
        return kind.fit(self.corpus, seed=settings.seed)

    def card(self, embedder: Embedder, parts: dict[str, IdeaMetric]) -> ModelCard:
        """The card of the fitted model."""
        years = self.corpus.years[~np.isnan(self.corpus.years)]
        return ModelCard(
            settings=self.settings,
            made=dt.datetime.now(dt.UTC).replace(microsecond=0),
            learnt_from=TrainingPapers(
                papers=len(self.corpus),
                first_year=int(years.min()) if len(years) else None,
                last_year=int(years.max()) if len(years) else None,
                with_citations=int(np.isfinite(self.corpus.citations).sum()),
                before=self.filters.before,
                fields=self.filters.fields,
                venues=self.filters.venues,
            ),
            embedder=embedder.name,
            dimensions=self.corpus.vectors.shape[1],
            quality=dict(_qualities(parts)),
            sizes={name: size for part in parts.values() for name, size in getattr(part, "sizes", {}).items()},
        )


async def fit_metrics(
    library: Library,
    settings: FitSettings = AS_PUBLISHED,
    filters: Filters = EVERYTHING,
    progress: Progress = lambda step: None,
) -> FittedMetrics:
    """Fits all metrics to the papers that pass the filters. `progress` is called with the name of each metric.

    Raises BadInput where there are too few papers, LibraryError where the library cannot be read.
    """
    progress("papers")
    corpus = await read_corpus(library, filters)
    return await fit_model(MetricFit(corpus, settings, filters), library.embedder, progress)


async def fit_model(fitting: MetricFit, embedder: Embedder, progress: Progress = lambda step: None) -> FittedMetrics:
    """Fits all metrics to papers that were read already."""
    parts: dict[str, IdeaMetric] = {}
    for name, kind in registered_metrics().items():
        progress(name)
        await asyncio.sleep(0)  # lets Ctrl-C stop the fit between two long computations
        parts[name] = fitting.part(kind)
    progress("scales")
    batch = await sample_of(fitting.corpus, embedder, fitting.settings.seed)
    tables = {name: QuantileTable.of(_training_values(part, batch)) for name, part in parts.items()}
    scales = {name: table for name, table in tables.items() if table is not None}
    known = KnownTitles.of(paper.title for paper in fitting.corpus.papers)
    model = FittedMetrics(fitting.card(embedder, parts), parts, scales, embedder, known)
    return model.but(scales=_creativity_scales(model, batch))


def _training_values(part: IdeaMetric, batch: SubjectBatch) -> Floats:
    """Raw values of training papers, measured as if they had not been used where the metric can do that."""
    measured: Floats = getattr(part, "measure_own", part.measure)(batch)
    return measured


def _creativity_scales(model: FittedMetrics, batch: SubjectBatch) -> dict[str, QuantileTable]:
    """The distribution of the index among papers that are taken as ideas: without authors, references and venue."""
    nothing = {"authors": (), "references": (), "venue": "", "fields": (), "year": None}
    subjects = [subject.model_copy(update=nothing) for subject in batch.subjects]
    ideas = SubjectBatch(subjects, batch.vectors, batch.interests, batch.samples)
    raws = {name: _training_values(part, ideas) for name, part in model.parts.items()}
    cards = model.cards_of(ideas, raws, explain=False)
    values = {
        creativity_scale("published"): [card.creativity_published.value for card in cards],
        creativity_scale("corrected"): [card.creativity_corrected.value for card in cards],
    }
    tables = {name: QuantileTable.of([np.nan if each is None else each for each in of]) for name, of in values.items()}
    return {name: table for name, table in tables.items() if table is not None}


async def sample_of(corpus: Corpus, embedder: Embedder, seed: int, most: int = SCALED_BY) -> SubjectBatch:
    """A random sample of papers as subjects whose topic is their fields."""
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(len(corpus), size=min(most, len(corpus)), replace=False))
    subjects = [_on_its_fields(subject) for subject in corpus.subjects(rows)]
    topics = list(dict.fromkeys(subject.interests for subject in subjects))
    vectors = dict(zip(topics, await embedded(topics, embedder, corpus.vectors.shape[1]), strict=True))
    interests = np.stack([vectors[subject.interests] for subject in subjects])
    none = np.zeros((0, corpus.vectors.shape[1]), dtype=np.float32)
    return SubjectBatch(subjects, corpus.vectors[rows], interests, [none] * len(subjects))


def _on_its_fields(subject: Subject) -> Subject:
    return subject.model_copy(update={"topic": ", ".join(subject.fields)})


def _qualities(parts: dict[str, IdeaMetric]) -> Iterator[tuple[str, JsonValue]]:
    """Names and quality of the metrics that measured it when they were fitted."""
    for name, part in parts.items():
        if (quality := getattr(part, "quality", None)) is not None:
            yield name, quality.model_dump(mode="json") if hasattr(quality, "model_dump") else quality
