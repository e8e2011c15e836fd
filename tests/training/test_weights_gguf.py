"""What was trained is what answers: from a GGUF base to an adapter, merged, and back to a GGUF file that is asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from novum.core.trained import TrainedModel
from novum.errors import BadInput
from novum.llm.offline import DEFAULT_MODEL, LocalServer, converted_folder, install, locate_model
from novum.llm.offline.receipt import sha256_of
from novum.training.weights import libraries
from novum.training.weights.base import base_folder, load_base
from novum.training.weights.gguf_file import interleave_halves
from novum.training.weights.merging import export
from novum.training.weights.registering import register
from novum.training.weights.trained_folder import write_trained

BASE = f"offline:{DEFAULT_MODEL}"
QUESTIONS = ("Is this idea new? A kite that measures the wind.", "Rate from 0.00 to 1.00:   12 papers, 3 of them good.")
TOKENS = 12
train = pytest.mark.train
# The libraries of training warn of what they themselves will change.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")


@dataclass(frozen=True)
class Workshop:
    """A base in a models folder of its own, and an adapter on it as training leaves it, its numbers drawn."""

    models: Path
    folder: Path
    model: TrainedModel


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the base converted by two processes at once, after a third was killed in the middle of it."""
    models = tmp_path_factory.mktemp("models")
    sha256 = sha256_of(install(DEFAULT_MODEL, models))
    left = models / f".{sha256[:16]}.transformers.draft"
    left.mkdir()
    (left / "model.safetensors").write_bytes(b"half")
    with ThreadPoolExecutor(2) as two:
        printed = list(
            two.map(lambda _: in_a_process(f"print(base_folder({BASE!r}, Path({str(models)!r})))"), range(2))
        )
    assert printed == [str(converted_folder(sha256, models))] * 2
    assert not left.exists()
    return models


@pytest.fixture(scope="module")
def workshop(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    import torch
    from peft import LoraConfig, get_peft_model

    folder = tmp_path_factory.mktemp("trained")
    torch.manual_seed(0)
    adapted = get_peft_model(load_base(BASE, models).model, LoraConfig(r=4, lora_alpha=8, target_modules="all-linear"))
    for name, numbers in adapted.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(numbers, std=0.02)
    adapted.save_pretrained(folder / "adapter")
    model = TrainedModel(name="drawn", purpose="judge", base=BASE, data="0", steps=1, seconds=1, tokens=1)
    write_trained(model, folder)
    return Workshop(models, folder, export(folder, models))


@train
def test_the_converted_base_reads_text_as_the_runtime_does(models: Path) -> None:
    tokenizer = load_base(BASE, models).tokenizer
    texts = [
        "Rating: 0.65\n\nSound.",
        "a  5 x   12.3%  9\t8",
        "ﬁ ² ½ ٣٤ 中文 🙂🙂 12",
        "don't   DON'T\n\n\n  3rd <|im_end|>\n",
    ]
    with LocalServer(locate_model(DEFAULT_MODEL, models), slots=1, context=256) as server:
        read = [request(server, "/tokenize", content=text, parse_special=True)["tokens"] for text in texts]
    assert [tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts] == read


@train
def test_a_converted_base_that_was_damaged_is_made_again(models: Path) -> None:
    weights = Path(base_folder(BASE, models)) / "model.safetensors"
    before = sha256_of(weights)
    with weights.open("r+b") as file:
        file.truncate(1000)
    assert sha256_of(Path(base_folder(BASE, models)) / "model.safetensors") == before


@train
def test_merging_adds_the_adapter_to_the_base(workshop: Workshop) -> None:
    from safetensors.torch import load_file

    base = load_file(Path(base_folder(BASE, workshop.models)) / "model.safetensors")
    adapter = load_file(workshop.folder / "adapter" / "adapter_model.safetensors")
    merged = load_file(workshop.folder / "merged" / "model.safetensors")
    name = "model.layers.3.self_attn.k_proj"
    low, high = (adapter[f"base_model.model.{name}.lora_{part}.weight"] for part in "AB")
    wanted = base[f"{name}.weight"] + 8 / 4 * (high @ low)
    assert (merged[f"{name}.weight"] - wanted).abs().max() < 1e-6
    assert (merged["model.embed_tokens.weight"] == base["model.embed_tokens.weight"]).all()


@train
def test_the_runtime_says_word_for_word_what_the_merged_model_says(workshop: Workshop) -> None:
    import torch

    merged = load_base(str(workshop.folder / "merged"), workshop.models)
    register(workshop.folder, "drawn", workshop.models)
    with LocalServer(workshop.folder / workshop.model.gguf, slots=1, context=512) as server:
        for question in QUESTIONS:
            turns = [{"role": "user", "content": question}]
            prompt = merged.tokenizer.apply_chat_template(
                turns, add_generation_prompt=True, return_tensors="pt", return_dict=True
            )
            with torch.no_grad():
                whole = merged.model.generate(**prompt, max_new_tokens=TOKENS, do_sample=False)[0]
                logits = torch.log_softmax(merged.model(whole[None]).logits[0], -1)
            start = prompt["input_ids"].shape[1]
            answer = request(
                server, "/chat/completions", messages=turns, temperature=0, max_tokens=TOKENS, logprobs=True
            )
            spoken = answer["choices"][0]["logprobs"]["content"]
            assert [each["id"] for each in spoken] == whole[start:].tolist()
            wanted = [logits[start + at - 1, token].item() for at, token in enumerate(whole[start:].tolist())]
            assert [each["logprob"] for each in spoken] == pytest.approx(wanted, abs=0.05)


@train
def test_a_trained_folder_is_loaded_as_its_base_with_its_adapter(workshop: Workshop) -> None:
    direct = load_base(str(workshop.folder), workshop.models).model.state_dict()
    merged = load_base(str(workshop.folder / "merged"), workshop.models).model.state_dict()
    assert all((numbers == merged[name]).all() for name, numbers in direct.items())


@train
def test_an_export_of_one_kind_keeps_what_there_is_of_the_other(workshop: Workshop) -> None:
    hash_before = sha256_of(workshop.folder / "judge.gguf")
    (workshop.folder / "judge.gguf").unlink()
    again = export(workshop.folder, workshop.models, merged=False)
    assert (again.merged, again.gguf) == ("merged", "judge.gguf")
    assert sha256_of(workshop.folder / "judge.gguf") == hash_before
    assert not (workshop.folder / ".merging").exists()


@train
def test_where_the_base_is_no_gguf_another_converter_is_named(workshop: Workshop, tmp_path: Path) -> None:
    write_trained(workshop.model.model_copy(update={"base": "org/model-7b"}), tmp_path)
    with pytest.raises(BadInput, match=r"convert_hf_to_gguf\.py .*/merged --outtype"):
        export(tmp_path, workshop.models, gguf=True)


# -- models of a hub ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hub():
    """A hub on this machine that has no model, and one behind a gate."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            gated = "/gated" in self.path
            self.send_response(403 if gated else 404)
            self.send_header("X-Error-Code", "GatedRepo" if gated else "RepoNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self) -> None:
            self.do_HEAD()

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield {"HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}"}
    server.shutdown()
    server.server_close()
    thread.join()


@train
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("org/gated", "requires that you accept its terms"),
        ("org/missing", "There is no model org/missing on the hub"),
        ("org/unreached", "not on this machine and the hub cannot be reached"),
        ("./nowhere", "There is no folder ./nowhere"),
    ],
)
def test_a_model_that_cannot_be_had_is_reported_in_one_line(
    name: str, message: str, hub: dict[str, str], tmp_path: Path
) -> None:
    away = {"HF_HUB_OFFLINE": "1"} if name == "org/unreached" else hub
    program = f"""
try:
    load_base({name!r}, Path('.'))
except BadInput as error:
    print(error)
"""
    printed = in_a_process(program, away | {"HF_HOME": str(tmp_path)})
    assert message in printed
    assert "\n" not in printed


# -- without the libraries of training ----------------------------------------------------------------------------


def test_missing_libraries_are_reported_with_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install .*\[train\]"):
        load_base(BASE, tmp_path)


def test_four_bits_need_one_library_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(libraries, "find_spec", lambda name: None if name == "bitsandbytes" else name)
    with pytest.raises(BadInput, match="pip install bitsandbytes"):
        load_base(BASE, tmp_path, four_bit=True)


@given(heads=some.integers(1, 4), half=some.integers(1, 4), columns=some.integers(1, 3))
def test_the_rows_of_each_head_are_shuffled_like_a_pack_of_cards(heads: int, half: int, columns: int) -> None:
    rows = np.arange(heads * 2 * half * columns).reshape(heads * 2 * half, columns)
    for head, shuffled in zip(np.split(rows, heads), np.split(interleave_halves(rows, heads), heads), strict=True):
        assert (shuffled[0::2] == head[:half]).all()
        assert (shuffled[1::2] == head[half:]).all()


def request(server: LocalServer, path: str, **body: object) -> Any:
    root = server.base_url if path.startswith("/chat") else server.base_url.removesuffix("/v1")
    request = urllib.request.Request(root + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def in_a_process(program: str, environment: dict[str, str] | None = None) -> str:
    """What it prints."""
    opening = "from pathlib import Path\nfrom novum.errors import BadInput\n"
    opening += "from novum.training.weights.base import base_folder, load_base\n"
    path = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(
        [sys.executable, "-c", opening + program],
        env=os.environ | path | (environment or {}),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout.strip()
