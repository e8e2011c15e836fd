"""A small data set of reviews about bees to learn from, built as users build theirs."""

from __future__ import annotations

import asyncio
import datetime as dt
import itertools
import random

from novum.prompts import builtin_prompts
from novum.training.reviews.building import BuildPlan, Sources, build_judge_data
from novum.training.reviews.lengths import ByCharacters
from novum.training.reviews.settings import JudgeDataSettings
from tests.training.review_files import lines, paper

_GOOD = "The idea is sound and new, the proof is clear, and I learnt much about how bees agree on where to fly."
_BAD = "The idea is old, its proof has a hole in the second claim, and I cannot see why bees should dance at all."


def reviews(place, papers=40, rated=True):
    """A file of papers, half of them of the later year; what a review says goes with its rating."""
    draw = random.Random(0)
    records = []
    for number in range(papers):
        reviews = []
        for reviewer in range(2):
            good = (number + reviewer) % 2
            text = f"{_GOOD if good else _BAD} Remark {number} {reviewer} {draw.random():.6f}. " + "It is so. " * 30
            reviews.append({"text": text} | ({"rating": "8" if good else "3", "confidence": 4} if rated else {}))
        records.append(paper(number, year=2023 if number % 2 else 2024, reviews=reviews))
    return lines(place / "reviews.jsonl", records)


def review_set(place, *, papers=40, rated=True, **chosen):
    """The folder of a data set."""
    settings = {"cutoff": dt.date(2024, 1, 1), "validation": 0.2, "ideas": "rules", "rating_at": "start"} | chosen
    making = BuildPlan(JudgeDataSettings(**settings), builtin_prompts(), ByCharacters())
    folder = place / "set"
    asyncio.run(build_judge_data(Sources((reviews(place, papers, rated),)), making, folder))
    return folder


def conversation(words, answer="Rating: 0.56\n\nIt is good.", system="You review papers."):
    """A row whose prompt quotes so many words."""
    quoted = " ".join(itertools.islice(itertools.cycle(["bees", "dance", "where", "flowers", "are"]), words))
    question = f"<material 1a2b>\nTitle: Bees\n\nAbstract: {quoted}\n</material 1a2b>\nWrite your report."
    return {
        "prompt": [{"role": "system", "content": system}, {"role": "user", "content": question}],
        "completion": [{"role": "assistant", "content": answer}],
    }
