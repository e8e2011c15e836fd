"""Every architecture that is written as a GGUF file: tiny models with drawn weights, asked in both runtimes."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from novum.llm.offline import DEFAULT_MODEL, LocalServer, install
from novum.training.weights.gguf_file import write_gguf

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")]

LAYERS, HIDDEN, INNER, HEADS, KEY_HEADS, WORDS, ROOM = 2, 64, 96, 4, 2, 49_152, 512
PROMPT = [int(token) for token in np.random.default_rng(0).integers(100, 49_000, 12)]
TOKENS = 8


@pytest.fixture(scope="module")
def tokenizer_of(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF file whose tokenizer the tiny ones share."""
    return install(DEFAULT_MODEL, tmp_path_factory.mktemp("models"))


@pytest.mark.parametrize(
    ("architecture", "tied"), [("llama", False), ("llama", True), ("qwen2", True), ("qwen3", False)]
)
def test_llama_cpp_computes_what_transformers_computes(
    architecture: str, tied: bool, tokenizer_of: Path, tmp_path: Path
) -> None:
    import torch

    model = random_model(architecture, tied)
    model.save_pretrained(tmp_path / "merged")
    base = empty_base(architecture, model, tokenizer_of, tmp_path / "base.gguf")
    write_gguf(tmp_path / "merged", base, tmp_path / "tiny.gguf", "tiny")
    with torch.no_grad():
        whole = model.generate(torch.tensor([PROMPT]), max_new_tokens=TOKENS, do_sample=False, eos_token_id=None)[0]
        logits = torch.log_softmax(model(whole[None]).logits[0], -1)
    wanted = whole[len(PROMPT) :].tolist()
    with LocalServer(tmp_path / "tiny.gguf", slots=1, context=128) as server:
        answer = answered(server)
    assert answer["tokens"] == wanted
    expected = [logits[len(PROMPT) - 1 + at, token].item() for at, token in enumerate(wanted)]
    assert [each["logprob"] for each in answer["completion_probabilities"]] == pytest.approx(expected, abs=0.1)


def random_model(architecture: str, tied: bool) -> Any:
    """Heads that share keys, biases where the architecture has them, norms that are not one."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.for_model(
        architecture,
        vocab_size=WORDS,
        hidden_size=HIDDEN,
        intermediate_size=INNER,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=KEY_HEADS,
        head_dim=HIDDEN // HEADS,
        max_position_embeddings=ROOM,
        rms_norm_eps=1e-5,
        initializer_range=0.3,
        tie_word_embeddings=tied,
    )
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config).eval()
    for name, numbers in model.named_parameters():
        if numbers.ndim == 1:
            torch.nn.init.normal_(numbers, mean=0.0 if "bias" in name else 1.0, std=0.3)
    return model


def empty_base(architecture: str, model: Any, tokenizer_of: Path, path: Path) -> Path:
    """A GGUF file of the model's shape, all weights nought."""
    from gguf import MODEL_ARCH_NAMES, GGUFReader, GGUFValueType, GGUFWriter, get_tensor_name_map

    writer = GGUFWriter(path, architecture)
    for field in GGUFReader(tokenizer_of).fields.values():
        if field.name.startswith("tokenizer."):
            inner = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
            writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=inner)
    writer.add_block_count(LAYERS)
    writer.add_context_length(ROOM)
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_key_length(HIDDEN // HEADS)
    writer.add_value_length(HIDDEN // HEADS)
    writer.add_rope_dimension_count(HIDDEN // HEADS)
    writer.add_rope_freq_base(model.config.rope_parameters["rope_theta"])
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(WORDS)
    kind = next(kind for kind, name in MODEL_ARCH_NAMES.items() if name == architecture)
    names = get_tensor_name_map(kind, LAYERS)
    for key, numbers in model.named_parameters():  # a tied head is none of them
        name = names.get_name(key, (".weight", ".bias"))
        assert name is not None
        writer.add_tensor(name, np.zeros(tuple(numbers.shape), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def answered(server: LocalServer) -> Any:
    wanted = {"n_predict": TOKENS, "temperature": 0, "n_probs": 1, "return_tokens": True, "ignore_eos": True}
    request = urllib.request.Request(
        server.base_url.removesuffix("/v1") + "/completion",
        json.dumps({"prompt": PROMPT} | wanted).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)
