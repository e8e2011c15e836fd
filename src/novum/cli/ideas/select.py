"""`novum select`: selects the best ideas of a pool that differ from each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from novum.cli.ideas.idea_pool import PooledIdea, pool_of
from novum.cli.shell.group import examples
from novum.cli.shell.options import DEFAULT_METRICS
from novum.cli.shell.output import table_file
from novum.cli.shell.terminal import one_line, print_json, print_line, print_message
from novum.cli.shell.workplace import in_workplace
from novum.core import Scorecard
from novum.core.arrays import Vectors
from novum.errors import BadInput
from novum.files.tables import write_rows
from novum.idea_metrics.corpus import LONGEST_TEXT
from novum.idea_metrics.duplicates import DuplicateThreshold
from novum.idea_metrics.model import embedded
from novum.idea_metrics.portfolio import Portfolio
from novum.idea_metrics.report.selection import selection_lines
from novum.idea_metrics.saved_models import load_model
from novum.idea_metrics.selection import PoolIdea
from novum.idea_metrics.selection import select as choose
from novum.idea_metrics.set_diversity import near_duplicates_in
from novum.lab import Workplace
from novum.literature import Library

_STOPPED = "Stopped. Nothing was written."
_AT_ONCE = 512
_WHOLE = ("combined", "creativity", "satisfaction", "creativity_published", "creativity_corrected")
_COLUMNS = ("topic", "entrant", "title", "motivation", "novelty", "method", "summary", "citations", "generator")


@dataclass(frozen=True)
class ScoredPool:
    """A pool with its scores, the name by which they are told (empty: none), and its embeddings of unit length."""

    by: str
    scores: Sequence[float | None]
    vectors: Vectors


@examples(
    "novum select last --count 3",
    "novum select one.jsonl two.jsonl --count 10 --by creativity --out chosen.jsonl",
    "novum select ideas.csv --by votes --balance 0.7",
    "novum select ideas.jsonl --balance 1",
)
def select(
    ideas: Annotated[
        list[str],
        typer.Argument(
            metavar="IDEAS", help="Runs, reports, tables of ideas (JSONL, CSV), text files.", show_default=False
        ),
    ],
    *,
    k: Annotated[int, typer.Option("--count", "-n", min=1, max=1000, help="Number of ideas.")] = 10,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Score to rank by: creativity, satisfaction, combined or a part of them; `rank`, the order of the "
            "source; or a column of numbers, higher is better. Default: combined.",
            show_default=False,
        ),
    ] = None,
    balance: Annotated[
        float, typer.Option(min=0, max=1, help="Trade-off from 0 (the best ideas) to 1 (the most different ideas).")
    ] = 0.5,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|DIR", help=f"Fitted model that scores. Default: {DEFAULT_METRICS}.", show_default=False
        ),
    ] = None,
    near: Annotated[
        float | None,
        typer.Option(
            "--max-similarity", min=-1, max=1,
            help="Cosine from which two ideas are near-duplicates. Default: calibrated on the library.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Table for the selected ideas (JSONL or CSV)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:  # fmt: skip
    """Select the best ideas that differ from each other.

    Near-duplicates are taken only if nothing else is left. For each idea the output names the most similar selected
    idea, and the better idea that was passed over for it, with the reason. Uses no language model.
    """
    _check_out(out, ideas)
    pool = pool_of(ideas)

    async def job(place: Workplace) -> Portfolio:
        scored = await _scored(pool, by, metrics, place, needs_score=balance < 1)
        threshold = await _threshold(near, place.library)
        entries = [PoolIdea(one.idea, one.source, score) for one, score in zip(pool, scored.scores, strict=True)]
        return choose(entries, scored.vectors, k, by=scored.by, balance=balance, threshold=threshold)

    selection = in_workplace(job, _STOPPED)
    if not selection.choices:
        raise BadInput(" ".join(("No idea could be selected.", *selection.notes)))
    if out is not None:
        _write(out, selection, pool)
    if as_json:
        print_json(selection.model_dump(mode="json"))
        return
    for line in selection_lines(selection):
        print_line(one_line(line) if not line.startswith(" ") else line)
    if out is not None:
        print_message(f"Written to {out}.")


# -- scores -----------------------------------------------------------------------------------------------------------


async def _scored(
    pool: Sequence[PooledIdea], by: str | None, metrics: str | None, place: Workplace, *, needs_score: bool
) -> ScoredPool:
    """By a column of the sources where `by` names one and no model was asked for; else by the fitted model. Raises
    BadInput where neither can say it."""
    columns = {name for one in pool for name in one.scores}
    if metrics is None and by in columns:
        return ScoredPool(by, [one.scores.get(by) for one in pool], await _vectors(pool, place))
    if metrics is None and by is None and not needs_score:
        return ScoredPool("", [None] * len(pool), await _vectors(pool, place))
    return await _by_model(pool, by or "combined", metrics or DEFAULT_METRICS, place, columns)


async def _vectors(pool: Sequence[PooledIdea], place: Workplace) -> Vectors:
    return await embedded([one.subject.whole[:LONGEST_TEXT] for one in pool], place.library.embedder)


async def _by_model(
    pool: Sequence[PooledIdea], by: str, metrics: str, place: Workplace, columns: set[str]
) -> ScoredPool:
    try:
        model = load_model(metrics, place.settings.metrics_folder, place.library.embedder)
    except BadInput as problem:
        problem.add_note(f"Without a model: --by {' or '.join(sorted(columns)[:8])}, or --balance 1.")
        raise
    scores: list[float | None] = []
    vectors: list[Vectors] = []
    for begin in range(0, len(pool), _AT_ONCE):
        batch = await model.batch_of([one.subject for one in pool[begin : begin + _AT_ONCE]])
        scores += [_score(card, by, columns) for card in model.score_batch(batch, explain=False)]
        vectors.append(batch.vectors)
    return ScoredPool(by, scores, np.concatenate(vectors))


def _score(card: Scorecard, by: str, columns: set[str]) -> float | None:
    """Parts as they are scaled, so that higher is better of each. Raises BadInput for a name that nothing has."""
    if by in _WHOLE:
        return card.of(by)
    if by in card.parts:
        return card.parts[by].scaled
    known = ", ".join((*_WHOLE, *card.parts))
    raise BadInput(f"--by {by[:40]!r} is none of {known}; nor is it a column of numbers: {', '.join(sorted(columns))}.")


async def _threshold(near: float | None, library: Library) -> DuplicateThreshold:
    return (
        await near_duplicates_in(library)
        if near is None
        else DuplicateThreshold(cosine=near, why="as given by --max-similarity")
    )


# -- writing the selected ideas ---------------------------------------------------------------------------------------


def _check_out(out: Path | None, sources: Sequence[str]) -> None:
    """Before anything is done. Raises BadInput."""
    if out is None:
        return
    table_file(out)
    if any(out.resolve() == Path(name).resolve() for name in sources):
        raise BadInput(f"--out {out} would overwrite the ideas to select from: name another file.")


def _write(out: Path, selection: Portfolio, pool: Sequence[PooledIdea]) -> None:
    """Every row as its source had it, in the order in which it was chosen, with what was said of it.

    Raises BadInput.
    """
    rows = list(_rows(selection, {one.idea.id: one.row for one in pool}))
    columns = dict.fromkeys((*_COLUMNS, *(name for row in rows for name in row)))
    try:
        write_rows(rows, list(columns), out)
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error.strerror or error}. Name another file by --out.") from error


def _rows(selection: Portfolio, row_of: Mapping[str, Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """An entrant has one idea on a topic where entrants compete: further ones are numbered."""
    taken: set[tuple[str, str]] = set()
    for choice in selection.choices:
        row = dict(row_of[choice.idea.id])
        name = _plain(row.get("entrant")) or _plain(choice.idea.generator) or _plain(Path(choice.source).stem) or "idea"
        number, entrant = 1, name
        while (choice.idea.topic, entrant) in taken:
            number += 1
            entrant = f"{name} {number}"
        taken.add((choice.idea.topic, entrant))
        words = {part: getattr(choice.idea, part) for part in ("topic", "title")}
        words["summary"] = choice.idea.summary or row.get("summary") or ""
        yield (
            row
            | words
            | {
                "entrant": entrant,
                "portfolio_rank": choice.rank,
                "portfolio_by": selection.by,
                "portfolio_score": choice.score,
                "portfolio_nearest": choice.nearest,
                "portfolio_similarity": choice.similarity,
                "portfolio_source": choice.source,
            }
        )


def _plain(name: object) -> str:
    """A name as entrants may have it, with room for a number."""
    if not isinstance(name, str):
        return ""
    return " ".join("".join(char for char in name if char.isprintable()).split())[:180]
