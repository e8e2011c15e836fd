"""The libraries of training: check that they are installed, and silence their output."""

from __future__ import annotations

import logging
from importlib.util import find_spec

from novum.errors import BadInput
from novum.extras import missing_extra

_REQUIRED = ("torch", "transformers", "peft", "accelerate", "gguf")


def need_libraries(*, four_bit: bool = False) -> None:
    """Raises BadInput with the command that installs what is missing. `four_bit`: bitsandbytes is needed too."""
    required = (*_REQUIRED, "bitsandbytes") if four_bit else _REQUIRED
    missing = [name for name in required if find_spec(name) is None]
    if missing == ["bitsandbytes"]:
        raise BadInput("4-bit weights need bitsandbytes: `pip install bitsandbytes`, or choose another recipe.")
    if missing:
        raise BadInput(missing_extra("train", *missing, what="Training"))


def silence_libraries() -> None:
    """Turns off the progress bars and advice of transformers and huggingface_hub: Novum reports progress itself."""
    from transformers.utils import logging as transformers

    transformers.disable_progress_bar()
    transformers.set_verbosity_error()
    for name in ("huggingface_hub", "bitsandbytes"):
        logging.getLogger(name).setLevel(logging.ERROR)
