"""The version of the installed package. Modules below the Python interface use this instead of `novum.__version__`."""

from __future__ import annotations

import functools
from importlib.metadata import PackageNotFoundError, version


@functools.cache
def installed_version() -> str:
    """Such as `0.2.0`; `0.0.0` where Novum is not installed."""
    try:
        return version("novum")
    except PackageNotFoundError:
        return "0.0.0"
