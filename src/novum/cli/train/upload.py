"""`novum train upload`: share a trained model on the Hugging Face Hub."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_line, print_message
from novum.reports.phrases import count
from novum.training.weights.model_cards import upload_folder
from novum.training.weights.uploading import upload as upload_files


@examples(
    "novum train upload phase-3 me/phase-3 --dry-run",
    "novum train upload phase-3 me/phase-3 --merged",
    "novum train upload phase-3 me/phase-3 --public",
)
def upload(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a trained model.", show_default=False)],
    repository: Annotated[
        str, typer.Argument(metavar="OWNER/NAME", help="Where on the hub; made if it is not there.", show_default=False)
    ],
    merged: Annotated[bool, typer.Option("--merged", help="The complete model in place of the adapter.")] = False,
    public: Annotated[bool, typer.Option("--public", help="Everybody may see it. Default: only its owner.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print which files would be uploaded.")] = False,
) -> None:
    """Upload a trained model with its card to the Hugging Face Hub.

    The adapter is uploaded, or the complete model where the adapter stands on another trained model. Read README.md in
    that folder first: it becomes the model card. `hf auth login` stores the key.
    """
    place = upload_folder(folder, complete=merged)
    files = sorted(file for file in place.iterdir() if file.is_file())
    size = sum(file.stat().st_size for file in files)
    told = f"{count(len(files), 'file')} of {place}, {size / 1e6:,.1f} MB"
    if dry_run:
        for file in files:
            print_line(f"{file.stat().st_size:>14,}  {file.name}")
        print_line(f"{told}, would be uploaded to {repository}.")
        return
    print_message(f"Uploading {told} …")
    print_line(f"Uploaded: {upload_files(place, repository, public=public)}")
