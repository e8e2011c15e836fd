"""The tables of one search: properties of all concepts, and what comparisons of pairs need. Computed on first use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from novum.core.arrays import Bools, Floats, Ints
from novum.opportunities.attention import citation_ranks
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.features.single import ranked
from novum.opportunities.search import concept_properties as concepts
from novum.opportunities.search import pair_properties as pair
from novum.opportunities.search.titles import TitleShares
from novum.opportunities.snapshot import RECENT
from novum.opportunities.sparse import Table


@dataclass(frozen=True, eq=False)
class SearchTables:
    """Tables of a concept map at the end of its last year. Arrays of concepts have the shape (concepts,)."""

    map: ConceptMap

    @cached_property
    def papers(self) -> Floats:
        """Papers of each concept."""
        return self.map.snapshot.held_by().astype(float)

    @cached_property
    def recent_papers(self) -> Floats:
        """Papers of each concept of the last `RECENT` years."""
        return self.papers - self.map.snapshot.held_by(RECENT)

    @cached_property
    def earlier_papers(self) -> Floats:
        """Papers of each concept of the `RECENT` years before."""
        return self.papers - self.recent_papers - self.map.snapshot.held_by(2 * RECENT)

    @cached_property
    def growth(self) -> Floats:
        """Yearly growth of each concept."""
        return concepts.yearly_growth(self.recent_papers, self.earlier_papers)

    @cached_property
    def library_growth(self) -> float:
        """Yearly growth of the library."""
        return concepts.library_growth(self.map.snapshot)

    @cached_property
    def years_inactive(self) -> Floats:
        """Years since the last paper of each concept; infinite without a paper."""
        return np.nan_to_num(self.map.snapshot.first_and_last[1], nan=np.inf)

    @cached_property
    def references(self) -> Floats:
        """References of the papers of each concept to papers of the library."""
        return concepts.reference_counts(self.map.snapshot)

    @cached_property
    def specificity_rank(self) -> Floats:
        """Rank, 0 to 1, of the specificity of the neighbours of each concept."""
        eligible = self.map.snapshot.eligible(self.map.card.settings.fewest)
        return ranked(self.map.stored.prepared.specificity, eligible)

    @cached_property
    def informative(self) -> Bools:
        """Which concepts are informative as common neighbours."""
        return concepts.informative_concepts(self.map.names, self.specificity_rank)

    @cached_property
    def titles(self) -> TitleShares:
        """The share of the papers of each concept with it in the title."""
        return TitleShares(self.map)

    @cached_property
    def name_stems(self) -> concepts.NameStems:
        """Stems of the words of each name."""
        return concepts.NameStems(self.map.names)

    @cached_property
    def surprise(self) -> Table:
        """Concepts × concepts: positive pointwise mutual information."""
        return self.map.stored.prepared.tables["surprise"]

    @cached_property
    def concepts_of_paper(self) -> Table:
        """Papers × concepts, 1 where the paper contains the concept."""
        return self.map.snapshot.held.T.tocsr()

    @cached_property
    def citation_rank(self) -> Floats:
        """Citation rank of each paper, 0 to 1, shape (papers,); NaN where unknown."""
        return citation_ranks(self.map.stored.graph.dated)

    @cached_property
    def real_similarities(self) -> Floats:
        """Similarity of the neighbours of real pairs, ascending, shape (real pairs,)."""
        return pair.real_similarities(self.map)

    @cached_property
    def _recent_joint(self) -> Table:
        return pair.recent_joint_papers(self.map)

    def recently_linked(self, some: Ints) -> Table:
        """Rows `some` of concepts × concepts, 1 where only recent papers linked the two."""
        return pair.recently_linked(self.map, self._recent_joint, some)

    def is_valid(self, at: int) -> bool:
        """Whether a concept can be part of an opportunity."""
        return concepts.is_valid_concept(self.map, self.titles, at, float(self.specificity_rank[at]))

    def informative_neighbours(self, pairs: pair.PairTable) -> Floats:
        """The number of informative common neighbours of each pair, shape (pairs,)."""
        return pair.informative_neighbours(self.map, self.informative, pairs)

    def unusual(self, pairs: pair.PairTable) -> Floats:
        """The share of real pairs whose neighbours are more similar, shape (pairs,)."""
        similarity = pair.neighbour_similarity(self.map, pairs.one, pairs.other)
        return pair.unusualness(self.real_similarities, similarity)

    def similarity_quantile(self, share: float) -> float:
        """The similarity of neighbours below which this share of real pairs lies; infinite without real pairs."""
        return float(np.quantile(self.real_similarities, share)) if len(self.real_similarities) else np.inf
