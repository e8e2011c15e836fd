"""A set as a folder: it appears whole under its name, or not at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import orjson
from pydantic import ValidationError

from novum.core.peer_review import REVIEW_SPLITS, ReviewedPaper
from novum.errors import BadInput
from novum.training.reviews.card import JudgeDataCard, render_card

DATA, ABOUT, PAPERS, CARD, README = "data", "about", "papers", "card.json", "README.md"
FILES = tuple(f"{folder}/{split}.jsonl" for folder in (DATA, ABOUT, PAPERS) for split in REVIEW_SPLITS)


def check_place(folder: Path, *, force: bool) -> None:
    """Found out before anything is read. Raises BadInput where a set cannot be written to `folder`."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir():
        raise BadInput(f"{folder} is a file: name a folder that is not there yet.")
    if not _is_ours(folder):
        raise BadInput(f"{folder} holds other things than a set for reviewers: name a folder that is not there yet.")
    if not force:
        raise BadInput(f"{folder} holds a set for reviewers already. Name another folder, or replace it: --force")


def _is_ours(folder: Path) -> bool:
    try:
        JudgeDataCard.model_validate_json((folder / CARD).read_bytes())
    except (OSError, ValidationError):
        return False
    return True


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder beside `folder` to write to, which takes its name at the end; what was there goes then. When anything
    fails, nothing is left. Raises BadInput where it cannot be written."""
    mark = secrets.token_hex(4)
    place, old = (folder.with_name(f".{folder.name}.{mark}.{kind}") for kind in ("new", "old"))
    try:
        for inside in (DATA, ABOUT, PAPERS):
            (place / inside).mkdir(parents=True)
        yield place
        if folder.exists():
            folder.replace(old)
        place.replace(folder)
    except OSError as error:
        raise BadInput(
            f"The set cannot be written to {folder}: {error.strerror or error}. Free some space or name another folder."
        ) from error
    finally:
        if old.exists() and not folder.exists():
            old.replace(folder)
        for each in (place, old):
            shutil.rmtree(each, ignore_errors=True)


class SplitFiles:
    """The three tables of one split, row for row: conversations, what is known of each, and the papers."""

    def __init__(self, place: Path, split: str) -> None:
        self._opened: list[BinaryIO] = [
            (place / folder / f"{split}.jsonl").open("wb") for folder in (DATA, ABOUT, PAPERS)
        ]

    def row(self, prompt: object, completion: object, about: object) -> None:
        """One conversation."""
        data, beside, _ = self._opened
        data.write(orjson.dumps({"prompt": prompt, "completion": completion}) + b"\n")
        beside.write(orjson.dumps(about) + b"\n")

    def paper(self, paper: ReviewedPaper) -> None:
        """One review record."""
        self._opened[2].write(paper.model_dump_json().encode() + b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in self._opened:
            each.close()


def write_card(card: JudgeDataCard, place: Path) -> None:
    """The card for people and for programs."""
    (place / README).write_text(render_card(card), encoding="utf-8", errors="replace")
    (place / CARD).write_text(card.model_dump_json(indent=1), encoding="utf-8", errors="replace")
