"""Hostile texts in every variable of every prompt: how many come through the marks, and what cleaning costs.

    python bench/attack_prompts.py                     the counts, and microseconds for an abstract of 1,500 characters
    python bench/attack_prompts.py --papers FILE.jsonl.gz   and how many of its abstracts cleaning changes

Nothing is sent anywhere. The texts and the way to fill the variables are those of `tests/prompts/hostile.py`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.prompts.hostile import INJECTIONS, escapes  # noqa: E402

from novum.prompts import Prompt, builtin_prompts  # noqa: E402
from novum.prompts.untrusted import clean  # noqa: E402

_LENGTH, _ROUNDS = 1_500, 2_000
_ABSTRACT = (
    "Learned samplers of molecules are fast, but what they sample can be wrong where few data are. We show for two "
    "data sets [12] and three architectures how often a sample leaves the region that the data cover, and that a check "
    "of the energy finds such samples; the effect is significant (p < 0.05). Müller et al. (2020) report 3 µm. "
)


def run() -> list[dict[str, object]]:
    """One row for each prompt: how many injections were tried, and how often one was found `outside` the marks or kept
    a special token."""
    return [_row(name, prompt) for name, prompt in _prompts()]


def _prompts() -> Iterator[tuple[str, Prompt]]:
    book = builtin_prompts()
    for name in book.names():
        usual, short = book.get(name), book.get(name, small=True)
        yield name, usual
        if short is not usual:
            yield f"small/{name}", short


def _row(name: str, prompt: Prompt) -> dict[str, object]:
    outside = sum(escapes(prompt, each) for each in INJECTIONS)
    return {"prompt": name, "injections": len(INJECTIONS), "outside": outside}


def microseconds() -> float:
    """Of CPU for cleaning an abstract of 1,500 characters, the best of five measurements."""
    text = (_ABSTRACT * 40)[:_LENGTH]
    return min(map(_measured, [text] * 5))


def _measured(text: str) -> float:
    began = time.process_time()
    for _ in range(_ROUNDS):
        clean(text)
    return (time.process_time() - began) / _ROUNDS * 1e6


def changed(file: Path) -> tuple[int, int]:
    """Abstracts of a file of papers, and how many of them cleaning changes."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        abstracts = [text for line in lines if (text := json.loads(line).get("abstract"))]
    return len(abstracts), sum(clean(text) != text for text in abstracts)


def main() -> None:
    """Prints the rows that are not clean, and the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=Path, help="papers as gzipped JSON lines")
    papers: Path | None = parser.parse_args().papers
    rows = run()
    for row in rows:
        if row["outside"]:
            print(f"{row['prompt']}: {row['outside']} outside the marks")
    print(
        f"{len(rows)} prompts x {len(INJECTIONS)} injections: {sum(bool(row['outside']) for row in rows)} prompts open"
    )
    print(f"cleaning an abstract of {_LENGTH} characters: {microseconds():.1f} µs")
    if papers:
        total, different = changed(papers)
        print(f"{different} of {total} abstracts are changed by cleaning")


if __name__ == "__main__":
    main()
