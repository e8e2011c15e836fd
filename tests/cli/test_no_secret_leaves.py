"""A server that repeats every key it is sent: none of them is found afterwards, on the terminal or in any file."""

from __future__ import annotations

import base64
import importlib.util
import json
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from novum.cli.app import app
from novum.settings import load_settings
from novum.testing.next_idea_tasks import QUICK, write_invented_policy, write_invented_tasks
from novum.testing.plausible import plausible_answer
from novum.web.app import create_app
from novum.web.options import WebOptions
from tests.cli.conftest import SMALL
from tests.web.conftest import Browser

KEY, PASSWORD, QUERY_KEY = "sk-Server/Key+0123456789ab", "pass-word/9876543210", "query+key=55501234"
SOURCE_KEYS = {
    name: f"{name.lower()}+value/0123456789"
    for name in ("OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY", "CROSSREF_API_KEY", "CORE_API_KEY", "OPENREVIEW_TOKEN")
}
SECRETS = (KEY, PASSWORD, QUERY_KEY, *SOURCE_KEYS.values())
SOURCES = (
    "acl-anthology", "arxiv", "core", "crossref", "dblp", "europe-pmc", "openalex", "openreview", "semantic-scholar",
    "unpaywall",
)  # fmt: skip


def forms(secret):
    """The ways in which a server may write a secret."""
    text = base64.b64encode(f"me:{secret}".encode()).decode()
    plain = (secret, quote(secret, safe=""), quote(secret), json.dumps(secret)[1:-1].replace("/", "\\/"))
    return (*plain, base64.b64encode(secret.encode()).decode().rstrip("="), text.rstrip("="))


def echo_of(handler):
    """Everything that came with a request, in every form."""
    headers = "; ".join(f"{name.upper()}: {value}" for name, value in handler.headers.items())
    every = " ".join(form for secret in SECRETS for form in forms(secret))
    return f"{headers} {handler.path} {every}"


def with_echo(value, echo):
    """A JSON value with the echo in every text that is long enough to be prose."""
    if isinstance(value, str):
        return f"{value} {echo}" if " " in value else value
    if isinstance(value, list):
        return [with_echo(each, echo) for each in value]
    return {name: with_echo(each, echo) for name, each in value.items()} if isinstance(value, dict) else value


def answer_with(echo, body):
    """A chat completion that repeats the key in its texts."""
    schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
    answer = plausible_answer(body["messages"], schema, body.get("seed", 0))
    try:
        content = json.dumps(with_echo(json.loads(answer), echo[:300]))
    except ValueError:
        content = f"{answer} {echo}"
    message = {"role": "assistant", "content": content, "reasoning_content": echo}
    usage = {"prompt_tokens": 9, "completion_tokens": 9}
    return {"choices": [{"index": 0, "finish_reason": "stop", "message": message}], "usage": usage}


class EchoServer:
    """`refuses`: every request gets 401 with the echo; otherwise models answer with it in their texts."""

    def __init__(self, *, refuses):
        self.requests = 0

        class Handler(BaseHTTPRequestHandler):
            def do_GET(handler):  # noqa: N805  the server is `self`
                self.requests += 1
                body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
                echo, chat = echo_of(handler), handler.path.partition("?")[0].endswith("/chat/completions")
                error = {"error": {"message": f"wrong key: {echo}"}}
                known = chat and not refuses
                content = json.dumps(answer_with(echo, json.loads(body)) if known else error).encode()
                handler.send_response(200 if known else 401)
                handler.send_header("Content-Length", str(len(content)))
                handler.send_header("X-Echo", echo)
                handler.end_headers()
                handler.wfile.write(content)

            do_POST = do_GET  # noqa: N815

            def log_message(handler, *_):  # noqa: N805
                """Prints nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self):
        return self._server.server_port


def leaks_in(text):
    return [form for secret in SECRETS for form in forms(secret) if form in text]


def contents(folder):
    """Every file below a folder as text, compressed ones unpacked as well."""
    for file in folder.rglob("*"):
        if file.is_file():
            raw = file.read_bytes()
            yield file, raw.decode("latin-1")
            if file.suffix == ".z":
                yield file, zlib.decompress(raw).decode("latin-1")


IDEA = {"title": "Fold sheets by graph networks", "summary": "We fold sheets by learning graph networks for molecules.",
        "topic": "folding"}  # fmt: skip
REVIEWED = {
    "title": "Learning to fold sheets", "abstract": "We learn how sheets fold, by graph networks over residues. " * 5,
    "conference": "ICLR", "year": 2023, "decision": "Accept",
    "reviews": [{"review": "The paper is clear and well argued, and its experiments are sound. " * 12, "rating": 6}],
}  # fmt: skip
TALKING = {
    "ideate": ("folding sheets", *SMALL),
    "explore": ("How do sheets fold?", "--rounds", "1"),
    "doctor": (),
    "review": ("ideas.jsonl",),
    "filter": ("ideas.jsonl", "--out", "kept.jsonl"),
    "judge winrate": ("ideas.jsonl", "ideas2.jsonl"),
    "judge rubric": ("ideas.jsonl",),
    "arena run": ("--topic", "folding sheets", "--method", "plain,rag"),
    "arena study quality": ("--topic", "folding sheets", "--entrants", "plain,rag"),
    "arena protocol install": ("http://localhost:PORT/paper",),
    "liveidea protocol install": ("http://localhost:PORT/paper",),
    "arena topics": ("--since", "2015-01-01", "--out", "topics.jsonl"),
    "liveidea run": ("--keywords", "1", "--model", "MODEL", "--judge", "server:j@http://localhost:PORT/v1"),
    "foresight run": ("--cutoff", "2012", "--topics", "topics.txt", "--method", "plain", "--neighbours", "1"),
    "data build next-idea": ("--out", "made tasks", "--min-references", "2", "--limit", "2"),
    "next-idea evaluate": (
        "tasks",
        "--model",
        "MODEL",
        "--judge",
        "server:j@http://localhost:PORT/v1",
        "--rounds",
        "1",
    ),
    "train check-reward": ("tasks", "--judge", "server:j@http://localhost:PORT/v1", "--model", "MODEL", "--pairs", "4"),
    "data build judge": ("reviews.jsonl", "--out", "made", "--cutoff", "2023-01-01"),
    "judge validate": ("rated.jsonl", "--limit", "10"),
    "judge evaluate": ("made", "--bootstrap-samples", "0"),
    "library add": ("folding sheets", "--since", "2022", *(part for name in SOURCES for part in ("--source", name))),
    "library update": (),
    "library full-texts": ("folding",),
    "library embed": ("--embedder", "MODEL", "--yes"),
    "runs resume": ("last",),
    "runs export": ("last", "--out", "exported"),
    "runs show": ("last",),
    "runs list": (),
    "config show": (),
    "models list": (),
}
"""Commands that talk to a model or a source, or show what was answered."""
SILENT = {
    "runs check", "runs salvage", "opportunities find", "opportunities build", "opportunities evaluate", "score",
    "select", "judge report", "arena resume", "arena score", "arena report", "arena agree", "arena export",
    "arena import", "liveidea plan", "liveidea score", "liveidea report", "liveidea agree", "liveidea import",
    "liveidea keywords list", "liveidea keywords refresh", "foresight report", "metrics fit", "metrics list",
    "metrics show", "metrics tune", "metrics validate", "data build preferences", "data build survey",
    "data build ideas", "train sft", "train dpo", "train judge", "train recipes",
    "train list", "train export", "library import", "library searches", "library starter", "library search",
    "library show", "library stats", "library export", "models install", "models remove", "methods list",
    "methods show", "prompts list", "prompts show", "arena protocol list", "arena protocol show",
    "liveidea protocol list", "liveidea protocol show", "arena study report", "arena study export",
    "data show next-idea", "study close", "study create", "study export", "study forms", "study invite", "study list",
    "study results",
}  # fmt: skip
"""Commands that ask nobody: they read what the others wrote, which holds no key."""
TRAIN_FIRST = {"train iterate", "train compare", "train study"}
"""Commands that train, and then have ideas judged by the runs of `judge winrate` and `judge rubric`."""
APART = {"train next-idea", "serve", "train upload"}
"""Commands that tests of their own run: one trains, one never ends, and the last talks to a model hub alone
(`tests/training/test_uploading.py` looks for its key)."""
LIKE_ANOTHER = {"arena study ablation", "arena study length", "arena study width"}
"""Commands that talk as `arena study quality` does, with other entrants."""


def test_every_command_is_among_those_that_talk_or_those_that_do_not():
    assert {name.removeprefix("novum ") for name, _ in app.walk()} == set(
        TALKING
    ) | SILENT | LIKE_ANOTHER | TRAIN_FIRST | APART


@pytest.fixture(params=["refuses", "answers"])
def echoing(request, home, tmp_path, monkeypatch, here):
    """An echoing server that all models and sources are at, with credentials of every kind."""
    with EchoServer(refuses=request.param == "refuses") as server:
        place = f"127.0.0.1:{server.port}"
        writer = f"server:m@http://me:{quote(PASSWORD, safe='')}@{place}/v1?api_key={quote(QUERY_KEY, safe='')}"
        reader = f"server:r@http://localhost:{server.port}/v1"  # the key is sent to this one
        for name, value in (SOURCE_KEYS | {"NOVUM_SERVER_KEY": KEY, "NOVUM_DEADLINE_SECONDS": "20"}).items():
            monkeypatch.setenv(name, value)
        for name, value in {"WRITER": writer, "READER": reader, "JUDGES": reader, "CONTACT": "me@example.org"}.items():
            monkeypatch.setenv(f"NOVUM_{name}", value)
        monkeypatch.setenv("NO_PROXY", "*")
        addresses = "\n".join(f'{name} = "http://me:{quote(PASSWORD, safe="")}@{place}"' for name in SOURCES)
        (home / "novum.toml").write_text(f"[source_addresses]\n{addresses}\n")
        (home / "novum.toml").chmod(0o600)
        for name in ("ideas.jsonl", "ideas2.jsonl"):
            (tmp_path / name).write_text(json.dumps(IDEA | {"title": f"{IDEA['title']} {name}"}) + "\n")
        (tmp_path / "topics.txt").write_text("folding sheets\n")
        papers = [REVIEWED | {"title": f"{REVIEWED['title']}, part {number}"} for number in range(4)]
        (tmp_path / "reviews.jsonl").write_text("".join(json.dumps(each) + "\n" for each in papers))
        rated = [
            REVIEWED | {"title": f"Part {number}", "venue": "V", "reviews": [{"rating": number}]}
            for number in range(12)
        ]
        (tmp_path / "rated.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rated))
        write_invented_tasks(tmp_path / "tasks", 8, 2)
        yield server, writer


def run_all(here, model, names):
    for name in names:
        place = model.partition("127.0.0.1:")[2].partition("/")[0]
        given = [model if each == "MODEL" else each.replace("PORT", place) for each in TALKING[name]]
        yield name, here(*name.split(), *given)


def leaks_below(folder, home):
    """Files with a key in them, apart from the settings, in which the user wrote it."""
    return {str(file) for file, text in contents(folder) if file != home / "novum.toml" and leaks_in(text)}


@pytest.mark.slow
def test_no_key_is_found_on_the_terminal_or_in_any_file(echoing, here, home, tmp_path):
    server, model = echoing
    printed = ""
    for name, ended in run_all(here, model, TALKING):
        assert not leaks_in(ended.out + ended.err), name
        assert "Unexpected" not in ended.err, name
        printed += ended.out + ended.err
    assert server.requests > 20
    assert "[redacted]" in printed
    assert not leaks_below(tmp_path, home)
    assert any("[redacted]" in text for file, text in contents(home) if file.name.startswith("ledger.sqlite"))


def test_a_refusal_that_repeats_the_keys_shows_none(echoing, here, tmp_path, home):
    _, model = echoing
    for name, ended in run_all(here, model, ("ideate", "doctor", "config show", "library add")):
        assert not leaks_in(ended.out + ended.err), name
    assert not leaks_below(tmp_path, home)


@pytest.mark.train
@pytest.mark.skipif(importlib.util.find_spec("trl") is None, reason="needs the extra train")
def test_a_training_whose_reward_model_repeats_the_keys_keeps_none(echoing, here, tmp_path, home):
    server, model = echoing
    data, base = tmp_path / "tasks", write_invented_policy(tmp_path / "base")
    sets = (
        *QUICK, "grpo.steps=1", "grpo.tasks=1", "grpo.mini_batch=1", "grpo.generations=2", "grpo.rows=2",
        "roles.comments=model", "roles.reward=model", f"roles.watch_model={model}", "held_out.tasks=1",
        "held_out.samples=1",
    )  # fmt: skip
    options = [part for each in sets for part in ("--option", each)]
    for skipped in ((), ("--skip-check",)):
        out = str(tmp_path / "policy")
        ended = here("train", "next-idea", str(data), "--out", out, "--base", str(base), *skipped, *options)
        assert not leaks_in(ended.out + ended.err)
        assert "Unexpected" not in ended.err
    assert server.requests
    assert not leaks_below(tmp_path, home)


@pytest.mark.slow
def test_the_workbench_shows_and_keeps_no_key(echoing, home, tmp_path):
    server, model = echoing
    settings = load_settings({"sources": ["none"]})
    with TestClient(create_app(WebOptions(), settings), base_url="http://127.0.0.1:8765") as client:
        browser = Browser(client)
        chosen = {"topic": "folding sheets", "method": "plain", "model": model, "sources": "none"}
        started = browser.post("/runs", chosen, follow_redirects=False)
        assert started.status_code == 303, started.text
        address = started.headers["location"]
        end = time.monotonic() + 120
        while "<button>Stop</button>" in (page := browser.get(address).text) or not server.requests:
            assert time.monotonic() < end, page
            time.sleep(0.1)
        ways = ("", "/export/html", "/export/md", "/export/json")
        shown = [browser.get(f"{address}{each}").text for each in ways] + [browser.get("/").text]
    assert not [leaks_in(text) for text in shown if leaks_in(text)]
    assert not leaks_below(tmp_path, home)


def test_the_password_of_a_database_is_not_shown(here, monkeypatch):
    monkeypatch.setenv("NOVUM_LIBRARY", f"postgresql+psycopg://me:{quote(PASSWORD, safe='')}@127.0.0.1:9/papers")
    for command in (("library", "stats"), ("config", "show"), ("doctor",)):
        ended = here(*command)
        assert not leaks_in(ended.out + ended.err), command


def test_a_crash_log_holds_no_key(here, monkeypatch, home):
    monkeypatch.setenv("NOVUM_SERVER_KEY", KEY)

    def broken(*_, **__):
        raise RuntimeError(f"Authorization: Bearer {KEY}")

    monkeypatch.setattr("novum.cli.setup.config.print_table", broken)
    ended = here("config", "show")
    assert ended.code == 1
    (log,) = (home / "logs").iterdir()
    assert not leaks_in(ended.err + log.read_text())
    assert "RuntimeError" in log.read_text()
