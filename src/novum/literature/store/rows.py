"""Converts papers to rows and back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

import orjson
from sqlalchemy import Row

from novum.core import Identifiers, Paper
from novum.literature.identity import title_key
from novum.literature.store.schema import papers

PAPER_COLUMNS = [column for column in papers.c if column.name not in {"title_key", "public_by"}]


def row_of(paper: Paper, number: int, change: int, key: int | None = None) -> tuple[object, ...]:
    """Column values in the order of the table; `key`: the key of the title, if it is known."""
    return (
        number,
        paper.id,
        paper.title,
        title_key(paper.title) if key is None else key,
        orjson.dumps(paper.authors).decode(),
        paper.year,
        paper.date.isoformat() if paper.date else None,
        day.toordinal() if (day := paper.public_by) else None,
        paper.venue,
        orjson.dumps(dict(paper.ids.items())).decode(),
        paper.abstract,
        paper.summary,
        orjson.dumps(paper.fields).decode(),
        paper.citation_count,
        change,
    )


def paper_of(row: Row[Any], references: Iterable[str] = ()) -> Paper:
    """The paper of a row of `PAPER_COLUMNS`. It was validated when it was added, and is not validated again."""
    return Paper.model_construct(
        title=row.title,
        authors=tuple(orjson.loads(row.authors)),
        year=row.year,
        date=dt.date.fromisoformat(row.date) if row.date else None,
        venue=row.venue,
        ids=Identifiers.model_construct(**orjson.loads(row.ids)),
        abstract=row.abstract,
        summary=row.summary,
        fields=tuple(orjson.loads(row.fields)),
        references=tuple(references),
        citation_count=row.citation_count,
    )


def indexed_text(paper: Paper) -> str:
    """The text that is embedded and searched: title and abstract or summary."""
    return text_to_index(paper.title, paper.gist)


def text_to_index(title: str, gist: str) -> str:
    """The same for a row."""
    return f"{title}. {gist}" if gist else title
