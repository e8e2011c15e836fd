"""The sentence encoder in NumPy, against a network that is written out in another way."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from novum.errors import LibraryError
from novum.literature.embedding_minilm import MOST_TOKENS, SentenceEncoder

WIDTH, INNER, LAYERS = 64, 96, 2
VOCABULARY = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "graph",
    "neural",
    "network",
    "protein",
    "folding",
    "the",
    "a",
    "with",
]
TEXTS = ["graph neural network", "protein folding with the network", "", "unknown words " * 200, "a"]
Numbers = NDArray[np.float64]


def weights() -> dict[str, NDArray[np.float32]]:
    random = np.random.default_rng(0)

    def drawn(*shape: int) -> NDArray[np.float32]:
        return random.normal(0, 0.2, shape).astype(np.float32)

    named = {
        "embeddings.word_embeddings.weight": drawn(len(VOCABULARY), WIDTH),
        "embeddings.position_embeddings.weight": drawn(512, WIDTH),
        "embeddings.token_type_embeddings.weight": drawn(2, WIDTH),
        "embeddings.LayerNorm.weight": 1 + drawn(WIDTH),
        "embeddings.LayerNorm.bias": drawn(WIDTH),
    }
    shapes = {f"attention.self.{part}": (WIDTH, WIDTH) for part in ("query", "key", "value")}
    shapes |= {
        "attention.output.dense": (WIDTH, WIDTH),
        "intermediate.dense": (INNER, WIDTH),
        "output.dense": (WIDTH, INNER),
    }
    for layer in range(LAYERS):
        for name, shape in shapes.items():
            named |= {
                f"encoder.layer.{layer}.{name}.weight": drawn(*shape),
                f"encoder.layer.{layer}.{name}.bias": drawn(shape[0]),
            }
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            named |= {
                f"encoder.layer.{layer}.{name}.weight": 1 + drawn(WIDTH),
                f"encoder.layer.{layer}.{name}.bias": drawn(WIDTH),
            }
    return named


def tokenizer() -> Tokenizer:
    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    made.enable_padding(length=300)
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.encoder"
    path.write_bytes(save(weights()) + tokenizer().to_str().encode())
    return path


def embedded(file: Path, *texts: str) -> NDArray[np.float32]:
    return asyncio.run(SentenceEncoder(file).embed(texts))


def reference(text: str) -> Numbers:
    """The vector of a text, head by head and token by token, with the exact activation."""
    w = {name: each.astype(np.float64) for name, each in weights().items()}
    words = [VOCABULARY.index(word) if word in VOCABULARY else 1 for word in text.split()][: MOST_TOKENS - 2]
    ids = [2, *words, 3]

    def normalized(x: Numbers, name: str) -> Numbers:
        return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12) * w[f"{name}.weight"] + w[
            f"{name}.bias"
        ]

    def linear(x: Numbers, name: str) -> Numbers:
        return np.einsum("ti,oi->to", x, w[f"{name}.weight"]) + w[f"{name}.bias"]

    x = np.array(
        [
            w["embeddings.word_embeddings.weight"][i] + w["embeddings.position_embeddings.weight"][p]
            for p, i in enumerate(ids)
        ]
    )
    x = normalized(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        q, k, v = (linear(x, f"{at}.attention.self.{part}") for part in ("query", "key", "value"))
        mixed = np.zeros_like(x)
        for head in range(WIDTH // 32):
            part = slice(32 * head, 32 * head + 32)
            for token in range(len(ids)):
                shares = np.exp([q[token, part] @ other / math.sqrt(32) for other in k[:, part]])
                mixed[token, part] = shares / shares.sum() @ v[:, part]
        x = normalized(x + linear(mixed, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
        inner = np.vectorize(lambda y: y * (1 + math.erf(y / math.sqrt(2))) / 2)(linear(x, f"{at}.intermediate.dense"))
        x = normalized(x + linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    mean: Numbers = x.mean(0)
    return mean / np.linalg.norm(mean)


def test_vectors_are_those_of_the_network_written_out(file: Path) -> None:
    vectors = embedded(file, *TEXTS)
    expected = np.array([reference(text) for text in TEXTS])
    assert np.abs(vectors - expected).max() < 2e-3
    assert np.vecdot(vectors, vectors) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)


def test_the_vector_of_a_text_does_not_depend_on_its_company(file: Path) -> None:
    together = embedded(file, *TEXTS)
    assert all(np.array_equal(together[place], embedded(file, text)[0]) for place, text in enumerate(TEXTS))
    assert embedded(file).shape == (0, WIDTH)


def test_only_the_beginning_of_a_text_counts(file: Path) -> None:
    long = "protein " * MOST_TOKENS
    assert np.array_equal(embedded(file, long), embedded(file, long + "graph"))
    assert not np.array_equal(embedded(file, "protein"), embedded(file, "protein graph"))


@pytest.mark.parametrize("content", [b"", b"short", b"\xff" * 100, b"\x10" + b"\0" * 7 + b'{"a": 1}        '])
def test_a_damaged_or_missing_file_is_named_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "damaged.encoder").write_bytes(content)
    for name in ("damaged.encoder", "missing.encoder"):
        with pytest.raises(LibraryError, match=f"{name}.*novum models install all-minilm-l6-v2"):
            embedded(tmp_path / name, "text")


def test_a_file_that_was_cut_is_named(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-500])
    with pytest.raises(LibraryError, match=r"tiny\.encoder"):
        embedded(file, "text")
