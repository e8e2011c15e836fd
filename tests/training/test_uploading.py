"""Uploading to a hub: a small one of this machine, which takes what the real one takes."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from novum.training.weights.model_cards import write_model_cards
from tests.training.test_model_card import trained

pytestmark = pytest.mark.train  # needs the extra


class Hub:
    """Answers as the Hugging Face Hub does when a repository is made and files are committed."""

    def __init__(self, status=200):
        hub = self
        self.made, self.files, self.keys = [], {}, set()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                hub.keys.add(self.headers.get("Authorization"))
                answer = hub.answer(self.path, body)
                self._send(status, answer if status == 200 else {"error": "Invalid username or password."})

            def do_GET(self):
                self._send(200, {"id": "me/phase-2", "sha": "0" * 40, "siblings": [], "private": True})

            def log_message(self, *_):
                pass

            def _send(self, code, content):
                data = json.dumps(content).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, path, body):
        if path == "/api/repos/create":
            self.made.append(json.loads(body))
            return {"url": f"{self.address}/me/phase-2", "name": "me/phase-2", "id": "0"}
        if "/preupload/" in path:
            files = json.loads(body)["files"]
            return {"files": [{"path": each["path"], "uploadMode": "regular", "shouldIgnore": False} for each in files]}
        if "/commit/" in path:
            for line in map(json.loads, body.splitlines()):
                if line["key"] == "file":
                    self.files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
            return {"commitUrl": f"{self.address}/me/phase-2/commit/1", "commitOid": "1" * 40, "success": True}
        return {"errors": [], "warnings": []}

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def upload(home, *words, address="http://127.0.0.1:9", key="hf_secret"):
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    environment |= {"NOVUM_HOME": str(home), "HF_HOME": str(home), "HF_ENDPOINT": address, "HF_TOKEN": key}
    command = [sys.executable, "-m", "novum", "train", "upload", *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture
def folder(tmp_path):
    made = trained(tmp_path, merged=True)
    write_model_cards(made)
    return made


def test_the_adapter_and_its_card_are_uploaded_to_a_private_repository(folder, tmp_path):
    with Hub() as hub:
        done = upload(tmp_path, folder, "me/phase-2", address=hub.address)
    assert done.returncode == 0, done.stderr
    assert f"Uploaded: {hub.address}/me/phase-2" in done.stdout
    assert "private" in str(hub.made[0]) and hub.keys == {"Bearer hf_secret"}
    assert hub.files == {file.name: file.read_bytes() for file in (folder / "adapter").iterdir()}


def test_the_complete_model_goes_to_everybody_only_if_both_are_asked_for(folder, tmp_path):
    with Hub() as hub:
        done = upload(tmp_path, folder, "me/phase-2", "--merged", "--public", address=hub.address)
    assert done.returncode == 0, done.stderr
    assert "public" in str(hub.made[0])
    assert set(hub.files) == {"README.md", "model.safetensors"}


def test_a_dry_run_sends_nothing(folder, tmp_path):
    with Hub() as hub:
        done = upload(tmp_path, folder, "me/phase-2", "--dry-run", address=hub.address)
    assert done.returncode == 0 and "adapter_model.safetensors" in done.stdout
    assert "would be uploaded to me/phase-2" in done.stdout and hub.made == []


@pytest.mark.parametrize(
    ("repository", "status", "message"),
    [
        ("me/phase-2", 401, "log in with `hf auth login`"),
        ("not a name!", 200, "write OWNER/NAME"),
        ("me/phase-2", None, "Check the network, the proxy and HF_ENDPOINT"),
    ],
)
def test_a_hub_that_refuses_or_is_not_there_is_reported_in_one_line(repository, status, message, folder, tmp_path):
    with Hub(status or 200) as hub:
        done = upload(tmp_path, folder, repository, address=hub.address if status else "http://127.0.0.1:9")
    assert done.returncode == 2 and message in done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith("novum: ") and "Traceback" not in done.stderr
    assert "hf_secret" not in done.stderr
