"""`novum ideate`: from a topic to a report of ranked ideas."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novum.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from novum.core import IdeationReport
    from novum.lab import Workplace
    from novum.ledger.run import Listener
    from novum.settings import LoadedSettings

_METHOD, _MODELS, _LIMITS, _OUTPUT = "Method", "Models", "Budget", "Output"
EPILOG = """\b
[bold]Examples[/bold]
  novum ideate "graph learning for drug discovery"
  novum ideate "catalysts for green hydrogen" --branches 2 --before 2023-01-01
  novum ideate "protein design" --model openai:gpt-5.5 --budget-usd 0.50
  novum ideate "safer genome editing" --model server:qwen3@http://127.0.0.1:8000/v1
  novum ideate "quantum error correction" --json > ideas.json

The run is kept whatever happens: [cyan]novum runs resume last[/cyan] goes on where it stopped
and pays for nothing twice.
"""


def _of(panel: str, text: str, *names: str, metavar: str | None = None) -> Any:
    """An option that stands in one panel of the help."""
    return typer.Option(*names, help=text, metavar=metavar, rich_help_panel=panel)


_A_MODEL, _FOLDER, _DAY, _PAIR = "PROVIDER:MODEL", "DIR", "YYYY-MM-DD", "KEY=VALUE"

Topic = Annotated[
    str, typer.Argument(help="What the ideas should be about: a phrase or a paragraph.", show_default=False)
]
Method = Annotated[str, _of(_METHOD, "How ideas are made (`novum methods list`).")]
Branches = Annotated[int | None, _of(_METHOD, "Perspectives on the topic, each with a chain of papers.")]
Length = Annotated[int | None, _of(_METHOD, "Papers in a chain, at most.")]
Rounds = Annotated[int | None, _of(_METHOD, "Drafts of an idea at most, while it is found known.")]
Before = Annotated[str | None, _of(_METHOD, "Read and cite nothing published on or after this day.", metavar=_DAY)]
Options = Annotated[
    list[str] | None, _of(_METHOD, "Any option of `novum methods show METHOD`; repeatable.", metavar=_PAIR)
]
Model = Annotated[str | None, _of(_MODELS, "Model that has the ideas.", metavar=_A_MODEL)]
Reader = Annotated[str | None, _of(_MODELS, "Model that reads papers; may be cheaper.", metavar=_A_MODEL)]
Judges = Annotated[list[str] | None, _of(_MODELS, "Model that judges; repeatable for a panel.", metavar=_A_MODEL)]
BaseUrl = Annotated[str | None, _of(_MODELS, "OpenAI-compatible server of models named server:MODEL.", metavar="URL")]
Seed = Annotated[int | None, _of(_MODELS, "Seed of every draw.")]
Prompts = Annotated[Path | None, _of(_MODELS, "Folder of prompt files that replace ours.", metavar=_FOLDER)]
Fresh = Annotated[bool, _of(_MODELS, "Ask again what other runs have asked before.", "--fresh")]
BudgetUsd = Annotated[float | None, _of(_LIMITS, "Stop before the run would cost more, US dollars.")]
BudgetTokens = Annotated[int | None, _of(_LIMITS, "Stop before the run would use more tokens.")]
BudgetCalls = Annotated[int | None, _of(_LIMITS, "Stop before the run would make more calls.")]
Out = Annotated[Path | None, _of(_OUTPUT, "Folder of the report; else novum-reports/RUN.", metavar=_FOLDER)]
AsJson = Annotated[bool, _of(_OUTPUT, "The whole outcome as JSON on stdout, messages on stderr.", "--json")]
Quiet = Annotated[bool, _of(_OUTPUT, "No progress, only the outcome.", "--quiet", "-q")]


def ideate(
    topic: Topic, *, method: Method = "chain-of-ideas", branches: Branches = None, length: Length = None,
    rounds: Rounds = None, before: Before = None, option: Options = None,
    model: Model = None, reader: Reader = None, judge: Judges = None, base_url: BaseUrl = None, seed: Seed = None,
    prompts: Prompts = None, fresh: Fresh = False,
    budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None, budget_calls: BudgetCalls = None,
    out: Out = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Turn a topic into ranked research ideas, grounded in real papers."""
    from novum import runs
    from novum.cli.days import day
    from novum.cli.session import Manner, work
    from novum.methods import get_method
    from novum.settings import load_settings

    runs.read_topic(topic)
    named = {"branches": branches, "length": length, "rounds": rounds, "before": day(before, "--before")}
    options = {name: value for name, value in named.items() if value is not None} | _pairs(option or ())
    get_method(method).options_from(options)
    settings = load_settings({
        "writer": model, "reader": reader, "judges": ",".join(judge or ()), "base_url": base_url, "seed": seed,
        "prompts": prompts, "budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls,
    })  # fmt: skip
    _check_address(settings, base_url)
    request = runs.IdeationRequest(topic, method, options, fresh)

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> IdeationReport:
        return await runs.ideate(workplace, request, listeners)

    work(settings, job, Manner(out, as_json, quiet))


def _pairs(given: Sequence[str]) -> dict[str, Any]:
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


def _check_address(settings: LoadedSettings, base_url: str | None) -> None:
    """An address that no model of the cast has would be passed over in silence. Raises BadInput instead."""
    cast = settings.cast()
    if base_url and not any(model.base_url for model in (cast.writer, cast.reader, *cast.judges)):
        raise BadInput(
            f"--base-url {base_url} is for models named server:MODEL, and there is none. "
            "Add --model server:MODEL, with a model that this server knows."
        )
