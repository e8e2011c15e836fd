"""Load an adapter onto its base, and merge it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from novum.errors import BadInput
from novum.training.weights.trained_folder import ADAPTER_WEIGHTS
from novum.training.weights.unloadable import explain_load_failure


def with_adapter(model: Any, adapter: Path) -> Any:
    """`model` as a `peft.PeftModel` with the adapter in that folder. Raises `BadInput` if it cannot be loaded."""
    from peft import PeftModel

    if not (adapter / ADAPTER_WEIGHTS).is_file():  # otherwise peft would load other formats, which can run code
        raise BadInput(f"There is no adapter in {adapter} (no {ADAPTER_WEIGHTS}): train it again, or restore the file.")
    with explain_load_failure(str(adapter)), warnings.catch_warnings():
        warnings.filterwarnings("error", "Found missing adapter keys")  # layers of another base would stay untrained
        return PeftModel.from_pretrained(model, str(adapter))


def merge_adapter(model: Any, adapter: Path) -> Any:
    """The base with the adapter merged into it: a plain model of the same kind and precision.

    Raises `BadInput` if the adapter cannot be loaded or has values that are not finite.
    """
    adapted = with_adapter(model, adapter)
    _untie(adapted)
    try:
        return adapted.merge_and_unload(safe_merge=True)
    except ValueError as error:  # values that are not finite
        raise BadInput(f"The adapter in {adapter} is damaged: {error} Train it again.") from error


def _untie(adapted: Any) -> None:
    """Separate the input and output embeddings if they share weights and the adapter changes one of them.

    Otherwise merging would apply the change to both, and the result would differ from the model that was trained.
    """
    import torch
    from peft.tuners.tuners_utils import BaseTunerLayer

    model = adapted.get_base_model()
    layers = (model.get_input_embeddings(), model.get_output_embeddings())
    if not model.config.tie_word_embeddings or not any(isinstance(each, BaseTunerLayer) for each in layers):
        return
    head = layers[1].get_base_layer() if isinstance(layers[1], BaseTunerLayer) else layers[1]
    head.weight = torch.nn.Parameter(head.weight.detach().clone())
    model.config.tie_word_embeddings = False
    model.all_tied_weights_keys = {}
