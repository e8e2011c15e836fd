"""An exploration as Markdown: the answer with its evidence, and how it was come by. It holds no raw HTML."""

from __future__ import annotations

from collections.abc import Iterator

from novum.core import Exploration, ExplorationReport, Paper, Sentence, Snippet, shorten
from novum.reports import phrases
from novum.reports.foreign import clean_line, markdown_line, markdown_phrase, markdown_prose, paper_url
from novum.reports.markdown import account_table

Blocks = Iterator[str]
DEMONSTRATION = (
    "The answer was written by a very small model that runs on this machine, to show how Novum works: do not rely on "
    "it. The papers and the passages quoted from them are real. For an answer worth reading, set a key such as "
    "`OPENAI_API_KEY` and run the same command again, or add `--model provider:name`."
)
"""Markdown."""
_WITHOUT_QUOTE = 400
"""Characters of a passage shown where no sentence of it is quoted; the whole of it is in report.json."""


def render_exploration(report: ExplorationReport) -> str:
    """CommonMark with tables."""
    return "\n\n".join(block for block in _report(report) if block.strip()) + "\n"


def headline(exploration: Exploration) -> str:
    """What came of a question, in a sentence or two."""
    found = f"{phrases.count(len(exploration.evidence), 'snippet')} of evidence from "
    found += f"{phrases.count(exploration.sources, 'paper')}, after {phrases.count(len(exploration.rounds), 'round')}."
    if exploration.reply is None:
        return f"{found} No answer was written."
    sentences = exploration.reply.sentences
    cited = {place for sentence in sentences for place in sentence.cites}
    bare = sum(not sentence.grounded for sentence in sentences)
    without = "" if not bare else f"; {phrases.count(bare, 'sentence')} of {len(sentences)} without evidence"
    return f"{found} The answer rests on {len(cited) or 'none'} of them{without}."


def flag(sentence: Sentence) -> str:
    """What a reader must be told of a sentence; empty when it cites evidence that is there."""
    if sentence.unknown:
        return "cites what is not there"
    return "" if sentence.cites else "no evidence cited"


def place(snippet: Snippet) -> str:
    """Where a passage stands in its paper."""
    section = f"section “{snippet.section}”, " if snippet.section else ""
    return f"{section}{snippet.origin}, characters {snippet.start:,} to {snippet.end:,}"


def circumstances(snippet: Snippet, judged: str) -> str:
    """Its score and what found it."""
    scored = f"{'similarity' if judged == 'similarity' else 'relevance'} {snippet.score} of 10"
    return f"{scored}, cosine {phrases.cosine(snippet.similarity)}, round {snippet.round}, query “{snippet.query}”"


def shown_words(snippet: Snippet) -> str:
    """The words of a passage that a report shows: the quotation, else its beginning."""
    return snippet.quote or shorten(snippet.passage, _WITHOUT_QUOTE)


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
        yield f"> **Demonstration.** {DEMONSTRATION}"
    yield from _exploration(first)
    for number, exploration in enumerate(others, 1):
        yield f"# Follow-up {number}: {markdown_line(exploration.question)}"
        yield f"Asked as: {markdown_line(exploration.asked)}" if exploration.asked else ""
        yield from _exploration(exploration)
    yield from account_table(report.account, first.options)
    yield "## Papers"
    entries = [f"{number}. {_entry(paper)}" for number, paper in enumerate(papers_of(report), 1)]
    yield "\n".join(entries) or "None."


def _exploration(exploration: Exploration) -> Blocks:
    yield f"**{markdown_line(headline(exploration))}**"
    if exploration.weakness:
        yield f"Sought for this weak point of an idea: {markdown_prose(exploration.weakness)}"
    yield from _answer(exploration)
    yield "## Evidence"
    papers = {paper.id: paper for paper in exploration.papers}
    for number, snippet in enumerate(exploration.evidence, 1):
        yield from _snippet(number, snippet, papers.get(snippet.paper_id), exploration.judge)
    yield "" if exploration.evidence else "None was found."
    yield from _prospects(exploration)
    yield "## How it was found"
    yield markdown_line(exploration.ended)
    yield _rounds(exploration)
    if exploration.notes:
        yield "## What did not go as asked"
        yield "\n".join(f"- {markdown_line(note)}" for note in exploration.notes)


def _answer(exploration: Exploration) -> Blocks:
    if exploration.reply is None:
        return
    yield "## Answer"
    paragraph: list[str] = []
    for sentence in exploration.reply.sentences:
        if sentence.opens_paragraph and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        heed = f" **⚠ {flag(sentence)}**" if flag(sentence) else ""
        paragraph.append(markdown_phrase(sentence.text) + heed)
    yield " ".join(paragraph)
    if exploration.reply.gaps:
        yield f"**What the evidence leaves open.** {markdown_prose(exploration.reply.gaps)}"


def _snippet(number: int, snippet: Snippet, paper: Paper | None, judged: str) -> Blocks:
    yield f"### {number}. {_named(paper) if paper else '⚠ a paper that is not in this report'}"
    yield f"{markdown_line(place(snippet))}; {markdown_line(circumstances(snippet, judged))}"
    if snippet.summary != snippet.quote:
        yield markdown_prose(snippet.summary)
    yield "\n".join(f"> {line}" for line in markdown_prose(shown_words(snippet)).splitlines())
    yield "" if snippet.quote else "⚠ The reader quoted no sentence that stands in it; this is how the passage begins."


def _prospects(exploration: Exploration) -> Blocks:
    if exploration.problems:
        yield "## Open problems"
        yield "\n".join(f"- {markdown_phrase(each.text)} {_cites(each.cites)}" for each in exploration.problems)
    if exploration.concepts:
        yield "## Concepts"
        yield "\n".join(
            f"- **{markdown_line(each.name)}**: {markdown_phrase(each.description)} {_cites(each.cites)}"
            for each in exploration.concepts
        )


def _cites(places: tuple[int, ...]) -> str:
    return rf"\[{', '.join(map(str, places))}\]"


def _rounds(exploration: Exploration) -> str:
    header = "| Round | Queries | Missing before it | New papers | Passages read | Evidence |\n" + "|---" * 6 + "|"
    rows = (
        (
            str(each.number),
            "; ".join(each.queries),
            each.missing,
            str(each.papers),
            f"{each.judged}" + (f", {each.unreadable} without usable answer" if each.unreadable else ""),
            str(each.evidence),
        )
        for each in exploration.rounds
    )
    return "\n".join([header, *(f"| {' | '.join(map(markdown_line, row))} |" for row in rows)])


def _named(paper: Paper) -> str:
    title, url = markdown_line(paper.title) or "(untitled)", paper_url(paper)
    return f"{f'[{title}]({url})' if url else title}, {markdown_line(paper.short_citation)}"


def _entry(paper: Paper) -> str:
    authors = markdown_line(", ".join(paper.authors)) or "authors unknown"
    where = ", ".join(filter(None, [markdown_line(paper.venue), str(paper.year or "year unknown")]))
    return clean_line(f"{_named(paper)}. {authors}. {where}.")
