"""Options of every command that asks models: which ones, at what cost at most, and where the outcome goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.settings import LoadedSettings

PAPERS, MODELS, LIMITS, OUTPUT = "Papers", "Models", "Budget", "Output"
"""Panels of the help."""


def panel_option(panel: str, text: str, *names: str, metavar: str | None = None) -> Any:
    """An option that stands in one panel of the help."""
    return typer.Option(*names, help=text, metavar=metavar, rich_help_panel=panel)


A_MODEL, A_FOLDER, A_DAY, A_PAIR = "PROVIDER:MODEL", "DIR", "YYYY-MM-DD", "KEY=VALUE"

Reader = Annotated[str | None, panel_option(MODELS, "Model that reads papers; may be cheaper.", metavar=A_MODEL)]
BaseUrl = Annotated[
    str | None, panel_option(MODELS, "OpenAI-compatible server of models named server:MODEL.", metavar="URL")
]
Seed = Annotated[int | None, panel_option(MODELS, "Seed of every draw.")]
TokenProbabilities = Annotated[
    bool,
    panel_option(MODELS, "Ask how probable each token was: tells a model's confidence.", "--token-probabilities"),
]
Prompts = Annotated[Path | None, panel_option(MODELS, "Folder of prompt files that replace ours.", metavar=A_FOLDER)]
LiveSource = Annotated[
    list[str] | None,
    panel_option(PAPERS, "Fetch papers from this service too, such as openalex; repeatable.", metavar="NAME"),
]
Fresh = Annotated[bool, panel_option(MODELS, "Ask again what other runs have asked before.", "--fresh")]
BudgetUsd = Annotated[float | None, panel_option(LIMITS, "Stop before the run would cost more, US dollars.")]
BudgetTokens = Annotated[int | None, panel_option(LIMITS, "Stop before the run would use more tokens.")]
BudgetCalls = Annotated[int | None, panel_option(LIMITS, "Stop before the run would make more calls.")]
Out = Annotated[Path | None, panel_option(OUTPUT, "Folder of the report; else novum-reports/RUN.", metavar=A_FOLDER)]
AsJson = Annotated[bool, panel_option(OUTPUT, "The whole outcome as JSON on stdout, messages on stderr.", "--json")]
Quiet = Annotated[bool, panel_option(OUTPUT, "No progress, only the outcome.", "--quiet", "-q")]


def pairs(given: Sequence[str]) -> dict[str, Any]:
    """`key=value` texts as options: lists and objects from JSON, all else as text that the option's type will read."""
    import json

    options: dict[str, Any] = {}
    for text in given:
        name, mark, value = text.partition("=")
        if not mark or not name.strip():
            raise BadInput(f"--option {text!r} is not of the form KEY=VALUE.")
        try:
            options[name.strip()] = json.loads(value) if value.lstrip()[:1] in {"[", "{"} else value
        except json.JSONDecodeError as error:
            raise BadInput(f"--option {text!r}: the value is not valid JSON ({error}).") from error
    return options


def check_address(settings: LoadedSettings, base_url: str | None) -> None:
    """An address that no model of the cast has would be passed over in silence. Raises BadInput instead."""
    cast = settings.cast()
    if base_url and not any(model.base_url for model in (cast.writer, cast.reader, *cast.judges)):
        raise BadInput(
            f"--base-url {base_url} is for models named server:MODEL, and there is none. "
            "Add --model server:MODEL, with a model that this server knows."
        )


FORMER_NAMES: Mapping[str, tuple[str, ...]] = {
    "--judges": ("--judge",),
    "--methods": ("--method",),
    "--models": ("--model",),
    "--n": ("--count",),
    "--anyway": ("--force",),
}
"""Options that had another name until 0.1, with what they may be called now; accepted, but not shown, until 0.3."""


def current_names(names: Collection[str]) -> dict[str, str]:
    """The former names that a command with the options `names` accepts, each with the option that it stands for."""
    return {
        former: current
        for former, candidates in FORMER_NAMES.items()
        for current in candidates
        if former not in names and current in names
    }
