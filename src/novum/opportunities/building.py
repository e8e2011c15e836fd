"""Builds the concept map of a library: concepts, graph and forecast, stored beside its other indexes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from novum.errors import BadInput
from novum.literature import Library
from novum.literature.changes import current_change, last_change
from novum.literature.search.locking import exclusive
from novum.opportunities import folder as kept
from novum.opportunities.concepts import ConceptNames, extract_concepts, reads_gists
from novum.opportunities.evaluation import summarise_trials, testable_years, try_out_year
from novum.opportunities.evaluation_records import ForecastEvaluation
from novum.opportunities.features.table import PairFeatures
from novum.opportunities.folder import BuildFolder, ConceptMapCard
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.near_papers import NearPapers
from novum.opportunities.paper_columns import DatedPapers, PaperColumns, Progress, ignore_progress, read_columns
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.stored_map import read_papers, write_graph, write_papers
from novum.opportunities.synonym_list import FILE, digest, edits, save, written
from novum.opportunities.synonyms import Synonym
from novum.opportunities.training import FittedForecast, features_at, fit_forecast

FEWEST_CONCEPTS = 10


@dataclass(frozen=True, eq=False)
class BuildResult:
    """All of it, in memory."""

    papers: PaperColumns
    shelf: DatedPapers
    concepts: ConceptNames
    graph: DatedConceptGraph
    forecast: FittedForecast | None
    unlearnt: str
    """Why there is no model."""


class BuildInProgress(BadInput):
    """Another process is at it: it will be there in a while."""


async def build_concept_map(
    library: Library, settings: OpportunitySettings, progress: Progress = ignore_progress, *, anew: bool = False
) -> ConceptMapCard:
    """Bring what is kept in step with the library: papers written since are read, all else is made of columns.

    `anew`: nothing of an older build is used. Where there is too little to learn from, the graph is kept without a
    model, and the card says why. Raises BadInput where there are no concepts, or the folder cannot be written.
    """
    place = kept.map_folder(library.folder)
    with exclusive(place) as alone:
        if not alone:
            raise BuildInProgress(f"Another process is building {place}: wait until it is done, and run this again.")
        await library.embed(
            lambda done: progress("embedding papers", done)
        )  # a change of the library, so before all else
        before = None if anew else kept.read_card(place)
        if before and _in_step(before, library, settings, place):
            return before
        own = edits(place)
        result = await _made(library, settings, own, _papers(place, before), progress)
        progress("writing", 0)
        return await asyncio.to_thread(_keep, place, library, settings, result, own)


def _in_step(card: ConceptMapCard, library: Library, settings: OpportunitySettings, place: Path) -> bool:
    """Whether nothing has changed: papers, settings, embedder, list of synonyms."""
    held = (card.library, card.change, card.settings, card.embedder)
    now = (current_change(library), last_change(library), settings, library.embedder.name)
    return held == now and (place / FILE).is_file() and digest((place / FILE).read_bytes()) == card.listed


def _papers(place: Path, card: ConceptMapCard | None) -> PaperColumns | None:
    """What was read before; None where nothing was, or it is damaged: it is then read again."""
    if card is None:
        return None
    try:
        return read_papers(place / card.build, card.library, card.change)
    except (OSError, ValueError):
        return None


async def _made(
    library: Library,
    settings: OpportunitySettings,
    own: tuple[Synonym, ...],
    before: PaperColumns | None,
    progress: Progress,
) -> BuildResult:
    papers = await asyncio.to_thread(read_columns, library, before, progress)
    shelf = DatedPapers.of(papers)
    year = last_year(shelf)
    progress("concepts", 0)
    concepts = await extract_concepts(papers, shelf, year, settings, library.embedder, own)
    if len(concepts.names) < FEWEST_CONCEPTS:
        merged = f", or take lines of yours out of {FILE}" if own else ""
        raise BadInput(
            f"The library's {len(shelf):,} papers with a year hold {len(concepts.names)} concepts of {settings.fewest} "
            f"papers or more, and {FEWEST_CONCEPTS} are needed: add papers (`novum library add`), or lower "
            f"`--min-papers`{merged}."
        )
    progress(f"graph of {len(concepts.names):,} concepts", 0)
    graph = await asyncio.to_thread(DatedConceptGraph.of, concepts, shelf)
    try:
        forecast = await asyncio.to_thread(fit_forecast, graph, concepts.units, year, settings, progress)
    except BadInput as problem:
        return BuildResult(papers, shelf, concepts, graph, None, str(problem))
    return BuildResult(papers, shelf, concepts, graph, forecast, "")


def last_year(shelf: DatedPapers) -> int:
    """The last year of its papers. Raises BadInput where none has one."""
    if not len(shelf):
        raise BadInput(
            "The library has no paper with a year, which the forecast needs: add papers that have one "
            "(`novum library add`)."
        )
    return int(np.asarray(shelf.years)[-1])


def _keep(
    place: Path, library: Library, settings: OpportunitySettings, made: BuildResult, own: tuple[Synonym, ...]
) -> ConceptMapCard:
    build = BuildFolder(place)
    try:
        write_papers(build, made.papers)
        write_graph(build, _now(made, settings), NearPapers.of(library, made.shelf))
        if made.forecast:
            build.state("joining", made.forecast.link_forecast.state())
        if made.forecast and made.forecast.attention:
            build.state("attention", made.forecast.attention.state())
        for name, found in (
            (("fared", made.forecast.score_bins), ("lapsed", made.forecast.inactive)) if made.forecast else ()
        ):
            if found:
                build.columns(name, {"bins": found.table()})
        listed = written(made.concepts.synonyms, own)
        with kept.write_errors_as_bad_input(place):
            save(place, listed, own)
        card = _card(build.name, library, settings, made).model_copy(update={"listed": digest(listed.encode())})
        build.finish(card)
    except BaseException:  # Ctrl-C too: half a build is not left behind
        build.abandon()
        raise
    return card


def _now(made: BuildResult, settings: OpportunitySettings) -> PairFeatures:
    """Features of the last year; those of the training where there are any."""
    if made.forecast:
        return made.forecast.now
    return features_at(made.graph, made.concepts.units, last_year(made.shelf), settings)


def _card(build: str, library: Library, settings: OpportunitySettings, made: BuildResult) -> ConceptMapCard:
    year = last_year(made.shelf)
    return ConceptMapCard(
        build=build,
        library=made.papers.library,
        change=made.papers.change,
        embedder=library.embedder.name,
        settings=settings,
        year=year,
        papers=len(made.shelf),
        undated=made.shelf.undated,
        concepts=len(made.graph.names),
        edges=len(made.graph.edges),
        entries=len(made.graph.edges.paper),
        titles_only=not reads_gists(made.shelf, len(made.shelf)),
        variants=made.concepts.variants,
        synonyms=len(made.concepts.synonyms),
        idle=len(made.concepts.idle),
        pairs_learnt=made.forecast.pairs if made.forecast else 0,
        joined_learnt=made.forecast.joined if made.forecast else 0,
        attention=bool(made.forecast and made.forecast.attention),
        unlearnt=made.unlearnt,
    )


async def evaluate_forecast(
    library: Library,
    settings: OpportunitySettings,
    *,
    years: int | Sequence[int],
    most: int,
    draws: int,
    progress: Progress = ignore_progress,
) -> ForecastEvaluation:
    """Forecasts of past years held against what came: of the last so many years, or of these. `most`: pairs a year;
    `draws`: of concepts, behind the intervals. Writes nothing. Of the last so many, a year that teaches too little is
    skipped and told. Raises BadInput where that is all of them, or one that was named."""
    place = kept.map_folder(library.folder)
    card = kept.read_card(place)
    papers = await asyncio.to_thread(read_columns, library, _papers(place, card), progress)
    shelf = DatedPapers.of(papers)
    selected = (
        testable_years(shelf, settings, years) if isinstance(years, int) else _years_named(shelf, settings, years)
    )
    own = edits(place)
    tried, skipped = [], dict[int, str]()
    for year in selected:
        try:
            tried.append(
                await try_out_year(
                    papers, shelf, year, settings, library.embedder, most=most, edits=own, progress=progress
                )
            )
        except BadInput as problem:
            if isinstance(years, Sequence) or (year == selected[-1] and not tried):
                raise
            skipped[year] = str(problem)
    result = await asyncio.to_thread(summarise_trials, tried, settings, draws=draws, shelf=shelf, progress=progress)
    return result.model_copy(update={"skipped": skipped})


def _years_named(shelf: DatedPapers, settings: OpportunitySettings, years: Sequence[int]) -> list[int]:
    last = last_year(shelf)
    for year in years:
        if year + settings.horizon > last:
            raise BadInput(
                f"The links of the {settings.horizon} years after {year} are not known: the library's papers end in "
                f"{last}. Name a year up to {last - settings.horizon}."
            )
    return sorted(set(years))
