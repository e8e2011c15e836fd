"""`novum metrics validate`: does any of it mean anything? Every metric held against what became of real papers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.shell.fitted_models import DEFAULT, MetricsName
from novum.cli.shell.group import examples

if TYPE_CHECKING:
    from novum.benchmarks.metric_validation.report.records import Validation
    from novum.benchmarks.metric_validation.study import Asked
    from novum.lab import Workplace

_STOPPED = "Stopped. Nothing was written; run the same command again."


@examples(
    "novum metrics validate reviews.jsonl.gz",
    "novum metrics validate reviews.jsonl.gz ideas.jsonl --subset neurips2025-review-scores --out validity",
    "novum metrics validate --citations --metrics until-2020",
    "novum metrics validate reviews.jsonl.gz --library my-library --json",
)
def validate(
    outcomes: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Files of reviews (ratings, decisions) or of ideas that people scored: JSON lines, .gz too.",
            show_default=False,
        ),
    ] = None,
    *,
    metrics: MetricsName = DEFAULT,
    library: Annotated[
        str,
        typer.Option(
            metavar="DIR",
            help="The library that the model learnt from; else that of the workplace. It tells which papers the model "
            "has seen, who wrote a paper and what it cites.",
            show_default=False,
        ),
    ] = "",
    citations: Annotated[
        bool,
        typer.Option("--citations", help="Citations of the library's papers, too, among papers of a venue and year."),
    ] = False,
    across_venues: Annotated[
        bool, typer.Option("--across-venues", help="Citations among papers of a year, whatever their venue.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option("--subset", metavar="NAME", help="Of scored ideas only this set. Repeatable."),
    ] = None,
    with_known: Annotated[
        bool, typer.Option("--with-known", help="Also papers that the model learnt from, which flatters it.")
    ] = False,
    novelty: Annotated[
        bool, typer.Option("--novelty", help="Literature novelty, too: some ten milliseconds a paper.")
    ] = False,
    draws: Annotated[
        int, typer.Option("--bootstrap-samples", min=100, max=20_000, metavar="N", help="Bootstrap samples behind the intervals.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of these draws.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A page, Markdown, the data and the plots there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole result as JSON on stdout.")] = False,
) -> None:
    """Do metrics tell good papers from others, and do they tell more than the length of a text does?

    Spearman's correlation with ratings, decisions, people's scores and citations inside each venue and year, with
    intervals, AUC, and length and readability beside it. Papers that the model learnt from are left out.
    """
    from novum.benchmarks.metric_validation.outcomes import check_files
    from novum.benchmarks.metric_validation.study import Asked
    from novum.cli.shell.output import check_writable
    from novum.cli.shell.terminal import print_json
    from novum.cli.shell.workplace import in_workplace
    from novum.errors import BadInput

    asked = Asked(
        tuple(outcomes or ()), tuple(only or ()), citations or across_venues, across_venues, with_known, draws, seed
    )
    if not asked.files and not asked.citations:
        raise BadInput(
            "Name files of outcomes (reviews, scored ideas), or ask for --citations of the library's papers."
        )
    check_files(asked.files)
    if library:
        check_library(library)
    if out is not None:
        check_writable(out)
    study = in_workplace(_job(asked, metrics, novelty=novelty), _STOPPED, {"library": library})
    if as_json:
        print_json(study.model_dump(mode="json"))
    else:
        _say(study)
    if out is not None:
        _write(study, out, as_json=as_json)


def check_library(named: str) -> None:
    """A library that is not there would be begun anew, and know nothing. Raises BadInput."""
    from novum.errors import BadInput
    from novum.literature.store.database import DATABASE_FILE

    if "://" not in named and not (Path(named).expanduser() / DATABASE_FILE).is_file():
        raise BadInput(
            f"{named} holds no library ({DATABASE_FILE}): name the folder of the one that the model learnt from; "
            "`novum metrics fit` told it."
        )


def _job(asked: Asked, metrics: str, *, novelty: bool) -> Callable[[Workplace], Awaitable[Validation]]:
    async def job(place: Workplace) -> Validation:
        from novum.benchmarks.metric_validation.measurement import Scorer
        from novum.benchmarks.metric_validation.novelty import WithNovelty
        from novum.benchmarks.metric_validation.study import validate as carried_out
        from novum.cli.shell.library_progress import Rate, library_progress
        from novum.idea_metrics.saved_models import load_model

        model = load_model(metrics, place.settings.metrics_folder, place.library.embedder)
        better = {name: part.better for name, part in model.parts.items()}
        scorer: Scorer = WithNovelty.of(model, place.library) if novelty else model
        with library_progress() as shown:
            rate = Rate("papers", shown)
            return await carried_out(
                asked, scorer, model.card, place.library, better=better, told=lambda done: rate("scoring", done, None)
            )

    return job


def _say(study: Validation) -> None:
    from novum.benchmarks.metric_validation.report import phrases as words
    from novum.cli.shell.terminal import one_line, print_heading, print_line, print_table

    for table in study.tables:
        chosen = "" if table.chosen is None else f", {table.chosen:,} of them chosen"
        title = f"{words.outcome_title(table.outcome)}: {table.papers:,} papers{chosen}, {words.WHEN[table.when]}"
        print_heading(f"\n{one_line(title[:1].upper() + title[1:], 300)}")
        print_table(words.HEADS, (words.cells(each, table) for each in table.findings))
    print_heading("\nIn a line each")
    for name, told in study.verdicts.items():
        print_line(one_line(f"{words.named(name)}: {told}."))
    print_line()
    for line in (words.headline(study), *words.remarks(study), *words.account(study)):
        print_line(one_line(line))


def _write(study: Validation, folder: Path, *, as_json: bool) -> None:
    from novum.benchmarks.metric_validation.report.files import write_validation
    from novum.cli.shell.terminal import print_line, print_message

    speak = print_message if as_json else print_line
    files = write_validation(study, folder)
    for file in (files.html, files.json, *(other for other in files.others if other.parent == folder)):
        speak(str(file))
    if any(other.parent != folder for other in files.others):
        speak(f"{folder / 'charts'} (each plot as SVG and PNG)")
