"""The child process of `LocalServer`: loads the weights, reports its address, and lives as long as its parent.

Run as a plain script, on its own: it imports nothing of Novum, so that it starts in a fraction of a second.
`python serve.py '{"weights": …, "slots": …, "context": …, "threads": …}'`
"""

from __future__ import annotations

import importlib
import json
import os
import select
import sys
from typing import Protocol


def main() -> None:
    """Serves until the parent is done; its one line on stdout is JSON: `address`, or `error` and `kind`."""
    options = json.loads(sys.argv[1])
    parent = os.getppid()
    answer = os.dup(1)
    silence = os.open(os.devnull, os.O_WRONLY)
    # The C++ side writes to the file descriptors themselves, past those of Python.
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        server = start(**options)
        message = {"address": server.listening_address}
    except (ImportError, RuntimeError) as error:
        server, message = None, {"error": str(error), "kind": type(error).__name__}
    os.write(answer, (json.dumps(message) + "\n").encode())
    if server is not None:
        wait_for_the_end(parent)
    # Not `sys.exit`: taking the server down in an orderly way waits for running answers, seconds at times.
    os._exit(0)


class ServerHandle(Protocol):
    """What we use of an `xllamacpp.Server`. It stops when the last reference to it goes."""

    @property
    def listening_address(self) -> str:
        """`http://HOST:PORT`."""


def start(weights: str, slots: int, context: int, threads: int) -> ServerHandle:
    """A running server. `context` is per slot, in tokens."""
    # Imported here, and by name: the library has no types, and a broken one is to be reported, not to be a traceback.
    xllamacpp = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.port = 0
    params.n_parallel = slots
    params.n_ctx = slots * context
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    # Old prompts kept in memory for reuse: by default up to 8 GiB, more than many machines have.
    params.cache_ram_mib = 256
    params.verbosity = -1
    # Only requests to the model: no page, no view of the prompts of others, no requests from web pages.
    params.ui = False
    params.endpoint_slots = False
    params.cors_origins = "http://127.0.0.1"
    params.cors_credentials = False
    server: ServerHandle = xllamacpp.Server(params)
    return server


def wait_for_the_end(parent: int) -> None:
    """Until the parent closes our input, or dies while some relative of ours still holds it open."""
    while os.getppid() == parent:
        if select.select([0], [], [], 1.0)[0] and not os.read(0, 1):
            return


if __name__ == "__main__":
    main()
