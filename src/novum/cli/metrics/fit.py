"""`novum metrics fit`: fit a metrics model to the papers of a library, or a rating model to reviewed papers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from novum.cli.metrics.cards import print_card
from novum.cli.metrics.fit_ratings import fit_ratings
from novum.cli.shell.group import examples
from novum.cli.shell.options import DEFAULT_METRICS, read_date_or_year
from novum.cli.shell.paper_source import add_and_embed_papers, paper_source
from novum.cli.shell.terminal import print_json, print_line, print_message
from novum.cli.shell.workplace import in_workplace
from novum.errors import BadInput
from novum.idea_metrics.folder import check_place
from novum.idea_metrics.library_fit import StoredFit, fit_to_folder
from novum.idea_metrics.saved_models import new_model_folder
from novum.idea_metrics.settings import FitSettings
from novum.lab import Workplace
from novum.literature import Filters

ELBOW = "elbow"
_STOPPED = "Stopped. Nothing was written; an earlier model is unchanged."


@examples(
    "novum metrics fit",
    "novum metrics fit --clusters elbow --name mine",
    "novum metrics fit --library dblp_v14.jsonl --name dblp",
    "novum metrics fit --before 2022-01-01 --field biology --name biology-2021",
    "novum metrics fit --target ratings reviews.jsonl.gz",
)
def fit(
    reviews: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="With --target ratings: files of reviewed papers (JSON lines, also gzipped).",
            show_default=False,
        ),
    ] = None,
    *,
    target: Annotated[
        Literal["scores", "ratings"],
        typer.Option(
            help="What is fitted: `scores` to the papers of a library; `ratings`, the predicted rating, to the ratings "
            "of reviewed papers.",
        ),
    ] = "scores",
    library: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|FILE",
            help="The library to fit to: its folder, or a file of papers (such as a DBLP dump), which is imported "
            "into a separate library. Default: your own library.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the model.")] = DEFAULT_METRICS,
    clusters: Annotated[
        str, typer.Option(metavar="N|elbow", help="Clusters for originality; `elbow` searches for the number.")
    ] = "150",
    originality: Annotated[
        Literal["published", "corrected"],
        typer.Option(help="Originality in the Creativity Index: as printed, or growing with the distance."),
    ] = "corrected",
    top_cited: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Number of most cited papers for feasibility.")
    ] = 1000,
    citation_weights: Annotated[
        Literal["log", "count", "equal"], typer.Option(help="How their citations are weighted.")
    ] = "log",
    topics: Annotated[
        int, typer.Option("--coherence-topics", min=2, max=2000, help="Topics of the topic model for coherence.")
    ] = 50,
    before: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only papers public before this day, or year.")
    ] = None,
    field: Annotated[list[str] | None, typer.Option(help="Only papers of this field; repeatable.")] = None,
    venue: Annotated[list[str] | None, typer.Option(help="Only papers of this venue; repeatable.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Random seed. Default: the setting `seed`.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The card of the model as JSON on stdout.")] = False,
) -> None:
    """Fit the metrics of ideas (originality, feasibility, impact, …) to the papers of a library.

    Takes seconds for a thousand papers, minutes for a hundred thousand. Calls no language model. With --target ratings,
    fit the predicted rating to papers whose reviews you have; it takes the place of the one that comes with Novum.
    """
    if target == "ratings":
        fit_ratings(reviews or [], before, as_json=as_json, seed=seed)
        return
    if reviews:
        raise BadInput(f"{reviews[0]} is not used with --target scores: add --target ratings, or name a --library.")
    number = _number(clusters)
    filters = Filters(
        before=read_date_or_year(before, "--before"), fields=tuple(field or ()), venues=tuple(venue or ())
    )
    source = paper_source(library)

    async def job(place: Workplace) -> StoredFit:
        folder = new_model_folder(name, place.settings.metrics_folder)
        check_place(folder)
        settings = FitSettings(
            name=name, clusters=number or 150, top_cited=top_cited, citation_weights=citation_weights, topics=topics,
            originality=originality, seed=place.settings.values.seed if seed is None else seed,
        )  # fmt: skip
        await add_and_embed_papers(place, source)
        with _progress() as progress:
            return await fit_to_folder(
                place.library, settings, folder, filters, search_clusters=number is None, progress=progress
            )

    model = in_workplace(job, _STOPPED, {"library": source.library})
    if as_json:
        extra = {"folder": str(model.folder), "curve": model.curve, "knee": model.knee}
        print_json(model.card.model_dump(mode="json") | extra)
    else:
        _print(model)


def _number(clusters: str) -> int | None:
    """The number of clusters; None where it is to be searched for. Raises BadInput."""
    if clusters == ELBOW:
        return None
    if not clusters.isdecimal() or not 1 <= int(clusters[:7]) <= 100_000:
        raise BadInput(f"--clusters {clusters[:40]!r} is neither a number from 1 to 100000 nor `elbow`.")
    return int(clusters)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """A function that prints the step at work: on a terminal in one line that changes, elsewhere in a line each."""
    if not sys.stderr.isatty():
        yield lambda step: print_message(f"Fitting: {step.replace('_', ' ')}")
        return
    with Console(stderr=True).status("Fitting") as status:
        yield lambda step: status.update(f"Fitting: {step.replace('_', ' ')}")


def _print(model: StoredFit) -> None:
    if model.curve:
        plot = model.folder / "elbow.svg"
        why = f"the knee of the curve is at {model.knee:,}" if model.knee else "the curve has no knee, so the default"
        print_line(f"Clusters: {model.card.settings.clusters:,}; {why} (see {plot}).")
    print_card(model.card, model.folder)
    print_line(
        "Now score ideas: novum score last"
        + ("" if model.card.name == DEFAULT_METRICS else f" --metrics {model.card.name}")
    )
