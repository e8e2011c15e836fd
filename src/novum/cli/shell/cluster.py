"""`--ray ADDRESS`: work on the library that the machines of a Ray cluster do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from novum.literature import Embedder
    from novum.literature.cluster import Apply

Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Let a Ray cluster do the work: host:port, auto, or local for a Ray of this machine alone. Extra `ray`.",
    ),
]


def spread(embedder: Embedder, apply: Apply) -> Embedder:
    """`embedder`, its work done by `apply`."""
    from novum.literature.cluster import ClusterEmbedder, apply_locally

    return embedder if apply is apply_locally else ClusterEmbedder(embedder, apply)


def is_remote(embedder: Embedder) -> bool:
    """Whether it is asked over the network, and would answer many machines no faster than one."""
    from novum.llm.embeddings import RemoteEmbedder

    return isinstance(embedder, RemoteEmbedder)
