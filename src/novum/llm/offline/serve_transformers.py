"""The child process of `LocalServer` for a model that llama.cpp cannot run: Transformers behind a small chat server.

Run as a plain script, on its own, like `serve.py`: `python serve_transformers.py '{"model": …, "adapter": …, "threads":
…}'`. It answers one request after another. A model with an adapter that cannot be merged (a prefix) runs here as well.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_MOST_TOKENS = 1024
_LARGEST = 4_000_000
"""Bytes of a request."""


def main() -> None:
    """Serves until the parent is done; its one line on stdout is JSON: `address`, or `error` and `kind`."""
    options = json.loads(sys.argv[1])
    parent = os.getppid()
    answer = os.dup(1)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        server = start(**options)
        message = {"address": f"http://127.0.0.1:{server.server_port}"}
    except Exception as error:  # whatever the libraries raise is to be reported, not to be a traceback
        server, message = None, {"error": str(error) or "it cannot be loaded.", "kind": type(error).__name__}
    os.write(answer, (json.dumps(message) + "\n").encode())
    if server is not None:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        wait_for_the_end(parent)
    os._exit(0)


class Writer:
    """A model with its tokenizer."""

    def __init__(self, model: str, adapter: str, threads: int) -> None:
        self.torch = importlib.import_module("torch")
        transformers = importlib.import_module("transformers")
        self.torch.set_num_threads(threads)
        self.device = "cuda" if self.torch.cuda.is_available() else "cpu"
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(model)
        self.model = transformers.AutoModelForCausalLM.from_pretrained(model, use_safetensors=True, dtype="auto")
        if adapter:
            peft = importlib.import_module("peft")
            self.model = peft.PeftModel.from_pretrained(self.model, adapter)
        self.model.to(self.device).eval()
        self.lock = threading.Lock()

    def write(self, body: dict[str, Any]) -> dict[str, Any]:
        """One answer to a request of the chat protocol. Raises KeyError and ValueError for a wrong request."""
        turns = [{"role": str(each["role"]), "content": str(each["content"])} for each in body["messages"]]
        inputs = self.tokenizer.apply_chat_template(
            turns, add_generation_prompt=True, return_tensors="pt", return_dict=True
        ).to(self.device)
        temperature = float(body.get("temperature") or 0)
        sampled = {"do_sample": True, "temperature": temperature, "top_p": float(body.get("top_p") or 1), "top_k": 0}
        most = min(int(body.get("max_tokens") or body.get("max_completion_tokens") or 512), _MOST_TOKENS)
        with self.lock, self.torch.no_grad():
            if body.get("seed") is not None:
                self.torch.manual_seed(int(body["seed"]))
            out = self.model.generate(
                **inputs, max_new_tokens=most, pad_token_id=self.tokenizer.pad_token_id or self.tokenizer.eos_token_id,
                **(sampled if temperature > 0 else {"do_sample": False}),
            )  # fmt: skip
        read = inputs["input_ids"].shape[1]
        written = out[0, read:]
        text = self.tokenizer.decode(written, skip_special_tokens=True)
        return {
            "object": "chat.completion",
            "choices": [{
                "index": 0, "message": {"role": "assistant", "content": text},
                "finish_reason": "length" if len(written) >= most else "stop",
            }],
            "usage": {
                "prompt_tokens": read, "completion_tokens": len(written), "total_tokens": read + len(written),
            },
        }  # fmt: skip


def start(model: str, adapter: str, threads: int) -> ThreadingHTTPServer:
    """A server that is bound to a free port of loopback, with the model loaded."""
    writer = Writer(model, adapter, threads)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(200, {"object": "list", "data": [{"id": model, "object": "model"}]})

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            if not 0 < size <= _LARGEST:
                return self._send(413, {"error": {"message": "the request is too large"}})
            try:
                return self._send(200, writer.write(json.loads(self.rfile.read(size))))
            except (KeyError, TypeError, ValueError) as error:
                return self._send(400, {"error": {"message": f"the request cannot be read: {error}"}})
            except RuntimeError as error:  # of torch: too little memory, mostly
                return self._send(500, {"error": {"message": str(error).partition("\n")[0]}})

        def log_message(self, *_: Any) -> None:
            """Writes no log."""

        def _send(self, status: int, content: dict[str, Any]) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


def wait_for_the_end(parent: int) -> None:
    """Until the parent closes our input, or dies while some relative of ours still holds it open."""
    while os.getppid() == parent:
        if select.select([0], [], [], 1.0)[0] and not os.read(0, 1):
            return


if __name__ == "__main__":
    main()
