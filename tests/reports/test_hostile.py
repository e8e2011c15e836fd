"""Whatever a model or a paper says, a report stays a report."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from novum.core import Identifiers, Paper
from novum.reports.ideation.markdown.report import render_markdown
from novum.reports.ideation.page import render_card, render_html
from novum.reports.markdown import markdown_phrase, markdown_prose
from novum.reports.sanitizing import PROSE_LIMIT, beginning, clean, paper_url, prose

from .reading import Page, poisoned
from .sample import MODERN, REPORT

POISONS = {
    "script": "<script>alert(1)</script>",
    "script in pieces": "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "image handler": '<img src=x onerror="alert(1)">',
    "remote image": "![x](https://evil.example/pixel.png)",
    "data image": "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "reference image": "![x][y]\n\n[y]: https://evil.example/pixel.png",
    "javascript link": "[x](javascript:alert(1))",
    "javascript link, disguised": "[x](&#106;avascript&colon;alert(1)) [y](JaVaScRiPt:alert(1)) [z](\x01javascript:x)",
    "javascript reference": "[x]\n\n[x]: javascript:alert(1)",
    "autolink": "<javascript:alert(1)> <data:text/html,x>",
    "vbscript and data links": "[x](vbscript:x) [y](data:text/html;base64,PHNjcmlwdD4=)",
    "attribute break": "\"><svg onload=alert(1)> '><b onclick=alert(1)>",
    "unclosed tags": "<div><table><b><details><!-- <style> <title> <textarea>",
    "closing tags": "</p></div></details></main></body></html></style></script></title>",
    "comment": "<!-- x --!> <![CDATA[ x ]]> <?php x ?>",
    "unclosed fence": "```html\n<script>alert(1)</script>\n",
    "tilde fence in a list": "- ~~~\n  <script>\n",
    "indented code": "\n\n        <script>alert(1)</script>\n",
    "link title": '[x](https://example.org "onmouseover=alert(1)")',
    "style": '<style>@import "https://evil.example/x.css";</style> <p style="background:url(https://evil.example)">',
    "refresh": '<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example">',
    "template": "{{ 7 * 7 }} {% raw %} {# x #} ${x}",
    "headings": "\n# Fake section\n\nExperiment\n==========\n\nx\n---\n",
    "table": "\n| a | b |\n|---|---|\n| <script> | [x](javascript:x) |\n",
    "bidi": "\u202egnp.exe\u202c \u2066x\u2069",
    "controls": "\x00\x07\x08\x1b[31m\x7f\x9b",
    "half a pair": "\ud800 \udfff",
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &#x3c;script&#x3e;",
}
QUICKLY_TRIED = {"script in pieces", "javascript link, disguised", "attribute break", "closing tags", "unclosed fence"}
TRIED = [
    pytest.param(poison, id=name, marks=() if name in QUICKLY_TRIED else pytest.mark.slow)
    for name, poison in POISONS.items()
]
"""One after the other; all of them at once, in any order, are tried further down."""
SAFE_SCHEMES = {"https", "http", ""}


def faults(html: str, script_free: bool = True) -> list[str]:
    """Everything that would let foreign text act, or break the page around it."""
    page = Page(html)
    schemes = {urlsplit(address).scheme for address in page.values("href")}
    return [
        *page.faults,
        *(f"handler {name}" for name in page.attributes if name.startswith("on")),
        *(f"scheme {scheme}" for scheme in schemes - SAFE_SCHEMES),
        *(
            f"<{tag}>"
            for tag in page.tags
            if tag in {"script", "img", "iframe", "object", "embed", "form", "base", "link"}
        ),
        *(f"loads {address}" for address in page.values("src")),
    ]


@pytest.mark.parametrize("sample", [REPORT, MODERN], ids=["full", "modern"])
@pytest.mark.parametrize("poison", TRIED)
def test_evil_text_in_every_field_cannot_act_on_the_page(poison, sample):
    report = poisoned(poison, sample)
    html = render_html(report)
    assert faults(html) == []
    assert faults(render_card(report)) == []
    assert Page(html).tags.count("style") == 1
    assert Page(html).tags.count("meta") == Page(render_html(REPORT)).tags.count("meta")


@pytest.mark.parametrize("sample", [REPORT, MODERN], ids=["full", "modern"])
@pytest.mark.parametrize("poison", TRIED)
def test_evil_text_passes_no_html_link_or_image_into_the_markdown(poison, sample):
    markdown = render_markdown(poisoned(poison, sample))
    blocks = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown)
    tokens = [token for block in blocks for token in [block, *(block.children or [])]]
    kinds = {token.type for token in tokens}
    links = {str(token.attrs["href"]) for token in tokens if token.type == "link_open"}
    assert not kinds & {"html_block", "html_inline", "image", "fence", "code_block"}
    assert {urlsplit(address).scheme for address in links} == {"https"}
    assert {urlsplit(address).hostname for address in links} == {"arxiv.org", "doi.org"}


def test_a_model_cannot_forge_the_outline_of_either_report():
    evil = poisoned("\n# Fake section\n\nFake\n====\n\nFake\n-\n\n> # Fake\n\n- # Fake\n")
    for forged, true in (
        (Page(render_html(evil)).tags, Page(render_html(REPORT)).tags),
        (_levels(render_markdown(evil)), _levels(render_markdown(REPORT))),
    ):
        assert [tag for tag in forged if re.fullmatch(r"h\d", tag)] == [
            tag for tag in true if re.fullmatch(r"h\d", tag)
        ]


def _levels(markdown: str) -> list[str]:
    return [
        token.tag
        for token in MarkdownIt("gfm-like", {"linkify": False}).parse(markdown)
        if token.type == "heading_open"
    ]


pieces = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            [*POISONS.values(), *"<>[]()!\"'`*_~#|&\\-= \n", "](", "<a href=", "javascript:", "    ", "1. "]
        ),
    ),
    max_size=14,
).map("".join)


@given(pieces)
@settings(max_examples=100, deadline=None)
def test_prose_is_balanced_html_of_a_few_harmless_tags(text):
    html = str(prose(text))
    page = Page(html)
    assert faults(html) == []
    assert page.attributes <= {"href", "rel", "start"}
    assert all(address.lower().startswith(("http://", "https://")) for address in page.values("href"))


@given(pieces)
@settings(max_examples=100, deadline=None)
def test_markdown_of_models_never_becomes_html_a_link_a_heading_or_code(text):
    for written in (markdown_prose(text), markdown_phrase(text)):
        html = MarkdownIt("commonmark", {"html": True}).enable("table").render(written)
        assert set(Page(html).tags) <= {
            "p", "em", "strong", "ul", "ol", "li", "blockquote", "br", "table", "thead", "tbody", "tr", "th", "td", "hr"
        } | ({"pre", "code"} if "     " in written else set())  # fmt: skip


@given(pieces)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_in_every_field_leaves_a_whole_page(text):
    assert faults(render_html(poisoned(clean(text)))) == []


@given(st.text(), st.text())
def test_a_papers_address_cannot_leave_its_attribute_or_its_brackets(doi, arxiv):
    address = paper_url(Paper(title="x", ids=Identifiers(doi=doi or None, arxiv=arxiv or None)))
    assert address is None or re.fullmatch(r"https://[\w/:?=&%.,;+~-]+", address, re.ASCII)


def test_links_of_models_are_shown_but_not_vouched_for():
    assert str(prose("[site](https://example.org)")) == (
        '<p><a href="https://example.org" rel="noopener nofollow">site</a></p>\n'
    )


def test_html_of_models_is_shown_as_they_wrote_it():
    assert Page(str(prose("a <b>bold</b> <script>claim</script>"))).text == "a <b>bold</b> <script>claim</script>\n"


def test_unseen_and_reversing_characters_are_dropped_and_halves_of_characters_replaced():
    assert clean("a\u202eb\u200bc\x00d\ud800e\U000e0041f\r\ng") == "abcd\ufffdef\ng"


def test_joiners_that_scripts_and_emoji_need_are_kept():
    assert clean("می‌خواهم 👩‍🔬") == "می‌خواهم 👩‍🔬"


def test_a_huge_text_is_cut_where_it_says_so():
    shown = clean("word " * 100_000)
    assert len(shown) < PROSE_LIMIT + 100
    assert "cut here" in shown


def test_the_opening_of_a_text_is_plain_words():
    assert beginning("**Bold** `<b>` [link](https://example.org)\n\n- point") == "Bold <b> link point"
