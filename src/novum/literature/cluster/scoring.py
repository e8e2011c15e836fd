"""A number for every paper of a library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from novum.core import Paper
from novum.literature.cluster.apply import Apply, here
from novum.literature.filters import EVERYTHING, Filters
from novum.literature.library import Library

_AT_ONCE = 1000


class Scored(NamedTuple):
    """A paper's score; None: the function had none to give."""

    paper_id: str
    score: float | None


def score_library(
    library: Library, function: Callable[[Paper], float | None], filters: Filters = EVERYTHING, *, apply: Apply = here
) -> Iterator[Scored]:
    """What `function` says of every paper that passes, in order of arrival; memory does not grow with the library.

    `apply`: who does it (`workers`); the function must then be one that can be pickled. For how like a question papers
    are, give it `await library.likeness(question)`. Raises LibraryError, and whatever `function` raises.
    """
    for page in apply(partial(_scored, function), _pages(library.papers(filters))):
        yield from page


def _pages(papers: Iterator[Paper]) -> Iterator[list[Paper]]:
    while page := list(islice(papers, _AT_ONCE)):
        yield page


def _scored(function: Callable[[Paper], float | None], page: Sequence[Paper]) -> list[Scored]:
    return [Scored(paper.id, function(paper)) for paper in page]
