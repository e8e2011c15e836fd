"""Novum: from the scientific literature to research ideas worth pursuing, measured."""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which would be loaded before the command line handles Ctrl-C
if TYPE_CHECKING:
    from typing import Any

    from novum.api import *  # noqa: F403

    __version__: str

_VERBS = (
    "add_papers", "add_zotero", "arena", "build_ideas", "build_next_ideas", "build_preferences", "build_reviews",
    "check_reward", "create_study", "evaluate_judges", "evaluate_next_ideas", "explore", "export_to_zotero", "filter",
    "find_opportunities", "fit_metrics", "foresight", "ideate", "ideate_many", "import_papers", "library", "liveidea",
    "replay", "resume", "review", "rubric", "score", "search", "select", "study_files", "study_results", "train",
    "train_next_ideas", "tune_metrics", "validate_judges", "validate_metrics", "win_rate",
)  # fmt: skip
_NAMES = ("IdeationResult", *_VERBS, *(f"{verb}_async" for verb in _VERBS))
"""The names of `novum.api`, known without loading it."""


def __getattr__(name: str) -> Any:
    """Loads the Python interface when it is first used: `import novum` stays light."""
    if name == "__version__":
        from novum.core.version import installed_version  # loads records

        return installed_version()
    if name in _NAMES:
        from novum import api  # everything heavy

        return getattr(api, name)
    raise AttributeError(f"module 'novum' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES, "__version__"})
