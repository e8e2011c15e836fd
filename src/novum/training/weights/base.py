"""Load the model that training starts from: from the models folder, another folder, or the hub."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from novum.core.trained import TrainedModel
from novum.errors import BadInput
from novum.llm.offline import locate_model
from novum.llm.offline.receipt import read_receipt, sha256_of
from novum.training.weights.adapter_shapes import check_adapter
from novum.training.weights.adapting import merge_adapter, with_adapter
from novum.training.weights.converted import convert_gguf
from novum.training.weights.libraries import need_libraries, silence_libraries
from novum.training.weights.trained_folder import (
    ADAPTER_CONFIG,
    adapter_of,
    can_be_merged,
    is_trained,
    merged_of,
    read_trained,
)
from novum.training.weights.unloadable import explain_load_failure

OFFLINE = "offline:"
_PACKS = "support_avx512bf16_for_cpu"
"""Whether a 4-bit layer of bitsandbytes packs its weights anew for processors when it is first evaluated. Its backward
pass then reads them wrongly: gradients of adapters differed by 64 % (seen in 0.50)."""


@dataclass(frozen=True)
class Base:
    """A causal language model and its tokenizer, which has a chat template and a padding token.

    The weights are loaded when `model` is first used, so that wrong data are found before.
    """

    tokenizer: Any
    """A `transformers.PreTrainedTokenizerBase`."""
    load: Callable[[], Any]
    """Loads the weights. Raises `BadInput` if they cannot be loaded."""
    config: Mapping[str, Any] = field(default_factory=dict)
    """The configuration of the model: its sizes."""

    @cached_property
    def model(self) -> Any:
        """A `transformers.PreTrainedModel`."""
        return self.load()


def load_base(name: str, models_folder: Path, *, four_bit: bool = False, dtype: str = "") -> Base:
    """Open the base `name`: its tokenizer now, its weights when they are first used.

    `name`: `offline:NAME` (its GGUF file is verified and converted once), a folder, or a name on the hub. If the folder
    is that of a model trained here, its adapter is merged into its base.

    `dtype`: `float32`, `bfloat16`, `float16`, or `auto` for the saved one. Default: bfloat16 with a GPU, else float32.
    `four_bit`: load weights in 4 bits (NF4), only for training adapters.

    Only safetensors are read, and no code of a model is run. Raises `BadInput` if a library is missing, if the model
    does not exist, if it has no chat template, or if its adapter was made for another base.
    """
    need_libraries(four_bit=four_bit)
    silence_libraries()
    folder = Path(name).expanduser()
    if is_trained(folder):
        return _load_trained(folder, models_folder, four_bit=four_bit, dtype=dtype)
    place = base_folder(name, models_folder)
    from transformers import AutoConfig, AutoTokenizer

    with explain_load_failure(name):
        # The configuration first: it is small, and a wrong name fails there.
        config = AutoConfig.from_pretrained(place)
        tokenizer = AutoTokenizer.from_pretrained(place)
        _check_tokenizer(tokenizer, name)
    options = {"config": config, "dtype": _dtype(dtype), **({"quantization_config": _nf4()} if four_bit else {})}
    return Base(tokenizer, lambda: _load_weights(name, place, tokenizer, options), config.to_dict())


def _load_weights(name: str, place: str, tokenizer: Any, options: Mapping[str, Any]) -> Any:
    from transformers import AutoModelForCausalLM

    with explain_load_failure(name):
        model = AutoModelForCausalLM.from_pretrained(place, use_safetensors=True, **options)
    for each in (model.config, model.generation_config):
        each.pad_token_id = tokenizer.pad_token_id
    for module in model.modules():
        if hasattr(module, _PACKS):
            setattr(module, _PACKS, False)
    return model


def load_with_prefix(name: str, models_folder: Path) -> Base | None:
    """A model trained with a prefix, on its base, to write with. None for every other model."""
    folder = Path(name).expanduser()
    if not is_trained(folder) or can_be_merged(folder, model := read_trained(folder)):
        return None
    base, adapter = load_base(model.base, models_folder), folder / model.adapter
    check_adapter(adapter, model.base, base.config)
    return Base(base.tokenizer, lambda: with_adapter(base.model, adapter), base.config)


def _load_trained(folder: Path, models_folder: Path, *, four_bit: bool, dtype: str) -> Base:
    """Prefer the adapter, because the merged model may be older. Nothing can be merged into 4-bit weights."""
    model = read_trained(folder)
    adapter = None if four_bit or not model.adapter else adapter_of(folder, model)
    if adapter:
        if not can_be_merged(folder, model):
            raise BadInput(f"{folder} has a prefix, which no further training can build on: train a LoRA adapter.")
        base = load_base(model.base, models_folder, dtype=dtype)
        check_adapter(adapter, model.base, base.config)
        return Base(base.tokenizer, lambda: merge_adapter(base.model, adapter), base.config)
    if merged := merged_of(folder, model):
        return load_base(str(merged), models_folder, four_bit=four_bit, dtype=dtype)
    raise BadInput(f"{folder} has no merged model to load: `novum train export {folder} --merged` makes it.")


def origin_of(model: TrainedModel) -> str:
    """The base that the chain of trainings of a model began with. Raises `BadInput` if one of them is gone."""
    while is_trained(Path(model.base).expanduser()):
        model = read_trained(Path(model.base).expanduser())
    return model.base


def base_folder(name: str, models_folder: Path) -> str:
    """The folder of a base, converted from GGUF if needed, or a name on the hub unchanged. Raises `BadInput`."""
    if name.startswith(OFFLINE):
        gguf = base_gguf(name, models_folder)
        return str(convert_gguf(gguf, _hash(name, gguf, models_folder), models_folder))
    folder = Path(name).expanduser()
    if (folder / ADAPTER_CONFIG).is_file() and not (folder / "config.json").is_file():
        raise BadInput(
            f"{folder} is an adapter, which needs its base: name the folder that `novum train` made around it, or the "
            "model that it was merged into."
        )
    if folder.is_dir():
        return str(folder)
    if folder.is_absolute() or name.startswith((".", "~")) or name.count("/") > 1:
        raise BadInput(f"There is no folder {name}: name a folder with a model, offline:NAME, or a model on the hub.")
    return name


def base_gguf(name: str, models_folder: Path) -> Path:
    """The verified file of `offline:NAME`. Raises `BadInput` if it is missing or has changed."""
    return locate_model(name.removeprefix(OFFLINE), models_folder)


def _hash(name: str, gguf: Path, models_folder: Path) -> str:
    receipt = read_receipt(name.removeprefix(OFFLINE), models_folder)
    return receipt.sha256 if receipt else sha256_of(gguf)


def _check_tokenizer(tokenizer: Any, name: str) -> None:
    if not tokenizer.chat_template:
        raise BadInput(f"{name} has no chat template: choose a model that was tuned to follow instructions.")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token


def _dtype(name: str) -> Any:
    import torch

    if name == "auto":
        return name
    return getattr(torch, name or ("bfloat16" if torch.cuda.is_available() else "float32"))


def _nf4() -> Any:
    from transformers import BitsAndBytesConfig

    return BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True, bnb_4bit_compute_dtype=_dtype("")
    )
