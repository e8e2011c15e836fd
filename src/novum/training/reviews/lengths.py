"""How many tokens a text has: by a tokenizer where one is named, else a quarter of its characters, and said so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import orjson

from novum.errors import BadInput

CHARACTERS_PER_TOKEN = 4
TOKENS_PER_TURN = 5
"""What chat templates put around a turn, about; they differ."""
_FILE = "tokenizer.json"


class TokenCounter(Protocol):
    """Counts tokens of texts."""

    @property
    def name(self) -> str: ...

    def count(self, texts: Sequence[str]) -> list[int]: ...


@dataclass(frozen=True)
class ByCharacters:
    """Four characters a token: right within a fifth or so for English prose."""

    name: str = "characters divided by 4"

    def count(self, texts: Sequence[str]) -> list[int]:
        return [-(-len(text) // CHARACTERS_PER_TOKEN) for text in texts]


class ByTokenizer:
    """By a `tokenizer.json`, or a folder that has one. Raises BadInput where there is none."""

    def __init__(self, place: Path) -> None:
        from tokenizers import Tokenizer  # noqa: PLC0415 - heavy, and rarely needed

        file = place / _FILE if place.is_dir() else place
        try:
            told = file.read_text(encoding="utf-8")
            known = isinstance(orjson.loads(told).get("model"), dict)
        except (OSError, ValueError, AttributeError):
            known = False
        if not known:
            raise BadInput(
                f"{file} is no tokenizer. Name the tokenizer.json of the model to be trained, or its folder."
            )
        self._tokenizer = Tokenizer.from_str(told)
        self._tokenizer.no_truncation()
        self.name = f"the tokenizer {place.name if place.is_dir() else place.parent.name}"

    def count(self, texts: Sequence[str]) -> list[int]:
        encoded = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(each) for each in encoded]


def token_counter(tokenizer: Path | None) -> TokenCounter:
    """By a tokenizer, if one is named."""
    return ByTokenizer(tokenizer) if tokenizer else ByCharacters()
