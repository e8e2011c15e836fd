"""`novum judge`: ideas judged without a competition, by win rate against a baseline or item by item by a rubric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.arena.options import JudgeNames
from novum.cli.shell.group import examples
from novum.cli.shell.options import AsJson, BaseUrl, BudgetCalls, BudgetTokens, BudgetUsd, Fresh, Prompts, Quiet
from novum.cli.shell.output import OutputOptions
from novum.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from novum.core.comparison import JudgedPair
    from novum.runs.judge import RubricMarks, WinRates
    from novum.settings import LoadedSettings
    from novum.statistics.win_rates import Share

_IDEAS = "RUN|FILE"


@examples(
    "novum judge winrate ours.jsonl baseline.jsonl --judges openai:gpt-5.5,google:gemini-3.8-flash",
    "novum judge winrate last --steps",
)
def winrate(
    subject: Annotated[
        str,
        typer.Argument(metavar=_IDEAS, help="A run, its report, or a table of ideas (JSONL, CSV).", show_default=False),
    ],
    baseline: Annotated[
        str | None, typer.Argument(metavar=_IDEAS, help="Ideas on the same topics.", show_default=False)
    ] = None,
    *, steps: Annotated[
        bool, typer.Option("--steps", help="Not a baseline: each later draft of a run's ideas against its first.")
    ] = False,
    judges: JudgeNames = None, base_url: BaseUrl = None, prompts: Prompts = None, fresh: Fresh = False,
    budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None, budget_calls: BudgetCalls = None,
    as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """How often ideas win against others: novelty, feasibility, effectiveness, detailedness, overall. No ties.

    Each pair is shown to each judge in both orders; a criterion goes to the side with most votes, and an even split
    decides nothing.
    """
    from novum.cli.judge.ideas import contest_between, contests_of_steps
    from novum.cli.shell.durable import start_run
    from novum.runs.judge import WIN_RATE, WinRateTask

    if steps == (baseline is not None):
        raise BadInput("Name what is to be compared: two runs or files, or one run with --steps.")
    settings = _settings(base_url, prompts, budget_usd, budget_tokens, budget_calls)
    contests = contests_of_steps(subject) if baseline is None else [contest_between(subject, baseline)]
    task = WinRateTask(contests=tuple(contests), judges=_judges(settings, judges))

    show(start_run(WIN_RATE, settings, task, quiet=quiet, fresh=fresh), as_json=as_json, quiet=quiet)


@examples("novum judge rubric last", "novum judge rubric ideas.jsonl --judges openai:gpt-5.5 --json")
def rubric(
    ideas: Annotated[
        str,
        typer.Argument(metavar=_IDEAS, help="A run, its report, or a table of ideas (JSONL, CSV).", show_default=False),
    ],
    *, judges: JudgeNames = None, base_url: BaseUrl = None, prompts: Prompts = None, fresh: Fresh = False,
    budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None, budget_calls: BudgetCalls = None,
    as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Which of six things that no plan should lack ideas have: specific, flawless, justified, efficient, ethical,
    consistent."""
    from novum.cli.judge.ideas import ideas_of
    from novum.cli.shell.durable import start_run
    from novum.runs.judge import RUBRIC_MARKS, RubricTask

    settings = _settings(base_url, prompts, budget_usd, budget_tokens, budget_calls)
    found = {idea.id: idea for idea in ideas_of(ideas)}
    if not found:
        raise BadInput(f"{ideas} holds no idea.")
    task = RubricTask(ideas=tuple(found.values()), judges=_judges(settings, judges))

    show(start_run(RUBRIC_MARKS, settings, task, quiet=quiet, fresh=fresh), as_json=as_json, quiet=quiet)


def show_stored(done: WinRates | RubricMarks, output: OutputOptions) -> None:
    """Shows the outcome of a stored run and writes it as JSON."""
    from novum.files.atomic import write_atomic

    show(done, as_json=output.as_json, quiet=output.quiet)
    file = output.folder(done.account.run_id) / "judging.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, done.model_dump_json(indent=2) + "\n")
    output.note(str(file))


def show(done: WinRates | RubricMarks, *, as_json: bool, quiet: bool) -> None:
    """Prints the outcome."""
    from novum.cli.shell.phrases import bill
    from novum.cli.shell.terminal import print_json, print_message

    if as_json:
        print_json(done.model_dump(mode="json"))
        return
    _say(done)
    if not quiet:
        print_message(f"Cost: {bill(done.account.spend)}")


def _say(done: WinRates | RubricMarks) -> None:
    from novum.cli.shell.terminal import print_line, print_table
    from novum.reports.phrases import count
    from novum.runs.judge import WinRates

    if isinstance(done, WinRates):
        criteria = list(dict.fromkeys(name for each in done.contests for name in each.shares))
        rows = [
            (f"{each.subject} against {each.baseline}", *(_cell(each.shares.get(name)) for name in criteria))
            for each in done.contests
        ]
        print_table(("wins of decided pairs", *criteria), rows)
        failures = sum(each.failures for each in done.contests)
    else:
        print_table(("item", "satisfied by"), _rows(done.shares))
        failures = done.failures
    if failures:
        print_line(f"{count(failures, 'asking')} brought no usable answer, and counts for nobody.")
    _say_why(done)


def _say_why(done: WinRates | RubricMarks) -> None:
    """What the judges said where one pair or one idea was judged; of more, where it is to be had."""
    from novum.cli.shell.terminal import print_line, print_table
    from novum.runs.judge import WinRates

    heads, rows = (
        (("criterion", "judge", "shown first", "winner", "what decides it"), _reasons(done))
        if isinstance(done, WinRates)
        else (("item", "judge", "satisfied", "the worst that can be said against it"), _faults(done))
    )
    if rows:
        print_line()
        print_table(heads, rows)
    else:
        print_line("What the judges said of each: the same again with --json, which asks nobody anew.")


def _reasons(done: WinRates) -> list[tuple[str, ...]]:
    bouts = [bout for contest in done.contests for bout in contest.bouts]
    if len({frozenset((bout.topic, bout.first, bout.second)) for bout in bouts}) != 1:
        return []
    return sorted(
        (verdict.criterion, bout.judge, bout.first, _winner(bout, verdict.outcome), verdict.reason)
        for bout in bouts
        for verdict in bout.verdicts
    )


def _winner(bout: JudgedPair, outcome: str) -> str:
    return {"first": bout.first, "second": bout.second}.get(outcome, "neither")


def _faults(done: RubricMarks) -> list[tuple[str, ...]]:
    if len({sheet.idea_id for sheet in done.sheets}) != 1:
        return []
    marks = [(mark, sheet.judge) for sheet in done.sheets for mark in sheet.marks]
    order = list(done.shares)
    return [
        (mark.item, judge, "yes" if mark.satisfied else "no", mark.fault)
        for mark, judge in sorted(marks, key=lambda both: order.index(both[0].item))
    ]


def _rows(shares: Mapping[str, Share]) -> list[tuple[str, str]]:
    return [(name, _cell(share)) for name, share in shares.items()]


def _cell(share: Share | None) -> str:
    """`62 % (8 of 13, 35 to 82; 2 undecided)`."""
    if share is None or share.rate.value is None:
        return "nothing decided" if share else "–"
    between = f", {100 * (share.rate.low or 0):.0f} to {100 * (share.rate.high or 0):.0f}"
    undecided = f"; {share.undecided} undecided" if share.undecided else ""
    return f"{100 * share.rate.value:.0f} % ({share.yes} of {share.yes + share.no}{between}{undecided})"


def _settings(
    base_url: str | None, prompts: object, usd: float | None, tokens: int | None, calls: int | None
) -> LoadedSettings:
    from novum.settings import load_settings

    return load_settings({
        "base_url": base_url, "prompts": prompts, "budget_usd": usd, "budget_tokens": tokens, "budget_calls": calls,
    })  # fmt: skip


def _judges(settings: LoadedSettings, named: Sequence[str] | None) -> tuple[str, ...]:
    from novum.cli.liveidea.options import listed

    judges = [settings.model_named(name) for name in listed(named)] or list(settings.cast().judges)
    return tuple(str(judge) for judge in dict.fromkeys(judges))
