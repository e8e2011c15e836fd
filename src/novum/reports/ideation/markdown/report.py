"""The report of an ideation run as Markdown: the same facts as the page, for diffs and notes, without raw HTML."""

from __future__ import annotations

from novum.core import (
    Candidate,
    Ideation,
    IdeationReport,
    Paper,
)
from novum.reports import phrases
from novum.reports.ideation import findings
from novum.reports.ideation.brief import (
    MOST_SIMILAR,
    Brief,
    brief,
    capitalized,
    record_details,
    record_in_words,
)
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.ideation.comparisons import (
    judging_record,
)
from novum.reports.ideation.markdown.evidence import chain_blocks, context_blocks, evidence_blocks
from novum.reports.ideation.markdown.experiment import experiment_blocks
from novum.reports.ideation.markdown.judging import comparison_blocks
from novum.reports.ideation.markdown.parts import (
    Blocks,
    citation_list,
    idea_blocks,
    named_list,
    named_texts,
    paper_line,
)
from novum.reports.ideation.origins import FATES, source_rows
from novum.reports.ideation.ready_prompt import PROMPT_FILE, ready_prompt
from novum.reports.markdown import (
    markdown_account,
    markdown_document,
    markdown_line,
    markdown_list,
    markdown_phrase,
    markdown_prose,
    markdown_reference,
    markdown_table,
)
from novum.reports.opportunities.summary import opportunity_summary_markdown
from novum.reports.sanitizing import clean_line


def render_markdown(report: IdeationReport) -> str:
    """CommonMark with tables. Model text keeps its emphasis and lists, and loses links, images, headings and code."""
    return markdown_document(_report(report))


def _report(report: IdeationReport) -> Blocks:
    ideation, shelf = report.ideation, CitedPapers(report)
    yield from _head(report)
    if report.account.demonstration:
        yield from _found(report, shelf)
        if ideation.candidates:
            yield "## Demonstration: ideas by a very small model"
            yield f"> **Demonstration.** {findings.DEMONSTRATION}"
        yield from _ideas(report, shelf)
        yield from _notes(report, shelf)
    else:
        yield from _ideas(report, shelf)
        yield from _notes(report, shelf)
        yield from _found(report, shelf)
    yield markdown_account(report.account, report.ideation.options)
    yield from _papers(shelf)


def _head(report: IdeationReport) -> Blocks:
    ideation, account = report.ideation, report.account
    yield f"# {markdown_line(ideation.topic)}"
    yield f"Research ideas by {markdown_line(ideation.method)}, {markdown_line(phrases.moment(account.started))}."
    if account.demonstration:
        yield f"> **Without a key.** {findings.WITHOUT_A_KEY} {findings.REAL_MODEL}"
    yield f"**{markdown_line(findings.headline(report))}**"


def _ideas(report: IdeationReport, shelf: CitedPapers) -> Blocks:
    ideation, best = report.ideation, brief(report)
    if best is None or ideation.best is None:
        return
    yield from _at_a_glance(report, best, shelf)
    yield from _in_full(ideation.best, best, shelf, ideation)
    yield from experiment_blocks(report, shelf)
    yield from context_blocks(ideation.context, shelf)
    yield from evidence_blocks(ideation.best, 1, shelf, report, best.reason)
    yield from _origins(ideation)
    yield from comparison_blocks(report, shelf)
    if len(ideation.candidates) > 1:
        yield "## The other ideas"
    for number, candidate in enumerate(ideation.candidates[1:], 2):
        yield from _other(candidate, number, shelf, report)


def _at_a_glance(report: IdeationReport, best: Brief, shelf: CitedPapers) -> Blocks:
    """What a reader wants to know first, as the page has it."""
    yield f"## The best idea: {markdown_line(best.title)}"
    yield f"{markdown_line(capitalized(best.origin))}." if best.origin else ""
    yield markdown_prose(best.in_short)
    yield from named_texts(("Why now", best.why_now))
    yield f"**How it differs{' from the closest paper' if best.closest else ''}.**"
    yield from _closest(best, shelf)
    yield from named_texts(("How to test it in a week", best.test))
    yield named_list("First steps of a test", best.steps)
    yield "**What could kill it**" if best.risks else ""
    yield markdown_list(f"{each.name}: {markdown_phrase(each.text)}" for each in best.risks)
    details = record_details(best.record, report.account.models.get("writer", ""))
    judged = record_in_words(best.record) + (f" ({details})" if details else "")
    yield f"**How sure the judges were.** {markdown_line(capitalized(judged))}."
    yield markdown_line(report.judges_and_people)
    spend = report.account.spend
    cost = f"{phrases.cost_in_brief(spend)}, {phrases.count(spend.calls, 'model call')}"
    yield f"**What this run cost.** {markdown_line(cost)}."


def _closest(best: Brief, shelf: CitedPapers) -> Blocks:
    if best.closest is not None:
        yield paper_line(best.closest.paper, shelf) + ("" if best.closest.by_checker else f" ({MOST_SIMILAR})")
        quote = markdown_phrase(best.closest.quote)
        yield (f"> “{quote}”" if best.closest.from_abstract else f"> In a summary: {quote}") if quote else ""
    yield f"{markdown_line(capitalized(best.verdict))}."
    yield markdown_prose(best.difference)


def _in_full(candidate: Candidate, best: Brief, shelf: CitedPapers, ideation: Ideation) -> Blocks:
    yield "### The idea in full"
    yield from _started(candidate, ideation)
    yield from named_texts(*((each.name, each.text) for each in best.rest))
    yield citation_list(candidate.idea.citations, shelf)


def _other(candidate: Candidate, number: int, shelf: CitedPapers, report: IdeationReport) -> Blocks:
    yield f"### Idea {number}: {markdown_line(candidate.idea.title)}"
    record = judging_record(report.ideation, candidate.idea.id)
    yield f"{markdown_line(capitalized(record_in_words(record)))}."
    yield from _started(candidate, report.ideation)
    yield from idea_blocks(candidate.idea, shelf)
    yield from evidence_blocks(candidate, number, shelf, report)


def _origins(ideation: Ideation) -> Blocks:
    if not ideation.origins:
        return
    yield "## Where the ideas came from"
    heads = ("Source", "Ideas", *map(capitalized, FATES))
    rows = (
        (each.source, str(each.seeds), *(str(each.fates[fate]) for fate in FATES)) for each in source_rows(ideation)
    )
    yield markdown_table(heads, rows)
    yield markdown_list(
        f"{markdown_line(each.title)} ({markdown_line(each.source)}, {each.fate}): {markdown_phrase(each.mechanism)}"
        for each in ideation.origins
    )


def _started(candidate: Candidate, ideation: Ideation) -> Blocks:
    if (opening := ideation.opening(candidate.idea)) is not None:
        pair = " + ".join(map(markdown_line, opening.pair))
        yield f"Started from the opportunity {pair}, which it was free to leave."


def _found(report: IdeationReport, shelf: CitedPapers) -> Blocks:
    """What the run found without the text of a model."""
    if report.account.demonstration:
        chains = [each.chain for each in report.ideation.candidates if each.chain]
        for number, chain in enumerate(chains, 1):
            yield f"## Chain of papers {number}"
            yield from chain_blocks(chain, shelf, with_trends=False)
    known = report.literature
    if known is not None:
        yield "## What the library knows of the topic"
        yield f"Coverage is {markdown_line(known.reason)}"
        yield markdown_list(markdown_reference(paper) for paper in known.papers[:8])
    yield from opportunity_summary_markdown(report.openings, [each.opening for each in report.ideation.starts])
    yield f"No opportunities are shown. {markdown_line(report.without_openings)}" if report.without_openings else ""
    if ready_prompt(report):
        yield "## A ready-made prompt for any chat"
        yield f"`{PROMPT_FILE}`, in the folder of this report, holds the topic, papers, chains and the question."


def _notes(report: IdeationReport, shelf: CitedPapers) -> Blocks:
    unresolved = [f"⚠ unverified citation: {markdown_line(citation.name)}" for citation in shelf.unresolved]
    lines = [*map(markdown_line, report.ideation.notes), *unresolved]
    if lines:
        yield "## Notes"
        yield markdown_list(lines)


def _papers(shelf: CitedPapers) -> Blocks:
    yield "## Papers"
    yield "\n".join(f"{number}. {_entry(paper, shelf)}" for number, paper in enumerate(shelf.papers, 1)) or "None."


def _entry(paper: Paper, shelf: CitedPapers) -> str:
    uses = "; ".join(shelf.uses.get(paper.id, ("read, not cited",)))
    return clean_line(f"{markdown_reference(paper)} *{uses}*")
