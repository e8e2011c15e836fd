"""Options that commands share, one name for one thing, and the former names that are still accepted."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.settings import LoadedSettings  # which loads the models: the help of groups needs none of it

PAPERS, MODELS, LIMITS, OUTPUT = "Papers", "Models", "Budget", "Output"
"""Panels of the help."""


def panel_option(
    panel: str, text: str, *names: str, metavar: str | None = None, min: float | None = None, max: float | None = None
) -> Any:
    """An option that stands in one panel of the help. `min`, `max`: limits of a number."""
    return typer.Option(*names, help=text, metavar=metavar, rich_help_panel=panel, min=min, max=max)


A_MODEL, A_FOLDER, A_DATE, A_PAIR = "PROVIDER:MODEL", "DIR", "DATE", "KEY=VALUE"

Reader = Annotated[str | None, panel_option(MODELS, "Model that reads papers; may be cheaper.", metavar=A_MODEL)]
BaseUrl = Annotated[
    str | None, panel_option(MODELS, "OpenAI-compatible server of models named server:MODEL.", metavar="URL")
]
Seed = Annotated[int | None, panel_option(MODELS, "Random seed. Default: the setting `seed`.")]
TokenProbabilities = Annotated[
    bool, panel_option(MODELS, "Record the probability of each token, a sign of confidence.", "--token-probabilities")
]
Prompts = Annotated[
    Path | None, panel_option(MODELS, "Folder of prompt files that replace the built-in ones.", metavar=A_FOLDER)
]
LiveSource = Annotated[
    list[str] | None,
    panel_option(
        PAPERS,
        "Fetch papers from this service, such as openalex; repeatable; none: use the library alone. Default: OpenAlex, "
        "Crossref, Europe PMC and arXiv, for one topic and a model that is not the offline one.",
        metavar="NAME",
    ),
]
ForceTopic = Annotated[bool, panel_option(PAPERS, "Go on where the library knows nothing about the topic.", "--force")]
Fresh = Annotated[bool, panel_option(MODELS, "Do not reuse answers of other runs.", "--fresh")]
BudgetUsd = Annotated[float | None, panel_option(LIMITS, "Stop before the run costs more than N US dollars.")]
BudgetTokens = Annotated[int | None, panel_option(LIMITS, "Stop before the run uses more than N tokens.")]
BudgetCalls = Annotated[int | None, panel_option(LIMITS, "Stop before the run makes more than N calls.")]
Out = Annotated[
    Path | None, panel_option(OUTPUT, "Folder of the report. Default: novum-reports/RUN.", metavar=A_FOLDER)
]
AsJson = Annotated[bool, panel_option(OUTPUT, "Print the result as JSON; messages go to stderr.", "--json")]
PrintFormat = Annotated[Literal["text", "csv"], panel_option(OUTPUT, "Print text, or CSV.", "--format")]
Pdf = Annotated[
    bool,
    panel_option(OUTPUT, "Also print the report as PDF, by the Chromium or Chrome of this machine.", "--pdf"),
]
Quiet = Annotated[bool, panel_option(OUTPUT, "Print the result only, no progress.", "--quiet", "-q")]
Draws = Annotated[
    int,
    typer.Option(
        "--bootstrap-samples", min=0, max=100_000, metavar="N", help="Bootstrap samples behind the intervals.",
        rich_help_panel=OUTPUT,
    ),
]  # fmt: skip
Force = Annotated[bool, panel_option(OUTPUT, "Continue even if another process seems to work on the run.", "--force")]


DEFAULT_METRICS = "default"
"""As `novum.idea_metrics.saved_models.DEFAULT`, which loads more than `--help` needs."""
MetricsName = Annotated[str, typer.Option("--metrics", metavar="NAME|DIR", help="Fitted model: its name or folder.")]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Ray cluster to work on: host:port, auto, or local for this machine. Needs the extra `ray`.",
    ),
]


def read_date_or_year(text: str | None, option: str) -> dt.date | None:
    """As `read_date`; a year alone is its first day."""
    return read_date(f"{text}-01-01" if text and len(text) == 4 and text.isdecimal() else text, option)


def read_date(text: str | None, option: str) -> dt.date | None:
    """The date of `--option YYYY-MM-DD`, None when not given. Raises BadInput for anything else."""
    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{option} {text!r} is not a day. Write it as year-month-day, like 2023-01-31.") from error


def pairs(given: Sequence[str]) -> dict[str, Any]:
    """`key=value` texts as options: lists and objects from JSON, all else as text that the option's type will read."""
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
    """Raises BadInput for an address that no model uses."""
    roles = settings.model_roles()
    if base_url and not any(model.base_url for model in (roles.writer, roles.reader, *roles.judges)):
        raise BadInput(
            f"--base-url {base_url} is for models named server:MODEL, and there is none. "
            "Add --model server:MODEL, with a model that this server knows."
        )


def refuse_empty_out(arguments: Sequence[str]) -> None:
    """Raises BadInput for `--out ""`, which a variable of the shell without a value leaves: as a path it would be the
    current folder."""
    if "--out=" in arguments or any(name == "--out" and not value.strip() for name, value in pairwise(arguments)):
        raise BadInput("--out names no file or folder: its value is empty. Name one, or . for the current folder.")


FORMER_NAMES: Mapping[str, str] = {
    "--judges": "--judge",
    "--methods": "--method",
    "--models": "--model",
    "--draws": "--bootstrap-samples",
    "--anyway": "--force",
    "arena agree --judges": "--among-judges",
    "arena run --most-pairs": "--max-pairs",
    "data build judge --least-words": "--min-words",
    "data build judge --most": "--limit",
    "data build preferences --length-ratio": "--max-length-ratio",
    "data build preferences --most": "--limit",
    "data build preferences --parquet": "--format=parquet",
    "data build preferences --per-topic": "--max-per-topic",
    "data build preferences --similarity-from": "--min-similarity",
    "data build preferences --similarity-to": "--max-similarity",
    "data build preferences --uses": "--max-uses",
    "foresight run --cutoffs": "--cutoff",
    "foresight run --day": "--before",
    "foresight run --draw": "--sample",
    "ideate --n": "--count",
    "ideate --near": "--max-similarity",
    "ideate --questions": "--topics",
    "judge evaluate --papers": "--limit",
    "library embed --with": "--embedder",
    "library export --form": "--format",
    "library search -k": "--limit",
    "liveidea agree --panel": "--panel-scores",
    "liveidea keywords list --csv": "--format=csv",
    "liveidea keywords refresh --each": "--per-discipline",
    "liveidea keywords refresh --fewest": "--min-papers",
    "liveidea plan --ideas": "--ideas-per-keyword",
    "liveidea plan --with-papers": "--papers",
    "liveidea run --ideas": "--ideas-per-keyword",
    "liveidea run --with-papers": "--papers",
    "metrics fit --topics": "--coherence-topics",
    "metrics tune --as": "--name",
    "metrics validate --set": "--subset",
    "opportunities build --alike": "--synonym-similarity",
    "opportunities build --anew": "--fresh",
    "opportunities build --fewest": "--min-papers",
    "opportunities build --general": "--max-share",
    "opportunities build --joint": "--min-joint-papers",
    "opportunities build --most": "--limit",
    "opportunities evaluate --alike": "--synonym-similarity",
    "opportunities evaluate --fewest": "--min-papers",
    "opportunities evaluate --general": "--max-share",
    "opportunities evaluate --joint": "--min-joint-papers",
    "opportunities evaluate --most": "--limit",
    "opportunities find --short": "--no-explain",
    "opportunities find --why": "--explain",
    "opportunities find --with": "--concept",
    "score --csv": "--format=csv",
    "score --sort": "--by",
    "select --k": "--count",
    "select --near": "--max-similarity",
    "train judge --set": "--option",
}
"""Names of options until version 0.1, of all commands or of one, each with its present name (and value, for a former
flag). They are accepted, but not shown, until version 0.3."""


def with_current_names(command: str, arguments: Sequence[str], names: Collection[str]) -> list[str]:
    """The arguments of `command`, such as `arena run`, with the present names of its options. `names`: all of them."""
    present: list[str] = []
    for place, argument in enumerate(arguments):
        if argument == "--":
            return [*present, *arguments[place:]]
        name, mark, value = argument.partition("=")
        new = FORMER_NAMES.get(f"{command} {name}") or FORMER_NAMES.get(name, "")
        is_former = name not in names and new.partition("=")[0] in names
        present.append(f"{new}{mark}{value}" if is_former else argument)
    return present
