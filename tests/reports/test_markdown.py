"""The Markdown report holds the same facts as the page."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from novum.reports.ideation.markdown import render_markdown

from .reading import Page
from .sample import BEST, CANDIDATES, DEMONSTRATION, NOTES, PAPERS, REPORT, REPORTS, SENT_BACK

FULL = Page(MarkdownIt("commonmark").enable("table").render(render_markdown(REPORT))).words


def test_every_idea_paper_note_and_verdict_is_there():
    expected = [
        *(candidate.idea.title for candidate in CANDIDATES),
        SENT_BACK.title,
        *(paper.title for paper in PAPERS),
        *NOTES,
        "Both would matter to the same people.",
        "no usable answer from openai:gpt-example",
        "the order decided",
        "at least $0.42 (price of 5 calls unknown)",
        "dropped: Compare accuracy with voting.",
        "No reader could read this paper.",
    ]
    assert [words for words in expected if words not in FULL] == []


def test_unresolved_citations_are_flagged_where_they_stand_and_in_the_notes():
    assert "Hartmann & Okafor 2024, Balanced Thought → ⚠ unresolved" in FULL
    assert "⚠ unresolved citation: Hartmann & Okafor 2024, Balanced Thought" in FULL


def test_lists_and_emphasis_of_the_model_survive():
    assert "**twice, from different sides**" in render_markdown(REPORT)
    assert "1. Agreement is asked of steps, not of answers.\n2. " in render_markdown(REPORT)


def test_a_demonstration_says_so_before_its_ideas():
    words = render_markdown(DEMONSTRATION)
    assert words.index("Without a key.") < words.index("## Demonstration") < words.index(BEST.title)
    assert "`OPENAI_API_KEY`" in words


@pytest.mark.parametrize("name", REPORTS)
def test_the_same_report_gives_the_same_text(name):
    assert render_markdown(REPORTS[name]) == render_markdown(REPORTS[name])
