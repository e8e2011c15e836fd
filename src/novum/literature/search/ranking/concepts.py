"""Concepts of papers: word groups of titles and abstracts that name something by themselves.

Fields are no concepts here: they are broad categories, and would link all papers of a category.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from novum.core import Paper
from novum.literature.search.ranking.growth import standing_alone
from novum.literature.search.ranking.keywords import LONGEST, groups, runs

_COMMON = 0.5
"""Maximum share of papers with a concept: above it, the concept is not informative."""
_CLOSED = 0.5
"""Share of the places of a word group at which no further word follows it: "superionic" is followed by "conductor"
nearly everywhere, so it is the beginning of a name and no name."""
_BY_ITSELF = 0.15
"""Minimum share of the places of a single word that have no other word beside it: "networks" are nearly always networks
of some kind, and one word for all kinds would link what has nothing in common."""
_USED_EVERYWHERE = """
advances applications challenges changes choices comparison computation description development developments
difference direction directions discussion effect effects emergence evaluation evidence field findings future
ideas impact impacts implications insight insights introduction issues knowledge lessons limitations literature
opportunities origin overview part perspective perspectives practice practices progress prospects properties
question questions reading recommendations research review rise role roles science status survey time today topic
topics trends understanding validation
"""
OF_ANYTHING = frozenset(_USED_EVERYWHERE.split())
"""Single words that occur in every subject, and so name none."""


def concepts(papers: Sequence[Paper], fewest: int) -> list[set[str]]:
    """For each paper the concepts that it holds. Each of them is in `fewest` of `papers` or more, and in no more than
    half of them.
    """
    by_paper = [set(groups(paper.title)).union(groups(paper.gist)) for paper in papers]
    totals = Counter(chain.from_iterable(by_paper))
    names = {name: totals[name] for name in _names(papers, totals, fewest)}
    usual = _usual_number(names)
    unified = [{usual.get(name, name) for name in found if name in names} for found in by_paper]
    counted = Counter(chain.from_iterable(unified))
    common = {name for name, count in counted.items() if count > _COMMON * len(papers)}
    return [found - common for found in unified]


def _names(papers: Sequence[Paper], totals: Mapping[str, int], fewest: int) -> set[str]:
    """Abstracts are full of words that name nothing. So a group of words must be in a title somewhere, a single word
    in `fewest` titles whose abstracts come back to it, and both must be closed.
    """
    titles = [set(groups(paper.title)) for paper in papers]
    subjects = Counter(word for paper, title in zip(papers, titles, strict=True) for word in _subjects(paper, title))
    named = set[str]().union(*titles)
    alone = (name for name in standing_alone(totals, fewest) if name in named)
    return {name for name in alone if " " in name or subjects[name] >= fewest} & _complete_names(papers)


def _subjects(paper: Paper, title: Iterable[str]) -> set[str]:
    """Single words of the title that are also in the abstract, if there is one."""
    words = {name for name in title if " " not in name} - OF_ANYTHING
    return words.intersection(groups(paper.gist)) if paper.gist else words


def _complete_names(papers: Sequence[Paper]) -> set[str]:
    """Word groups after which mostly nothing follows, and single words that often have nothing beside them."""
    places, last, whole = Counter[str](), Counter[str](), Counter[str]()
    for run in (run for paper in papers for text in (paper.title, paper.gist) for run in runs(text)):
        for size in range(1, min(LONGEST, len(run)) + 1):
            inside = [" ".join(run[start : start + size]) for start in range(len(run) - size + 1)]
            places.update(inside)
            last[inside[-1]] += 1
        whole[" ".join(run)] += 1
    complete = (name for name, count in last.items() if count >= _CLOSED * places[name])
    return {name for name in complete if " " in name or whole[name] >= _BY_ITSELF * places[name]}


def _usual_number(names: Mapping[str, int]) -> dict[str, str]:
    """For names that are there with and without a final s, the rarer one and the one that stands for both."""
    both = ((name, f"{name}s") for name in sorted(names) if f"{name}s" in names)
    return dict(sorted(pair, key=lambda name: names[name]) for pair in both)
