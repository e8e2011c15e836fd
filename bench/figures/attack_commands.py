"""The commands that are attacked: how each is started and resumed, and what of its result must not change."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures.attack_server import Answerer, AttackServer, Faults
from novum.ledger import Ledger
from novum.testing import ReceivedRequest, ideas_and_scores

TOPIC = "Language-model agents that propose and test scientific hypotheses"
_QUESTIONS = ("graph networks for molecules", "message passing on crystals", "protein folding by attention")
_SHORT = "chain-of-ideas:branches=1,length=2,rounds=1,name=short,chain-of-ideas:branches=1,length=0,rounds=1,name=none"
PATIENCE = 600.0
"""Seconds after which a command counts as hanging."""


@dataclass(frozen=True)
class Command:
    """`arguments`: of a fresh run; `outcome`: what must be the same however often it was interrupted."""

    name: str
    arguments: Sequence[str]
    resume: Sequence[str]
    outcome: Callable[[Path, str], Any]
    answerer: Answerer | None = None
    by_seed: bool = True
    """Whether the same conversation with another seed is another question."""
    is_free_text: Callable[[str], bool] = lambda _: False
    """Whether any text is a good answer to this prompt, so that none is malformed."""

    def server(self, *, latency: float = 0.005, faults: Faults | None = None) -> AttackServer:
        """A server that knows the command's questions."""
        return AttackServer(latency=latency, faults=faults, answerer=self.answerer, by_seed=self.by_seed)

    def start(
        self, folder: Path, server: AttackServer, *more: str, resume: bool = False, **environment: str
    ) -> subprocess.Popen[str]:
        """The command as a process of its own in `folder`, which holds its home."""
        arguments = [*(self.resume if resume else self.arguments), *more]
        if not resume:
            arguments += ["--base-url", server.base_url]
        clean = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
        clean |= {"NOVUM_HOME": str(folder / "home"), "NOVUM_WRITER": "server:scripted"}
        return subprocess.Popen(
            [sys.executable, "-m", "novum", *arguments],
            env=clean | {"NOVUM_BASE_URL": server.base_url} | environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


def prepared_folder(base: Path, name: str) -> Path:
    """A folder with a copy of the home that `base` holds, and the files that commands read."""
    folder = base / name
    shutil.copytree(base / "home", folder / "home")
    (folder / "questions.txt").write_text("\n".join(_QUESTIONS))
    return folder


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a process that ends by itself."""
    stdout, stderr = process.communicate(timeout=PATIENCE)
    return process.returncode, stdout, stderr


@dataclass(frozen=True)
class Recorded:
    """What the ledger of a folder holds: ids of its runs, and how often each call was paid for, by its key."""

    runs: Sequence[str]
    keys: Mapping[str, int]


def recorded(folder: Path) -> Recorded:
    """What the ledger in `folder` holds; nothing when there is no ledger yet."""
    place = folder / "home" / "ledger.sqlite"
    if not place.exists():
        return Recorded((), {})
    with Ledger.open(place) as ledger:
        runs = [record.id for record in ledger.runs()]
        return Recorded(runs, Counter(call.key for run in runs for call in ledger.calls(run)))


def last_line(text: str) -> str:
    """The last line of what a command printed, cut."""
    return (text.strip().splitlines() or ["no output"])[-1][:120]


def _ideation(_: Path, stdout: str) -> Any:
    return json.loads(stdout)["ideation"]


def _arena(_: Path, stdout: str) -> Any:
    boards = json.loads(stdout)["leaderboard"]["boards"]
    return [board | {"lines": [line | {"seconds": 0, "cost": None} for line in board["lines"]]} for board in boards]


def _liveidea(_: Path, stdout: str) -> Any:
    return json.loads(stdout)["leaderboard"]


def _table(folder: Path, _: str) -> Any:
    rows = [json.loads(line) for line in (folder / "ideas.jsonl").read_text().splitlines()]
    return [{name: value for name, value in row.items() if name != "run"} for row in rows]


def _liveidea_answer(body: Mapping[str, Any]) -> str | None:
    request = ReceivedRequest(0, body["model"], body["messages"], "", None, body, {})
    return ideas_and_scores(request)


IDEATE = Command(
    "ideate",
    ["ideate", TOPIC, *["--branches", "2", "--length", "3", "--source", "none", "--json"]],
    ["runs", "resume", "last", "--json"],
    _ideation,
)
ARENA = Command(
    "arena",
    [
        *("arena", "run", "--topic", "graph learning", "--topic", "language models", "--method", _SHORT),
        *["--model", "server:writer", "--judge", "server:a,server:b", "--bootstrap-samples", "50", "--json"],
    ],
    ["arena", "resume", "last", "--bootstrap-samples", "50", "--json"],
    _arena,
)
LIVEIDEA = Command(
    "liveidea",
    [
        *["liveidea", "run", "--model", "server:dreamer-3,server:dreamer-7"],
        *["--judge", "server:a,server:b,server:c,server:d", "--keywords", "4", "--anchors", "3", "--json"],
    ],
    ["runs", "resume", "last", "--json"],
    _liveidea,
    _liveidea_answer,
    by_seed=False,
    is_free_text=lambda prompt: "Your keyword:" in prompt,
)
BULK = Command(
    "bulk",
    [
        *["ideate", "--topics", "questions.txt", "--method", "plain", "--max-similarity", "1"],
        *["--count", "90", "--seed", "1", "--out", "ideas.jsonl"],
    ],
    ["runs", "resume", "last", "--out", "ideas.jsonl"],
    _table,
)
COMMANDS = (IDEATE, ARENA, LIVEIDEA, BULK)
