"""all-MiniLM-L6-v2, a small sentence encoder (Reimers & Gurevych 2019; Wang et al. 2020), computed with NumPy alone.

A BERT encoder of six layers; a text's vector is the mean of its tokens' last states, scaled to length 1. Every text is
computed by itself, so its vector does not depend on what else is embedded, and with one thread of the linear-algebra
library: several texts at once use the cores better than several threads for one text, also on a busy machine. An
abstract takes about 45 ms of one core, less than with PyTorch, and as much as with ONNX Runtime and weights of 8 bits.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from novum.errors import LibraryError

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController
    from tokenizers import Tokenizer

Vectors = NDArray[np.float32]

MOST_TOKENS = 128
"""Tokens of a text that are read, as in the training of the model. With 256 nDCG@10 rises by 0.004 on 130 queries, and
the first search for a topic takes 60 % longer."""
_CHARACTERS = 4_000
"""More cannot matter for that many tokens, and would only be taken apart."""
_HEAD_WIDTH = 32
_EPSILON = 1e-12
_MOST_THREADS = 8
_LENGTH_BYTES = 8


class SentenceEncoder:
    """The encoder in `file`: a safetensors file followed by the JSON of its tokenizer. Nothing is read before the first
    text."""

    name = "all-minilm-l6-v2"
    dimensions = 384

    def __init__(self, file: Path) -> None:
        self._file = file
        self._network: _Network | None = None
        self._busy = Lock()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), 384). Raises LibraryError when the file is missing or damaged."""
        return await asyncio.to_thread(self._encode, texts)

    def _encode(self, texts: Sequence[str]) -> Vectors:
        with self._busy:  # the limit on threads is one for the whole process
            network = self._network = self._network or _Network.load(self._file)
            threads = min(len(texts), os.cpu_count() or 1, _MOST_THREADS)
            with network.linear_algebra.limit(limits=1, user_api="blas"), ThreadPoolExecutor(max(1, threads)) as pool:
                return np.array([*pool.map(network.encode, texts)], np.float32).reshape(len(texts), network.width)


@dataclass(frozen=True, eq=False)
class _Network:
    """Weights by name, as the file has them."""

    tokenizer: Tokenizer
    weights: Mapping[str, Vectors]
    layers: int
    linear_algebra: ThreadpoolController

    @classmethod
    def load(cls, file: Path) -> _Network:
        """Raises LibraryError when the file is missing or damaged."""
        from safetensors.numpy import load  # noqa: PLC0415  on first use: commands that never search need not wait
        from threadpoolctl import ThreadpoolController  # noqa: PLC0415
        from tokenizers import Tokenizer  # noqa: PLC0415

        try:
            content = file.read_bytes()
            end = _end_of_weights(content)
            weights = load(content[:end])
            tokenizer = Tokenizer.from_str(content[end:].decode())
        except Exception as error:  # the tokenizer's library has no narrower one
            raise LibraryError(
                f"The sentence encoder {file} cannot be read: install it again with "
                f"`novum models install {SentenceEncoder.name}`, or set NOVUM_RERANKER=none."
            ) from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(MOST_TOKENS)
        layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
        for layer in range(layers):
            _join(weights, f"encoder.layer.{layer}.attention.self", ("query", "key", "value"))
        return cls(tokenizer, weights, layers, ThreadpoolController())  # type: ignore[no-untyped-call]

    @property
    def width(self) -> int:
        """Length of a vector."""
        return len(self.weights["embeddings.LayerNorm.weight"])

    def encode(self, text: str) -> Vectors:
        """The unit vector of a text, shape (width,)."""
        tokens = self.tokenizer.encode(text[:_CHARACTERS]).ids
        states = self.weights["embeddings.word_embeddings.weight"][tokens]
        states = states + self.weights["embeddings.position_embeddings.weight"][: len(tokens)]
        states = self._normalized(
            "embeddings.LayerNorm", states + self.weights["embeddings.token_type_embeddings.weight"][0]
        )
        for layer in range(self.layers):
            states = self._layer(f"encoder.layer.{layer}", states)
        mean = states.mean(axis=0)
        unit: Vectors = mean / np.sqrt(np.vecdot(mean, mean))
        return unit

    def _layer(self, layer: str, states: Vectors) -> Vectors:
        """The states of all tokens, shape (tokens, width), after one layer."""
        attended = self._linear(f"{layer}.attention.output.dense", self._attention(f"{layer}.attention.self", states))
        states = self._normalized(f"{layer}.attention.output.LayerNorm", states + attended)
        inner = _gelu(self._linear(f"{layer}.intermediate.dense", states))
        return self._normalized(f"{layer}.output.LayerNorm", states + self._linear(f"{layer}.output.dense", inner))

    def _attention(self, name: str, states: Vectors) -> Vectors:
        """Attention of every token to every token, by all heads."""
        query, key, value = self._linear(name, states).reshape(len(states), 3, -1, _HEAD_WIDTH).transpose(1, 2, 0, 3)
        scores = query @ key.swapaxes(1, 2) / np.float32(_HEAD_WIDTH**0.5)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        attended: Vectors = (shares @ value).swapaxes(0, 1).reshape(states.shape)
        return attended

    def _linear(self, name: str, states: Vectors) -> Vectors:
        product: Vectors = states @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return product

    def _normalized(self, name: str, states: Vectors) -> Vectors:
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.vecdot(centred, centred)[:, None] / centred.shape[-1] + np.float32(_EPSILON))
        scaled: Vectors = centred / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
        return scaled


def _join(weights: dict[str, Vectors], name: str, parts: Sequence[str]) -> None:
    """Replaces linear steps from the same states by one, which is faster."""
    for kind in ("weight", "bias"):
        weights[f"{name}.{kind}"] = np.concatenate([weights.pop(f"{name}.{part}.{kind}") for part in parts])


def _gelu(values: Vectors) -> Vectors:
    """The Gaussian error linear unit in its approximation by tanh (Hendrycks & Gimpel 2016), which changes a vector by
    less than 0.2 %; the exact one takes several times as long. In place, as the largest step in memory."""
    inner = values * values
    inner *= np.float32(0.044715)
    inner += np.float32(1)
    inner *= values
    inner *= np.float32((2 / np.pi) ** 0.5)
    np.tanh(inner, out=inner)
    inner += np.float32(1)
    inner *= values
    inner *= np.float32(0.5)
    return inner


def _end_of_weights(content: bytes) -> int:
    """The number of bytes of the safetensors file that `content` begins with. Raises ValueError or KeyError."""
    header = int.from_bytes(content[:_LENGTH_BYTES], "little")
    described = json.loads(content[_LENGTH_BYTES : _LENGTH_BYTES + header])
    ends: list[int] = [each["data_offsets"][1] for name, each in described.items() if name != "__metadata__"]
    return _LENGTH_BYTES + header + max(ends)
