"""Novum: from the scientific literature to research ideas worth pursuing, measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novum.api import (
        IdeationResult,
        add_papers,
        add_papers_async,
        arena,
        arena_async,
        build_preferences,
        build_preferences_async,
        build_reviews,
        build_reviews_async,
        evaluate_judges,
        evaluate_judges_async,
        explore,
        explore_async,
        filter,
        filter_async,
        find_opportunities,
        find_opportunities_async,
        fit_metrics,
        fit_metrics_async,
        foresight,
        foresight_async,
        ideate,
        ideate_async,
        ideate_many,
        ideate_many_async,
        import_papers,
        import_papers_async,
        library,
        library_async,
        liveidea,
        liveidea_async,
        replay,
        replay_async,
        resume,
        resume_async,
        review,
        review_async,
        rubric,
        rubric_async,
        score,
        score_async,
        search,
        search_async,
        select,
        select_async,
        train,
        train_async,
        win_rate,
        win_rate_async,
    )

    __version__: str

__all__ = [
    "IdeationResult",
    "__version__",
    "add_papers",
    "add_papers_async",
    "arena",
    "arena_async",
    "build_preferences",
    "build_preferences_async",
    "build_reviews",
    "build_reviews_async",
    "evaluate_judges",
    "evaluate_judges_async",
    "explore",
    "explore_async",
    "filter",
    "filter_async",
    "find_opportunities",
    "find_opportunities_async",
    "fit_metrics",
    "fit_metrics_async",
    "foresight",
    "foresight_async",
    "ideate",
    "ideate_async",
    "ideate_many",
    "ideate_many_async",
    "import_papers",
    "import_papers_async",
    "library",
    "library_async",
    "liveidea",
    "liveidea_async",
    "replay",
    "replay_async",
    "resume",
    "resume_async",
    "review",
    "review_async",
    "rubric",
    "rubric_async",
    "score",
    "score_async",
    "search",
    "search_async",
    "select",
    "select_async",
    "train",
    "train_async",
    "win_rate",
    "win_rate_async",
]


def __getattr__(name: str) -> Any:
    """Loads the Python interface when it is first used: `import novum` stays light."""
    if name == "__version__":
        from novum.core.version import installed_version  # loads records

        return installed_version()
    if name in __all__:
        from novum import api  # everything heavy

        return getattr(api, name)
    raise AttributeError(f"module 'novum' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
