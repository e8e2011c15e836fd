"""`novum select`: selects the best ideas of a pool that differ from each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from novum.cli.ideas.sources import EntrantNames, check_not_a_source, pooled_ideas
from novum.cli.shell.group import examples
from novum.cli.shell.options import DEFAULT_METRICS
from novum.cli.shell.output import table_file
from novum.cli.shell.terminal import one_line, print_json, print_line, print_message
from novum.cli.shell.workplace import in_workplace
from novum.errors import BadInput
from novum.files.tables import write_rows
from novum.idea_metrics.portfolio import Portfolio
from novum.idea_metrics.report.selection import selection_lines
from novum.lab import Workplace
from novum.runs.idea_sources import SourcedIdea
from novum.runs.selection import SelectionOptions, select_ideas

_STOPPED = "Stopped. Nothing was written."
_COLUMNS = ("topic", "entrant", "title", "motivation", "novelty", "method", "summary", "citations", "generator")


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
            help="Score to rank by: rating (as reviewers would, predicted), creativity, satisfaction, combined or a "
            "part of them; `rank`, the order of the source; or a column of numbers, higher is better. Default: rating.",
        ),
    ] = None,
    balance: Annotated[
        float, typer.Option(min=0, max=1, help="Trade-off from 0 (the best ideas) to 1 (the most different ideas).")
    ] = 0.5,
    metrics: Annotated[
        str | None, typer.Option(metavar="NAME|DIR", help=f"Fitted model that scores. Default: {DEFAULT_METRICS}.")
    ] = None,
    near: Annotated[
        float | None,
        typer.Option(
            "--max-similarity", min=-1, max=1,
            help="Cosine from which two ideas are near-duplicates. Default: calibrated on the library.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Table for the selected ideas (JSONL or CSV).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:  # fmt: skip
    """Select the best ideas that differ from each other.

    The predicted rating agrees with reviewers a little, and wording moves it: judge the selected ideas by `novum arena`
    or by people. Near-duplicates are taken only if nothing else is left. For each idea the output names the most
    similar selected idea, and the better idea that was passed over for it, with the reason. Uses no language model.
    """
    if out is not None:
        table_file(out)
        check_not_a_source(out, ideas, "select from")
    pool = pooled_ideas(ideas)
    if not pool:
        raise BadInput("There are no ideas. Name runs, reports or tables of ideas (JSONL, CSV).")

    async def job(place: Workplace) -> Portfolio:
        return await select_ideas(place, pool, k, SelectionOptions(by, balance, metrics, near))

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


def _write(out: Path, selection: Portfolio, pool: Sequence[SourcedIdea]) -> None:
    """Writes every row as its source has it, in the order of selection, with what the selection adds. Raises
    BadInput."""
    rows = list(_rows(selection, {one.idea.id: one.row for one in pool}))
    columns = dict.fromkeys((*_COLUMNS, *(name for row in rows for name in row)))
    try:
        write_rows(rows, list(columns), out)
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error.strerror or error}. Name another file by --out.") from error


def _rows(selection: Portfolio, row_of: Mapping[str, Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    entrants = EntrantNames()
    for choice in selection.choices:
        idea, row = choice.idea, row_of[choice.idea.id]
        yield {
            **row,
            "topic": idea.topic,
            "title": idea.title,
            "summary": idea.summary or row.get("summary") or "",
            "entrant": entrants.name(idea.topic, row.get("entrant"), idea.generator, Path(choice.source).stem),
            "portfolio_rank": choice.rank,
            "portfolio_by": selection.by,
            "portfolio_score": choice.score,
            "portfolio_nearest": choice.nearest,
            "portfolio_similarity": choice.similarity,
            "portfolio_source": choice.source,
        }
