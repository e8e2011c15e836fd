"""`novum explore`: answers a question from the literature and cites the passages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated

import typer

from novum.cli.ideas.answer_text import answer_lines
from novum.cli.ideas.session import run_session
from novum.cli.shell.group import examples
from novum.cli.shell.input import TypedLines
from novum.cli.shell.option_groups import ResearchOptions
from novum.cli.shell.options import (
    A_DATE,
    A_MODEL,
    A_PAIR,
    MODELS,
    OUTPUT,
    AsJson,
    ForceTopic,
    Out,
    Quiet,
    pairs,
    panel_option,
    read_date,
)
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_message
from novum.core import Exploration, ExplorationReport
from novum.errors import BadInput
from novum.lab import Workplace
from novum.ledger.run import Listener
from novum.reading.exploration import ExploreOptions
from novum.runs.engine import start
from novum.runs.exploration import ExplorationTask, exploration, read_question

_SEARCH = "Search"

Ask = Annotated[str, typer.Argument(help="Question to the literature.", show_default=False)]
Rounds = Annotated[int | None, panel_option(_SEARCH, "Largest number of rounds of searching and reading (4).")]
Snippets = Annotated[int | None, panel_option(_SEARCH, "Number of evidence snippets that are enough (5).")]
Coverage = Annotated[int | None, panel_option(_SEARCH, "Number of papers that the snippets must come from (3).")]
Passages = Annotated[int | None, panel_option(_SEARCH, "Number of passages read in each round (12).")]
Before = Annotated[str | None, panel_option(_SEARCH, "Use only papers published before this date.", metavar=A_DATE)]
Prospects = Annotated[bool, panel_option(_SEARCH, "Also list open problems and concepts.", "--prospects")]
Options = Annotated[
    list[str] | None,
    panel_option(_SEARCH, "An option of the exploration, such as score=7; repeatable.", metavar=A_PAIR),
]
Model = Annotated[str | None, panel_option(MODELS, "Model that writes the answer.", metavar=A_MODEL)]
Chat = Annotated[
    bool, panel_option(OUTPUT, "Ask further questions, one per line; Ctrl-D ends the conversation.", "--chat")
]


@with_pdf
@examples(
    'novum explore "What limits the lifetime of perovskite solar cells?"',
    'novum explore "How are research ideas checked for novelty?" --before 2024-06-01',
    'novum explore "Which losses help few-shot molecule models?" --rounds 2 --prospects',
    'novum explore "Why do error-correction decoders fail?" --chat',
    'novum explore "protein design by diffusion" --option judge=similarity',
    'novum explore "protein design by diffusion" --source openalex --source arxiv',
    note="Every answer is recorded: a run that stopped continues with [cyan]novum runs resume last[/cyan].",
)
def explore(
    question: Ask, *, rounds: Rounds = None, snippets: Snippets = None, coverage: Coverage = None,
    passages: Passages = None, before: Before = None, prospects: Prospects = False, option: Options = None,
    model: Model = None, research: ResearchOptions, force: ForceTopic = False,
    chat: Chat = False, out: Out = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Answer a question from the literature, with the passages that support the answer."""
    read_question(question)
    named = {
        "rounds": rounds, "snippets": snippets, "coverage": coverage, "passages": passages,
        "before": read_date(before, "--before"), "prospects": prospects or None,
    }  # fmt: skip
    options = {name: value for name, value in named.items() if value is not None} | pairs(option or ())
    ExploreOptions.from_given(options)
    settings = research.settings(writer=model)
    task = ExplorationTask(question=question, options=options, force=force)
    output = OutputOptions(out, as_json, quiet)

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> ExplorationReport:
        kind = exploration(next_question=_conversation(output) if chat else None)
        return await start(kind, workplace, task, listeners, fresh=research.fresh)

    run_session(settings, job, output, kind="explore", interactive=chat)


def _conversation(output: OutputOptions) -> Callable[[Exploration], Awaitable[str]]:
    """Shows each answer and reads the next question."""
    lines = TypedLines()

    async def next_question(exploration: Exploration) -> str:
        for line in (*answer_lines(exploration), ""):
            output.print(line)
        while question := await lines.next("? "):
            try:
                return read_question(question)
            except BadInput as problem:
                print_message(str(problem))
        return ""

    return next_question
