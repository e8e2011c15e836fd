"""Studies on the terminal: their tables, and their estimates."""

from __future__ import annotations

from novum.benchmarks.arena.plan import ArenaPlan, ArenaPlanRow
from novum.benchmarks.arena.report.records import ArenaReport
from novum.benchmarks.arena.report.study import StudyReport
from novum.benchmarks.arena.report.study_tables import study_headline, study_limits, study_tables
from novum.cli.shell.terminal import one_line, print_heading, print_line, print_table
from novum.reports.phrases import UNKNOWN, count, duration, listed


def print_study(report: StudyReport, arena: ArenaReport) -> None:
    """Prints the tables of a study with their notes, its results in sentences, and its limits."""
    for table in study_tables(report):
        print_heading(f"\n{table.title}")
        print_table(table.heads, table.rows)
        print_line(table.note)
    print_heading("\nResults")
    for line in study_headline(report):
        print_line(one_line(line))
    for line in study_limits(report, arena):
        print_line(f"Limit: {one_line(line)}")


def print_plan(plan: ArenaPlan) -> None:
    """Prints what a study will take, and the sums, with what is unknown."""
    print_table(("work", "model", "calls", "tokens read", "written", "price", "from"), map(_cells, plan.rows))
    print_line(f"Calls:   {plan.calls:,}{_besides(plan.unknown)}")
    print_line(f"Tokens:  {plan.tokens:,}{_besides(plan.unknown)}")
    print_line(f"Price:   {_price(plan)}")
    print_line(f"Time:    about {duration(plan.seconds)}, with models that write 40 tokens a second")
    print_line(
        "Note:    A model that reasons before it answers writes several times as many tokens; full texts make prompts "
        "longer. --budget-usd stops the study before it spends more."
    )
    print_line("Nothing was sent (--dry-run).")


def _cells(row: ArenaPlanRow) -> tuple[str, ...]:
    amounts = (row.calls, row.prompt_tokens, row.completion_tokens)
    numbers = (UNKNOWN if each is None else f"{each:,}" for each in amounts)
    return (one_line(row.work, 60), row.model, *numbers, UNKNOWN if row.usd is None else f"${row.usd:,.2f}", row.basis)


def _price(plan: ArenaPlan) -> str:
    known = f"${plan.usd:,.2f}"
    if not plan.unpriced:
        return known
    lacking = f"unknown for {listed(plan.unpriced)} (state it under [prices] in novum.toml)"
    return f"at least {known}; {lacking}" if plan.usd else lacking


def _besides(unknown: tuple[str, ...]) -> str:
    return f", without {count(len(unknown), 'entrant')} of unknown cost" if unknown else ""
