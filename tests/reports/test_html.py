"""The page shows everything that the run knows, and loads nothing."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from novum.core import Spend
from novum.reports.ideation.page import render_card, render_html

from .reading import Page
from .sample import BEST, CANDIDATES, COT, DEMONSTRATION, EMPTY, NOTES, PAPERS, REPORT, REPORTS, SENT_BACK, TOPIC

PAGES = {name: render_html(report) for name, report in REPORTS.items()}
FULL = Page(PAGES["full"])


def test_the_head_says_in_one_sentence_what_came_out():
    assert (
        "4 ideas from 3 chains of 12 real papers (1997–2023); the best won 2 of 3 comparisons; "
        "closest paper: Let's Verify Step by Step (2023)."
    ) in FULL.words


def test_every_idea_is_there_also_losers_and_drafts_that_were_sent_back():
    for idea in (*(candidate.idea for candidate in CANDIDATES), SENT_BACK):
        assert idea.title in FULL.words


def test_every_paper_is_there_with_its_link():
    links = set(FULL.values("href"))
    for paper in PAPERS:
        assert paper.title in FULL.words
        assert paper.ids.url is None or paper.ids.url in links


def test_every_citation_leads_to_a_paper_or_is_flagged():
    cited = [citation for candidate in CANDIDATES for citation in candidate.idea.citations]
    for citation in cited:
        after = FULL.words.split(f"{citation.name} ")[1:]
        resolved = citation.paper_id in {paper.id for paper in PAPERS}
        assert any(text.startswith("→" if resolved else "⚠ unresolved") for text in after)


def test_each_check_shows_its_verdict_its_reason_and_the_nearest_papers():
    for words in (
        "In none of the compared papers in round 2",
        "Already contained in Wang et al. 2022 in round 1",
        "no verdict",
        "0.83",
        "−0.04",
        "closest in the",
    ):
        assert words in FULL.words


def test_each_match_is_shown_in_both_orders_with_reasons_ties_and_failures():
    for words in (
        "Both would matter to the same people.",
        "tie",
        "the order decided",
        "Needs no training.",
        "no usable answer",
    ):
        assert words in FULL.words
    assert "verdicts 3 : 2, 1 tie, 2 criteria decided by the order" in FULL.words


def test_the_plan_stands_with_its_review_and_what_the_review_changed():
    for words in (
        "second entry never sees the first",
        "No learned verifier among the baselines.",
        "clarity: unknown",
        "dropped: Compare accuracy with voting.",
        "new: step verifier trained on PRM800K",
        "a & b < c",
    ):
        assert words in FULL.words


def test_the_chain_says_direction_trend_and_why_it_ends():
    for words in (
        "anchor",
        "forward",
        "backward",
        "with their working",
        "No trend was read",
        *CANDIDATES[0].chain.ends,
    ):
        assert words in FULL.words
    assert "no reader could read this paper" in FULL.words


def test_what_went_wrong_is_stated():
    assert all(note in FULL.words for note in NOTES)
    assert "3 unverified citations" in FULL.words


def test_what_nobody_could_state_is_unknown_and_never_zero():
    words = Page(render_html(DEMONSTRATION)).words
    assert "Electricity unknown (footprint of 18 calls unknown)" in words
    unpriced = REPORT.model_copy(
        update={"account": REPORT.account.model_copy(update={"spend": Spend(calls=3, usd_unknown=3)})}
    )
    assert "Cost unknown (price of 3 calls unknown)" in Page(render_html(unpriced)).words
    assert "$0" not in Page(render_html(unpriced)).words


def test_a_demonstration_says_so_first_and_how_to_get_ideas_worth_judging():
    words = Page(PAGES["demonstration"]).words
    order = ["Without a key.", COT.title, "Demonstration: ideas", BEST.title]
    assert sorted(order, key=words.index) == order
    assert "OPENAI_API_KEY" in words
    assert "--model provider:name" in words
    assert "Without a key." not in FULL.words


def test_a_run_without_ideas_says_why():
    words = Page(PAGES["empty"]).words
    assert "This run ended without an idea." in words
    assert EMPTY.ideation.notes[0] in words


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_the_page_loads_nothing(html):
    page = Page(html)
    assert not re.search(r"url\(|@import|\bsrc=|srcset", html)
    assert not set(page.tags) & {"script", "link", "iframe", "object", "embed", "img"}
    assert any("default-src 'none'" in value for value in page.values("content"))


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_the_page_is_well_formed_with_headings_in_order_landmarks_and_inner_links_that_lead_somewhere(html):
    page = Page(html)
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch(r"h\d", tag)]
    ids = page.values("id")
    assert page.faults == []
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
    assert {"header", "nav", "main", "footer"} <= set(page.tags)
    assert len(ids) == len(set(ids))
    assert {href[1:] for href in page.values("href") if href.startswith("#")} <= set(ids)


def test_every_drawing_has_words_or_is_hidden_from_those_who_listen():
    drawings = [attributes for tag, attributes in FULL.elements if tag == "svg"]
    assert drawings
    assert all(drawing.get("aria-label") or drawing.get("aria-hidden") == "true" for drawing in drawings)


def test_the_same_report_gives_the_same_page():
    assert render_html(REPORT) == PAGES["full"]


@pytest.mark.parametrize("name", REPORTS)
def test_the_card_for_notebooks_is_a_short_whole_fragment(name):
    card = render_card(REPORTS[name])
    page = Page(card)
    assert page.faults == []
    assert TOPIC in page.words
    assert not {"html", "style", "script"} & set(page.tags)
    assert len(card) < 10_000


def test_the_card_lists_every_idea_with_the_comparisons_that_it_won():
    words = Page(render_card(REPORT)).words
    assert all(candidate.idea.title in words for candidate in CANDIDATES)
    assert "won 2 of 3 comparisons" in words
    assert COT.title not in words


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", range(3), ids=["light", "dark", "print"])
def test_text_has_a_contrast_of_at_least_4_5_on_every_ground(scheme):
    schemes = [
        dict(re.findall(r"--([\w-]+): (#\w+)", block)) for block in re.findall(r":root \{(.*?)\}", PAGES["full"], re.S)
    ]
    colours = schemes[scheme]
    pairs = [(ink, ground) for ink in ("ink", "soft", "accent") for ground in ("paper", "card", "tint")]
    pairs += [("heed", "heed-tint"), ("heed", "paper"), ("ink", "heed-tint"), ("on-accent", "accent")]
    assert all(_contrast(colours[ink], colours[ground]) >= 4.5 for ink, ground in pairs)


def test_the_page_of_a_refined_idea_has_its_context_its_drafts_and_the_comments_on_them():
    page = Page(PAGES["refined"])
    for words in (
        "It was developed from 5 papers",
        "1 signal, 1 group, 2 relations",
        "None derives a step twice.",
        "Nye et al. 2021",
        "The latter needs no verifier.",
        "⚠ not in this report",
        "2 drafts, 1 comment",
        "No data are named.",
        "Draft 1 and draft 2 verdicts 0 : 2",
        "How sure the judges were Not compared",
    ):
        assert words in page.words
    assert "chain of" not in page.words
    assert "No trend was read" not in page.words
