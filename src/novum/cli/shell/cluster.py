"""`--ray ADDRESS`: work on the library that the machines of a Ray cluster do."""

from __future__ import annotations

from typing import Annotated

import typer

Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Let a Ray cluster do the work: host:port, auto, or local for a Ray of this machine alone. Extra `ray`.",
    ),
]
