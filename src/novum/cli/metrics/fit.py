"""`novum metrics fit`: a library's papers in, a fitted model out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from novum.cli.shell.fitted_models import DEFAULT
from novum.cli.shell.group import examples
from novum.cli.shell.papers import fill, source_named
from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.idea_metrics.card import Card
    from novum.idea_metrics.corpus import Corpus
    from novum.idea_metrics.settings import FitSettings
    from novum.lab import Workplace
    from novum.literature import Filters, Library

ELBOW = "elbow"
_STOPPED = "Stopped. Nothing was written; a model that was there before is as it was."
_GRID = (2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300, 450, 675, 1000)
"""Numbers of clusters that are tried, each half as many again as the one before; a cluster has ten papers at least."""
_FEWEST_IN_CLUSTER = 10


@dataclass(frozen=True)
class Fitted:
    """What came of it."""

    card: Card
    folder: Path
    curve: Sequence[tuple[int, float]] = ()
    """Of the search for a number of clusters."""
    knee: int | None = None


@examples(
    "novum metrics fit",
    "novum metrics fit --clusters elbow --name mine",
    "novum metrics fit --library dblp_v14.jsonl --name dblp",
    "novum metrics fit --before 2022-01-01 --field biology --name biology-2021",
)
def fit(
    *,
    library: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|FILE",
            help="The library to learn from: its folder, or a file of papers (such as a DBLP dump), which becomes a "
            "library of its own. Else that of the workplace.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="What the model is called.")] = DEFAULT,
    clusters: Annotated[
        str, typer.Option(metavar="N|elbow", help="Clusters behind originality; `elbow` looks for the number.")
    ] = "150",
    originality: Annotated[
        Literal["published", "corrected"],
        typer.Option(help="Which one the Creativity Index takes: as printed, or growing with the distance."),
    ] = "corrected",
    top_cited: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Most cited papers that feasibility compares with.")
    ] = 1000,
    citation_weights: Annotated[
        Literal["log", "count", "equal"], typer.Option(help="How their citations weigh.")
    ] = "log",
    topics: Annotated[int, typer.Option("--coherence-topics", min=2, max=2000, help="Topics behind coherence.")] = 50,
    before: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only papers public before this day, or year.")
    ] = None,
    field: Annotated[list[str] | None, typer.Option(help="Only papers of this field; repeatable.")] = None,
    venue: Annotated[list[str] | None, typer.Option(help="Only papers of this venue; repeatable.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of every draw; else the setting `seed`.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Learn from a library what original, feasible and much cited papers look like there.

    Seconds for a thousand papers, minutes for a hundred thousand. No model is asked.
    """
    from novum.cli.shell.days import day_or_year
    from novum.cli.shell.terminal import print_json
    from novum.cli.shell.workplace import in_workplace
    from novum.idea_metrics.folder import check_place
    from novum.idea_metrics.saved_models import new_model_folder
    from novum.idea_metrics.settings import FitSettings
    from novum.literature import Filters

    number = _number(clusters)
    filters = Filters(before=day_or_year(before, "--before"), fields=tuple(field or ()), venues=tuple(venue or ()))
    source = source_named(library)

    async def job(place: Workplace) -> Fitted:
        folder = new_model_folder(name, place.settings.metrics_folder)
        check_place(folder)
        settings = FitSettings(
            name=name, clusters=number or 150, top_cited=top_cited, citation_weights=citation_weights, topics=topics,
            originality=originality, seed=place.settings.values.seed if seed is None else seed,
        )  # fmt: skip
        await fill(place, source)
        return await _fitted(place.library, settings, filters, folder, search=number is None)

    done = in_workplace(job, _STOPPED, {"library": source.library})
    if as_json:
        found = {"folder": str(done.folder), "curve": done.curve, "knee": done.knee}
        print_json(done.card.model_dump(mode="json") | found)
    else:
        _say(done)


def _number(clusters: str) -> int | None:
    """None for a search. Raises BadInput."""
    if clusters == ELBOW:
        return None
    if not clusters.isdecimal() or not 1 <= int(clusters[:7]) <= 100_000:
        raise BadInput(f"--clusters {clusters[:40]!r} is neither a number from 1 to 100000 nor `elbow`.")
    return int(clusters)


async def _fitted(library: Library, settings: FitSettings, filters: Filters, folder: Path, *, search: bool) -> Fitted:
    """Reads, searches where asked to, learns and writes."""
    from novum.idea_metrics.corpus import read_corpus
    from novum.idea_metrics.fit import Fitting, learn

    curve: list[tuple[int, float]] = []
    found: int | None = None
    with _shown_steps() as told:
        told("papers")
        corpus = await read_corpus(library, filters)
        if search:
            told("how many clusters")
            curve, found = _searched(corpus, settings.seed)
            settings = settings.model_copy(update={"clusters": found or settings.clusters})
        model = await learn(Fitting(corpus, settings, filters), library.embedder, told)
        model.save(folder)
    _write_elbow(folder, curve, found)
    return Fitted(model.card, folder, curve, found)


def _searched(corpus: Corpus, seed: int) -> tuple[list[tuple[int, float]], int | None]:
    """The curve, and the number of clusters at its knee; None where it has none."""
    from novum.idea_metrics.elbow import knee
    from novum.idea_metrics.originality import elbow_curve

    grid = [clusters for clusters in _GRID if clusters * _FEWEST_IN_CLUSTER <= len(corpus)]
    curve = elbow_curve(corpus.vectors, grid, seed)
    at = knee([clusters for clusters, _ in curve], [within for _, within in curve])
    return curve, None if at is None else curve[at][0]


def _write_elbow(folder: Path, curve: Sequence[tuple[int, float]], found: int | None) -> None:
    """The plot of the search beside the model; that of an older one is no longer true."""
    from novum.files.atomic import write_all_atomic
    from novum.idea_metrics.report.plots import elbow_plot
    from novum.reports.charts.drawing import png, svg

    files = folder / "elbow.svg", folder / "elbow.png"
    try:
        if curve:
            drawn = svg(elbow_plot(curve, found))
            write_all_atomic({files[0]: drawn, files[1]: png(drawn)})
        else:
            for file in files:
                file.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(
            f"The model is in {folder}; its plot cannot be written there: {error.strerror or error}."
        ) from error


@contextmanager
def _shown_steps() -> Iterator[Callable[[str], None]]:
    """Says what is being learnt: in one line that moves on a terminal, in a line each elsewhere."""
    from novum.cli.shell.terminal import print_message

    if not sys.stderr.isatty():
        yield lambda step: print_message(f"Learning: {step.replace('_', ' ')}")
        return
    from rich.console import Console

    with Console(stderr=True).status("Learning") as status:
        yield lambda step: status.update(f"Learning: {step.replace('_', ' ')}")


def _say(done: Fitted) -> None:
    from novum.cli.metrics.cards import say_card
    from novum.cli.shell.terminal import print_line

    if done.curve:
        where = f"{done.folder / 'elbow.svg'} shows the curve"
        why = f"the knee of the curve is at {done.knee:,}" if done.knee else "the curve has no knee, so as published"
        print_line(f"Clusters: {done.card.settings.clusters:,}; {why} ({where}).")
    say_card(done.card, done.folder)
    print_line("Now score ideas: novum score last" + ("" if done.card.name == DEFAULT else f" --metrics {done.card.name}"))
