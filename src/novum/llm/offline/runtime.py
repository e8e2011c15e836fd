"""Runs a model as an OpenAI-compatible server on loopback, for as long as this program needs it.

The server (llama.cpp, by way of `xllamacpp`, or Transformers) lives in a child process of its own. Within ours it was
seen to crash the interpreter that exits during an answer, and to hold up its own end for seconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import weakref
from pathlib import Path
from types import TracebackType
from typing import Self

from novum.errors import ModelError
from novum.extras import need
from novum.llm.offline.trained import TransformersModel

_SCRIPT = Path(__file__).with_name("serve.py")
_TRANSFORMERS_SCRIPT = Path(__file__).with_name("serve_transformers.py")

SLOTS = 4
"""Answers written at once. More slots share each reading of the weights, but the gain is small and memory is not:
on 2 cores, 8 questions at once gave 45, 47 and 51 answer tokens/s with 2, 4 and 8 slots, at 0.46, 0.66 and 0.91 GB
(smallest model; single runs on a busy machine). Other batch sizes, a shared cache, an 8-bit cache and flash
attention forced on or off were within the noise or worse, so all of these stay as the library has them."""
CONTEXT = 4096
"""Tokens of question and answer per slot: about 94 MB of memory each with the smallest model."""
_MOST_THREADS = 8


class LocalServer:
    """`with LocalServer(weights) as server: …` asks at `server.base_url`. Starting takes about a second.

    `slots` answers are written at once (more are queued), each with `context` tokens; `threads`: all cores up to 8.
    """

    def __init__(
        self,
        weights: Path | TransformersModel,
        *,
        slots: int = SLOTS,
        context: int = CONTEXT,
        threads: int | None = None,
    ) -> None:
        self.weights = weights
        self.slots = slots
        self.context = context
        self.threads = threads or min(_usable_cores(), _MOST_THREADS)
        self._base_url = ""
        self._stop: weakref.finalize[..., LocalServer] | None = None
        self._child: subprocess.Popen[str] | None = None

    @property
    def base_url(self) -> str:
        """`http://127.0.0.1:PORT/v1`. Starts the server if need be."""
        return self._base_url if self.running else self.start()

    @property
    def running(self) -> bool:
        """The child process is alive."""
        return self._child is not None and self._child.poll() is None

    def start(self) -> str:
        """Loads the weights and returns the base URL; at once when already running.

        Raises `BadInput` when the runtime is not installed, `ModelError` when it cannot load the weights.
        """
        if self.running:
            return self._base_url
        if isinstance(self.weights, Path):
            need("offline", "xllamacpp", what="The offline model")
        else:
            need("train", "torch", "transformers", "peft", what="A model without a GGUF file")
        child = self._spawn()
        self._child, self._stop = child, weakref.finalize(self, _end, child)
        self._base_url = self._address(child) + "/v1"
        return self._base_url

    def close(self) -> None:
        """Ends the server at once, answers in progress included. Harmless when it is not running."""
        if self._stop:
            self._stop()
        self._child = self._stop = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _spawn(self) -> subprocess.Popen[str]:
        if isinstance(self.weights, Path):
            script, model = _SCRIPT, {"weights": str(self.weights), "slots": self.slots, "context": self.context}
        else:
            script, model = _TRANSFORMERS_SCRIPT, self.weights.model_dump()
        options = {**model, "threads": self.threads}
        # Threads that wait for each other by spinning cost half as much time again as soon as anything else
        # runs on the machine (measured: 11 s a question against 7.6 s), and now and then a whole minute.
        environment = {"OMP_WAIT_POLICY": "passive", **os.environ}
        return subprocess.Popen(
            [sys.executable, "-P", str(script), json.dumps(options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
            start_new_session=True,  # Ctrl-C in the terminal is for us; we end the child ourselves
        )

    def _address(self, child: subprocess.Popen[str]) -> str:
        assert child.stdout is not None
        try:
            message = json.loads(child.stdout.readline() or '{"error": "it ended without a message", "kind": ""}')
        except BaseException:  # Ctrl-C too: the child must not outlive us
            self.close()
            raise
        if address := message.get("address"):
            return str(address)
        self.close()
        raise ModelError(_why(message["kind"], message["error"], self.weights))


def _why(kind: str, error: str, weights: Path | TransformersModel) -> str:
    if not isinstance(weights, Path):
        first = error.splitlines()[0].rstrip(".")
        return f"Transformers cannot load {weights.model}: {first}. Export the model again: `novum train export`."
    if kind == "ImportError":
        return f"The runtime of the offline model cannot be loaded: {error}. On Debian/Ubuntu: `apt install libgomp1`."
    return f"The offline model cannot load {weights}: {error} Install it anew with `novum models install NAME`."


def _usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _end(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe:
            pipe.close()
