"""`novum train export` and `novum train list`: merge trained adapters, and list the models trained on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_json, print_line, print_message, print_table
from novum.core.trained import Purpose, TrainedModel, model_name
from novum.errors import BadInput
from novum.llm.offline import check_name
from novum.llm.offline.trained import TrainedReceipt, trained_models, trained_state, unreadable_receipts
from novum.settings import load_settings
from novum.training.weights.merging import export as export_weights
from novum.training.weights.registering import register
from novum.training.weights.serving import serve_lines
from novum.training.weights.trained_folder import read_trained


@examples("novum train export mini", "novum train export mini --name mine --no-merged")
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a trained model.", show_default=False)],
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Use it as judge:NAME or local:NAME. Default: its name in training.",
            show_default=False,
        ),
    ] = None,
    gguf: Annotated[
        bool | None,
        typer.Option(
            "--gguf/--no-gguf",
            help="Write a GGUF file, which runs on this machine. Default: if the base was one.",
            show_default=False,
        ),
    ] = None,
    merged: Annotated[bool, typer.Option("--merged/--no-merged", help="Keep the merged model as safetensors.")] = True,
) -> None:
    """Merge a trained adapter into its base, write the files for serving it, and register its name."""
    models_folder = load_settings().models_folder
    name = name or read_trained(folder).name
    check_name(name)
    model = export_weights(folder, models_folder, lambda line: print_message(f"{line} …"), merged=merged, gguf=gguf)
    before = next((each.folder for each in trained_models(models_folder) if each.name == name), None)
    receipt = register(folder, name, models_folder)
    if before and before != receipt.folder:
        print_message(f"{model_name(model.purpose, name)} was {before} until now; that folder is unchanged.")
    for file in (model.merged, model.gguf):
        if file:
            print_line(f"{folder / file}")
    for line in how_to_use(folder, model, receipt):
        print_line(line)


_COMMANDS: Mapping[Purpose, str] = {
    "judge": "novum review idea.txt --judge {}",
    "ideas": 'novum ideate "TOPIC" --method topic-prompt --model {}',
    "next-idea": 'novum ideate "TOPIC" --method deep-innovator --model {}',
}


def how_to_use(folder: Path, model: TrainedModel, receipt: TrainedReceipt) -> Sequence[str]:
    """Lines that say how a registered model is used here, and how it is served to others."""
    called, serving = receipt.called, serve_lines(folder, model, receipt.name)
    here = f"Use it: {_COMMANDS[receipt.purpose].format(called)}"
    runs_here = receipt.weights or receipt.transformers
    lines = [here if runs_here else f"{here}@http://HOST:8000/v1, once it is served:"]
    if runs_here and serving:
        lines.append(f"Serve it to others, then use {called}@http://HOST:8000/v1:")
    return [*lines, *(f"  {line}" for line in serving)]


@examples("novum train list", "novum train list --json")
def list_models(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """The models trained on this machine: how each was trained, and its held-out results."""
    models_folder = load_settings().models_folder
    for line in unreadable_receipts(models_folder).values():
        print_message(line)
    table = [_row(receipt) for receipt in trained_models(models_folder)]
    if as_json:
        print_json([dict(zip(_HEADS, row, strict=True)) for row in table])
    elif table:
        print_table(_HEADS, table)
    else:
        print_line("No model has been trained on this machine: novum train sft DATA --out DIR")


_HEADS = ("model", "base", "state", "steps", "minutes", "held-out loss", "rating RMSE", "accuracy", "folder")


def _row(receipt: TrainedReceipt) -> Sequence[str]:
    start = [receipt.called, receipt.base, trained_state(receipt)]
    try:
        model = read_trained(Path(receipt.folder))
    except BadInput:
        return (*start, "", "", "", "", "", receipt.folder)
    steps = f"{model.steps}" if model.finished else f"{model.steps} (stopped)"
    losses = _change([point.held_out_loss for point in model.curve])
    ratings = _change([point.rating_rmse for point in model.curve])
    accuracy = _change([point.measures.get("accuracy") for point in model.curve])
    return (*start, steps, f"{model.seconds / 60:.1f}", losses, ratings, accuracy, receipt.folder)


def _change(values: Sequence[float | None]) -> str:
    """The first and the last value, from the untrained base to the end."""
    known = [value for value in values if value is not None]
    return f"{known[0]:.3f} → {known[-1]:.3f}" if known else ""
