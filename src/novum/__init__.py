"""Novum: from the scientific literature to research ideas worth pursuing, measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from novum.api import ideate, ideate_async

__all__ = ["__version__", "ideate", "ideate_async"]


def __getattr__(name: str) -> Any:
    """Heavy imports wait until they are wanted: `novum --help` must be quick."""
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version  # takes a quarter of the time of `novum --help`

        try:
            return version("novum")
        except PackageNotFoundError:
            return "0.0.0"
    if name in {"ideate", "ideate_async"}:
        from novum import api as face

        return getattr(face, name)
    raise AttributeError(f"module 'novum' has no attribute {name!r}")
