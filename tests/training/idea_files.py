"""Small data sets of ideas and of preferences, made up."""

from __future__ import annotations

import json

from novum.files.folder import CARD
from novum.training.ideas.card import RoundCard

_GOOD, _BAD = "Bees dance to say where flowers are.", "zq xj vk wq zx jq kv xw qz."


def turns(role, text):
    return [{"role": role, "content": text}]


def preference_set(folder, *, pairs=24, rejected=1):
    """Pairs whose chosen idea is in words and whose rejected ones are not."""
    (folder / "data").mkdir(parents=True)
    for split, number in (("train", pairs), ("validation", 6), ("test", 6)):
        rows = [
            {
                "prompt": turns("user", f"Topic: bees {row}"),
                "chosen": turns("assistant", f"Title: Bees {row}\n\nAbstract: {_GOOD}"),
                "rejected": turns("assistant", f"Title: Zq {row} {other}\n\nAbstract: {_BAD}"),
            }
            for row in range(number)
            for other in range(rejected)
        ]
        (folder / "data" / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    card = RoundCard(kind="round", round=1, made="2026-01-01", novum="0", objective="made up", generator="", pairs={},
                     topics=1, margin=0, seed=0)  # fmt: skip
    (folder / CARD).write_text(card.model_dump_json())
    return folder


def idea_set(folder, *, papers=60):
    """A file of papers that `novum data build ideas --library FILE` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    subjects = ("bees dance flowers nectar honey hive", "rivers flood banks sediment delta rain")
    rows = [
        {
            "title": f"On {n} {subjects[n % 2].split()[n % 6]}",
            "year": 2019 + n % 5,
            "abstract": f"{subjects[n % 2]}. " * 8,
        }
        for n in range(papers)
    ]
    file = folder / "papers.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file
