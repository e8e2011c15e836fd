"""Writes papers, concepts, graph and forecast to the folder of a build, and reads them back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Ints, Vectors
from novum.files.arrays import ModelState
from novum.opportunities.features.table import PairFeatures
from novum.opportunities.folder import BuildFolder, ConceptMapCard, columns, has_columns, lines, state
from novum.opportunities.graph import DatedConceptGraph, Edges, GroupedIndices
from novum.opportunities.near_papers import NearPapers
from novum.opportunities.paper_columns import DatedPapers, PaperColumns
from novum.opportunities.prepared_tables import PreparedTables, read_prepared_tables, write_prepared_tables
from novum.opportunities.score_bins import ScoreBins
from novum.opportunities.tokens import FIRST, Lexicon, Tokens
from novum.opportunities.training import FittedForecast

_TOKENS = tuple(column.name for column in fields(Tokens))
_EDGES = tuple(column.name for column in fields(Edges))
_SCORE_BINS, _INACTIVE_BINS = "fared", "lapsed"
"""Names in stored maps, which must not change."""


def write_papers(build: BuildFolder, papers: PaperColumns) -> None:
    """Writes the columns of all papers, so that the next build need not read these papers again."""
    build.columns("tokens", {name: getattr(papers.tokens, name) for name in _TOKENS} | {"links": papers.links})
    for name, lexicon in (("words", papers.words), ("filed", papers.filed), ("venues", papers.venues)):
        build.lines(name, lexicon.names)


def read_papers(inside: Path, library: str, change: int) -> PaperColumns:
    """The columns of papers from the folder of a build. Raises OSError or ValueError where they are damaged."""
    stored = columns(inside / "tokens", (*_TOKENS, "links"))
    links = stored.pop("links")
    tokens = Tokens(**stored)
    words, filed, venues = (Lexicon(lines(inside / f"{name}.json")) for name in ("words", "filed", "venues"))
    tokens.check(len(words), len(filed))
    years = np.asarray(tokens.year)
    if links.ndim != 2 or links.shape[1] != 2 or (years[1:] < years[:-1]).any():
        raise ValueError("the links between its papers, or their order, are damaged")
    return PaperColumns(tokens, words, filed, venues, links, change, library)


def write_forecast(build: BuildFolder, forecast: FittedForecast) -> None:
    """Writes the fitted models and the observed shares by score."""
    build.state("joining", forecast.link_forecast.state())
    if forecast.attention:
        build.state("attention", forecast.attention.state())
    for name, bins in ((_SCORE_BINS, forecast.score_bins), (_INACTIVE_BINS, forecast.inactive)):
        if bins:
            build.columns(name, {"bins": bins.table()})


def write_graph(build: BuildFolder, features: PairFeatures, near: NearPapers) -> None:
    """Writes the graph with the vectors of its names and its map, the tables that every search needs, and the vectors
    of papers. `features`: of the last year."""
    graph, units, position = features.snapshot.graph, features.snapshot.units, features.position
    build.columns("near", near.columns())
    build.columns("shelf", {"cites": graph.dated.cites, "cites_to": graph.dated.cites_to, "used": _used(graph.dated)})
    write_prepared_tables(build, features)
    build.lines("names", list(graph.names))
    build.columns("edges", {name: getattr(graph.edges, name) for name in _EDGES})
    own: dict[str, NDArray[np.generic]] = {
        "starts": graph.by_concept.starts,
        "members": graph.by_concept.members,
        "units": units,
        "map": position.map,
        "community": position.community,
    }
    build.columns("concepts", own)


@dataclass(frozen=True, eq=False)
class StoredGraph:
    """A graph with everything that a search needs. `units`: whitened vectors of the names, shape (concepts, d)."""

    graph: DatedConceptGraph
    units: Vectors
    layout: tuple[Vectors, Ints]
    """Coordinates on the map, shape (concepts, d), and communities, shape (concepts,)."""
    near: NearPapers
    prepared: PreparedTables
    used: Ints
    """How often the dated papers use each word of the lexicon; shorter than the lexicon where the last words are
    unused."""


def read_graph(inside: Path, papers: PaperColumns) -> StoredGraph:
    """The graph from the folder of a build, memory-mapped. Raises OSError or ValueError where it is damaged."""
    stored = columns(inside / "shelf", ("cites", "cites_to", "used"))
    used = stored["used"]
    dated = DatedPapers.from_stored(papers, stored["cites"], stored["cites_to"])
    if used.ndim != 1 or used.dtype.kind != "i" or len(used) > len(papers.words):
        raise ValueError("the counts of its words are damaged")
    names = tuple(lines(inside / "names.json"))
    edges = Edges(**columns(inside / "edges", _EDGES))
    own = columns(inside / "concepts", ("starts", "members", "units", "map", "community"))
    by_concept = GroupedIndices(own["starts"], own["members"])
    is_valid = (
        len(edges.starts) == len(by_concept.starts) == len(names) + 1
        and len(own["units"]) == len(own["map"]) == len(own["community"]) == len(names)
        and edges.starts[-1] == len(edges.other)
        and len(edges.papers_from) == len(edges.other) + 1
        and edges.papers_from[-1] == len(edges.paper)
        and by_concept.starts[-1] == len(by_concept.members)
        and _inside(edges.other, len(names))
        and _inside(edges.paper, len(dated))
        and _inside(by_concept.members, len(dated))
        and all(_ascending(starts) for starts in (edges.starts, edges.papers_from, by_concept.starts))
    )
    if not is_valid:
        raise ValueError("the columns of the graph do not belong together")
    near = NearPapers.from_stored(columns(inside / "near", ("rows", "vectors", "mean", "basis")), len(dated))
    graph = DatedConceptGraph(names, by_concept, edges, dated)
    prepared = read_prepared_tables(inside, len(names), len(dated))
    if not _inside(own["community"], len(prepared.density)):
        raise ValueError("the communities of its map are damaged")
    return StoredGraph(graph, own["units"], (own["map"], own["community"]), near, prepared, used)


@dataclass(frozen=True, eq=False)
class StoredModels:
    """The fitted models, in memory, so that they remain usable when a later build removes the folder."""

    states: Mapping[str, ModelState]
    score_bins: ScoreBins | None
    """Observed shares of newly linked pairs by score. None where too few became linked."""
    inactive: ScoreBins | None
    """The same for pairs that were linked once, long before."""


def read_models(inside: Path, card: ConceptMapCard) -> StoredModels:
    """The models from the folder of a build. Raises OSError or ValueError where they are damaged."""
    fitted = ([] if card.unlearnt else ["joining"]) + (["attention"] if card.attention else [])
    states = {name: state(inside, name) for name in fitted}
    return StoredModels(states, _read_bins(inside / _SCORE_BINS), _read_bins(inside / _INACTIVE_BINS))


def _read_bins(folder: Path) -> ScoreBins | None:
    return ScoreBins.from_stored(columns(folder, ["bins"])["bins"]) if has_columns(folder) else None


def _used(dated: DatedPapers) -> Ints:
    return np.bincount(np.asarray(dated.tokens.words))[FIRST:]


def _ascending(starts: np.ndarray) -> bool:
    return bool(starts[0] == 0 and (np.diff(starts) >= 0).all())


def _inside(column: np.ndarray, most: int) -> bool:
    return not len(column) or bool(column.min() >= 0 and column.max() < most)
