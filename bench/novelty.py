"""Which papers a novelty check shows: whether the ones that matter are among them.

    python bench/novelty.py                  ../shared/data, where it is
    python bench/novelty.py --data FOLDER --ideas 400 --seed 1

The folder holds `papers.jsonl.gz` (papers with references) and `reviews.jsonl.gz` (reviews that begin with a summary).
An idea is what one reviewer wrote about a paper, so it tells the work of that paper in other words. The author's
queries are the first sentences of two other reviewers. Papers that matter are the paper itself, which contains the
idea, and its references. Two of the references are named by the idea, and four were judged relevant before.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from figures.novelty_evidence import WAYS, draw_ideas, measured, table
from novum.lab import Workplace, sentence_encoder
from novum.literature import Library, Reject, read_file
from novum.settings import load_settings

REAL = Path("../shared/data")


def main() -> None:
    """Builds the library in a temporary folder and prints one table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=REAL, help="the folder of both files")
    options.add_argument("--ideas", type=int, default=200, help="at most")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--first-stage", action="store_true", help="do without the sentence encoder")
    chosen = options.parse_args()
    if not (chosen.data / "reviews.jsonl.gz").exists():
        print(f"{chosen.data} holds no reviews.jsonl.gz: name a folder with --data.")
        return
    with tempfile.TemporaryDirectory(prefix="novum-bench-") as folder:
        asyncio.run(_report(Path(folder), chosen))


async def _report(folder: Path, chosen: argparse.Namespace) -> None:
    settings = load_settings({"home": str(folder / "home")})
    encoder = None if chosen.first_stage else sentence_encoder(load_settings())
    async with Workplace(settings) as place:
        with Library.open(folder / "library", embedder=place.embedder("static"), reranker=encoder) as library:
            library.add(each for each in read_file(chosen.data / "papers.jsonl.gz") if not isinstance(each, Reject))
            await library.index()
            ideas = draw_ideas(library, chosen.data / "reviews.jsonl.gz", chosen.ideas, chosen.seed)
            second = "with" if encoder else "without"
            print(f"{library.stats().papers:,} papers, {len(ideas)} ideas, {second} second stage, seed {chosen.seed}")
            print(table({name: await measured(library, ideas, way) for name, way in WAYS.items()}))


if __name__ == "__main__":
    main()
