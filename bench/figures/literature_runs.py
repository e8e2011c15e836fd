"""One ideation on a topic of the invented literature, and what it cost: time, requests, money, and what it found."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.scripted_internet import Corpus
from tests.scripted_internet.reader import reader_of

from novum.core import Chain, IdeationReport, Paper
from novum.lab import LIVE_SEARCH, Workplace
from novum.runs.engine import start
from novum.runs.ideation import IDEATION, IdeationTask
from novum.settings import load_settings
from novum.testing import ScriptedServer

ROOT = Path(__file__).resolve().parents[2]
PAPERS = 50_000
ANSWERS = Path("cache") / "sources"
"""Stored answers of services, in a home."""
LINKED = 3
"""Papers that a chain should have, each linked to the next."""


class InternetProcess:
    """`python -m tests.scripted_internet`: the services, as a process of their own."""

    def __init__(self, latency: float, *, papers: int = PAPERS, paced: bool = True) -> None:
        command = [sys.executable, "-m", "tests.scripted_internet", "--papers", str(papers), "--latency", str(latency)]
        command += [] if paced else ["--unpaced"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        self.addresses: Mapping[str, str] = self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()  # it ends with its input

    def tell(self, **command: object) -> dict[str, Any]:
        """One command, and what is answered."""
        assert self._process.stdin is not None, "opened as a pipe"
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        said: dict[str, Any] = self._read()
        self.addresses = said["addresses"]
        return said

    def new_day(self, latency: float, faults: Mapping[str, str] | None = None) -> None:
        """Nothing asked or spent, these services out of order."""
        self.tell(forget=True, latency=latency, faults=dict(faults or {}))

    def _read(self) -> Any:
        assert self._process.stdout is not None, "opened as a pipe"
        return json.loads(self._process.stdout.readline())


@dataclass(frozen=True)
class LiteratureRun:
    """What became of one ideation. `log`: the requests that the services saw."""

    topic: str
    seconds: float
    report: IdeationReport
    log: Sequence[Mapping[str, Any]]
    spent: float
    """US dollars at OpenAlex."""
    waits: Sequence[tuple[float, float, str]] = ()
    """Queries and papers that the run waited for services for: from when, until when, and what it was."""

    @property
    def waited(self) -> float:
        """Seconds in which at least one of the run's branches waited for services."""
        return _covered((began, ended) for began, ended, _ in self.waits)

    @property
    def chains(self) -> list[Chain]:
        return [each.chain for each in self.report.ideation.candidates if each.chain]

    def busy_seconds(self) -> float:
        """During which at least one service worked on a request."""
        return _covered((one["began"], one["began"] + one["seconds"]) for one in self.log)

    def requests(self) -> list[tuple[str, str, str]]:
        """Each request as service, path and parameters."""
        return [(one["service"], one["path"], json.dumps(one["parameters"], sort_keys=True)) for one in self.log]


async def carry_out(
    bench_home: Path, internet: InternetProcess, topic: str, answers: Path | None = None, **settings: Any
) -> LiteratureRun:
    """An ideation in a fresh copy of the prepared working place, with stored `answers` of services if any are given."""
    home = fresh_home(bench_home, "again" if answers else "run", answers)
    with ScriptedServer(reader_of(topic), keep=False) as server:
        async with place(home, internet, server.model, **settings) as workplace:
            began = time.perf_counter()
            report = await start(IDEATION, workplace, IdeationTask(topic=topic, opportunities=False))
            seconds = time.perf_counter() - began
            waits = waits_of(workplace)
    log = internet.tell(log=True)["log"]
    return LiteratureRun(topic, seconds, report, log, sum(one["cost"] for one in log), waits)


def waits_of(workplace: Workplace) -> list[tuple[float, float, str]]:
    """What the last run of a ledger says of its waits for services."""
    (record,) = workplace.ledger.runs(1)
    events = [event for _, event in workplace.ledger.events(record.id, kind=LIVE_SEARCH)]
    return [
        (event.at - float(str(event.data.get("seconds", 0))), event.at, _waited_for(event.data)) for event in events
    ]


def _waited_for(data: Mapping[str, Any]) -> str:
    return f"{'citations of ' if data.get('citations_of') else ''}{data['query'][:60]}"


def _covered(spans: Iterable[tuple[float, float]]) -> float:
    """Length of what intervals cover together."""
    total, end = 0.0, -math.inf
    for began, ended in sorted(spans):
        total += max(0.0, ended - max(began, end))
        end = max(end, ended)
    return total


def fresh_home(bench_home: Path, name: str = "run", answers: Path | None = None) -> Path:
    """A copy of the prepared working place, in place of the last one of this name, with these stored answers."""
    home = bench_home / name
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(bench_home, home, ignore=shutil.ignore_patterns("run", "again"))
    if answers and answers.exists():
        shutil.copytree(answers, home / ANSWERS)
    return home


def place(home: Path, internet: InternetProcess, model: str, **settings: Any) -> Workplace:
    """A working place whose services are the scripted ones; settings and keys of the user's play no part."""
    given = {"home": str(home), "writer": model, "source_addresses": dict(internet.addresses), **settings}
    return Workplace(load_settings(given, environment={}, folder=home))


def linked_papers(corpus: Corpus, chain: Chain) -> int:
    """Papers of the longest part of a chain in which every one cites its neighbour or is cited by it."""
    numbers = [number_of(corpus, link.paper) for link in chain.links]
    longest = current = 1 if any(number is not None for number in numbers) else 0
    for one, other in pairwise(numbers):
        joined = one is not None and other is not None and corpus.are_linked(one, other)
        current = current + 1 if joined else 1
        longest = max(longest, current)
    return longest


def number_of(corpus: Corpus, paper: Paper) -> int | None:
    """The paper of the corpus that this is; None for one of another library."""
    known = (corpus.number_of(scheme, value) for scheme, value in paper.ids.items())
    return next((number for number in known if number is not None), None)


def on_topic(corpus: Corpus, run: LiteratureRun) -> float:
    """Share of the papers in the chains of a run that are of its topic."""
    numbers = [number_of(corpus, link.paper) for chain in run.chains for link in chain.links]
    return sum(number is not None and corpus.topic_of(number).name == run.topic for number in numbers) / max(
        1, len(numbers)
    )
