"""The stored concept map of a library: concepts near a topic, pairs that are not linked yet, and their forecast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Self

import numpy as np

from novum.core import Value
from novum.core.arrays import Floats, Ints
from novum.errors import BadInput
from novum.literature import Library
from novum.literature.changes import current_change, last_change
from novum.literature.search.ranking.keywords import runs
from novum.opportunities.attention import AttentionForecast
from novum.opportunities.features.table import COLUMNS, PairFeatures
from novum.opportunities.folder import ConceptMapCard, read_card, usable_map_folder
from novum.opportunities.link_forecast import LinkForecast
from novum.opportunities.paper_columns import PaperColumns
from novum.opportunities.plain_text import plain_text
from novum.opportunities.score_bins import ScoreBins
from novum.opportunities.snapshot import Snapshot
from novum.opportunities.stored_map import StoredGraph, StoredModels, read_graph, read_models, read_papers
from novum.opportunities.variants import without_separators

_MOST_HITS, _FEWEST_HITS = 200, 20
"""Number of nearest papers whose concepts are counted: 2 % of the library, within these limits."""


class ConceptCounts(Value):
    """One concept. `papers`: number of papers that contain it, by year."""

    name: str
    first_year: int
    papers: dict[int, int]


class NearConcept(Value):
    """A concept near a topic. `nearness`: 0 to 1, higher is nearer."""

    name: str
    nearness: float


class JointPapers(Value):
    """Papers that contain both of two concepts: their number by year, and ids, the latest first."""

    papers: dict[int, int]
    ids: tuple[str, ...]


class PairForecast(Value):
    """The forecast of an unlinked pair. `probability`: that a paper will link it within the horizon; `score`: the log
    odds before calibration, by which pairs are ranked, since the likeliest pairs share one probability; `attention`:
    expected citation rank of its first joint papers, 0 to 1, None without a model; `reasons`: columns with their
    contribution to the log odds, the strongest first."""

    one: str
    other: str
    probability: float
    score: float
    attention: float | None
    reasons: tuple[tuple[str, float], ...]


class ConceptMap:
    """Opens in milliseconds whatever the size of the library; larger tables are computed on first use."""

    def __init__(
        self, library: Library, card: ConceptMapCard, papers: PaperColumns, stored: StoredGraph, forecast: StoredModels
    ) -> None:
        self.card = card
        self.words, self.filed = papers.words, papers.filed
        self._library = library
        self.stored = stored
        self._models = forecast
        self.place: dict[str, int] = {name: number for number, name in enumerate(stored.graph.names)}

    @classmethod
    def open(cls, library: Library) -> Self:
        """Opens the map that `novum opportunities build` stored. Raises BadInput where there is none, or it is of
        another library or version, or damaged."""
        place, card = usable_map_folder(library), None
        while True:
            previous, card = card, read_card(place)
            if card is None or card.library != current_change(library):
                raise BadInput(
                    "This library has no concept map yet: run `novum opportunities build` once, which "
                    "takes seconds for ten thousand papers."
                )
            inside = place / card.build
            try:
                papers = read_papers(inside, card.library, card.change)
                return cls(library, card, papers, read_graph(inside, papers), read_models(inside, card))
            except (OSError, ValueError, KeyError, IndexError) as error:
                if previous == card:  # otherwise a build that has just finished may have removed the folder
                    raise _damaged(error) from error

    @property
    def behind(self) -> bool:
        """Whether the library has changed since the build."""
        return last_change(self._library) != self.card.change

    @property
    def year(self) -> int:
        """The year at whose end forecasts are made."""
        return self.card.year

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all concepts, alphabetical."""
        return self.stored.graph.names

    # Concepts

    def named(self, text: str) -> str | None:
        """The concept of this name, ignoring case, spaces, hyphens and plural; None where there is none."""
        plain = " ".join(text.lower().split())
        if plain in self.place:
            return plain
        return self._by_spelling.get(_plain(plain))

    def concept(self, name: str) -> ConceptCounts:
        """The concept of exactly this name. Raises KeyError for an unknown name."""
        years = self.stored.graph.years_of(self.stored.graph.by_concept.of(self.place[name]))
        return ConceptCounts(name=name, first_year=min(years), papers=years)

    def papers_of(self, name: str, k: int = 5) -> tuple[str, ...]:
        """Ids of the `k` latest papers that contain it, within a year the most cited first. Raises KeyError
        likewise."""
        return self._ids(self.stored.graph.by_concept.of(self.place[name]), k)

    def joint(self, one: str, other: str, k: int = 5) -> JointPapers:
        """The papers that contain both, with at most `k` ids. Raises KeyError likewise."""
        graph = self.stored.graph
        ends = np.array([self.place[one]]), np.array([self.place[other]])
        edge = int(graph.edges.find(*ends)[0])
        rows = graph.edges.papers_of(edge) if edge >= 0 else np.zeros(0, np.int32)
        return JointPapers(papers=graph.years_of(rows), ids=self._ids(rows, k))

    async def near(self, topic: str, k: int = 20) -> list[NearConcept]:
        """The `k` concepts nearest to a topic, nearest first: those that its nearest papers contain more often than
        other papers do, up to twice as near where the name shares words with the topic. Empty for an empty topic."""
        if not topic.strip():
            return []
        hits = min(_MOST_HITS, max(_FEWEST_HITS, self.card.papers // 50))
        rows = await self.stored.near.nearest(self._library, topic, hits)
        prominence, common = self._prominence(rows), common_words(topic, self.names)
        score = np.maximum(prominence * (1 + common) / 2, common / 10)
        if (exact := self.named(topic)) is not None:
            score[self.place[exact]] = 1
        order = np.lexsort((np.arange(len(score)), -score))[:k]
        return [NearConcept(name=self.names[at], nearness=float(score[at])) for at in order.tolist() if score[at] > 0]

    def _prominence(self, rows: Ints) -> Floats:
        """How much more often than by chance these papers contain each concept, shape (concepts,), 1 for the
        maximum."""
        values = np.zeros(len(self.names))
        if not len(rows):
            return values
        members = np.asarray(self.stored.graph.by_concept.members)
        owner = np.repeat(np.arange(len(self.names)), np.diff(self.stored.graph.by_concept.starts))
        held = np.bincount(owner[np.isin(members, rows)], minlength=len(self.names))
        papers = np.diff(self.stored.graph.by_concept.starts)
        expected = papers * len(rows) / max(len(self.stored.graph.dated), 1)
        lift = held * np.log(np.maximum(held, 1e-9) / np.maximum(expected, 1e-9))
        values[held > 1] = np.maximum(lift[held > 1], 0)
        share: Floats = values / max(float(values.max()), 1e-9)
        return share

    # Pairs

    def candidates(self, names: Iterable[str], k: int = 100) -> list[tuple[str, str]]:
        """Unlinked pairs of these concepts with others: for each concept the `k` that share most neighbours with it
        (resource allocation), and the `k` nearest on the map. Raises KeyError for an unknown name."""
        mapping: dict[tuple[int, int], None] = {}
        for at in [self.place[name] for name in names]:
            for other in self.beside(at, k).tolist():
                mapping[min(at, other), max(at, other)] = None
        return [(self.names[one], self.names[other]) for one, other in mapping]

    def beside(self, at: int, k: int) -> Ints:
        """Numbers of the concepts that such pairs combine with concept `at`."""
        known = self.features.neighbourhood.known
        weight = 1 / np.maximum(self.features.neighbourhood.degree, 1)
        shared = np.asarray(((known[at].multiply(weight)) @ known).todense()).ravel().astype(float)
        expected = self.features.position.map @ self.features.position.map[at]
        excluded = np.ones(len(self.names), bool)
        excluded[self.snapshot.eligible(self.card.settings.fewest)] = False
        excluded[at] = True
        excluded[known.indices[known.indptr[at] : known.indptr[at + 1]]] = True
        best = [np.argsort(-np.where(excluded, -np.inf, score), kind="stable")[:k] for score in (shared, expected)]
        both = np.unique(np.concatenate(best))
        return both[~excluded[both]]

    def forecast(self, pairs: Sequence[tuple[str, str]], reasons: int = 5) -> list[PairForecast]:
        """The forecasts of these pairs, in this order. Raises BadInput where there were too few data for a forecast,
        KeyError for an unknown name."""
        if not pairs:
            return []
        ends = np.array([[self.place[name] for name in pair] for pair in pairs], np.int64)
        table = self.features.of(ends[:, 0], ends[:, 1])
        scores = self.link_forecast.scores(table)
        chances = self.link_forecast.calibration.probability(scores)
        shares = self.link_forecast.shares(table)
        attention = self.attention.predict(table) if self.attention else None
        strongest = np.argsort(-np.abs(shares), axis=1)[:, :reasons]
        return [
            PairForecast(
                one=one,
                other=other,
                probability=float(chances[row]),
                score=float(scores[row]),
                attention=None if attention is None else float(attention[row]),
                reasons=tuple((COLUMNS[at], float(shares[row, at])) for at in strongest[row].tolist()),
            )
            for row, (one, other) in enumerate(pairs)
        ]

    @cached_property
    def snapshot(self) -> Snapshot:
        """The graph at the end of the last year."""
        result = Snapshot(self.stored.graph, self.card.year, np.asarray(self.stored.units))
        self.stored.prepared.fill_snapshot(result)
        return result

    @cached_property
    def features(self) -> PairFeatures:
        """Features of pairs at the end of the last year."""
        result = PairFeatures(self.snapshot, self.card.settings.fewest, self.card.settings.seed, self.stored.layout)
        self.stored.prepared.fill(result)
        return result

    @cached_property
    def link_forecast(self) -> LinkForecast:
        """The fitted forecast. Raises BadInput where there were too few data for one."""
        if self.card.unlearnt:
            raise BadInput(self.card.unlearnt)
        try:
            return LinkForecast.of_state(self._models.states["joining"])
        except (OSError, ValueError, KeyError) as error:
            raise _damaged(error) from error

    @cached_property
    def attention(self) -> AttentionForecast | None:
        """The model of attention; None where there were too few data for one."""
        if not self.card.attention:
            return None
        try:
            return AttentionForecast.of_state(self._models.states["attention"])
        except (OSError, ValueError, KeyError) as error:
            raise _damaged(error) from error

    @cached_property
    def score_bins(self) -> tuple[ScoreBins | None, ScoreBins | None]:
        """Observed shares of linked pairs by score: of pairs that were never linked, and of pairs that were linked
        once, long before. None where too few became linked."""
        return self._models.score_bins, self._models.inactive

    @cached_property
    def _by_spelling(self) -> dict[str, str]:
        return {_plain(name): name for name in reversed(self.names)}

    def _ids(self, rows: np.ndarray, k: int) -> tuple[str, ...]:
        tokens = self.stored.graph.dated.tokens
        order = np.lexsort((rows, -np.asarray(tokens.citations)[rows], -np.asarray(tokens.year)[rows].astype(int)))[:k]
        return tuple(each.decode() for each in np.asarray(tokens.paper_id)[rows[order]].tolist())


def _plain(name: str) -> str:
    """The name without spaces, hyphens and the final s of each word."""
    return without_separators(" ".join(word.removesuffix("s") for word in name.replace("-", " ").split()))


def _damaged(error: Exception) -> BadInput:
    what = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    return BadInput(
        f"The stored concept map of the library is damaged ({what}): run `novum opportunities build --fresh`."
    )


def common_words(topic: str, names: Sequence[str]) -> Floats:
    """The share of the words of each name that occur in the topic, ignoring plural and stop words; shape (n,)."""
    stems = {_stem(word) for run in runs(plain_text(topic)) for word in run}
    shared = ([_stem(word) in stems for word in name.split()] for name in names)
    return np.array([sum(each) / len(each) for each in shared])


def _stem(word: str) -> str:
    return word.removesuffix("s").replace("-", "")
