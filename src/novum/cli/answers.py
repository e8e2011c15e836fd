"""An answer for the terminal: its sentences with what they rest on, and the passages that they cite."""

from __future__ import annotations

from collections.abc import Iterator

from novum.cli.terminal import one_line, printable
from novum.core import Exploration, ExplorationReport, Reply
from novum.reports.exploration import flag, shown_words

_QUOTED = 240


def answers(report: ExplorationReport) -> list[str]:
    """All questions of a report with their answers, in lines."""
    return [line for each in report.explorations for line in (*told(each), "")]


def told(exploration: Exploration) -> Iterator[str]:
    """One question: the answer, then the evidence that it cites; without an answer all evidence."""
    yield one_line(exploration.question)
    yield ""
    if exploration.reply:
        yield from _answer(exploration.reply)
    papers = {paper.id: paper for paper in exploration.papers}
    cited = {place for each in exploration.reply.sentences for place in each.cites} if exploration.reply else set()
    for number, snippet in enumerate(exploration.evidence, 1):
        if number in cited or not cited:
            paper = papers.get(snippet.paper_id)
            source = f"{paper.short_citation}: {paper.title}" if paper else snippet.paper_id
            section = f" ({snippet.section})" if snippet.section else ""
            yield f"[{number}] {one_line(source, 160)}{one_line(section, 80)}"
            yield f"    “{one_line(shown_words(snippet), _QUOTED)}”"


def _answer(reply: Reply) -> Iterator[str]:
    for paragraph in _paragraphs(reply):
        yield printable(paragraph)
        yield ""
    if reply.gaps:
        yield f"Left open: {one_line(reply.gaps)}"
        yield ""


def _paragraphs(reply: Reply) -> list[str]:
    paragraphs: list[str] = []
    for sentence in reply.sentences:
        words = one_line(sentence.text) + (f" (⚠ {flag(sentence)})" if flag(sentence) else "")
        if sentence.opens_paragraph or not paragraphs:
            paragraphs.append(words)
        else:
            paragraphs[-1] += f" {words}"
    return paragraphs
