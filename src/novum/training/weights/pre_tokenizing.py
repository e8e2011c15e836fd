"""Text is cut before it is tokenized; transformers must cut it for a GGUF's tokenizer where llama.cpp does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_DIGITS_APART = frozenset({"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b"})
"""Every digit a piece of its own, also apart from the blank before it. Of the ways in which llama.cpp cuts, those that
transformers passes over when it reads a GGUF (seen in 5.23); a model would be trained on other tokens than it is asked
with, and just around numbers, which ratings are."""


def split_as_llama_cpp_does(tokenizer: Any, gguf: Path) -> None:
    """Changes the tokenizer that transformers made of `gguf`, where its way of cutting is known and other."""
    if _way_of_cutting(gguf) not in _DIGITS_APART:
        return
    from tokenizers import pre_tokenizers

    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )


def _way_of_cutting(gguf: Path) -> str:
    from gguf import GGUFReader

    field = GGUFReader(gguf).get_field("tokenizer.ggml.pre")
    return str(field.contents()) if field else ""
