"""Write a data set as a folder, complete or not at all."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import orjson

from novum.core.peer_review import REVIEW_SPLITS, ReviewedPaper
from novum.files import folder as set_folder
from novum.files.folder import CARD
from novum.training.reviews.card import JudgeDataCard, render_card

DATA, ABOUT, PAPERS, README = "data", "about", "papers", "README.md"
FOLDERS = (DATA, ABOUT, PAPERS)
FILES = tuple(f"{folder}/{split}.jsonl" for folder in FOLDERS for split in REVIEW_SPLITS)


def check_data_set_folder(folder: Path, *, force: bool) -> None:
    """Raise BadInput if a data set cannot be written to `folder`. Called before anything is read."""
    set_folder.check_place(folder, JudgeDataCard, "a set for reviewers", force=force)


class SplitFiles:
    """The three tables of one split: conversations, facts about each, and papers."""

    def __init__(self, place: Path, split: str) -> None:
        self._opened: list[BinaryIO] = [(place / folder / f"{split}.jsonl").open("wb") for folder in FOLDERS]

    def row(self, prompt: object, completion: object, about: object) -> None:
        """Write one conversation and its facts."""
        data, facts, _ = self._opened
        data.write(orjson.dumps({"prompt": prompt, "completion": completion}) + b"\n")
        facts.write(orjson.dumps(about) + b"\n")

    def paper(self, paper: ReviewedPaper) -> None:
        """Write one record of a reviewed paper."""
        self._opened[2].write(paper.model_dump_json().encode() + b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in self._opened:
            each.close()


def write_card(card: JudgeDataCard, place: Path) -> None:
    """Write the card as Markdown and JSON."""
    (place / README).write_text(render_card(card), encoding="utf-8", errors="replace")
    (place / CARD).write_text(card.model_dump_json(indent=1), encoding="utf-8", errors="replace")
