"""An adapter put on the base that it was trained on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from novum.errors import BadInput
from novum.training.weights.trained_folder import ADAPTER_WEIGHTS
from novum.training.weights.unloadable import explain_load_failure


def with_adapter(model: Any, adapter: Path) -> Any:
    """`model` as a `peft.PeftModel` with the adapter of that folder. Raises `BadInput` where it cannot be loaded."""
    from peft import PeftModel

    if not (adapter / ADAPTER_WEIGHTS).is_file():  # or others would be looked for, in a form that can run code
        raise BadInput(f"There is no adapter in {adapter} (no {ADAPTER_WEIGHTS}): train it again, or bring it back.")
    with explain_load_failure(str(adapter)):
        return PeftModel.from_pretrained(model, str(adapter))


def merge_adapter(model: Any, adapter: Path) -> Any:
    """The weights of base and adapter in one plain model of the base's kind and precision."""
    adapted = with_adapter(model, adapter)
    _untie(adapted)
    try:
        return adapted.merge_and_unload(safe_merge=True)
    except ValueError as error:  # numbers that are none
        raise BadInput(f"The adapter in {adapter} is damaged: {error} Train it again.") from error


def _untie(adapted: Any) -> None:
    """Where an adapter changes one of two layers that share their weights, each gets its own: merged into what they
    share, the change of the one would be the other's too, and the model another than was trained."""
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
