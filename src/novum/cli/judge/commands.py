"""`novum judge`: ideas judged without a competition, by win rate against a baseline or item by item by a rubric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from novum.cli.judge.ideas import contest_between, contests_of_steps, ideas_of
from novum.cli.shell.arguments import comma_separated
from novum.cli.shell.durable import start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import ModelOptions
from novum.cli.shell.options import A_MODEL, MODELS, AsJson, Quiet, panel_option
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import print_json, print_line, print_message, print_table
from novum.core.comparison import JudgedPair
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.reports.phrases import count
from novum.runs.judge import RUBRIC_MARKS, WIN_RATE, RubricMarks, RubricTask, WinRates, WinRateTask
from novum.settings import LoadedSettings
from novum.statistics.win_rates import WinShare

_IDEAS = "RUN|FILE"
Judges = Annotated[
    list[str] | None,
    panel_option(MODELS, "The judges: a panel of models; repeatable, or with commas.", "--judge", metavar=A_MODEL),
]


@examples(
    "novum judge winrate ours.jsonl baseline.jsonl --judge openai:gpt-5.5,google:gemini-3.8-flash",
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
        bool, typer.Option("--steps", help="Compare each later draft of a run's ideas with the first one.")
    ] = False,
    protocol: Annotated[
        str,
        typer.Option(
            "--protocol", metavar="NAME", help="How ideas are compared: win-rate, pair (with ties), or a custom judge."
        ),
    ] = "win-rate",
    judges: Judges = None, models: ModelOptions, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """How often ideas win against others: novelty, feasibility, effectiveness, detailedness, overall. No ties.

    Each pair is shown to each judge in both orders; a criterion goes to the side with most votes, and an even split
    decides nothing.
    """
    if steps == (baseline is not None):
        raise BadInput("Name what is to be compared: two runs or files, or one run with --steps.")
    settings = models.settings()
    contests = contests_of_steps(subject) if baseline is None else [contest_between(subject, baseline)]
    task = WinRateTask(contests=tuple(contests), judges=named_judges(settings, judges), protocol=protocol)

    show(start_run(WIN_RATE, settings, task, quiet=quiet, fresh=models.fresh), as_json=as_json, quiet=quiet)


@examples("novum judge rubric last", "novum judge rubric ideas.jsonl --judge openai:gpt-5.5 --json")
def rubric(
    ideas: Annotated[
        str,
        typer.Argument(metavar=_IDEAS, help="A run, its report, or a table of ideas (JSONL, CSV).", show_default=False),
    ],
    *, judges: Judges = None, models: ModelOptions, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Check ideas against six items that a plan needs: specific, flawless, justified, efficient, ethical, consistent.

    An item counts as satisfied where the majority of the judges says so.
    """
    settings = models.settings()
    task = RubricTask(ideas=tuple(ideas_of(ideas)), judges=named_judges(settings, judges))

    show(start_run(RUBRIC_MARKS, settings, task, quiet=quiet, fresh=models.fresh), as_json=as_json, quiet=quiet)


def show_stored(outcome: WinRates | RubricMarks, output: OutputOptions) -> None:
    """Shows the outcome of a stored run and writes it as JSON."""
    show(outcome, as_json=output.as_json, quiet=output.quiet)
    file = output.folder(outcome.account.run_id) / "judging.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, outcome.model_dump_json(indent=2) + "\n")
    output.note(str(file))


def show(outcome: WinRates | RubricMarks, *, as_json: bool, quiet: bool) -> None:
    """Prints the outcome. The reasons of the judges are printed for a single pair or idea."""
    if as_json:
        print_json(outcome.model_dump(mode="json"))
        return
    failures = _print_win_rates(outcome) if isinstance(outcome, WinRates) else _print_marks(outcome)
    if failures:
        print_line(f"{count(failures, 'request')} brought no usable answer and count for no side.")
    heads, rows = (
        (("criterion", "judge", "shown first", "winner", "reason"), _reasons(outcome))
        if isinstance(outcome, WinRates)
        else (("item", "judge", "satisfied", "main fault"), _faults(outcome))
    )
    if rows:
        print_line()
        print_table(heads, rows)
    else:
        print_line("For the judges' reasons, run the same command with --json. It calls no model again.")
    if not quiet:
        print_message(f"Cost: {bill(outcome.account.spend)}")


def _print_win_rates(rates: WinRates) -> int:
    """Prints the table. Returns the number of requests without a usable answer."""
    criteria = list(dict.fromkeys(name for each in rates.contests for name in each.shares))
    rows = [
        (f"{each.subject} against {each.baseline}", *(_cell(each.shares.get(name)) for name in criteria))
        for each in rates.contests
    ]
    print_table(("wins of decided pairs", *criteria), rows)
    return sum(each.failures for each in rates.contests)


def _print_marks(marks: RubricMarks) -> int:
    """Prints the table. Returns the number of requests without a usable answer."""
    print_table(("item", "satisfied by"), [(name, _cell(share)) for name, share in marks.shares.items()])
    return marks.failures


def _reasons(rates: WinRates) -> list[tuple[str, ...]]:
    judged_pairs = [pair for contest in rates.contests for pair in contest.bouts]
    if len({frozenset((pair.topic, pair.first, pair.second)) for pair in judged_pairs}) != 1:
        return []
    return sorted(
        (verdict.criterion, pair.judge, pair.first, _winner(pair, verdict.outcome), verdict.reason)
        for pair in judged_pairs
        for verdict in pair.verdicts
    )


def _winner(pair: JudgedPair, outcome: str) -> str:
    return {"first": pair.first, "second": pair.second}.get(outcome, "neither")


def _faults(marks: RubricMarks) -> list[tuple[str, ...]]:
    if len({sheet.idea_id for sheet in marks.sheets}) != 1:
        return []
    order = list(marks.shares)
    by_item = [(mark, sheet.judge) for sheet in marks.sheets for mark in sheet.marks]
    return [
        (mark.item, judge, "yes" if mark.satisfied else "no", mark.fault)
        for mark, judge in sorted(by_item, key=lambda both: order.index(both[0].item))
    ]


def _cell(share: WinShare | None) -> str:
    """`62 % (8 of 13, 35 to 82; 2 undecided)`."""
    if share is None or share.rate.value is None:
        return "nothing decided" if share else "–"
    between = f", {100 * (share.rate.low or 0):.0f} to {100 * (share.rate.high or 0):.0f}"
    undecided = f"; {share.undecided} undecided" if share.undecided else ""
    return f"{100 * share.rate.value:.0f} % ({share.yes} of {share.yes + share.no}{between}{undecided})"


def named_judges(settings: LoadedSettings, named: Sequence[str] | None) -> tuple[str, ...]:
    """The judges that the command names, else those of the settings, each once."""
    judges = [settings.model_named(name) for name in comma_separated(named)] or list(settings.model_roles().judges)
    return tuple(str(judge) for judge in dict.fromkeys(judges))
