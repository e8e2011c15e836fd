"""Doing the same to many things, wherever that is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Apply(Protocol):
    """Applies `job` to every item and gives the results in the order of the items.

    Items are taken as they are needed, some ahead. Where it is done elsewhere, job, items and results must be such as
    can be pickled, and a job may be done twice (its worker died): it must not leave traces.
    """

    def __call__(self, job: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]: ...


def apply_locally(job: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
    """In this process, one after the other."""
    return map(job, items)
