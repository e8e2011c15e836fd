"""Which concepts of the map are linked: as recorded, or, for records without links, inferred from the papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from novum.core.opportunity import ConceptLink, Opportunity, OpportunityList
from novum.core.paper import Paper
from novum.reports.opportunities.concepts import concept_sides

_WORDS = re.compile(r"\w+")
_READ = 4_000
"""Characters of an abstract that are searched."""
_EACH = 2
"""Links of a concept that are drawn, its strongest: all of them would hide the opportunities."""
_BILLION = 10**9


def drawable_links(openings: OpportunityList, shown: Sequence[Opportunity]) -> tuple[ConceptLink, ...]:
    """The links between concepts of the shown opportunities, without the pairs that are opportunities themselves."""
    names = concept_sides(shown)
    open_pairs = {frozenset(opening.pair) for opening in shown}
    every = _inferred(shown, openings.papers) if openings.links is None else openings.links
    return tuple(
        ConceptLink(one=link.one, other=link.other, papers=min(max(link.papers, 0), _BILLION))
        for link in every
        if link.one in names and link.other in names and link.one != link.other
        if frozenset((link.one, link.other)) not in open_pairs
    )


def strongest_links(of: Sequence[ConceptLink], papers: Mapping[str, int]) -> tuple[ConceptLink, ...]:
    """The links that are among the strongest of one of their ends. `papers`: the number of papers of each concept."""
    ranked = sorted(of, key=lambda link: (-_strength(link, papers), link.one, link.other))
    taken: Counter[str] = Counter()
    kept = []
    for link in ranked:
        if min(taken[link.one], taken[link.other]) < _EACH:
            kept.append(link)
        taken.update((link.one, link.other))
    return tuple(sorted(kept, key=lambda link: (link.one, link.other)))


def _strength(link: ConceptLink, papers: Mapping[str, int]) -> float:
    return link.papers**2 / max(papers.get(link.one, 0) * papers.get(link.other, 0), 1)


def _inferred(openings: Sequence[Opportunity], papers: Iterable[Paper]) -> tuple[ConceptLink, ...]:
    """Pairs that a named paper holds both of: because it is listed for both, or because its title or abstract says
    both names. A part of all links, never one too many."""
    spoken = {name: _plain(name) for name in concept_sides(openings)}
    holding: dict[str, set[str]] = {}
    for opening in openings:
        for name, side in zip(opening.pair, (opening.one, opening.other), strict=True):
            for paper_id in side.papers:
                holding.setdefault(paper_id, set()).add(name)
    for paper in papers:
        text = _plain(f"{paper.title} {paper.gist[:_READ]}")
        holding.setdefault(paper.id, set()).update(name for name, words in spoken.items() if words in text)
    counts = Counter(pair for names in holding.values() for pair in combinations(sorted(names), 2))
    return tuple(
        ConceptLink(one=one, other=other, papers=number)
        for (one, other), number in sorted(counts.items())
        if spoken[one] != spoken[other]
    )


def _plain(text: str) -> str:
    """Words in lower case between blanks, without a plural's s, so that one text holds another only word by word."""
    words = (word.removesuffix("s") for word in _WORDS.findall(text.lower()))
    return f" {' '.join(words)} "
