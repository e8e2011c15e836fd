"""Embedding models that run on this machine, through `sentence-transformers` (extra `embed`)."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from novum.core.arrays import Vectors
from novum.errors import LibraryError
from novum.extras import missing_extra

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PREFIX = "local:"
_BATCH = 32
_LONGEST = 20_000
"""Characters of a text; models cut off at some thousand anyway."""
_LONGEST_NAME = 120
"""Characters of a name as the library records it."""
_QUERIES_KEPT = 1000


@dataclass(frozen=True)
class _Habit:
    """What a family of models expects beyond what its files define."""

    query: str = ""
    """Stands before a question."""
    separated: bool = False
    """Title and abstract are told apart by the tokenizer's separator, and the first token stands for the text."""


_HABITS = {
    "specter2": _Habit(separated=True),
    "sfr-embedding": _Habit(query="Instruct: Find the scientific papers that this text asks for\nQuery: "),
}
"""By a part of the model's name, in lower case."""


class LocalEmbedder:
    """`local:` and a model's name on Hugging Face, or a folder. Nothing is loaded before the first text.

    The model's own prompts for queries and documents are used where it has any. Which device computes is left to torch.
    """

    def __init__(self, model: str) -> None:
        self._model = _place_of(model)
        self.name = _recorded_name(f"{PREFIX}{self._model}")
        self.dimensions = 0
        self._habit = next((habit for part, habit in _HABITS.items() if part in self._model.lower()), _Habit())
        self._loaded: SentenceTransformer | None = None
        self._busy = Lock()
        self._queries: dict[str, Vectors] = {}

    def __reduce__(self) -> tuple[type[LocalEmbedder], tuple[str]]:
        """Pickles the name alone: the receiving process loads the model itself."""
        return LocalEmbedder, (self._model,)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimensions). Raises LibraryError when package or model are not there."""
        return await asyncio.to_thread(self._encode, texts, "document")

    async def embed_query(self, text: str) -> Vectors:
        """Shape (1, dimensions). Questions come again, and are remembered."""
        if text not in self._queries:
            if len(self._queries) >= _QUERIES_KEPT:
                self._queries.clear()
            self._queries[text] = await asyncio.to_thread(self._encode, [text], "query")
        return self._queries[text]

    def _encode(self, texts: Sequence[str], kind: str) -> Vectors:
        with self._busy:  # loaded once, and one batch after the other: a device has no room for two
            model = self._loaded = self._loaded or _load(self._model, first_token=self._habit.separated)
            prompt = (self._habit.query if kind == "query" else "") or (model.prompts or {}).get(kind) or ""
            try:
                made = model.encode(
                    [self._as_it_reads(text, model) for text in texts],
                    prompt=prompt or None,
                    batch_size=_BATCH,
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
            except RuntimeError as error:  # torch's word for no more memory, too
                raise LibraryError(
                    f"The embedding model {self._model} broke down ({_first_line(error)}): free memory on its device, "
                    "and run the same again. Vectors that were stored are kept."
                ) from error
        vectors = np.asarray(made, dtype=np.float32)
        self.dimensions = vectors.shape[-1] if len(texts) else self.dimensions
        return vectors.reshape(len(texts), self.dimensions)

    def _as_it_reads(self, text: str, model: SentenceTransformer) -> str:
        """The library joins title and abstract by a full stop."""
        separator = str(getattr(model.tokenizer, "sep_token", "") or "") if self._habit.separated else ""
        return (text.replace(". ", separator, 1) if separator else text)[:_LONGEST]


def _load(model: str, *, first_token: bool) -> SentenceTransformer:
    try:
        from sentence_transformers import SentenceTransformer, models  # noqa: PLC0415  seconds, and an extra
    except ImportError as error:
        raise LibraryError(
            missing_extra("embed", error.name or "sentence_transformers", what=f"The embedder {PREFIX}{model}")
            + " Or choose another embedder."
        ) from error
    try:
        if not first_token:
            return SentenceTransformer(model)
        words = models.Transformer(model)
        first = models.Pooling(words.get_word_embedding_dimension(), pooling_mode="cls")
        return SentenceTransformer(modules=[words, first])
    except (OSError, ValueError, RuntimeError) as error:  # not there, no network, no room on the device
        raise LibraryError(
            f"The embedding model {model} cannot be loaded ({_first_line(error)}): check its name on Hugging "
            "Face, or name a folder."
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _place_of(model: str) -> str:
    """A folder by its whole path, so that it is the same from everywhere."""
    try:
        folder = Path(model).expanduser()
        return str(folder.resolve()) if folder.is_dir() else model
    except (OSError, RuntimeError, ValueError):  # no path at all
        return model


def _recorded_name(name: str) -> str:
    """A name that fits into the library."""
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{PREFIX}…{name[-60:]} {hashlib.blake2b(name.encode(), digest_size=8).hexdigest()}"
