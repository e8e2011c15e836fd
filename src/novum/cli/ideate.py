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
EPILOG = """[bold]Examples[/bold]

\b
  novum ideate "graph learning for drug discovery"
  novum ideate "catalysts for green hydrogen" --branches 2 --before 2023-01-01
  novum ideate "protein design" --model openai:gpt-5.5 --budget-usd 0.50
  novum ideate "new antibiotics" --model server:qwen3 --base-url http://127.0.0.1:8000/v1 --json > ideas.json

The run is kept whatever happens: [cyan]novum runs resume last[/cyan] goes on where it stopped, and pays for nothing twice.
"""


def ideate(  # noqa: PLR0913  one parameter per option
    topic: Annotated[str, typer.Argument(help="What the ideas should be about, in a phrase or a paragraph.", show_default=False)],
    method: Annotated[str, typer.Option(help="How ideas are made (`novum methods list`).", rich_help_panel=_METHOD)] = "chain-of-ideas",
    branches: Annotated[int | None, typer.Option(help="Perspectives on the topic, each with a chain of papers.", rich_help_panel=_METHOD)] = None,
    length: Annotated[int | None, typer.Option(help="Papers in a chain, at most.", rich_help_panel=_METHOD)] = None,
    rounds: Annotated[int | None, typer.Option(help="Drafts of an idea at most, while it is found known.", rich_help_panel=_METHOD)] = None,
    before: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="Read and cite nothing published on or after this day.", rich_help_panel=_METHOD)] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="Any option of the method (`novum methods show METHOD`); repeatable.", rich_help_panel=_METHOD)] = None,
    model: Annotated[str | None, typer.Option(metavar="PROVIDER:MODEL", help="Model that has the ideas.", rich_help_panel=_MODELS)] = None,
    reader: Annotated[str | None, typer.Option(metavar="PROVIDER:MODEL", help="Model that reads papers; may be cheaper.", rich_help_panel=_MODELS)] = None,
    judge: Annotated[list[str] | None, typer.Option(metavar="PROVIDER:MODEL", help="Model that judges; repeatable for a panel.", rich_help_panel=_MODELS)] = None,
    base_url: Annotated[str | None, typer.Option(metavar="URL", help="OpenAI-compatible server of models named server:MODEL.", rich_help_panel=_MODELS)] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of every draw.", rich_help_panel=_MODELS)] = None,
    prompts: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of prompt files that replace ours of the same name.", rich_help_panel=_MODELS)] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again what other runs have asked before.", rich_help_panel=_MODELS)] = False,
    budget_usd: Annotated[float | None, typer.Option(help="Stop before the run would cost more, US dollars.", rich_help_panel=_LIMITS)] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="Stop before the run would use more tokens.", rich_help_panel=_LIMITS)] = None,
    budget_calls: Annotated[int | None, typer.Option(help="Stop before the run would make more calls.", rich_help_panel=_LIMITS)] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the report; else novum-reports/RUN.", rich_help_panel=_OUTPUT)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole outcome as JSON on stdout, messages on stderr.", rich_help_panel=_OUTPUT)] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the outcome.", rich_help_panel=_OUTPUT)] = False,
) -> None:
    """Turn a topic into ranked research ideas, grounded in real papers."""
    from novum import runs  # noqa: PLC0415  heavy: not for --help
    from novum.cli.days import day  # noqa: PLC0415
    from novum.cli.session import Manner, work  # noqa: PLC0415
    from novum.methods import get_method  # noqa: PLC0415
    from novum.settings import load_settings  # noqa: PLC0415

    runs.read_topic(topic)
    named = {"branches": branches, "length": length, "rounds": rounds, "before": day(before, "--before")}
    options = {name: value for name, value in named.items() if value is not None} | _pairs(option or ())
    get_method(method).options_from(options)
    settings = load_settings({
        "writer": model, "reader": reader, "judges": ",".join(judge or ()), "base_url": base_url, "seed": seed, "prompts": prompts,
        "budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls,
    })  # fmt: skip
    _check_address(settings, base_url)
    request = runs.IdeationRequest(topic, method, options, fresh)

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> IdeationReport:
        return await runs.ideate(workplace, request, listeners)

    work(settings, job, Manner(out, as_json, quiet))


def _pairs(given: Sequence[str]) -> dict[str, Any]:
    """`key=value` texts as options: lists and objects in JSON, all else as its text, which the option's type then reads."""
    import json  # noqa: PLC0415

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
        raise BadInput(f"--base-url {base_url} is for models named server:MODEL, and there is none. Add --model server:MODEL, with a model that this server knows.")
