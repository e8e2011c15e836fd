"""Texts as vectors. The default needs no network, no download and no torch; remote embedders are handed in."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from novum.errors import LibraryError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Vectors = NDArray[np.float32]
"""One row a text."""


class Embedder(Protocol):
    """Turns texts into vectors. `name` is recorded with the vectors: those of two embedders are never mixed."""

    @property
    def name(self) -> str:
        """Distinguishes its vectors from those of other embedders, e.g. `wordllama-256`."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of its vectors."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimensions), float32, finite, not normalised; order kept."""
        ...


@runtime_checkable
class QueryEmbedder(Protocol):
    """An embedder that takes questions otherwise than the texts that answer them."""

    async def embed_query(self, text: str) -> Vectors:
        """Shape (1, dimensions), float32, finite."""
        ...


async def vectors_of(embedder: Embedder, texts: Sequence[str], *, queries: bool = False) -> Vectors:
    """Shape (len(texts), dimensions). `queries`: these texts are questions. Raises LibraryError when the embedder
    returns anything else."""
    if queries and isinstance(embedder, QueryEmbedder):
        rows = [await embedder.embed_query(text) for text in texts]
        made = np.concatenate([np.asarray(row, dtype=np.float32) for row in rows])
    else:
        made = np.asarray(await embedder.embed(texts), dtype=np.float32)
    wanted = (len(texts), embedder.dimensions)
    if made.shape != wanted or not np.isfinite(made).all():
        raise LibraryError(
            f"The embedder {embedder.name} returned vectors of shape {made.shape} where finite ones of {wanted} were "
            "asked for: check its model and `dimensions`."
        )
    return made


class StaticEmbedder:
    """Mean of fixed token vectors: the weights that the `wordllama` wheel carries, about 2,000 abstracts a second.

    Only the two data files of that package are read. Importing it would switch on logging for the whole program and
    pull in an HTTP client; its own pooling pads every text to the longest of its batch.
    """

    name = "wordllama-256"
    dimensions = 256

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 256). An empty text is the zero vector. Raises LibraryError without the package."""
        if len(texts) <= _AT_ONCE and _weights.cache_info().currsize:
            return self._pool(texts)
        return await asyncio.to_thread(self._pool, texts)

    async def load(self) -> None:
        """Reads the weights, if that was not done yet. This holds up the event loop for a moment: better before answers
        of models are waited for. Raises LibraryError without the package."""
        await asyncio.to_thread(_weights)

    def _pool(self, texts: Sequence[str]) -> Vectors:
        weights = _weights()
        pooled = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            if ids := weights.tokens_of(text[:_CHARACTERS].split()):
                pooled[row] = weights.table[ids].mean(axis=0)
        return pooled


def vocabulary() -> list[str]:
    """The whole words that the static embedder knows as such, most frequent first. Raises LibraryError without it."""
    tokens = sorted(_weights().tokenizer.get_vocab().items(), key=lambda token: token[1])
    return [token.removeprefix(_WORD_BEGINS) for token, _ in tokens if token.startswith(_WORD_BEGINS)]


def tokens_of(text: str) -> list[int]:
    """The numbers of a text's tokens, as the static embedder takes it apart. Raises LibraryError without it."""
    return _weights().tokens_of(text[:_CHARACTERS].split())


def token_table() -> Vectors:
    """The static embedder's vector of each token, shape (vocabulary, 256); not to be changed. Raises LibraryError."""
    return _weights().table


_WORD_BEGINS = "▁"


@dataclass(frozen=True, eq=False)
class _Weights:
    """`table`: one vector a token, shape (vocabulary, 256)."""

    tokenizer: Tokenizer
    table: Vectors
    known: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def tokens_of(self, words: Sequence[str]) -> list[int]:
        """Token numbers of a text. No token of this vocabulary spans two words, so each word need be taken apart only
        once: several times as fast as handing over whole texts."""
        if len(self.known) > _WORDS_KEPT:
            self.known.clear()
        known = self.known
        if missing := [word for word in dict.fromkeys(words) if word not in known]:
            self._learn(missing)
        return list(chain.from_iterable([known[word] for word in words]))

    def _learn(self, words: Sequence[str]) -> None:
        for word in words:  # not as a batch: the tokenizer would call up threads, and few words of a text are new
            self.known[word] = tuple(self.tokenizer.encode(word, add_special_tokens=False).ids)


@cache
def _weights() -> _Weights:
    """Read once in a process: they never change."""
    from safetensors.numpy import load_file  # noqa: PLC0415  on first use: commands that never search need not wait
    from tokenizers import Tokenizer  # noqa: PLC0415

    folder = _package_folder("wordllama")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    table = load_file(folder / "weights" / "l2_supercat_256.safetensors")["embedding.weight"]
    return _Weights(tokenizer, table.astype(np.float32))


_WORDS_KEPT = 300_000
"""Words remembered with their tokens, some 60 MB."""
_AT_ONCE = 4
"""Up to here embedding is faster than handing it to a thread, once the weights are read."""
_CHARACTERS = 20_000
"""More of a text no longer changes its mean noticeably, and bounds time and memory."""


def _package_folder(name: str) -> Path:
    """Where an installed package lies, without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise LibraryError(f"The default embedder needs the package {name!r}: install it with `pip install {name}`.")
    return Path(spec.origin).parent
