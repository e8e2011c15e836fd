"""Vectors from an embedding model behind an OpenAI-compatible endpoint, for a library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from novum.core.concurrency import run_concurrently
from novum.llm.connections import Connections
from novum.llm.endpoint import CallOptions, Post
from novum.llm.providers import ModelName

_BATCH = 96
_LONGEST = 20_000
"""Characters: embedding models refuse what is far longer than their context."""
_LARGEST = 64 * 2**20
"""Bytes of a response."""
_DEADLINE_SECONDS = 300.0


class RemoteEmbedder:
    """`name` is recorded with the vectors; `dimensions` is known after the first answer."""

    def __init__(self, model: ModelName, connections: Connections) -> None:
        self.model = model
        self.name = str(model)
        self.dimensions = 0
        self.tokens: int | None = 0
        """Tokens so far as the server counts them; None where it does not report them."""
        self._connections = connections
        self._queries: dict[str, NDArray[np.float32]] = {}

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimensions) vectors. Raises ModelUnreachable, ModelRefusedUs or CallFailed."""
        if len(texts) == 1:
            return await self._query(texts[0])
        batches = [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]
        vectors = await run_concurrently(self._batch(batch) for batch in batches)
        return np.concatenate(vectors) if vectors else np.zeros((0, self.dimensions), np.float32)

    async def _query(self, text: str) -> NDArray[np.float32]:
        """A single text is a search query, and queries are repeated."""
        if text not in self._queries:
            self._queries[text] = await self._batch([text])
        return self._queries[text]

    async def _batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        endpoint = await self._connections.endpoint(self.model)
        body = orjson.dumps({"model": self.model.model, "input": [text[:_LONGEST] or " " for text in texts]})
        post = Post(
            "/embeddings",
            body,
            lambda data: _read(data, len(texts)),
            largest=_LARGEST,
            server_kind="an embedding model",
        )
        async with endpoint.limiter.slot(sum(map(len, texts)) // 4):
            response = await endpoint.post(post, CallOptions(_DEADLINE_SECONDS))
        self.dimensions = response.vectors.shape[1]
        if self.tokens is not None:
            self.tokens = None if response.tokens is None else self.tokens + response.tokens
        return response.vectors


@dataclass(frozen=True)
class _Embeddings:
    vectors: NDArray[np.float32]
    """(texts, dimensions)"""
    tokens: int | None


def _read(data: Any, count: int) -> _Embeddings:
    """The embeddings of `count` texts in their order. Raises ValueError with what the response is instead."""
    try:
        rows = sorted(data["data"], key=lambda row: int(row["index"]))
        vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("JSON without a list of embeddings") from error
    if vectors.ndim != 2 or len(vectors) != count:
        raise ValueError(f"{len(vectors)} vectors for {count} texts")
    usage = data.get("usage")
    tokens = usage.get("prompt_tokens", usage.get("total_tokens")) if isinstance(usage, dict) else None
    return _Embeddings(vectors, tokens if isinstance(tokens, int) else None)
