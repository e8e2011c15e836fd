"""`novum train judge`: a reviewer model of one's own, from real reviews."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from novum.cli.shell.group import examples
from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.training.finetuning.job import Launch
    from novum.training.recipes import Recipe

EPILOG = examples(
    "novum train judge data --recipe cpu --out mini",
    "novum train judge data --recipe cpu --out mini --dry-run",
    "novum train judge data --recipe 24gb --set lora.rank=64 --set keeping.tracker=wandb --out mine",
    "novum train judge data --recipe 72b --launch fsdp --processes 8 --out large",
    "novum train judge data --out mini --resume",
)
_MANY = "Several processes"


def judge(
    data: Annotated[
        Path, typer.Argument(help="A data set of `novum data build judge`.", show_default=False, metavar="DATA")
    ],
    *,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder of the model.", show_default=False)],
    recipe: Annotated[
        str, typer.Option(metavar="NAME|FILE.toml", help="How it is trained: cpu, 24gb, 7b, 72b, or a file.")
    ] = "cpu",
    name: Annotated[
        str | None,
        typer.Option(help="Ask it as judge:NAME. Else by the name of the folder.", show_default=False),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(help="Another base: offline:NAME, a folder, or a name on the hub.", show_default=False),
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Another setting of the recipe; repeatable."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Else the recipe's.", show_default=False)] = None,
    max_minutes: Annotated[
        float | None, typer.Option(min=0.1, help="Stop by then, with what was learnt so far.", show_default=False)
    ] = None,
    launch: Annotated[
        str, typer.Option(metavar="one|ddp|fsdp|deepspeed-2|deepspeed-3", rich_help_panel=_MANY,
                          help="By one process, or shared among several."),
    ] = "one",
    processes: Annotated[
        int, typer.Option(min=1, rich_help_panel=_MANY, help="How many, one for each GPU; of all machines together.")
    ] = 1,
    nodes: Annotated[int, typer.Option(min=1, rich_help_panel=_MANY, help="How many machines.")] = 1,
    node: Annotated[int, typer.Option(min=0, rich_help_panel=_MANY, help="Which one this is, from 0.")] = 0,
    main_node: Annotated[
        str, typer.Option(metavar="HOST:PORT", rich_help_panel=_MANY, help="Where the first machine listens.")
    ] = "",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the training in FOLDER, by the recipe that it was begun with.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be run, and what it would take.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:  # fmt: skip
    """Train a reviewer model on real reviews: an adapter on a base, by a recipe.

    Measured along the way on later papers, beside the untrained base. Stopped by Ctrl-C or killed, the same command
    goes on where it was. At the end it is merged, exported and can be asked as judge:NAME.
    """
    from novum.cli.train.folder import check_place
    from novum.cli.train.session import Session, carry_out, show_plan
    from novum.settings import load_settings
    from novum.training.finetuning.job import TuningJob, read_job
    from novum.training.finetuning.review_set import open_set
    from novum.training.launching.command import Nodes
    from novum.training.launching.fitting import check_together
    from novum.training.recipes import read_recipe

    models_folder = load_settings().models_folder
    reviews = open_set(data)
    earlier = read_job(out) if out.is_dir() else None
    if resume and earlier is None:
        raise BadInput(f"There is no training in {out} to go on with: leave --resume away to begin one.")
    if resume and (sets or base is not None or seed is not None):
        raise BadInput("--resume goes on by the recipe that it was begun with: leave --set, --base and --seed away.")
    wanted = earlier.recipe if resume and earlier else _anchored(read_recipe(recipe, base, sets or (), seed))
    job = TuningJob(
        name=_name(name or (earlier.name if resume and earlier else "") or out.resolve().name),
        data=str(data.resolve()),
        digest=reviews.digest,
        recipe=wanted,
        models_folder=str(models_folder.resolve()),
        launch=earlier.launch if resume and earlier and launch == "one" else _launch(launch),
        processes=earlier.processes if resume and earlier and processes == 1 else processes,
    )
    check_together(job.recipe, job.launch, job.processes)
    session = Session(job, out, reviews, max_minutes, Nodes(nodes, node, main_node), quiet=quiet or as_json)
    if dry_run:
        show_plan(session, as_json=as_json)
        return
    check_place(out, job)
    carry_out(session, as_json=as_json)


def _anchored(recipe: Recipe) -> Recipe:
    """With a base in a folder named in full: the model is merged and exported later, from wherever that may be."""
    try:
        folder = Path(recipe.base).expanduser()
        found = folder.is_dir()
    except (OSError, RuntimeError, ValueError):  # no name of a folder at all: loading it will tell
        found = False
    return recipe.model_copy(update={"base": str(folder.resolve())}) if found else recipe


def _name(name: str) -> str:
    from novum.llm.offline import check_name

    called = name.lower()
    check_name(called)
    return called


def _launch(name: str) -> Launch:
    from novum.training.finetuning.job import Launch

    for known in get_args(Launch):
        if name == known:
            found: Launch = known
            return found
    raise BadInput(f"--launch {name!r} is none of {', '.join(get_args(Launch))}.")
