"""Ideas scored in a second: CI and USS with every part, embedding included, by a model fitted on the starter library.

The ideas are the abstracts of a made-up corpus with words of each other, so that none is known. They are scored in one
call without explanations, as a data set is built; beside it with explanations, as they are shown to people.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from statistics import median

import orjson

from figures.corpus import write_corpus
from figures.row import Bench, Row
from novum.core import Subject
from novum.idea_metrics.fit import fit_metrics
from novum.idea_metrics.model import FittedMetrics
from novum.literature import Library, install_starter

_IDEAS, _PER_SECOND = 3000, 500


def pace(bench: Bench) -> list[Row]:
    """Medians of several runs over the same ideas."""
    with Library.open(bench.home / "small") as library:
        install_starter(library)
        model = asyncio.run(fit_metrics(library))
    ideas = _ideas(bench.home / "ideas.jsonl")
    asyncio.run(model.score(ideas[:100]))  # what is read once in a process
    plain, told = (_per_second(model, ideas, bench.runs, explain=explain) for explain in (False, True))
    reached = plain >= _PER_SECOND
    beside = f"with explanations {told:,.0f}"
    return [Row("ideas scored a second", f"{plain:,.0f}", f">= {_PER_SECOND}", reached, beside)]


def _per_second(model: FittedMetrics, ideas: list[Subject], runs: int, *, explain: bool) -> float:
    rates = []
    for _ in range(runs):
        began = time.perf_counter()
        asyncio.run(model.score(ideas, explain=explain))
        rates.append(len(ideas) / (time.perf_counter() - began))
    print(f"  explain={explain}: {', '.join(f'{rate:,.0f}' for rate in sorted(rates))} ideas a second", flush=True)
    return median(rates)


def _ideas(file: Path) -> list[Subject]:
    write_corpus(file, round(_IDEAS / 0.65))
    records = (orjson.loads(line) for line in file.read_bytes().splitlines())
    ideas = [
        Subject(title=each["title"], text=each["abstract"], topic=each["title"].split()[0], token_probability=0.5)
        for each in records
        if each.get("abstract")
    ]
    return ideas[:_IDEAS]
