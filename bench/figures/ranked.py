"""Measuring rankings against what is relevant, and showing several side by side."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median, stdev

from figures.retrieval_tasks import Question
from novum.statistics.ranking import ndcg, recall, reciprocal_rank

_K = 10


@dataclass(frozen=True)
class Measured:
    """Each measure's value for every query, and the milliseconds that each query took."""

    ndcg: Sequence[float]
    recall: Sequence[float]
    reciprocal_rank: Sequence[float]
    milliseconds: Sequence[float]


async def measure(questions: Sequence[Question], rank: Callable[[Question], Awaitable[list[str]]]) -> Measured:
    """Asks every question."""
    rankings: list[list[str]] = []
    took: list[float] = []
    for question in questions:
        began = time.perf_counter()
        rankings.append(await rank(question))
        took.append(1000 * (time.perf_counter() - began))
    judged = [(ranking, question.relevant) for ranking, question in zip(rankings, questions, strict=True)]
    return Measured(
        [ndcg(ranking, relevant, _K) or 0.0 for ranking, relevant in judged],
        [recall(ranking, relevant, _K) or 0.0 for ranking, relevant in judged],
        [reciprocal_rank(ranking, relevant) or 0.0 for ranking, relevant in judged],
        took,
    )


def lines(rows: Mapping[str, Measured]) -> str:
    """A table; mean and standard error, and the median time of a query."""
    width = max(map(len, rows))
    head = f"{'':{width}}  {'nDCG@10':^15}  {'recall@10':^15}  {'MRR@10':^15}  ms"
    body = [
        f"{name:{width}}  {_told(row.ndcg)}  {_told(row.recall)}  {_told(row.reciprocal_rank)}  "
        f"{median(row.milliseconds):.1f}"
        for name, row in rows.items()
    ]
    return "\n".join([head, *body])


def _told(values: Sequence[float]) -> str:
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{mean(values):.4f} ± {error:.4f}"
