"""How long the chains of Chain of Ideas become, what links their papers, and how many papers its branches share.

    python bench/branches.py                            on topics that the starter library knows
    python bench/branches.py --data papers.jsonl.gz --topics topics.jsonl
                                                        on the topics of a file, with the papers of another

The library chooses the papers, as with the offline model (`--option guide=library`), so that nothing is asked of any
model and every figure can be had again. Topics: those of `bench/data/coverage_topics.csv` that are inside the library,
or the `topic` of each line of a file, where it has one; at most 60, evenly spread.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

from novum.core import Chain, Topic
from novum.lab import Workplace
from novum.literature import import_file, install_starter
from novum.methods.chain_of_ideas.branches import chains_of, guide_for, open_branches
from novum.methods.chain_of_ideas.options import ChainOptions
from novum.settings import load_settings

TOPICS = Path(__file__).parent / "data" / "coverage_topics.csv"
_MOST_TOPICS = 60


def main() -> None:
    """Builds a library in a temporary folder, the chains of every topic, and prints the figures."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, help="a file of papers; by default the starter library")
    options.add_argument("--topics", type=Path, help="a file with a JSON object a line that has a `topic`")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="novum-bench-") as folder:
        groups = asyncio.run(_chains(Path(folder), chosen.data, _topics(chosen.topics)))
    for line in figures(groups):
        print(line)


def _topics(file: Path | None) -> list[str]:
    if file is None:
        with TOPICS.open(encoding="utf-8", newline="") as opened:
            topics = [row["topic"] for row in csv.DictReader(opened) if row["literature"] == "inside"]
    else:
        topics = [
            row["topic"] for line in file.read_text("utf-8").splitlines() if (row := json.loads(line)).get("topic")
        ]
    topics = list(dict.fromkeys(topics))
    count = min(_MOST_TOPICS, len(topics))
    return [topics[place * len(topics) // count] for place in range(count)]


async def _chains(folder: Path, data: Path | None, topics: Iterable[str]) -> list[list[Chain]]:
    """The chains of all branches, by topic."""
    settings = load_settings({"home": str(folder), "writer": "offline"}, environment={}, folder=folder)
    async with Workplace(settings) as place:
        if data is None:
            install_starter(place.library)
        else:
            import_file(place.library, data)
        return [await _chains_on(place, topic) for topic in topics]


async def _chains_on(place: Workplace, text: str) -> list[Chain]:
    lab, topic, options = place.lab(place.ledger.start_run("ideate", text, {})), Topic(text=text), ChainOptions()
    guide = guide_for(lab, options)
    branches = await open_branches(lab, topic, options, guide, ())
    grown = await chains_of(lab, topic, options, guide, [branch for branch in branches if branch.anchor])
    return [chain for _, chain in grown]


def figures(groups: Sequence[Sequence[Chain]]) -> list[str]:
    """Lines with the lengths of the chains, their links, and what pairs of branches of one topic share."""
    chains = [chain for group in groups for chain in group]
    pairs = [pair for group in groups for pair in combinations(group, 2)]
    shared = [len({paper.id for paper in one.papers} & {paper.id for paper in other.papers}) for one, other in pairs]
    lengths = Counter(len(chain.links) for chain in chains)
    links = Counter(link.linked_by for chain in chains for link in chain.links if link.linked_by)
    short = sum(count for length, count in lengths.items() if length < ChainOptions().least)
    last = sum(one.papers[-1].id == other.papers[-1].id for one, other in pairs)
    return [
        f"{len(groups)} topics, {len(chains)} chains",
        f"papers in a chain: {len([link for chain in chains for link in chain.links]) / len(chains):.2f} on average; "
        f"{dict(sorted(lengths.items()))}; too short: {short}",
        f"links: {dict(links.most_common())}",
        f"pairs of branches: {len(pairs)}; papers that both have: {sum(shared) / len(pairs):.2f} on average, "
        f"{max(shared)} at most; with any: {sum(map(bool, shared))}; with the same last paper: {last}",
    ]


if __name__ == "__main__":
    main()
