"""An exploration as Markdown: the answer, its evidence, and how it was found. It holds no raw HTML."""

from __future__ import annotations

from collections.abc import Iterator

from novum.core import Exploration, ExplorationReport, Paper
from novum.reports import phrases
from novum.reports.exploration import phrases as words
from novum.reports.markdown import (
    markdown_account,
    markdown_document,
    markdown_line,
    markdown_list,
    markdown_phrase,
    markdown_prose,
    markdown_table,
    markdown_title,
)
from novum.reports.sanitizing import clean_line

Blocks = Iterator[str]


def render_exploration(report: ExplorationReport) -> str:
    """CommonMark with tables."""
    return markdown_document(_report(report))


def papers_of(report: ExplorationReport) -> list[Paper]:
    """The papers that evidence is from, each once, in order of appearance."""
    known = {paper.id: paper for each in report.explorations for paper in each.papers}
    cited = (snippet.paper_id for each in report.explorations for snippet in each.evidence)
    return [known[paper_id] for paper_id in dict.fromkeys(cited) if paper_id in known]


def _report(report: ExplorationReport) -> Blocks:
    first, *others = report.explorations
    yield f"# {markdown_line(first.question)}"
    yield f"Evidence from the literature, {markdown_line(phrases.moment(report.account.started))}."
    if report.account.demonstration:
        yield f"> **Demonstration.** {words.DEMONSTRATION}"
    yield from _exploration(first)
    for number, exploration in enumerate(others, 1):
        yield f"# Follow-up {number}: {markdown_line(exploration.question)}"
        yield f"Asked as: {markdown_line(exploration.asked)}" if exploration.asked else ""
        yield from _exploration(exploration)
    yield markdown_account(report.account, first.options)
    yield "## Papers"
    entries = [f"{number}. {_entry(paper)}" for number, paper in enumerate(papers_of(report), 1)]
    yield "\n".join(entries) or "None."


def _exploration(exploration: Exploration) -> Blocks:
    yield f"**{markdown_line(words.headline(exploration))}**"
    yield markdown_line(words.scope(exploration))
    if exploration.weakness:
        yield f"Sought for this weak point of an idea: {markdown_prose(exploration.weakness)}"
    yield from _answer(exploration)
    yield "## Evidence"
    yield words.ORDER if exploration.evidence else "None was found."
    for source in words.sources(exploration):
        yield f"### {_named(source.paper) if source.paper else '⚠ a paper that is not in this report'}"
        for each in source.evidence:
            yield from _snippet(each, exploration.judge)
    yield from _prospects(exploration)
    yield "## How it was found"
    yield markdown_line(exploration.ended)
    yield _rounds(exploration)
    yield from _rejected(exploration)
    if exploration.notes:
        yield "## What did not go as asked"
        yield markdown_list(map(markdown_line, exploration.notes))


def _answer(exploration: Exploration) -> Blocks:
    if exploration.reply is None:
        return
    yield "## Answer"
    paragraph: list[str] = []
    for sentence in exploration.reply.sentences:
        if sentence.opens_paragraph and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        heed = f" **⚠ {words.citation_flag(sentence)}**" if words.citation_flag(sentence) else ""
        paragraph.append(markdown_phrase(sentence.text) + heed)
    yield " ".join(paragraph)
    if exploration.reply.gaps:
        yield f"**Not in the passages read.** {markdown_prose(exploration.reply.gaps)}"
    if words.unread_text(exploration):
        yield markdown_line(words.unread_text(exploration))
    if exploration.reply.stated_open:
        yield f"**Said by a passage to be open.** {markdown_prose(exploration.reply.stated_open)}"


def _snippet(each: words.NumberedSnippet, judged: str) -> Blocks:
    snippet = each.snippet
    unused = "" if each.used else " *Not used in the answer.*"
    where = f"{markdown_line(words.place(snippet))}; {markdown_line(words.circumstances(snippet, judged))}."
    yield rf"**\[{each.number}\]** {where}{unused}"
    if snippet.summary != snippet.quote:
        yield markdown_prose(snippet.summary)
    if snippet.is_account:
        yield f"{words.ACCOUNT} {markdown_phrase(words.passage_words(snippet))}"
    else:
        yield "\n".join(f"> {line}" for line in markdown_prose(words.passage_words(snippet)).splitlines())
    yield "" if snippet.quote else words.WITHOUT_QUOTE


def _prospects(exploration: Exploration) -> Blocks:
    if exploration.problems:
        yield "## Open problems"
        yield markdown_list(
            f"{markdown_phrase(each.text)} {_cites(each.cites)}" + (f" ({each.basis})" if each.basis else "")
            for each in exploration.problems
        )
    if exploration.concepts:
        yield "## Concepts"
        yield markdown_list(
            f"**{markdown_line(each.name)}**: {markdown_phrase(each.description)} {_cites(each.cites)}"
            for each in exploration.concepts
        )


def _cites(places: tuple[int, ...]) -> str:
    return rf"\[{', '.join(map(str, places))}\]"


def _rounds(exploration: Exploration) -> str:
    heads = ("Round", "Queries", "Missing before it", "New papers", "Passages read", "Evidence")
    rows = (
        (
            str(each.number),
            words.round_queries(each),
            each.missing,
            str(each.papers),
            f"{each.judged}" + (f", {each.unreadable} without usable answer" if each.unreadable else ""),
            str(each.evidence),
        )
        for each in exploration.rounds
    )
    return markdown_table(heads, rows)


def _rejected(exploration: Exploration) -> Blocks:
    if exploration.passed_over:
        yield "### Read, and no evidence"
        yield markdown_table(("Score", "Passage", "What it says"), words.rejected_rows(exploration))


def _named(paper: Paper) -> str:
    return f"{markdown_title(paper)}, {markdown_line(paper.short_citation)}"


def _entry(paper: Paper) -> str:
    authors = markdown_line(", ".join(paper.authors)) or "authors unknown"
    where = ", ".join(filter(None, [markdown_line(paper.venue), str(paper.year or "year unknown")]))
    return clean_line(f"{_named(paper)}. {authors}. {where}.")
