"""Calls and prompt tokens of one topic with its experiment, by prompt; and where the papers' full texts go.

Tokens are characters / 4 of the conversation; the JSON schemas of the answers, which some providers count as well, come
on top.
Every paper of the library is given a full text of 40,000 characters with a mark of its own in it. The conversations in
the ledger are then searched for these marks: a full text belongs into the one call that reads it, and nowhere else.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence

from figures.one_topic import full_topic
from figures.row import Bench, Row
from figures.surroundings import ServerProcess, open_library, workplace
from novum.ledger import Call
from novum.runs.engine import start
from novum.runs.ideation import IDEATION, IdeationTask

PUBLISHED_CALLS, FULL_TEXT = 61, 40_000
READER = "read_paper"


def tokens(bench: Bench) -> list[Row]:
    """Without full texts (the starter library has none), then with one for each paper."""
    with ServerProcess(0.0) as server:
        topic, _ = full_topic(bench, server)
        plain = asyncio.run(_calls(bench, server, topic))
        single = asyncio.run(_calls(bench, server, topic, drafts=1))
        marks = _give_full_texts(bench)
        full = asyncio.run(_calls(bench, server, topic))
    _show(plain)
    repeated = _strays(full, marks)
    readings = [call for call in full if call.prompt == READER]
    print(f"  with full texts: {len(full)} calls, {_total(full):,} prompt tokens,", end=" ")
    print(f"{_total(readings):,} of them in the {len(readings)} calls that read a paper")
    few, beside = len(single) <= PUBLISHED_CALLS, f"published code {PUBLISHED_CALLS}"
    return [
        Row("calls per idea with experiment, 3 branches of 5", str(len(plain)), "", True, "two drafts a chain"),
        Row("    with one draft a chain", str(len(single)), f"<= {PUBLISHED_CALLS}", few, beside),
        Row("    prompt tokens", f"{_total(plain):,}", "", True, f"with full texts {_total(full):,}"),
        Row("    full texts repeated", str(repeated), "0", repeated == 0),
    ]


async def _calls(bench: Bench, server: ServerProcess, topic: str, **options: int) -> list[Call]:
    async with workplace(bench.home, "tokens", server.model) as place:
        task = IdeationTask(topic=topic, opportunities=False, options=options)
        report = await start(IDEATION, place, task, fresh=True)
        return place.ledger.calls(report.account.run_id)


def _give_full_texts(bench: Bench) -> list[str]:
    """A full text for each paper, in which nothing is found but its mark; returns the marks."""
    with open_library(bench.home) as library:
        papers = list(library.papers())
        marks = [f"mark{number:05d}mark" for number in range(len(papers))]
        for paper, mark in zip(papers, marks, strict=True):
            library.set_full_text(paper.id, f"{mark} " * (FULL_TEXT // (len(mark) + 1)))
    return marks


def _strays(calls: Sequence[Call], marks: Sequence[str]) -> int:
    """How often a full text stands where it does not belong: in another prompt, or read for a second time."""
    holders = defaultdict(list)
    for call in calls:
        for mark in {word for word in call.messages.split() if word.startswith("mark")} & set(marks):
            holders[mark].append(call.prompt)
    if not holders:
        raise SystemExit("No full text was read at all: nothing is proved.")
    return sum(len(prompts) - (READER in prompts) for prompts in holders.values())


def _total(calls: Sequence[Call]) -> int:
    return sum(call.prompt_tokens or 0 for call in calls)


def _show(calls: Sequence[Call]) -> None:
    counts = Counter(call.prompt for call in calls)
    print(f"  {'prompt':20} {'calls':>6} {'tokens':>8} {'each':>7} {'answers':>8}")
    for prompt, count in counts.most_common():
        asked = [call for call in calls if call.prompt == prompt]
        answers = sum(call.completion_tokens or 0 for call in asked)
        print(f"  {prompt:20} {count:6} {_total(asked):8,} {_total(asked) // count:7,} {answers:8,}")
