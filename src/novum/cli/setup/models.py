"""`novum models`: providers, small models that run on this machine, and models trained here."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_heading, print_json, print_line, print_message, print_table
from novum.errors import BadInput
from novum.extras import need
from novum.llm import PROVIDERS, Provider, offline
from novum.llm.offline.trained import remove_receipt, trained_models, trained_state, unreadable_receipts
from novum.llm.providers import TRAINED
from novum.settings import LoadedSettings, load_settings


@examples("novum models list", "novum models list --json")
def list_models(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List providers with their keys and default models, the offline models, and the models trained here."""
    settings = load_settings()
    for line in unreadable_receipts(settings.models_folder).values():
        print_message(line)
    providers = [each for each in PROVIDERS.values() if each.name not in {"offline", *TRAINED}]
    local_rows, trained_rows = _offline_rows(settings), _trained_rows(settings)
    if as_json:
        known = [
            {"provider": p.name, "key": _key_state(p, settings), "writer": p.writer, "reader": p.reader}
            for p in providers
        ]
        here = {
            "offline": [dict(zip(_OFFLINE_HEADS, row, strict=True)) for row in local_rows],
            "trained": [dict(zip(_TRAINED_HEADS, row, strict=True)) for row in trained_rows],
        }
        print_json({"providers": known, **here})
        return
    print_heading("Providers, named provider:model")
    print_table(
        ("provider", "key", "default writer", "default reader"),
        ((p.name, _key_state(p, settings), p.writer, p.reader) for p in providers),
    )
    print_heading("\nOn this machine, named offline:model")
    print_table(_OFFLINE_HEADS, local_rows)
    print_line("Minutes: for one run of novum ideate on two cores. Without a key the largest installed model is used.")
    if trained_rows:
        print_heading("\nTrained here, named judge:model or local:model")
        print_table(_TRAINED_HEADS, trained_rows)
    writer, why = settings.default_writer()
    if settings.values.writer:
        writer, why = settings.values.writer, f"set by {settings.origins['writer']}"
    print_line(f"\nWithout --model, {writer} is used ({why}).")


@examples("novum models install smollm2-135m", "novum models install my-model.gguf --name my-model")
def install_model(
    model: Annotated[
        str, typer.Argument(help="Name of an offline model (`novum models list`), or a GGUF file.", show_default=False)
    ],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Name for your own GGUF file.")] = None,
) -> None:
    """Download an offline model and check its hash, or register your own GGUF file, which stays where it is."""
    folder = load_settings().models_folder
    if name:
        file = offline.register(Path(model), name, folder).file(folder)
    elif model.endswith(".gguf"):
        raise BadInput(f"Give {model} a name: novum models install {model} --name NAME")
    elif model in offline.ENCODERS:
        with _download_progress() as progress:
            file = offline.install(model, folder, progress, offline.ENCODERS)
        print_line(f"{model} is installed at {file}. Searches use it, unless the setting `reranker` is none.")
        return
    else:
        name = model
        need("offline", "xllamacpp", what="A model on this machine")  # before 98 MB are fetched
        with _download_progress() as progress:
            file = offline.install(model, folder, progress)
    print_line(f'{name} is installed at {file}. Use it: novum ideate "…" --model offline:{name}')
    print_line("Without a key the largest installed model is used by itself.")
    for line in _larger(name):
        print_line(line)


@examples("novum models remove smollm2-135m", "novum models remove judge:mine")
def remove_model(
    name: Annotated[
        str,
        typer.Argument(
            help="Name of an installed model, or judge:NAME or local:NAME of one trained here.", show_default=False
        ),
    ],
) -> None:
    """Delete an offline model from this machine, or unregister a model trained here; its folder stays."""
    folder = load_settings().models_folder
    provider, _, trained = name.partition(":")
    if provider in TRAINED:
        gone = remove_receipt(trained, folder)
        print_line(f"{name} is no longer registered. Its files are still in {gone.folder}.")
        return
    offline.remove(name.removeprefix("offline:"), folder, _INSTALLABLE)
    print_line(f"{name} is removed.")


def _larger(name: str) -> list[str]:
    """A line for each larger model of the catalogue, with what it costs to have it."""
    size = offline.CATALOGUE[name].size_bytes if name in offline.CATALOGUE else math.inf
    return [
        f"Larger: novum models install {each.name} ({_size(each.size_bytes)}, about {each.minutes} minutes a run)"
        for each in offline.CATALOGUE.values()
        if each.size_bytes > size
    ]


_INSTALLABLE = {**offline.CATALOGUE, **offline.ENCODERS}
_PURPOSES = {"judge": "writes reviews", "ideas": "writes ideas", "next-idea": "writes and refines ideas"}
_TRAINED_HEADS = ("model", "state", "size", "base", "what it is for", "folder")
_OFFLINE_HEADS = ("model", "state", "size", "minutes", "licence", "about")


def _offline_rows(settings: LoadedSettings) -> Sequence[Sequence[str]]:
    """The catalogue, then the user's own files."""
    here = {receipt.name: receipt for receipt in offline.installed_models(settings.models_folder)}
    known = [
        (
            name,
            "installed" if name in here else "not installed",
            _size(model.size_bytes),
            f"about {model.minutes}" if model.minutes else "",
            model.licence,
            model.note,
        )
        for name, model in _INSTALLABLE.items()
    ]
    own = [(name, "installed", _size(r.size_bytes), "", r.licence, r.path) for name, r in here.items() if r.own]
    return known + own


def _trained_rows(settings: LoadedSettings) -> Sequence[Sequence[str]]:
    return [
        (
            receipt.name,
            trained_state(receipt),
            _size(receipt.weights.size_bytes) if receipt.weights else "",
            receipt.base,
            _PURPOSES[receipt.purpose],
            receipt.folder,
        )
        for receipt in trained_models(settings.models_folder)
    ]


def _key_state(provider: Provider, settings: LoadedSettings) -> str:
    """Whether a key is set, and the variables that may hold it."""
    present = next((name for name in provider.key_names if settings.keys.get(name)), "")
    if present:
        return f"{present} is set"
    wanted = " or ".join(provider.key_names)
    if provider.name in {"server", "ollama"}:
        return f"not needed ({wanted} where the server wants one)" if wanted else "not needed"
    return f"{wanted} is not set"


def _size(number: int) -> str:
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"


_DownloadProgress = Callable[[str, int, int], None]


@contextmanager
def _download_progress() -> Iterator[_DownloadProgress]:
    """A function of (what is downloaded, bytes done, bytes in all): a bar on a terminal, else a line per file."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda what, done, total: progress.update(task, description=what, completed=done, total=total)


class _Lines:
    def __init__(self) -> None:
        self._last = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        if what != self._last:
            self._last = what
            print_message(f"{what} ({total / 1e6:,.0f} MB) …")
