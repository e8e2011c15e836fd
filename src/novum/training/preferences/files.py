"""Write a preference data set as a folder, whole or not at all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from novum.files import folder as data_set_folder
from novum.files.folder import CARD
from novum.files.tables import pyarrow, write_jsonl, write_parquet
from novum.prompts import Prompt
from novum.training.preferences.building import Preferences
from novum.training.preferences.records import SPLITS, PreferenceCard
from novum.training.preferences.rows import conversations, record_json, records

DATA, ABOUT, README = "data", "about", "README.md"


def names_of_files(*, parquet: bool) -> list[str]:
    """The paths of a data set's tables inside its folder."""
    kinds = ["jsonl", *(["parquet"] if parquet else [])]
    tables = [f"{DATA}/{split}.{kind}" for split in SPLITS for kind in kinds]
    return tables + [f"{ABOUT}/{split}.jsonl" for split in SPLITS]


def check_place(folder: Path, *, force: bool, parquet: bool = False) -> None:
    """Raises BadInput when a data set cannot be written to `folder`, before anything is computed."""
    if parquet:
        pyarrow()
    data_set_folder.check_place(folder, PreferenceCard, "a set of preferences", force=force)


async def write_preferences(
    built: Preferences, prompt: Prompt, card: PreferenceCard, pages: Mapping[str, str | bytes], folder: Path, *,
    force: bool = False,
) -> None:  # fmt: skip
    """Writes the tables that `card` names, the card, and `pages` (path to content). Nothing is left when it fails
    or is cancelled. Raises BadInput when the folder cannot be written."""
    check_place(folder, force=force)
    with data_set_folder.atomic_folder(folder, (DATA, ABOUT)) as place:
        for number, split in enumerate(SPLITS):
            rows = list(conversations(built, number, prompt))
            write_jsonl(rows, place / DATA / f"{split}.jsonl")
            if f"{DATA}/{split}.parquet" in card.files:
                write_parquet(rows, _parquet_schema(), place / DATA / f"{split}.parquet")
            write_jsonl(map(record_json, records(built, number)), place / ABOUT / f"{split}.jsonl")
            await asyncio.sleep(0)  # so that Ctrl-C takes effect
        card_text = json.dumps(card.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"
        for name, content in {**pages, CARD: card_text}.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
        await asyncio.sleep(0)  # a Ctrl-C takes effect before the set gets its name


def _parquet_schema() -> Any:
    arrow = pyarrow()
    turns = arrow.list_(arrow.struct([("role", arrow.string()), ("content", arrow.string())]))
    return arrow.schema([(name, turns) for name in ("prompt", "chosen", "rejected")])
