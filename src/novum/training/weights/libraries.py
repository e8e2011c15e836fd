"""The libraries of training: heavy, optional, and talkative."""

from __future__ import annotations

import logging
from importlib.util import find_spec

from novum.errors import BadInput
from novum.extras import need

_NEEDED = ("torch", "transformers", "peft", "accelerate", "gguf")


def need_libraries(*, four_bit: bool = False) -> None:
    """Raises `BadInput` that says what to install, where something is missing."""
    wanted = (*_NEEDED, "bitsandbytes") if four_bit else _NEEDED
    missing = [name for name in wanted if find_spec(name) is None]
    if missing == ["bitsandbytes"]:
        raise BadInput("Weights of 4 bits need bitsandbytes: `pip install bitsandbytes`, or choose another recipe.")
    need("train", *missing, what="Training")


def silence_libraries() -> None:
    """No bars and no advice from the libraries: progress and errors are ours to tell."""
    from transformers.utils import logging as transformers

    transformers.disable_progress_bar()
    transformers.set_verbosity_error()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
