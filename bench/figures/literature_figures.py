"""Literature that is not in the library: chains on twenty topics that it lacks, and the time, money and requests.

`pace` runs `novum ideate` (chain-of-ideas with its defaults, a scripted model that answers at once) on each topic at
the pace of the real services without any key, each topic on a day of its own. Seconds on literature are those in which
at least one branch of the run waited for services, by the run's own record of its waits. Beside them: `busy`, seconds
in which a service worked on a request, from the services' own log; and by how much the wall time is less when the runs
of five topics are repeated from the stored answers of services. A chain counts when at least three papers in a row cite
one another in the graph from which the services answer.

`keys` does the same with free keys, `faults` with one service out of order, in each of several ways. `resume` stops a
run in its middle by its budget of calls, and counts the requests of the session that goes on with it that the first one
had sent, those of its last second left out, which were under way when it stopped; once more with the stored answers of
services deleted, which shows what the run itself does not remember.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any
from unittest import mock

from tests.scripted_internet import QUERIES, VALID_KEY, corpus_of
from tests.scripted_internet.reader import reader_of

from figures.literature_runs import (
    ANSWERS,
    LINKED,
    PAPERS,
    InternetProcess,
    LiteratureRun,
    carry_out,
    fresh_home,
    linked_papers,
    on_topic,
    place,
)
from figures.row import Bench, Row, at_least, at_most, shown
from novum.errors import BudgetSpent
from novum.runs.engine import resume, start
from novum.runs.ideation import IDEATION, IdeationTask
from novum.testing import ScriptedServer

CHAINS, SECONDS, SECONDS_WITH_FAULT = 90.0, 30.0, 35.0
FAULTS: Mapping[str, Sequence[str]] = {
    "openalex": ("503", "429", "hangs", "old form"),
    "crossref": ("hangs", "refused", "html"),
    "europe-pmc": ("503", "hangs", "old form"),
    "arxiv": ("hangs", "html"),
}
WITH_ARXIV = ("neutron star mergers equation of state", "consensus protocols under partial synchrony")
"""Topics for which arXiv is asked."""
KEYS = ("OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY")
_AT_ONCE = 0.0
_UNDER_WAY = 1.0
"""Seconds before the end of a session in which a request may have been sent whose answer it did not take any more."""
_REPEATED = 5
"""Topics whose runs are repeated from stored answers."""
_CALLS_BEFORE_THE_BREAK = 25


def chains(bench: Bench) -> list[Row]:
    """How many chains are linked, when services answer at once."""
    with InternetProcess(_AT_ONCE, paced=False) as internet:
        runs = [_measured(bench, internet, topic, _AT_ONCE) for topic in _topics(bench)]
    return [_chains_row("services answer at once", runs)]


def pace(bench: Bench) -> list[Row]:
    """Chains, time and money at the pace of the real services, without keys."""
    slow, saved = list[LiteratureRun](), list[float]()
    with InternetProcess(1.0) as real:
        for topic in _topics(bench):
            slow.append(_measured(bench, real, topic, 1.0))
            if len(slow) <= _REPEATED:
                saved.append(slow[-1].seconds - _from_answers(bench, real, topic))
    spent = [run.waited for run in slow]
    busy = median(run.busy_seconds() for run in slow)
    return [
        _chains_row("real pace, no keys", slow),
        at_most(
            "s on literature a topic: median",
            median(spent),
            SECONDS,
            f"busy {busy:.1f}, wall {median(saved):.1f} less from stored answers",
            " s",
        ),
        at_most("s on literature a topic: worst", max(spent), SECONDS, _worst(slow, spent), " s"),
        shown(
            "USD at OpenAlex a topic",
            f"{median(run.spent for run in slow):.4f}",
            f"most {max(r.spent for r in slow):.4f}",
        ),
        shown("requests a topic", f"{median(len(run.log) for run in slow):.0f}", _requests(slow)),
    ]


def keys(bench: Bench) -> list[Row]:
    """The same with free keys of OpenAlex and Semantic Scholar, on a few topics."""
    some = _topics(bench)[:4]
    with InternetProcess(1.0) as real, mock.patch.dict(os.environ, dict.fromkeys(KEYS, VALID_KEY)):
        runs = [_measured(bench, real, topic, 1.0) for topic in some]
    beside = f"{_linked_share(runs):.0f}% of chains linked, ${median(run.spent for run in runs):.4f}"
    return [at_most("s on literature a topic, keys: worst", max(run.waited for run in runs), SECONDS, beside, " s")]


def faults(bench: Bench) -> list[Row]:
    """Time and chains with one service out of order, on a few topics each."""
    rows: list[Row] = []
    with InternetProcess(1.0) as real:
        for service, fault in ((service, fault) for service, each in FAULTS.items() for fault in each):
            some = WITH_ARXIV if service == "arxiv" else _topics(bench)[:2]
            runs = [_measured(bench, real, topic, 1.0, {service: fault}) for topic in some]
            worst = max(run.waited for run in runs)
            beside = f"{_linked_share(runs):.0f}% of chains linked"
            rows.append(at_most(f"{service} {fault}: worst s", worst, SECONDS_WITH_FAULT, beside, " s"))
    return rows


def resumed(bench: Bench) -> list[Row]:
    """Requests that a resumed run sends again."""
    with InternetProcess(_AT_ONCE, paced=False) as internet:
        kept, without = (
            [asyncio.run(_repeated(bench, internet, topic, forget=forget)) for topic in _topics(bench)[:4]]
            for forget in (False, True)
        )
    beside = f"{sum(before for before, _, _ in kept)} before the break, {sum(new for _, new, _ in kept)} new after it"
    beside += f"; {sum(old for _, _, old in without)} again when the stored answers were deleted"
    return [at_most("requests asked again on resume", float(sum(old for _, _, old in kept)), 0, beside)]


FIGURES: Mapping[str, Callable[[Bench], list[Row]]] = {
    "chains": chains,
    "resume": resumed,
    "pace": pace,
    "keys": keys,
    "faults": faults,
}


def _topics(bench: Bench) -> list[str]:
    return list(QUERIES)[: bench.runs]


def _measured(
    bench: Bench,
    internet: InternetProcess,
    topic: str,
    latency: float,
    faults: Mapping[str, str] | None = None,
    **settings: Any,
) -> LiteratureRun:
    """One ideation on a new day; tells what became of it."""
    internet.new_day(latency, faults)
    run = asyncio.run(carry_out(bench.home, internet, topic, **settings))
    lengths = [linked_papers(corpus_of(PAPERS), chain) for chain in run.chains]
    served = Counter(one["service"] for one in run.log)
    refused = Counter(f"{one['service']} {one['status']}" for one in run.log if one["status"] != 200)
    how = f"{latency:g}{' ' + str(faults) if faults else ''}"
    times = f"{run.seconds:.1f} s, waited {run.waited:.1f}, busy {run.busy_seconds():.1f}"
    print(f"  {topic} [{how}]: {times}, linked {lengths}, {on_topic(corpus_of(PAPERS), run):.0%} on topic")
    print(f"      ${run.spent:.4f}, {dict(served)}, refused {dict(refused)}", flush=True)
    for note in run.report.ideation.notes:
        print(f"      {note}")
    return run


def _from_answers(bench: Bench, internet: InternetProcess, topic: str, **settings: Any) -> float:
    """Seconds of the last run when it finds the answers of services stored, and others come at once."""
    internet.new_day(_AT_ONCE)
    run = asyncio.run(carry_out(bench.home, internet, topic, bench.home / "run" / ANSWERS, **settings))
    print(f"      from stored answers: {run.seconds:.1f} s, {len(run.log)} requests", flush=True)
    return run.seconds


def _linked_share(runs: Sequence[LiteratureRun]) -> float:
    """Percent; a run without chains counts as one bad chain."""
    corpus = corpus_of(PAPERS)
    good = [linked_papers(corpus, chain) >= LINKED for run in runs for chain in run.chains]
    good += [False for run in runs if not run.chains]
    return 100 * sum(good) / max(1, len(good))


def _chains_row(how: str, runs: Sequence[LiteratureRun]) -> Row:
    count = sum(len(run.chains) for run in runs)
    topical = sum(on_topic(corpus_of(PAPERS), run) for run in runs) / len(runs)
    beside = f"{count} chains on {len(runs)} topics, {topical:.0%} of their papers on topic"
    return at_least(f"chains of {LINKED} linked papers, {how}", _linked_share(runs), CHAINS, beside)


def _worst(runs: Sequence[LiteratureRun], spent: Sequence[float]) -> str:
    return runs[max(range(len(spent)), key=lambda place: spent[place])].topic


def _requests(runs: Sequence[LiteratureRun]) -> str:
    kinds = Counter(f"{one['service']} {one['kind']}" for run in runs for one in run.log)
    return ", ".join(f"{kind} {count / len(runs):.1f}" for kind, count in kinds.most_common(8))


async def _repeated(bench: Bench, internet: InternetProcess, topic: str, *, forget: bool) -> tuple[int, int, int]:
    """Requests of a first session, and of a second one that the first had not, and had, sent."""
    internet.new_day(_AT_ONCE)
    home = fresh_home(bench.home)
    with ScriptedServer(reader_of(topic), keep=False) as server:
        first = await _session(
            home, internet, server.model, lambda workplace: _started(workplace, topic), _CALLS_BEFORE_THE_BREAK
        )
        if forget:
            shutil.rmtree(home / ANSWERS, ignore_errors=True)
        internet.new_day(_AT_ONCE)
        second = await _session(home, internet, server.model, _gone_on, None)
    known = {request for request, before_end in first if before_end > _UNDER_WAY}
    again = sum(request in known for request, _ in second)
    print(f"  {topic}: {len(first)} requests, then {len(second)}, of which {again} again")
    return len(first), len(second) - again, again


async def _session(
    home: Any, internet: InternetProcess, model: str, work: Any, calls: int | None
) -> list[tuple[tuple[str, ...], float]]:
    """The requests of one session, and how many seconds before the last of them each was sent."""
    async with place(home, internet, model, budget_calls=calls) as workplace:
        with contextlib.suppress(BudgetSpent):
            await work(workplace)
    log = internet.tell(log=True)["log"]
    last = max((one["began"] for one in log), default=0.0)
    return [((one["service"], one["path"], str(sorted(one["parameters"].items()))), last - one["began"]) for one in log]


async def _started(workplace: Any, topic: str) -> None:
    await start(IDEATION, workplace, IdeationTask(topic=topic, opportunities=False))


async def _gone_on(workplace: Any) -> None:
    (record,) = workplace.ledger.runs()
    await resume(IDEATION, workplace, record.id)
