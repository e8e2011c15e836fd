"""Which concepts of the map are joined already, as far as the papers that a record of openings names can tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from novum.core.opening import Opening
from novum.core.paper import Paper
from novum.reports.openings.sides import sides

_WORDS = re.compile(r"\w+")
_READ = 4_000
"""Characters of an abstract that are looked through."""


@dataclass(frozen=True)
class Link:
    """Two concepts, in alphabetical order, and how many of the papers named hold both."""

    one: str
    other: str
    papers: int


def links(openings: Sequence[Opening], papers: Iterable[Paper]) -> tuple[Link, ...]:
    """Pairs of the openings' concepts that are no opening themselves and that a named paper holds both of: because it
    is listed for both, or because its title or abstract says both names. A part of all links, never one too many."""
    concepts = sides(openings)
    holding: dict[str, set[str]] = {}
    for opening in openings:
        for name, side in zip(opening.pair, (opening.one, opening.other), strict=True):
            for paper_id in side.papers:
                holding.setdefault(paper_id, set()).add(name)
    spoken = {name: _plain(name) for name in concepts}
    for paper in papers:
        text = _plain(f"{paper.title} {paper.gist[:_READ]}")
        holding.setdefault(paper.id, set()).update(name for name, words in spoken.items() if words in text)
    open_pairs = {frozenset(opening.pair) for opening in openings}
    counts = Counter(
        pair
        for names in holding.values()
        for pair in combinations(sorted(names), 2)
        if frozenset(pair) not in open_pairs and spoken[pair[0]] != spoken[pair[1]]
    )
    return tuple(Link(one, other, number) for (one, other), number in sorted(counts.items()))


def _plain(text: str) -> str:
    """Words in lower case between blanks, without a plural's s, so that one text holds another only word by word."""
    words = (word.removesuffix("s") for word in _WORDS.findall(text.lower()))
    return f" {' '.join(words)} "
