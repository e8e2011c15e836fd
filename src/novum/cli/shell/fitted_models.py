"""The option that names a fitted model."""

from __future__ import annotations

from typing import Annotated

import typer

DEFAULT = "default"
"""As `novum.idea_metrics.saved_models.DEFAULT`, which loads more than `--help` needs."""
MetricsName = Annotated[
    str, typer.Option("--metrics", metavar="NAME|DIR", help="The fitted model: its name, or its folder.")
]
