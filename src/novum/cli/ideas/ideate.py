"""`novum ideate`: generates ideas on a topic and writes a report, or many ideas as a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from novum.cli.ideas.dry_run import RunToEstimate, print_run_estimate
from novum.cli.ideas.prompt_only import write_prompt
from novum.cli.ideas.session import run_session
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import ResearchOptions
from novum.cli.shell.options import (
    A_DATE,
    A_MODEL,
    A_PAIR,
    LIMITS,
    MODELS,
    OUTPUT,
    AsJson,
    ForceTopic,
    Quiet,
    TokenProbabilities,
    pairs,
    panel_option,
    read_date,
)
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.pdf import with_pdf
from novum.core import IdeationReport
from novum.errors import BadInput
from novum.lab import Workplace
from novum.ledger.run import Listener
from novum.methods import get_method
from novum.runs.engine import start
from novum.runs.ideation import CHAINS, DEFAULT_METHOD, IDEATION, IdeationTask, default_method, read_topic

_METHOD, _BULK = "Method", "In bulk"


Topic = Annotated[str | None, typer.Argument(help="Topic of the ideas: a phrase or a paragraph.", show_default=False)]
Method = Annotated[
    str | None,
    panel_option(
        _METHOD, "Method of generating ideas (`novum methods list`). Default: "
        f"{DEFAULT_METHOD}; {CHAINS} in bulk, for its options, and with the offline model.", metavar="NAME",
    ),
]  # fmt: skip
Branches = Annotated[
    int | None, panel_option(_METHOD, "Number of perspectives on the topic, each with a chain of papers.")
]
Length = Annotated[int | None, panel_option(_METHOD, "Largest number of papers in a chain.")]
Rounds = Annotated[int | None, panel_option(_METHOD, "Largest number of drafts of an idea that is not novel yet.")]
Before = Annotated[str | None, panel_option(_METHOD, "Use only papers published before this date.", metavar=A_DATE)]
FromOpportunities = Annotated[
    int | None,
    panel_option(
        _METHOD, "Start from the N best opportunities of the topic, at most 10: pairs of concepts that no paper links "
        "yet, computed without a language model (`novum opportunities`).", metavar="N",
    ),
]  # fmt: skip
Options = Annotated[
    list[str] | None,
    panel_option(_METHOD, "An option of the method (`novum methods show METHOD`); repeatable.", metavar=A_PAIR),
]
PromptOnly = Annotated[
    bool,
    panel_option(
        _METHOD, "Ask no model: write the prompt for any chat, with the papers of the topic, their chains and the "
        "question. To stdout, or to --out FILE.", "--prompt-only",
    ),
]  # fmt: skip
Effort = Annotated[
    Literal["low", "medium", "high"] | None,
    panel_option(
        _METHOD, "Budget of the method: low, about 15 calls; medium, about 50; high, about 150. Options that are given "
        "win over it. Default: the method's own defaults.",
    ),
]  # fmt: skip
DryRun = Annotated[
    bool,
    panel_option(
        LIMITS, "Only print the calls, tokens, price and time that the run would take; send nothing.", "--dry-run"
    ),
]  # fmt: skip
Number = Annotated[
    int | None,
    panel_option(
        _BULK, "Number of different ideas, as a table that `novum filter`, `score` and `select` read. Default: one for "
        "each topic.", "--count", "-n", min=1,
    ),
]  # fmt: skip
Questions = Annotated[
    Path | None,
    panel_option(_BULK, "Topics to spread the ideas over: one per line, or JSONL or CSV with a column topic.",
                 "--topics", metavar="FILE"),
]  # fmt: skip
Near = Annotated[
    float | None,
    panel_option(
        _BULK, "Cosine from which an idea is dropped as a near-duplicate of another; 1 keeps all. Default: calibrated "
        "on the library.", "--max-similarity", min=-1, max=1,
    ),
]  # fmt: skip
Place = Annotated[
    Path | None,
    panel_option(OUTPUT, "Folder of the report; in bulk the table (JSONL, CSV). Default: in novum-reports/RUN.",
                 metavar="DIR|FILE"),
]  # fmt: skip
Model = Annotated[str | None, panel_option(MODELS, "Model that generates the ideas.", metavar=A_MODEL)]
Judges = Annotated[
    list[str] | None, panel_option(MODELS, "Model that judges; repeatable for a panel.", metavar=A_MODEL)
]


@with_pdf
@examples(
    'novum ideate "graph learning for drug discovery"',
    'novum ideate "catalysts for green hydrogen" --branches 2 --before 2023-01-01',
    'novum ideate "protein design" --model openai:gpt-5.5 --budget-usd 0.50',
    'novum ideate "protein design" --method portfolio --effort high --dry-run',
    'novum ideate "protein design" --from-opportunities 5',
    'novum ideate "protein design" --prompt-only --out prompt.txt',
    'novum ideate "protein design" --source openalex --source arxiv',
    'novum ideate "safer genome editing" --model server:qwen3@http://127.0.0.1:8000/v1',
    'novum ideate "quantum error correction" --json > ideas.json',
    "novum ideate --method spark --count 1000 --topics questions.txt --out ideas.jsonl",
    note="Every answer is recorded: a run that stopped continues with [cyan]novum runs resume last[/cyan].",
)
def ideate(
    topic: Topic = None, *, method: Method = None, effort: Effort = None,
    branches: Branches = None, length: Length = None, rounds: Rounds = None, before: Before = None,
    from_opportunities: FromOpportunities = None, option: Options = None,
    prompt_only: PromptOnly = False,
    n: Number = None, questions: Questions = None, near: Near = None, model: Model = None, judge: Judges = None,
    research: ResearchOptions, dry_run: DryRun = False, force: ForceTopic = False,
    token_probabilities: TokenProbabilities = False,
    out: Place = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Generate ranked research ideas on a topic, grounded in real papers.

    With --count or --topics: any number of different ideas, as a table.
    """
    bulk = n is not None or questions is not None
    if prompt_only:
        if bulk:
            raise BadInput("--prompt-only makes the prompt of one topic. Leave out --count and --topics.")
        write_prompt(read_topic(topic or ""), read_date(before, "--before"), out, sources=research.source, force=force)
        return
    if not bulk:
        read_topic(topic or "")
    named = {
        "branches": branches, "length": length, "rounds": rounds, "before": read_date(before, "--before"),
        "from_opportunities": from_opportunities,
    }  # fmt: skip
    options = {name: value for name, value in named.items() if value is not None} | pairs(option or ())
    settings = research.settings(
        writer=model, judges=",".join(judge or ()), token_probabilities=token_probabilities or None, effort=effort
    )
    is_offline = settings.model_roles().writer.provider.name == "offline"
    method = method or (CHAINS if bulk else default_method(options, offline=is_offline))
    get_method(method).options_from(options)
    if dry_run:
        print_run_estimate(settings, RunToEstimate(method, options, bulk=bulk), as_json=as_json)
        return
    if bulk:
        from novum.cli.ideas.bulk import BulkRequest, ideate_in_bulk  # noqa: PLC0415  loads scikit-learn: a second

        ideate_in_bulk(
            settings, BulkRequest(topic, questions, n, method, options, near), OutputOptions(out, as_json, quiet),
            research.fresh,
        )  # fmt: skip
        return
    task = IdeationTask(topic=topic or "", method=method, options=options, force=force)

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> IdeationReport:
        return await start(IDEATION, workplace, task, listeners, fresh=research.fresh)

    run_session(settings, job, OutputOptions(out, as_json, quiet))
