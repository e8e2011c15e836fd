"""Count tokens of texts: with a tokenizer if one is given, else as a quarter of the characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import orjson

from novum.errors import BadInput
from novum.files.inputs import check_input, read_plain

CHARACTERS_PER_TOKEN = 4
TOKENS_PER_TURN = 5
"""Approximate number of tokens that a chat template adds to a turn."""
_FILE = "tokenizer.json"


class TokenCounter(Protocol):
    """Counts tokens of texts."""

    @property
    def name(self) -> str: ...

    def count(self, texts: Sequence[str]) -> list[int]: ...


@dataclass(frozen=True)
class ByCharacters:
    """Estimates four characters per token, which is right within about a fifth for English prose."""

    name: str = "characters divided by 4"

    def count(self, texts: Sequence[str]) -> list[int]:
        return [-(-len(text) // CHARACTERS_PER_TOKEN) for text in texts]


class ByTokenizer:
    """Counts with a `tokenizer.json`, or one in a folder. Raises BadInput if there is none."""

    def __init__(self, place: Path) -> None:
        from tokenizers import Tokenizer  # noqa: PLC0415 - heavy, and rarely needed

        file = place / _FILE if place.is_dir() else place
        try:
            check_input(file)
            text = read_plain(file).decode("utf-8")
            known = isinstance(orjson.loads(text).get("model"), dict)
        except (OSError, ValueError, AttributeError):
            known = False
        if not known:
            raise BadInput(
                f"{file} is not a tokenizer. Name the tokenizer.json of the model to be trained, or its folder."
            )
        self._tokenizer = Tokenizer.from_str(text)
        self._tokenizer.no_truncation()
        self.name = f"the tokenizer {place.name if place.is_dir() else place.parent.name}"

    def count(self, texts: Sequence[str]) -> list[int]:
        encoded = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(each) for each in encoded]


def token_counter(tokenizer: Path | None) -> TokenCounter:
    """A counter that uses the tokenizer if one is given."""
    return ByTokenizer(tokenizer) if tokenizer else ByCharacters()
