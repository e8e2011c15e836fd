"""Write a merged model as a GGUF file for llama.cpp, with the header of its base's file.

Tokenizer, chat template and hyperparameters are those of the base, so its header is copied. Only architectures whose
weights are renamed, or renamed and reordered, are supported.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from safetensors import safe_open

from novum.errors import BadInput
from novum.files.atomic import atomic_path

Precision = Literal["Q8_0", "F16"]
PRECISION: Precision = "F16"
"""F16 keeps the answers of the trained model. With it the smallest model gave the same tokens as in transformers (8 of
8 greedy answers, log-probabilities within 0.009 nats). Q8_0 is half as large and not reliably faster on two cores, and
its answers diverge after some tokens (1 of 8 the same, 0.04 nats off on average)."""

_REORDERED = frozenset({"llama"})
"""llama.cpp rotates pairs of neighbours where transformers rotates halves: rows of queries and keys are permuted."""
_RENAMED = frozenset({"qwen2", "qwen3"})
_COPIED = frozenset({"rope_freqs.weight"})
"""Tensors that llama.cpp's converter computes from the configuration; they are copied from the base."""


@dataclass(frozen=True)
class PlannedTensor:
    """One tensor of the new file. `key`: its name in the merged model; empty if it is copied from the base."""

    name: str
    key: str
    shape: tuple[int, ...]
    kind: Any
    """A `gguf.GGMLQuantizationType`."""


def write_gguf(merged: Path, base: Path, target: Path, name: str, precision: Precision = PRECISION) -> None:
    """Write `target`, complete or not at all. `merged`: a folder of safetensors trained from the GGUF file `base`.

    Raises `BadInput` if the architecture is not supported, the two do not belong together, or `target` cannot be
    written.
    """
    from gguf import GGUFReader, GGUFWriter

    reader = GGUFReader(base)
    architecture = str(_header_value(reader, "general.architecture"))
    if architecture not in _REORDERED | _RENAMED:
        raise BadInput(f"Novum cannot write models of the architecture {architecture!r} as GGUF: {by_hand(merged)}")
    where = _weights_in(merged)
    plan = list(_plan(reader, architecture, where, precision))
    try:
        with atomic_path(target) as draft:
            writer = GGUFWriter(draft, architecture)
            _copy_header(reader, writer, name, precision)
            _write(writer, reader, plan, where, architecture)
    except OSError as error:
        raise BadInput(
            f"Cannot write {target}: {error.strerror or error}. Free some space, then export again."
        ) from error


def is_written_here(base: Path) -> bool:
    """Whether a model trained from this GGUF file can be written as GGUF."""
    from gguf import GGUFReader

    return _header_value(GGUFReader(base), "general.architecture") in _REORDERED | _RENAMED


def by_hand(merged: Path) -> str:
    """How to convert the model with llama.cpp's own converter, for unsupported models."""
    return f"use llama.cpp's converter: python convert_hf_to_gguf.py {shlex.quote(str(merged))} --outtype q8_0"


def _weights_in(merged: Path) -> dict[str, Path]:
    """The file of each weight."""
    where = {}
    for file in sorted(merged.glob("*.safetensors")):
        with safe_open(file, framework="pt") as opened:
            where.update(dict.fromkeys(opened.keys(), file))
    return where


def _plan(reader: Any, architecture: str, where: dict[str, Path], precision: Precision) -> Iterator[PlannedTensor]:
    """Every tensor of the base's file, then those that only the merged model has: an untied output layer."""
    keys = _by_gguf_name(architecture, int(_header_value(reader, f"{architecture}.block_count")), where)
    old = {tensor.name: tensor for tensor in reader.tensors}
    if "output.weight" in old and "output.weight" not in keys:
        keys["output.weight"] = keys["token_embd.weight"]  # tied in the merged model, separate in the file
    for name in [*old, *(name for name in keys if name not in old)]:
        key = keys.get(name, "")
        if not key and name in _COPIED:
            tensor = old[name]
            yield PlannedTensor(name, "", tuple(int(size) for size in reversed(tensor.shape)), tensor.tensor_type)
            continue
        if not key or (name not in old and name != "output.weight"):
            raise BadInput(
                f"The merged model and its base's GGUF file differ in {name}: merge it again from this base."
            )
        with safe_open(where[key], framework="pt") as opened:
            shape = tuple(opened.get_slice(key).get_shape())
        if name in old and shape != tuple(int(size) for size in reversed(old[name].shape)):
            raise BadInput(f"{name} has another shape in the merged model than in its base: merge it again.")
        yield PlannedTensor(name, key, shape, _kind(shape, precision))


def _by_gguf_name(architecture: str, blocks: int, keys: dict[str, Path]) -> dict[str, str]:
    from gguf import MODEL_ARCH_NAMES, get_tensor_name_map

    kind = next(kind for kind, name in MODEL_ARCH_NAMES.items() if name == architecture)
    names = get_tensor_name_map(kind, blocks)
    return {names.get_name(key, (".weight", ".bias")) or key: key for key in keys}


def _kind(shape: tuple[int, ...], precision: Precision) -> Any:
    """The data type of a tensor: F32 for vectors, as llama.cpp requires, and F16 for rows that 8-bit blocks do not
    divide."""
    from gguf import GGML_QUANT_SIZES, GGMLQuantizationType

    if len(shape) < 2:
        return GGMLQuantizationType.F32
    kind = GGMLQuantizationType[precision]
    return kind if shape[-1] % GGML_QUANT_SIZES[kind][0] == 0 else GGMLQuantizationType.F16


def _copy_header(reader: Any, writer: Any, name: str, precision: Precision) -> None:
    from gguf import GGUFValueType, LlamaFileType

    alignment = _header_value(reader, "general.alignment")
    if alignment:
        writer.add_custom_alignment(alignment)
    replaced = {"general.architecture", "general.alignment", "general.file_type", "general.name"}
    for field in reader.fields.values():
        if field.name in replaced or field.name.startswith("GGUF."):
            continue
        kind = field.types[0]
        inner = field.types[-1] if kind == GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, sub_type=inner)
    writer.add_name(name)
    writer.add_file_type(LlamaFileType[f"MOSTLY_{precision}"])


def _write(writer: Any, reader: Any, plan: list[PlannedTensor], where: dict[str, Path], architecture: str) -> None:
    """One tensor in memory at a time."""
    from gguf import GGML_QUANT_SIZES

    for each in plan:
        block, size = GGML_QUANT_SIZES[each.kind]
        count = math.prod(each.shape)
        writer.add_tensor_info(each.name, each.shape, np.dtype(np.float32), count // block * size, each.kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    heads = int(_header_value(reader, f"{architecture}.attention.head_count"))
    key_heads = int(_header_value(reader, f"{architecture}.attention.head_count_kv") or heads)
    copied = {tensor.name: tensor.data for tensor in reader.tensors if tensor.name in _COPIED}
    try:
        for each in plan:
            if not each.key:
                writer.write_tensor_data(copied[each.name])
                continue
            permuted = {"attn_q": heads, "attn_k": key_heads} if architecture in _REORDERED else {}
            rows = _tensor(where[each.key], each.key)
            writer.write_tensor_data(_quantized(rows, each, permuted))
    finally:
        writer.close()


def _quantized(rows: Any, each: PlannedTensor, permuted: dict[str, int]) -> Any:
    from gguf.quants import quantize

    part = each.name.rsplit(".", 2)[-2]
    if part in permuted:
        rows = interleave_halves(rows, permuted[part])
    return quantize(rows, each.kind)


def interleave_halves(rows: Any, heads: int) -> Any:
    """Rows of each head in llama.cpp's order: the first of each half, then the second of each half, and so on."""
    return rows.reshape(heads, 2, -1, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def _tensor(file: Path, key: str) -> Any:
    with safe_open(file, framework="pt") as opened:
        return opened.get_tensor(key).float().numpy()


def _header_value(reader: Any, key: str) -> Any:
    field = reader.get_field(key)
    return field.contents() if field else None
