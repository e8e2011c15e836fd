"""Reviews as plain lines and as Markdown: the same outline, the one for a terminal and the other for a file."""

from __future__ import annotations

from collections.abc import Iterator

from novum.core import Paper
from novum.core.reviewing import Change, Criticism, Decision, ReviewerReport, ReviewRound, Reviews
from novum.reports.markdown import (
    markdown_account,
    markdown_document,
    markdown_line,
    markdown_list,
    markdown_phrase,
    markdown_prose,
    markdown_table,
)
from novum.reports.reviews import phrases as words
from novum.reports.sanitizing import clean_line


def review_lines(reviews: Reviews) -> Iterator[str]:
    """The reports on one idea for a terminal: each round's decision, then what reviewers said."""
    papers = {paper.id: paper for paper in reviews.papers}
    each = reviews.ideas[0]
    for turn_number, turn in enumerate(each.rounds, 1):
        if len(each.rounds) > 1:
            counting = ", the one that counts" if turn_number == each.best_number else ""
            yield f"\nRound {turn_number}{counting}: {clean_line(turn.idea.title)}"
            yield from (f"  {_changed(change)}" for change in (turn.revision.changes if turn.revision else ()))
        yield f"\n{words.decision(turn.decision)}, utility {words.number(turn.decision.utility)}"
        yield clean_line(turn.decision.reasoning or turn.decision.failure)
        yield from (f"Note: {clean_line(told)}" for told in words.warnings(turn))
        for report in turn.reports:
            yield from _report_lines(report, turn.decision, papers)
    if len(each.rounds) > 1 or each.lost_revision:
        yield f"\n{clean_line(f'{each.ended} {each.lost_revision}')}"


def _report_lines(report: ReviewerReport, decision: Decision, papers: dict[str, Paper]) -> Iterator[str]:
    stance_and_model = ", ".join(filter(None, (words.stance_text(report), report.referee)))
    yield f"\nReviewer {report.number} ({clean_line(stance_and_model)})"
    if report.failure:
        yield f"  no usable report: {clean_line(report.failure)}"
        return
    yield f"  {words.marks(report)}"
    yield from (f"  Note: {clean_line(note)}" for note in report.notes)
    if opening := report.summary or ("" if report.strengths or report.criticisms else report.text):
        yield f"  {clean_line(opening)}"
    yield from (f"  + {clean_line(strength)}" for strength in report.strengths)
    for each in report.criticisms:
        yield f"  - {words.labelled(each)}: {clean_line(each.point)}"
        yield from (f"      {name}: {clean_line(told)}" for name, told in _details(each, decision, papers))


def _details(each: Criticism, decision: Decision, papers: dict[str, Paper]) -> Iterator[tuple[str, str]]:
    """What a criticism rests on and what it led to, as far as there is anything."""
    flag = words.quotation_flag(each)
    if each.quote:
        yield "on", f"“{each.quote}”{f' ⚠ {flag}' if flag else ''}"
    elif flag:
        yield "on", f"⚠ {flag}"
    for name, told in (
        ("papers", words.evidence(each, papers)),
        ("suggestion", each.suggestion),
        ("in the decision", words.standing_text(each.label, decision)),
    ):
        if told:
            yield name, told


def _changed(change: Change) -> str:
    return clean_line(f"{change.criticism} {'met' if change.done else 'not met'}: {change.what}")


# -- Markdown ---------------------------------------------------------------------------------------------------------


def render_reviews_markdown(reviews: Reviews) -> str:
    """All ideas with all rounds, the best idea first."""
    return markdown_document(_blocks(reviews))


def _blocks(reviews: Reviews) -> Iterator[str]:
    papers = {paper.id: paper for paper in reviews.papers}
    yield "# Reviews"
    yield markdown_line(words.headline(reviews))
    heads = ("", "decision", "utility", "mean score", "reports", "rounds", "idea")
    rows = ((str(rank), *words.overview(each), each.best.idea.title) for rank, each in enumerate(reviews.ideas, 1))
    yield markdown_table(heads, rows)
    for rank, each in enumerate(reviews.ideas, 1):
        yield f"## {rank}. {markdown_line(each.best.idea.title)}"
        for number, turn in enumerate(each.rounds, 1):
            if len(each.rounds) > 1:
                counting = ", the one that counts" if number == each.best_number else ""
                yield f"### Round {number}{counting}"
            yield from _round(turn, papers)
        if len(each.rounds) > 1 or each.lost_revision:
            yield markdown_line(f"{each.ended} {each.lost_revision}")
    if reviews.papers:
        yield "## Papers that criticisms lean on"
        yield markdown_list(
            f"{markdown_line(paper.short_citation)}: {markdown_line(paper.title)}" for paper in reviews.papers
        )
    yield markdown_account(reviews.account, reviews.options)


def _round(turn: ReviewRound, papers: dict[str, Paper]) -> Iterator[str]:
    if turn.revision is not None:
        yield "**What was changed**"
        yield markdown_list(markdown_phrase(_changed(change)) for change in turn.revision.changes)
    idea = turn.idea
    for name, text in (
        ("Motivation", idea.motivation), ("Novelty", idea.novelty), ("Method", idea.method), ("Idea", idea.summary)
    ):  # fmt: skip
        if text:
            yield f"**{name}.** {markdown_prose(text)}"
    told = turn.decision
    yield f"**{words.decision(told)}, utility {words.number(told.utility)}** (by {markdown_line(told.judge)}). " + (
        markdown_phrase(told.reasoning or told.failure)
    )
    yield markdown_list(f"⚠ {markdown_line(warning)}" for warning in words.warnings(turn))
    for report in turn.reports:
        yield from _report(report, told, papers)


def _report(report: ReviewerReport, decision: Decision, papers: dict[str, Paper]) -> Iterator[str]:
    told = ", ".join(filter(None, (words.stance_text(report), report.referee)))
    yield f"**Reviewer {report.number}** ({markdown_line(told)})"
    if report.failure:
        yield f"No usable report: {markdown_line(report.failure)}"
        return
    yield f"{words.marks(report)}. {markdown_phrase(report.summary)}"
    said = [f"- ⚠ {markdown_line(note)}" for note in report.notes]
    said += [f"- Strength: {markdown_phrase(strength)}" for strength in report.strengths]
    for each in report.criticisms:
        said.append(f"- **{words.labelled(each)}.** {markdown_phrase(each.point)}")
        said += [f"  - {name}: {markdown_phrase(text)}" for name, text in _details(each, decision, papers)]
    yield "\n".join(said)
    if report.text:
        yield "The report as written:"
        yield "\n".join(f"> {line}".rstrip() for line in markdown_prose(report.text).split("\n"))
