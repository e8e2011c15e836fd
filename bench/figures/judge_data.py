"""Data for a reviewer model from 50,000 review records: how long the command takes, and how much memory.

The records are made up: papers with four reviews each of the length that real ones have, 200,000 reviews in all, a
twentieth of the papers handed in twice, odd ratings among them. The command runs as a process of its own, from the file
to the finished folder, without a model. Beside it: the idea texts by rules on a tenth of the records.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import orjson

from figures.row import Bench, Row, at_most

_RECORDS, _REVIEWS, _MINUTES, _GIGABYTES = 50_000, 4, 3, 2
_VENUES = (("ICLR", 2022), ("NeurIPS", 2023), ("NeurIPS", 2024), ("NeurIPS", 2025))
_RATINGS = (3, 5, 6, "8: Top 50% of accepted papers", "3 (weak reject)", "N/A", "6", 5)
_WORDS = (
    "model", "graph", "method", "bound", "proof", "data", "learning", "sample", "problem", "approach", "agent", "idea",
    "result", "noise", "language", "image", "theory", "experiment", "baseline", "training", "loss", "kernel", "signal",
    "question", "claim", "evidence", "the", "of", "and", "a", "in", "to", "is", "that", "for", "with", "on", "we",
)  # fmt: skip


def judge_data(bench: Bench) -> list[Row]:
    """Medians over the runs."""
    whole, tenth = (write_reviews(bench.home / f"reviews-{size}.jsonl", size) for size in (_RECORDS, _RECORDS // 10))
    runs = [_built(bench, whole) for _ in range(bench.runs)]
    stripped, _ = _built(bench, tenth, "--strip")
    told = f"{whole.stat().st_size / 1e6:,.0f} MB, {_RECORDS * _REVIEWS:,} reviews"
    minutes = median(seconds for seconds, _ in runs) / 60
    return [
        at_most(f"{_RECORDS:,} review records, minutes", minutes, _MINUTES, told),
        at_most("memory of the process, GiB", max(peak for _, peak in runs), _GIGABYTES, "largest of all runs"),
        Row(
            "idea texts by rules, records a second", f"{_RECORDS / 10 / stripped:,.0f}", "", True, "with all four tasks"
        ),
    ]


def _built(bench: Bench, source: Path, *more: str) -> tuple[float, float]:
    """Seconds, and the largest memory that any process of ours has had so far, GiB."""
    out = bench.home / "set"
    command = [sys.executable, "-m", "novum", "data", "build", "judge", str(source), "--out", str(out), "--quiet"]
    began = time.perf_counter()
    subprocess.run([*command, "--force", *more], check=True, env={"NOVUM_HOME": str(bench.home / "novum"), "PATH": ""})
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"  {source.name} {' '.join(more)}: {seconds:.1f} s, {peak:.2f} GiB", flush=True)
    return seconds, peak


def write_reviews(file: Path, records: int, seed: int = 0) -> Path:
    """That many papers with reviews, the same for the same seed."""
    rng = random.Random(seed)
    stock = [_sentence(rng) for _ in range(20_000)]
    with file.open("wb") as opened:
        for number in range(records):
            again = number and rng.random() < 0.05
            opened.write(orjson.dumps(_record(rng, stock, number - 1 if again else number)) + b"\n")
    return file


def _record(rng: random.Random, stock: list[str], number: int) -> dict[str, object]:
    venue, year = rng.choice(_VENUES)
    reviews = [
        {"rating": rng.choice(_RATINGS), "confidence": rng.randint(1, 5), "text": _text(rng, stock, 2_900)}
        for _ in range(_REVIEWS)
    ]
    return {
        "paper_id": f"made:{number}", "title": f"On {stock[number % len(stock)][:60]} {number}", "venue": venue,
        "year": year, "decision": rng.choice(("Accept (poster)", "Reject")), "reviews": reviews,
        "abstract": f"Paper {number}. {_text(rng, stock, 1_300)}", "keywords": ["made up"], "meta_review": "",
    }  # fmt: skip


def _text(rng: random.Random, stock: list[str], characters: int) -> str:
    lines = rng.choices(stock, k=characters // 110)
    return "\n".join(" ".join(lines[start : start + 5]) for start in range(0, len(lines), 5))


def _sentence(rng: random.Random) -> str:
    words = [rng.choice(_WORDS) for _ in range(20)]
    return " ".join(words).capitalize() + "."
