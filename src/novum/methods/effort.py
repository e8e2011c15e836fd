"""Effort: one word for the budget of a method, as values of its options.

`low` is about 15 calls, `medium` about 50, `high` about 150, with the experiment; `novum ideate --dry-run` says what
each method really takes. `virtual-team` has no use for more than about 85 calls at `high`. Options that a user gives
win over those of an effort.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

EffortLevel = Literal["low", "medium", "high"]
LEVELS: tuple[EffortLevel, ...] = get_args(EffortLevel)
EFFORT = "effort"
"""The name under which an effort is given among the options of a method: `--option effort=low`."""
TARGET_CALLS: Mapping[EffortLevel, int] = {"low": 15, "medium": 50, "high": 150}
"""Calls that an effort aims at."""

_OPTIONS: Mapping[str, Mapping[EffortLevel, Mapping[str, Any]]] = {
    "portfolio": {
        "low": {
            "seeds": 12,
            "batches": 1,
            "screened": 12,
            "tournament_rounds": 1,
            "drafts": 0,
            "attack_rounds": 0,
            "refinements": 0,
        },
        "medium": {
            "sources": ["chain", "opportunity", "concepts", "analogy", "assumption", "plain"],
            "seeds": 24,
            "chains": 2,
            "batches": 1,
            "nearest": 4,
            "screened": 6,
            "contenders": 12,
            "developed": 3,
            "critics": 1,
            "attack_rounds": 2,
        },
        "high": {
            "sources": ["chain", "opportunity", "concepts", "analogy", "assumption", "plain"],
            "seeds": 40,
            "chains": 4,
            "chain_length": 5,
            "batches": 2,
            "guide": "auto",
            "nearest": 6,
            "screened": 5,
            "contenders": 24,
            "tournament_rounds": 3,
            "developed": 4,
            "critics": 3,
            "attack_rounds": 3,
            "refinements": 2,
        },
    },
    "chain-of-ideas": {
        "low": {"branches": 1, "length": 3, "rounds": 2, "entities": False, "refinements": 0},
        "medium": {"length": 4},
        "high": {"branches": 6, "rounds": 4, "refinements": 2},
    },
    "ai-scientist": {
        "low": {"ideas": 2},
        "medium": {"ideas": 7},
        "high": {"ideas": 15, "reflections": 4, "searches": 3, "refinements": 2},
    },
    "ai-researcher": {
        "low": {"searches": 1, "seeds": 10, "proposals": 3, "rounds": 1, "refinements": 0},
        "medium": {"rounds": 4},
        "high": {"searches": 3, "seeds": 60, "proposals": 16, "rounds": 6, "refinements": 2},
    },
    "deep-innovator": {
        "low": {"papers": 4, "nearest": 2, "rounds": 1, "refinements": 0},
        "medium": {"papers": 16},
        "high": {"papers": 40, "nearest": 8, "rounds": 5, "ideas": 3, "refinements": 2},
    },
    "evolution": {
        "low": {"population": 3, "generations": 1, "offspring": 1, "tournament_rounds": 1, "refinements": 0},
        "medium": {"population": 6, "generations": 1, "offspring": 3, "tournament_rounds": 2},
        "high": {"population": 8, "generations": 3, "offspring": 4, "tournament_rounds": 3},
    },
    "spark": {
        "low": {"ideas": 2, "judge": "similarity", "fixes": 0, "comparison_rounds": 1},
        "medium": {"ideas": 5, "judge": "similarity", "fixes": 2},
        "high": {"ideas": 7, "fixes": 2, "comparison_rounds": 4, "refinements": 2},
    },
    "sci-agents": {
        "low": {"ideas": 1},
        "medium": {"ideas": 4},
        "high": {"ideas": 10, "refinements": 4},
    },
    "virtual-team": {
        "low": {"members": 3, "rounds": 1, "refinements": 0},
        "medium": {"members": 6, "rounds": 4},
        "high": {"members": 8, "rounds": 6, "refinements": 3},
    },
    "plain-best-of-n": {
        "low": {"drafts": 6, "comparisons": 3},
        "medium": {"drafts": 17, "comparisons": 15},
        "high": {"drafts": 50, "comparisons": 48},
    },
    "plain": {
        "low": {"drafts": 6, "comparisons": 3},
        "medium": {"drafts": 17, "comparisons": 15},
        "high": {"drafts": 50, "comparisons": 48},
    },
    "rag": {
        "low": {"drafts": 6, "comparisons": 3},
        "medium": {"drafts": 17, "comparisons": 15},
        "high": {"drafts": 50, "comparisons": 48},
    },
    "research-agent": {
        "low": {"rounds": 0, "refinements": 2},
        "medium": {"rounds": 2},
        "high": {"rounds": 8, "refinements": 3},
    },
}
"""By method and effort, the options that differ from its defaults."""


def has_effort(method: str) -> bool:
    """Whether the method has options that an effort can set."""
    return method in _OPTIONS


def methods_with_effort() -> tuple[str, ...]:
    """The names of the methods that have levels of effort, sorted."""
    return tuple(sorted(_OPTIONS))


def effort_options(method: str, effort: EffortLevel) -> Mapping[str, Any]:
    """The values of the method's options at this effort; those that are not named keep their defaults. Raises KeyError
    for a method without levels of effort."""
    return _OPTIONS[method][effort]


def with_effort(method: str, effort: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with those that the effort sets, where none of the same name is given; unchanged for an empty effort,
    for a method without levels, and where the options name an effort of their own."""
    levels: Mapping[Any, Mapping[str, Any]] = {} if EFFORT in options else _OPTIONS.get(method, {})
    return {**levels.get(effort, {}), **options}


def no_effort_note(method: str) -> str:
    """A sentence for a method that cannot use an effort."""
    takers = ", ".join(methods_with_effort())
    return f"{method} has no levels of effort and runs with its own options. Methods that have them: {takers}."
