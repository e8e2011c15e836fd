"""Applying a function to many items, in this process or on other machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Apply(Protocol):
    """Applies `job` to every item and gives the results in the order of the items.

    Items are read as they are needed, some ahead. On other machines, job, items and results must be picklable, and a
    job can be done twice if its worker died: it must have no side effects.
    """

    def __call__(self, job: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]: ...


def apply_locally(job: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
    """In this process, one after the other."""
    return map(job, items)
