"""Convert a GGUF file once to a folder that transformers reads, named in the models folder by the file's hash."""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path
from typing import Any

from novum.errors import BadInput
from novum.llm.offline import converted_folder
from novum.llm.offline.lock import exclusive_lock
from novum.llm.offline.receipt import Receipt, read_receipt, sha256_of, write_receipt
from novum.training.weights.saving import save

_WEIGHTS = "model.safetensors"
_NAME = "converted"
"""Name of the receipt inside the folder."""
_SPLITS_DIGITS = frozenset({"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b"})
"""Names of pre-tokenizers of llama.cpp that make every digit a token, separate from the space before it.

transformers ignores these when it reads a GGUF file (seen in 5.23). Without a correction a model would be trained on
other tokens than it is used with, precisely around numbers such as ratings."""


def convert_gguf(gguf: Path, sha256: str, models_folder: Path) -> Path:
    """The folder with the weights of `gguf` in full precision (4 bytes a parameter), its tokenizer and chat template.

    Converted once, also when several processes ask at the same time; a damaged folder is replaced. Raises `BadInput` if
    transformers does not know the architecture or the folder cannot be written.
    """
    folder = converted_folder(sha256, models_folder)
    draft = folder.with_name(f".{folder.name}.draft")
    try:
        with exclusive_lock(models_folder / f".{folder.name}.lock"):
            if not _is_intact(folder):
                shutil.rmtree(draft, ignore_errors=True)  # left by a process that was killed
                draft.mkdir()
                _convert(gguf, draft)
                shutil.rmtree(folder, ignore_errors=True)
                draft.replace(folder)
    except OSError as error:
        raise BadInput(
            f"Cannot convert {gguf.name} for training in {models_folder}: {error.strerror or error}. Free some "
            "space, or set NOVUM_HOME to another folder."
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return folder


def _is_intact(folder: Path) -> bool:
    receipt = read_receipt(_NAME, folder)
    if receipt is None or not receipt.file(folder).is_file():
        return False
    return receipt.untouched(folder) or sha256_of(receipt.file(folder)) == receipt.sha256


def _convert(gguf: Path, folder: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        with contextlib.redirect_stderr(io.StringIO()):  # a progress bar that no setting turns off
            tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
            model = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name)
    except (ValueError, KeyError, RuntimeError) as error:
        first = str(error).strip().partition("\n")[0]
        raise BadInput(f"{gguf.name} cannot be trained because transformers cannot read it: {first}") from error
    _split_as_llama_cpp_does(tokenizer, gguf)
    tokenizer.model_max_length = model.config.max_position_embeddings
    save(_plain(model, tokenizer), tokenizer, folder)
    weights = folder / _WEIGHTS
    status = weights.stat()
    write_receipt(
        Receipt(
            name=_NAME,
            title=gguf.name,
            path=_WEIGHTS,
            sha256=sha256_of(weights),
            size_bytes=status.st_size,
            mtime_ns=status.st_mtime_ns,
            licence="that of the GGUF file",
        ),
        folder,
    )


def _plain(model: Any, tokenizer: Any) -> Any:
    """The same weights in a model that was never quantized: transformers refuses to save the loaded one."""
    config = model.config
    del config.quantization_config
    fresh = type(model)(config)
    fresh.load_state_dict(model.state_dict())
    fresh.tie_weights()
    for each in (config, fresh.generation_config):
        each.eos_token_id = tokenizer.eos_token_id
        each.pad_token_id = tokenizer.pad_token_id
        each.bos_token_id = tokenizer.bos_token_id
    return fresh


def _split_as_llama_cpp_does(tokenizer: Any, gguf: Path) -> None:
    """Correct the pre-tokenizer that transformers read from `gguf` if it is known to differ from that of llama.cpp."""
    if _pre_tokenizer_name(gguf) not in _SPLITS_DIGITS:
        return
    from tokenizers import pre_tokenizers

    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )


def _pre_tokenizer_name(gguf: Path) -> str:
    from gguf import GGUFReader

    field = GGUFReader(gguf).get_field("tokenizer.ggml.pre")
    return str(field.contents()) if field else ""
