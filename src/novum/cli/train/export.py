"""`novum train export` and `novum train list`: what becomes of an adapter, and the models that were trained here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.shell.group import examples

if TYPE_CHECKING:
    from novum.core.trained import TrainedModel
    from novum.llm.offline.trained import TrainedReceipt

EXPORT_EXAMPLES = examples("novum train export mini", "novum train export mini --name mine --no-merged")
LIST_EXAMPLES = examples("novum train list", "novum train list --json")


def export(
    folder: Annotated[Path, typer.Argument(help="The folder of a trained model.", show_default=False)],
    name: Annotated[
        str | None,
        typer.Option(help="Ask it as judge:NAME. Else by the name it was trained under.", show_default=False),
    ] = None,
    gguf: Annotated[
        bool | None,
        typer.Option(
            "--gguf/--no-gguf",
            help="Write a GGUF file, with which it runs on this machine. Else where its base was one.",
            show_default=False,
        ),
    ] = None,
    merged: Annotated[bool, typer.Option("--merged/--no-merged", help="Keep the merged model as safetensors.")] = True,
) -> None:
    """Merge a trained adapter into its base, write the files that others need, and give the model its name."""
    from novum.cli.shell.terminal import say, tell
    from novum.llm.offline import check_name
    from novum.llm.offline.trained import trained
    from novum.settings import load_settings
    from novum.training.weights.merging import export as merge
    from novum.training.weights.registering import register
    from novum.training.weights.trained_folder import read_trained

    models_folder = load_settings().models_folder
    name = name or read_trained(folder).name
    check_name(name)
    model = merge(folder, models_folder, lambda line: tell(f"{line} …"), merged=merged, gguf=gguf)
    before = next((each.folder for each in trained(models_folder) if each.name == name), None)
    receipt = register(folder, name, models_folder)
    if before and before != receipt.folder:
        tell(f"judge:{name} stood for {before} until now; what lies there stays.")
    for part in (model.merged, model.gguf):
        if part:
            say(f"{folder / part}")
    for line in how_to_ask(folder, model, receipt):
        say(line)


def how_to_ask(folder: Path, model: TrainedModel, receipt: TrainedReceipt) -> Sequence[str]:
    """What to tell of a model that has just got its name: how it is used here, and how it is served to many."""
    from novum.training.weights.serving import serve_lines

    name = receipt.name
    lines = serve_lines(folder, model, name)
    here = f"Use it: novum review idea.txt --judges judge:{name}"
    told = [here if receipt.weights else f"{here}@http://HOST:8000/v1, once it is served:"]
    if receipt.weights and lines:
        told.append(f"Serve it to many, then ask judge:{name}@http://HOST:8000/v1:")
    return [*told, *(f"  {line}" for line in lines)]


def listed(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """The models that were trained here: how each was trained, and what it learned."""
    from novum.cli.shell.terminal import say, say_json, say_table, tell
    from novum.llm.offline.trained import trained, unreadable
    from novum.settings import load_settings

    models_folder = load_settings().models_folder
    for line in unreadable(models_folder).values():
        tell(line)
    receipts = trained(models_folder)
    rows = [_row(receipt) for receipt in receipts]
    if as_json:
        say_json([dict(zip(_HEADS, row, strict=True)) for row in rows])
    elif rows:
        say_table(_HEADS, rows)
    else:
        say("No model was trained here yet: novum train judge DATA --out FOLDER")


_HEADS = ("model", "base", "state", "steps", "minutes", "held-out loss", "rating RMSE", "folder")


def _row(receipt: TrainedReceipt) -> Sequence[str]:
    from novum.errors import BadInput
    from novum.llm.offline.trained import state
    from novum.training.weights.trained_folder import read_trained

    told = [f"judge:{receipt.name}", receipt.base, state(receipt)]
    try:
        model = read_trained(Path(receipt.folder))
    except BadInput:
        return (*told, "", "", "", "", receipt.folder)
    steps = f"{model.steps}" if model.finished else f"{model.steps} (stopped)"
    losses = _change([point.held_out_loss for point in model.curve])
    ratings = _change([point.rating_rmse for point in model.curve])
    return (*told, steps, f"{model.seconds / 60:.1f}", losses, ratings, receipt.folder)


def _change(values: Sequence[float | None]) -> str:
    """From the untrained base to the end."""
    known = [value for value in values if value is not None]
    return f"{known[0]:.3f} → {known[-1]:.3f}" if known else ""
