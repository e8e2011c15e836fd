"""A model and its tokenizer written as others read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def save(model: Any, tokenizer: Any, folder: Path) -> None:
    """Weights as safetensors, configuration, tokenizer and chat template. Raises `OSError` where there is no room."""
    from safetensors import SafetensorError

    try:
        model.save_pretrained(folder)
    except SafetensorError as error:
        raise OSError(str(error)) from error  # the disk's troubles, in the words of that library
    tokenizer.save_pretrained(folder)
