"""Vectors from an embedding model behind an OpenAI-compatible endpoint, for the library that is given it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from novum.core.concurrency import run_concurrently
from novum.errors import ModelUnreachable
from novum.llm.connections import Connections
from novum.llm.providers import ModelName

_BATCH = 96
_LONGEST = 20_000
"""Characters: embedding models refuse what is far longer than their context."""
_DEADLINE_SECONDS = 300.0


class RemoteEmbedder:
    """`name` is recorded with the vectors; `dimensions` is known after the first answer."""

    def __init__(self, model: ModelName, connections: Connections) -> None:
        self.model = model
        self.name = str(model)
        self.dimensions = 0
        self.tokens: int | None = 0
        """What the endpoint has counted so far; None where it does not say."""
        self._connections = connections
        self._queries: dict[str, NDArray[np.float32]] = {}

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimensions) vectors. Raises ModelUnreachable when the answer is not one vector per text."""
        if len(texts) == 1:
            return await self._query(texts[0])
        batches = [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]
        vectors = await run_concurrently(self._batch(batch) for batch in batches)
        return np.concatenate(vectors) if vectors else np.zeros((0, self.dimensions), np.float32)

    async def _query(self, text: str) -> NDArray[np.float32]:
        """A single text is a query, and queries come again."""
        if text not in self._queries:
            self._queries[text] = await self._batch([text])
        return self._queries[text]

    async def _batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        endpoint = await self._connections.endpoint(self.model)
        body = orjson.dumps({"model": self.model.model, "input": [text[:_LONGEST] or " " for text in texts]})
        async with endpoint.limiter.slot(sum(map(len, texts)) // 4):
            data = await endpoint.post("/embeddings", body, _DEADLINE_SECONDS)
        try:
            rows = sorted(data["data"], key=lambda row: int(row["index"]))
            vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelUnreachable(
                f"{self.model.short} did not answer with embeddings: {error}. Is it an embedding model?"
            ) from error
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise ModelUnreachable(
                f"{self.model.short} gave {len(vectors)} vectors for {len(texts)} texts. Is it an embedding model?"
            )
        self.dimensions = vectors.shape[1]
        counted = _tokens(data)
        self.tokens = None if self.tokens is None or counted is None else self.tokens + counted
        return vectors


def _tokens(data: dict[str, Any]) -> int | None:
    usage = data.get("usage")
    counted = usage.get("prompt_tokens", usage.get("total_tokens")) if isinstance(usage, dict) else None
    return counted if isinstance(counted, int) else None
