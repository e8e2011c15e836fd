"""Save a model and its tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from safetensors import SafetensorError


def save(model: Any, tokenizer: Any, folder: Path) -> None:
    """Save weights as safetensors, configuration, tokenizer and chat template. Raises `OSError` if the disk is full."""
    try:
        model.save_pretrained(folder)
    except SafetensorError as error:
        raise OSError(str(error)) from error  # how safetensors reports errors of the disk
    tokenizer.save_pretrained(folder)
