"""The data card of a set of next-idea prediction: what it contains, what was left out and why, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator

from novum.core.account import Account
from novum.core.record import Value
from novum.reports.markdown import markdown_document, markdown_line, markdown_list, markdown_table
from novum.reports.phrases import count
from novum.training.next_idea.data.settings import NextIdeaSettings


class SplitNumbers(Value):
    """Numbers of one split. `first`, `last`: days of its targets, ISO 8601; empty when unknown."""

    name: str
    targets: int
    records: int
    categories: dict[str, int]
    first: str = ""
    last: str = ""


class ContextNumbers(Value):
    """Means over all records."""

    ideas: float
    groups: float
    relations: float
    signals: float
    tokens: float
    by_part: dict[str, float]
    cut: int
    """Records whose context lost entries to the limit."""


class NextIdeaCard(Value):
    """Numbers of a whole data set: the content of its JSON card, and the result of building it."""

    made: str
    novum: str
    folder: str
    settings: NextIdeaSettings
    tokens_by: str
    splits: tuple[SplitNumbers, ...]
    contexts: ContextNumbers
    relations: dict[str, int]
    signals: dict[str, int]
    skipped: dict[str, int]
    """Targets that were not used, by reason."""
    unresolved: int
    """References of used targets that no library or service has."""
    resolved: int
    leaks: dict[str, int]
    """What was removed from contexts because it told the truth, by reason."""
    account: Account

    @property
    def records(self) -> int:
        return sum(each.records for each in self.splits)


def cost_text(card: NextIdeaCard) -> str:
    """What the set cost, in all and for each record."""
    spend, records = card.account.spend, max(1, card.records)
    calls = spend.calls  # those that were recorded before included
    tokens = spend.prompt_tokens + spend.completion_tokens
    money = f"; {spend.usd:.2f} US dollars, {spend.usd / records:.4f} for each record" if spend.usd else ""
    return (
        f"{count(calls, 'answer')} of models ({spend.reused:,} of them from earlier runs) and {tokens:,} tokens: "
        f"{calls / records:.1f} answers and {tokens / records:,.0f} tokens for each record{money}."
    )


def render_card(card: NextIdeaCard) -> str:
    """The card as Markdown."""
    return markdown_document(_blocks(card))


def _blocks(card: NextIdeaCard) -> Iterator[str]:
    yield "# Tasks of next-idea prediction"
    yield (
        "Each record has a context made from the references of a target paper, and the idea of that paper as the "
        "hidden truth. Method: DeepInnovator, section 4.1."
    )
    heads = ("split", "targets", "records", "first day", "last day", "categories")
    yield markdown_table(heads, [_row(each) for each in card.splits])
    yield "## Contexts"
    mean = card.contexts
    parts = ", ".join(f"{name} {value:,.0f}" for name, value in mean.by_part.items())
    yield markdown_list([
        f"Mean of a context: {mean.ideas:.1f} ideas in {mean.groups:.1f} groups, {mean.relations:.1f} relations, "
        f"{mean.signals:.1f} signals.",
        f"Tokens: {mean.tokens:,.0f} on average, of at most {card.settings.tokens:,} ({parts}), counted by "
        f"{markdown_line(card.tokens_by)}. {count(mean.cut, 'context')} lost entries to the limit.",
        f"Relations: {_counted(card.relations)}.",
        f"Signals: {_counted(card.signals)}.",
    ])  # fmt: skip
    yield "## What was left out"
    yield markdown_list([
        f"References of the used targets: {card.resolved:,} resolved, {card.unresolved:,} not found.",
        f"Targets that were skipped: {_counted(card.skipped)}.",
        f"Removed as leaks: {_counted(card.leaks)}.",
        _day_note(card.settings),
        *empty_split_notes(card),
    ])  # fmt: skip
    yield "## Cost"
    yield cost_text(card)
    yield "## Use"
    yield (
        "`data/SPLIT.jsonl` holds one record a line. `novum data show next-idea ID --data DIR` prints one and draws "
        "its graph. `novum train next-idea DIR` trains on it. Abstracts belong to their authors; the texts of models "
        "may be wrong about them."
    )


def empty_split_notes(card: NextIdeaCard) -> list[str]:
    """A sentence for each split that was asked for and has no task."""
    settings = card.settings
    wanted = {"validation": settings.validation, "test": settings.test}
    why = (
        "a day is never divided, and the earliest one is for training. Build more targets, of more days, or use "
        "--split row, where contexts of one target can leak."
        if settings.split == "time"
        else "too few rows were drawn: build more targets."
    )
    empty = (each.name for each in card.splits if wanted.get(each.name) and not each.records)
    return [f"There is no {name} task: {why}" for name in empty]


def _row(each: SplitNumbers) -> tuple[str, ...]:
    named = ", ".join(f"{name} {number}" for name, number in each.categories.items())
    return (each.name, f"{each.targets:,}", f"{each.records:,}", each.first, each.last, markdown_line(named))


def _counted(numbers: dict[str, int]) -> str:
    return "; ".join(f"{number:,} {markdown_line(name)}" for name, number in numbers.items() if number) or "none"


def _day_note(settings: NextIdeaSettings) -> str:
    if settings.since:
        return f"Targets before {settings.since} are not used: models may know them from their training."
    return "No first day was set: models may know the targets from their training."
