"""An answer as text for the terminal: its sentences and the passages that they cite."""

from __future__ import annotations

from collections.abc import Iterator

from novum.cli.shell.terminal import one_line, printable
from novum.core import Exploration, ExplorationReport, Reply, Snippet
from novum.reports.exploration.phrases import ACCOUNT, citation_flag, cited_places, passage_words, unread_text

_QUOTED = 240


def answers(report: ExplorationReport) -> list[str]:
    """All questions of a report with their answers, in lines."""
    return [line for each in report.explorations for line in (*answer_lines(each), "")]


def answer_lines(exploration: Exploration) -> Iterator[str]:
    """One question: the answer, then the evidence that it cites; without an answer all evidence."""
    yield one_line(exploration.question)
    yield ""
    if exploration.reply:
        yield from _answer(exploration.reply, unread_text(exploration))
    papers = {paper.id: paper for paper in exploration.papers}
    used = cited_places(exploration)
    for number, snippet in enumerate(exploration.evidence, 1):
        if number in used or not used:
            paper = papers.get(snippet.paper_id)
            source = f"{paper.short_citation}: {paper.title}" if paper else snippet.paper_id
            section = f" ({one_line(snippet.section, 80)})" if snippet.section else ""
            yield f"[{number}] {one_line(source, 160)}{section}"
            yield f"    {_words(snippet)}"


def _words(snippet: Snippet) -> str:
    """In quotation marks only if they are the words of the paper."""
    words = one_line(passage_words(snippet), _QUOTED)
    return f"{ACCOUNT} {words}" if snippet.is_account else f"“{words}”"


def _answer(reply: Reply, not_read: str) -> Iterator[str]:
    for paragraph in _paragraphs(reply):
        yield printable(paragraph)
        yield ""
    left = {
        "Not in the passages read": reply.gaps,
        "Note": not_read,
        "Said by a passage to be open": reply.stated_open,
    }
    for what, text in left.items():
        if text:
            yield f"{what}: {one_line(text)}"
            yield ""


def _paragraphs(reply: Reply) -> list[str]:
    paragraphs: list[str] = []
    for sentence in reply.sentences:
        words = one_line(sentence.text) + (f" (⚠ {citation_flag(sentence)})" if citation_flag(sentence) else "")
        if sentence.opens_paragraph or not paragraphs:
            paragraphs.append(words)
        else:
            paragraphs[-1] += f" {words}"
    return paragraphs
