"""The Markdown report holds the same facts as the page."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from novum.reports.ideation.markdown.report import render_markdown

from .reading import Page
from .sample import BEST, CANDIDATES, DEMONSTRATION, NOTES, PAPERS, REFINED, REPORT, REPORTS, SENT_BACK

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
    assert "⚠ unverified citation: Hartmann & Okafor 2024, Balanced Thought" in FULL


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


def test_a_run_with_a_context_shows_it_with_the_drafts_and_the_comments_on_them():
    text = render_markdown(REFINED)
    expected = [
        "## The context it was developed from",
        "**Insight.** None derives a step twice. (",
        "**Group Steps in words.** All write steps. (",
        "The latter needs no verifier.",
        "not in this report: They disagree.",
        "#### The papers behind idea 1",
        "**The comment on it.**",
        "- No data are named.",
        "#### Draft 1 and draft 2",
        "**draft 2** The later one names its check.",
    ]
    places = [text.find(each) for each in expected]
    assert -1 not in places
    assert places == sorted(places)
    assert "No trend was read" not in text
    assert text.count("not checked") == 2  # in the table and of the idea, but not of each draft
