"""Judges by their public names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from novum.registry import Registry

Judge = TypeVar("Judge", bound=Callable[..., Any])

_judges: Registry[Callable[..., Any]] = Registry("judge", "novum.judges")


def judge(name: str) -> Callable[[Judge], Judge]:
    """Registers a judge under its public name and hands it back as it was."""

    def enter(function: Judge) -> Judge:
        _judges.register(name)(function)
        return function

    return enter


def get_judge(name: str) -> Callable[..., Any]:
    """The judge of that name. Raises BadInput with the nearest names when there is none."""
    return _judges.get(name)


def judge_names() -> list[str]:
    """Names of all judges, ours and those of other packages."""
    return _judges.names()
