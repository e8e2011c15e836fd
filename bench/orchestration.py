"""What our orchestration costs beside the models themselves.

    python bench/orchestration.py                               everything, some five minutes
    python bench/orchestration.py --only one-topic help         these figures
    python bench/orchestration.py --only single-calls --runs 9  more exactly

A scripted model server, a process of its own on this machine, answers every kind of question after a fixed delay over
real HTTP. The library is the starter library, the method chain-of-ideas with its defaults; ledger and cache are on.
What each figure means, and how it is measured, stands at the head of its file in `figures/`.
"""

from __future__ import annotations

import asyncio

from figures.driver import Figures, measure
from figures.help_time import help_time
from figures.many_topics import many_topics
from figures.one_topic import one_topic
from figures.row import Bench
from figures.single_calls import single_calls
from figures.surroundings import prepare_library
from figures.tokens import tokens
from figures.written_at_once import written_at_once

FIGURES: Figures = {
    "one-topic": one_topic,
    "many-topics": many_topics,
    "single-calls": single_calls,
    "written-at-once": written_at_once,
    "tokens": tokens,  # last of those that use the library: it gives the papers full texts
    "help": help_time,
}


def _library(bench: Bench) -> str:
    return f"library: {asyncio.run(prepare_library(bench.home))}"


if __name__ == "__main__":
    measure(__doc__, FIGURES, runs=5, prepare=_library)
