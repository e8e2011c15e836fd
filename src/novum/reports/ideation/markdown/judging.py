"""How ideas compare, in Markdown: the table of all ideas, and each pair that was judged."""

from __future__ import annotations

from collections.abc import Mapping

from novum.core import (
    Candidate,
    IdeationReport,
)
from novum.reports import phrases
from novum.reports.ideation.brief import (
    capitalized,
    record_in_words,
)
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.ideation.comparisons import (
    CriterionRow,
    JudgeOpinion,
    PairComparison,
    judging_record,
    pair_comparisons,
)
from novum.reports.ideation.markdown.parts import Blocks
from novum.reports.ideation.novelty import closest_id, verdict
from novum.reports.markdown import (
    markdown_line,
    markdown_list,
    markdown_phrase,
    markdown_table,
)


def comparison_blocks(report: IdeationReport, shelf: CitedPapers) -> Blocks:
    """All ideas side by side, and each pair that was judged."""
    yield "## All ideas compared"
    heads = ("", "Idea", "Won", "Unreadable", "Closest paper", "Novelty check", "Earlier drafts")
    numbered = enumerate(report.ideation.candidates, 1)
    yield markdown_table(heads, (_idea_row(number, one, report, shelf) for number, one in numbered))
    for pair in pair_comparisons(report.ideation):
        yield from pair_blocks(pair, f"idea {pair.one or '?'}", f"idea {pair.other or '?'}")


def _idea_row(number: int, candidate: Candidate, report: IdeationReport, shelf: CitedPapers) -> tuple[str, ...]:
    check, record = candidate.final_check, judging_record(report.ideation, candidate.idea.id)
    paper = shelf.paper(closest_id(check))
    return (
        str(number),
        candidate.idea.title,
        record_in_words(record),
        str(record.unreadable),
        paper.short_citation if paper else phrases.UNKNOWN,
        verdict(check, shelf),
        str(len(candidate.earlier_drafts)),
    )


def pair_blocks(pair: PairComparison, one: str, other: str, *, level: int = 3) -> Blocks:
    """One compared pair. `one`, `other`: what its two sides are called."""
    names = {pair.one: one, pair.other: other}
    yield f"{'#' * level} {capitalized(one)} and {other}"
    heads = ("Criterion", "Judge", f"{capitalized(one)} shown first", f"{capitalized(other)} shown first", "")
    yield markdown_table(heads, (_criterion_row(row, names) for row in pair.rows), cell=str) if pair.rows else ""
    yield markdown_list(
        f"⚠ no usable answer from {markdown_line(failed.judge)}, {names.get(failed.first, 'idea ?')} shown first: "
        f"{markdown_line(failed.failure)}"
        for failed in pair.unreadable
    )


def _criterion_row(row: CriterionRow, names: Mapping[int, str]) -> tuple[str, ...]:
    flag = "the order decided" if row.decided_by_order else ""
    opinions = (_opinions(row.one_first, names), _opinions(row.other_first, names))
    return (markdown_line(row.criterion), markdown_line(row.judge), *opinions, flag)


def _opinions(opinions: tuple[JudgeOpinion, ...], names: Mapping[int, str]) -> str:
    winners = [
        f"**{names[said.winner] if said.winner else 'tie'}** {markdown_phrase(said.reason)}".strip()
        for said in opinions
    ]
    return "; ".join(winners) or "no verdict"
