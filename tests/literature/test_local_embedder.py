"""Embedding models on this machine: what is asked of `sentence-transformers`, shown by a small module of that name."""

from __future__ import annotations

import asyncio
import importlib.util
import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from novum.errors import LibraryError
from novum.literature.embedding import vectors_of
from novum.literature.embedding_local import LocalEmbedder

STAND_IN = '''
"""Embeds a text as its length and what stands before it; remembers how it was asked."""
import threading
from types import SimpleNamespace
import numpy as np

CALLS = []

class SentenceTransformer:
    tokenizer = SimpleNamespace(sep_token="[SEP]")

    def __init__(self, name=None, modules=None):
        if name == "nobody/nothing":
            raise OSError("nobody/nothing is not a model\\nand more")
        self.prompts = {"query": "search: ", "document": ""} if name and "prompted" in name else {}
        CALLS.append(("load", name, [type(each).__name__ for each in modules or ()]))

    def encode(self, texts, *, prompt=None, batch_size=32, show_progress_bar=None, convert_to_numpy=True):
        assert threading.current_thread() is not threading.main_thread()
        if texts == ["too much"]:
            raise RuntimeError("out of memory\\ntried to allocate")
        CALLS.append(("encode", list(texts), prompt, batch_size, show_progress_bar))
        return np.array([[len(text), len(prompt or ""), 1.0] for text in texts], np.float64)

class _Transformer:
    def __init__(self, name):
        self.name = name

    def get_word_embedding_dimension(self):
        return 3

class _Pooling:
    def __init__(self, dimension, pooling_mode="mean"):
        assert (dimension, pooling_mode) == (3, "cls")

models = SimpleNamespace(Transformer=_Transformer, Pooling=_Pooling)
'''


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[tuple[object, ...]]]:
    """Puts the small module in place; what it was asked so far."""
    (tmp_path / "sentence_transformers.py").write_text(STAND_IN)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)
    yield lambda: sys.modules["sentence_transformers"].CALLS
    sys.modules.pop("sentence_transformers", None)


def test_documents_are_embedded_together_and_the_model_is_loaded_once(calls) -> None:
    embedder = LocalEmbedder("some/model")
    assert (embedder.name, embedder.dimensions) == ("local:some/model", 0)
    made = asyncio.run(vectors_of(embedder, ["One. Text", "Another"]))
    assert (made.shape, made.dtype, embedder.dimensions) == ((2, 3), np.float32, 3)
    asyncio.run(embedder.embed(["More"]))
    load, first, second = calls()
    assert load == ("load", "some/model", [])
    assert first == ("encode", ["One. Text", "Another"], None, 32, False)
    assert second[1] == ["More"]


def test_a_question_is_asked_with_the_models_own_prompt_and_remembered(calls) -> None:
    embedder = LocalEmbedder("some/prompted")
    for _ in range(2):
        assert asyncio.run(vectors_of(embedder, ["What?"], queries=True)).shape == (1, 3)
    asyncio.run(embedder.embed(["What?"]))
    assert [call[1:3] for call in calls() if call[0] == "encode"] == [(["What?"], "search: "), (["What?"], None)]


def test_an_instructed_model_is_told_what_a_question_is_for(calls) -> None:
    asyncio.run(LocalEmbedder("Salesforce/SFR-Embedding-Mistral").embed_query("folding"))
    assert str(calls()[-1][2]).startswith("Instruct: ")
    assert str(calls()[-1][2]).endswith("\nQuery: ")


def test_specter_reads_title_and_abstract_apart_and_its_first_token_counts(calls) -> None:
    asyncio.run(LocalEmbedder("allenai/specter2_base").embed(["A Title. An abstract. Its end."]))
    load, asked = calls()
    assert load == ("load", None, ["_Transformer", "_Pooling"])
    assert asked[1] == ["A Title[SEP]An abstract. Its end."]


def test_no_texts_are_no_vectors(calls) -> None:
    embedder = LocalEmbedder("some/model")
    asyncio.run(embedder.embed(["One"]))
    assert asyncio.run(embedder.embed([])).shape == (0, 3)


def test_a_folder_goes_by_its_place_and_a_long_name_fits_the_library(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    assert LocalEmbedder("mine").name == LocalEmbedder(str(tmp_path / "mine")).name
    names = {LocalEmbedder("x" * 300 + end).name for end in "ab"}
    assert len(names) == 2
    assert all(len(name) <= 128 for name in names)


def test_a_folder_is_the_same_model_from_wherever_it_is_named(calls, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "specter2" / "mine").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "specter2")
    for named in ("mine", str(tmp_path / "specter2" / "mine")):
        asyncio.run(LocalEmbedder(named).embed(["A Title. An abstract."]))
    assert calls()[1][1] == calls()[3][1]


def test_it_travels_to_other_processes_by_its_name(calls) -> None:
    embedder = LocalEmbedder("some/model")
    asyncio.run(embedder.embed(["One", "Two"]))
    sent = pickle.loads(pickle.dumps(embedder))
    assert (sent.name, sent.dimensions) == (embedder.name, 0)
    assert np.array_equal(asyncio.run(sent.embed(["One"])), asyncio.run(embedder.embed(["One"])))


def test_a_model_that_breaks_down_is_told_in_one_line(calls) -> None:
    embedder = LocalEmbedder("some/model")
    asyncio.run(embedder.embed(["One", "Two"]))
    with pytest.raises(LibraryError, match=r"broke down \(out of memory\): free memory"):
        asyncio.run(embedder.embed(["too much"]))


def test_a_model_that_is_not_there_is_told_in_one_line(calls) -> None:
    with pytest.raises(LibraryError, match="check its name") as told:
        asyncio.run(LocalEmbedder("nobody/nothing").embed(["x", "y"]))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("_", [1] if importlib.util.find_spec("sentence_transformers") is None else [])
def test_without_the_package_one_line_says_what_to_install(_: int) -> None:
    with pytest.raises(LibraryError, match=r"pip install .*\[embed\]"):
        asyncio.run(LocalEmbedder("some/model").embed(["x", "y"]))
