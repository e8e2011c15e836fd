"""Make a preference data set: read the candidates, build the pairs, write tables, card and plots.

The command line and the Python interface call `make_preference_set`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from novum.core import Subject
from novum.core.arrays import Vectors
from novum.core.version import installed_version
from novum.errors import BadInput
from novum.idea_metrics.coherence import Coherence
from novum.idea_metrics.corpus import read_corpus
from novum.idea_metrics.model import FittedMetrics, embedded
from novum.idea_metrics.review_rating import ReviewedText
from novum.lab import Workplace
from novum.literature import Filters
from novum.reports.charts.drawing import png, svg
from novum.reports.phrases import count, percent
from novum.training.preferences.building import BuildProgress, build_preferences, ignore_progress
from novum.training.preferences.card import CHARTS, render_data_card, score_plots
from novum.training.preferences.counting import build_card
from novum.training.preferences.files import README, names_of_files, write_preferences
from novum.training.preferences.pool import PairCandidate, candidates_of_ideas, candidates_of_papers
from novum.training.preferences.records import PreferenceCard, PreferenceSettings
from novum.training.preferences.rows import PROMPT

_FEWEST_JUDGED, _LEAST_RIGHT = 50, 0.55
"""Pairs rated by people from which a data set is judged, and the least share of them that must point the right way."""


@dataclass(frozen=True)
class PreferenceTask:
    """What a data set is made from, and where it is written.

    `filters`: of the library's papers; `ideas_only` leaves the papers out. `force` replaces a data set that is there.
    """

    folder: Path
    settings: PreferenceSettings
    filters: Filters = field(default_factory=Filters)
    ideas: Sequence[Subject] = ()
    ideas_only: bool = False
    parquet: bool = False
    force: bool = False
    ratings: Sequence[ReviewedText] = ()
    """Real ratings, which decide or check what is chosen."""


async def make_preference_set(
    workplace: Workplace, model: FittedMetrics, task: PreferenceTask, progress: BuildProgress = ignore_progress
) -> PreferenceCard:
    """Writes the data set, whole or not at all. `model` scores the candidates.

    Raises BadInput when there are too few pairs for three splits, when real ratings contradict the pairs (unless
    `task.force`), or the folder cannot be written.
    """
    candidates, vectors = await _candidates(workplace, model, task)
    coherence = model.parts.get(Coherence.name)
    topic_model = coherence.model if isinstance(coherence, Coherence) else None
    built = await build_preferences(
        candidates, vectors, model, task.settings, progress, topic_model=topic_model, ratings=task.ratings
    )
    prompt = workplace.prompts.get(PROMPT)
    card = build_card(
        built,
        name=f"Preferences between research ideas: {task.folder.name}",
        made_on=dt.datetime.now(dt.UTC).date().isoformat(),
        novum=installed_version(),
        library="; ".join(_sources(workplace, task)),
        model=_model_facts(model),
        prompt=f"{prompt.name}, version {prompt.version}, {prompt.digest}",
        files=names_of_files(parquet=task.parquet),
    )
    if not task.force:
        _check_agreement(card)
    await write_preferences(built, prompt, card, _pages(card), task.folder, force=task.force)
    return card


async def _candidates(
    workplace: Workplace, model: FittedMetrics, task: PreferenceTask
) -> tuple[list[PairCandidate], Vectors]:
    """Papers and ideas, each with its vector, row by row."""
    cited = {each for subject in task.ideas for each in subject.references}
    years = {paper.id: paper.year for paper in workplace.library.get_many(sorted(cited))}
    ideas = candidates_of_ideas(task.ideas, years.get, dt.datetime.now(dt.UTC).year)
    idea_vectors = await embedded([one.subject.whole for one in ideas], model.embedder)
    if task.ideas_only:
        return ideas, idea_vectors
    corpus = await read_corpus(workplace.library, task.filters)
    vectors = np.concatenate([corpus.vectors, idea_vectors]) if ideas else corpus.vectors
    return [*candidates_of_papers(corpus), *ideas], vectors


def _check_agreement(card: PreferenceCard) -> None:
    """Raises BadInput where people rate the rejected ideas as high as the chosen ones, or higher."""
    people = card.people
    if people is None or people.made_from_them or people.pairs < _FEWEST_JUDGED or people.right is None:
        return
    if people.right < _LEAST_RIGHT:
        raise BadInput(
            f"Of {people.pairs:,} pairs that reviewers rated on both sides, the chosen idea is rated higher in "
            f"{percent(people.right)}; a model trained on them would not learn what reviewers like. Use --better "
            "rating or --better reviews, or --force to write the data set anyway."
        )


def _sources(workplace: Workplace, task: PreferenceTask) -> list[str]:
    """What the card says about the origin of the candidates."""
    filters = task.filters.model_dump(mode="json", exclude_defaults=True)
    sources = [] if task.ideas_only else [f"a library of {count(workplace.library.size().papers, 'paper')}"]
    sources += [f"{name} {value if isinstance(value, str) else ', '.join(value)}" for name, value in filters.items()]
    return sources + ([count(len(task.ideas), "generated idea")] if task.ideas else [])


def _model_facts(model: FittedMetrics) -> dict[str, str]:
    """What the card says about the model that scored the candidates."""
    card = model.card
    learnt, years = card.learnt_from, f"{card.learnt_from.first_year} to {card.learnt_from.last_year}"
    return {
        "Fitted model": f"{card.name}, of {card.made.date().isoformat()}, seed {card.settings.seed}",
        "Learnt from": f"{learnt.papers:,} papers" + (f", {years}" if learnt.first_year else ""),
        "Embedder": f"{card.embedder}, {card.dimensions} dimensions",
        "Originality": card.settings.originality,
        "Creativity Index": _weights(card.creativity_weights),
        "User Satisfaction Score": _weights(card.satisfaction_weights),
    }


def _weights(weights: Mapping[str, float]) -> str:
    return " + ".join(f"{weight:g} {name.replace('_', ' ')}" for name, weight in weights.items())


def _pages(card: PreferenceCard) -> dict[str, str | bytes]:
    """The card as a page for people, with its plots."""
    pages: dict[str, str | bytes] = {README: render_data_card(card)}
    for plot in score_plots(card):
        image = svg(plot)
        pages |= {f"{CHARTS}/{plot.name}.svg": image, f"{CHARTS}/{plot.name}.png": png(image)}
    return pages
