"""Make foreign text safe to show: text of models and papers may hold HTML, scripts, images and invisible characters."""

from __future__ import annotations

import re
from urllib.parse import quote

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

from novum.core import Paper, shorten

PROSE_LIMIT = 20_000
"""Most characters of one model-written text that a page shows; the JSON file has the whole text."""
LINE_LIMIT = 2_000
"""Most characters of a title, a name or a label."""
CUT = " [cut here; the whole text is in report.json]"

_LINE_ENDS = re.compile("\r\n?|[\x85\u2028\u2029]")
# Controls, bidi marks and overrides, zero-width and tag characters: they hide text or turn it round. The joiners
# U+200C and U+200D stay, as Persian, Indic scripts and emoji need them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\uffff\U000e0000-\U000e0fff]"
)
_HALVES = re.compile("[\ud800-\udfff]")
_PILED_MARKS = re.compile("([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{3})[\u0300-\u036f"
                          "\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")  # fmt: skip
_BLANKS = re.compile(r"\s+")


def clean(text: str, limit: int = PROSE_LIMIT) -> str:
    """The text without characters that hide, reverse or pile up; at most about `limit` characters, the cut marked."""
    cut = text[: limit + 1]
    seen = _HALVES.sub("\ufffd", _UNSEEN.sub("", _LINE_ENDS.sub("\n", cut)))
    tidy = _PILED_MARKS.sub(r"\1", seen)
    return tidy if len(text) <= limit else shorten(tidy, limit) + CUT


def clean_line(text: str, limit: int = LINE_LIMIT) -> str:
    """Cleaned text on one line; runs of white space become one space."""
    return _BLANKS.sub(" ", clean(text, limit)).strip()


def paper_url(paper: Paper) -> str | None:
    """The paper's web address with everything quoted that could leave an attribute or a Markdown link; or None."""
    address = paper.ids.url
    if address is None:
        return None
    return quote(clean_line(address), safe="/:?=&%.,;+-_~")


def paper_label(paper: Paper, limit: int = 24) -> str:
    """Author and year, or the beginning of the title: enough to recognise a paper by. `limit`: characters of a name."""
    name = shorten(clean_line(paper.short_authors or paper.title), limit)
    return f"{name} {paper.year or 'n.d.'}"


def _is_web_address(url: str) -> bool:
    return url.lower().startswith(("https://", "http://"))


def _image_as_words(renderer: RendererHTML, tokens: list[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    return str(renderer.renderInlineAsText(tokens[at].children or [], options, env))


def _heading_as_words(renderer: RendererHTML, tokens: list[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    """A model's headings would break the outline of the page."""
    return "<p><strong>" if tokens[at].nesting == 1 else "</strong></p>\n"


def _reader(*, headings: bool = False) -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.validateLink = _is_web_address  # type: ignore[method-assign]  # its documented way to be stricter
    reader.add_render_rule("image", _image_as_words)
    if not headings:
        reader.add_render_rule("heading_open", _heading_as_words)
        reader.add_render_rule("heading_close", _heading_as_words)
    return reader


_READER, _DOCUMENT_READER = _reader(), _reader(headings=True)
_TAGS = {
    "a", "blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip


def _washer(*more: str) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=_TAGS | set(more),
        attributes={"*": set(), "a": {"href"}, "ol": {"start"}},
        url_schemes={"http", "https"},
        url_relative="deny",
        link_rel="noopener nofollow",
    )


_WASHER, _DOCUMENT_WASHER = _washer(), _washer("h1", "h2", "h3")


def prose(text: str) -> Markup:
    """Model-written Markdown as harmless HTML: no raw HTML, no images, links to the web only."""
    return Markup(_WASHER.clean(_READER.render(clean(text))))  # noqa: S704  # washed against an allow list


def document(markdown: str) -> Markup:
    """A whole document of our own Markdown, in which foreign text is escaped already, as HTML with its headings."""
    return Markup(_DOCUMENT_WASHER.clean(_DOCUMENT_READER.render(markdown)))  # noqa: S704  # washed like prose


def beginning(text: str, limit: int = 300) -> str:
    """The beginning of model-written Markdown as plain words; the caller must escape it."""
    words = Markup(nh3.clean(prose(text), tags=set())).unescape()  # noqa: S704  # unescaped at once
    return shorten(clean_line(words), limit)
