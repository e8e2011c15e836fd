"""Foreign text made safe to show: what models and papers say may hold HTML, scripts, images and unseen characters."""

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
"""Characters of one model-written text that a page shows; the whole of it is in the JSON file."""
LINE_LIMIT = 2_000
"""Characters of anything that should be a phrase: a title, a name, a label."""
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
    """The same on one line."""
    return _BLANKS.sub(" ", clean(text, limit)).strip()


def paper_url(paper: Paper) -> str | None:
    """The paper's web address with everything quoted that could leave an attribute or a Markdown link; or None."""
    address = paper.ids.url
    if address is None:
        return None
    return quote(clean_line(address), safe="/:?=&%.,;+-_~")


def _is_web_address(url: str) -> bool:
    return url.lower().startswith(("https://", "http://"))


def _image_as_words(renderer: RendererHTML, tokens: list[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    return str(renderer.renderInlineAsText(tokens[at].children or [], options, env))


def _heading_as_words(renderer: RendererHTML, tokens: list[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    """A model's headings would break the outline of the page."""
    return "<p><strong>" if tokens[at].nesting == 1 else "</strong></p>\n"


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.validateLink = _is_web_address  # type: ignore[method-assign]  # its documented way to be stricter
    reader.add_render_rule("image", _image_as_words)
    reader.add_render_rule("heading_open", _heading_as_words)
    reader.add_render_rule("heading_close", _heading_as_words)
    return reader


_READER = _reader()
_TAGS = {
    "a", "blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_WASHER = nh3.Cleaner(
    tags=_TAGS,
    attributes={"*": set(), "a": {"href"}, "ol": {"start"}},
    url_schemes={"http", "https"},
    url_relative="deny",
    link_rel="noopener nofollow",
)


def prose(text: str) -> Markup:
    """Model-written Markdown as harmless HTML: no raw HTML, no images, links to the web only."""
    return Markup(_WASHER.clean(_READER.render(clean(text))))  # noqa: S704  # washed against an allow list


def opening(text: str, limit: int = 300) -> str:
    """The beginning of model-written Markdown as plain words, to be escaped by whoever shows it."""
    words = Markup(nh3.clean(prose(text), tags=set())).unescape()  # noqa: S704  # unescaped at once
    return shorten(clean_line(words), limit)


_LINE_SPECIALS = re.compile(r"([\\`*_\[\]!|~#$])")
_LINE_MARKER = re.compile(r"^(\d*)([.)](?!\w)|[+=-])")
"""What would begin a list or underline a heading; the point in 0.7 does neither."""
_PROSE_SPECIALS = re.compile(r"([\\`\[\]~#$])")
_RULE_OR_UNDERLINE = re.compile(r"^([ >]*)(?==+ *$|(?:[-*_] *)+$)", re.MULTILINE)
_MARGIN = re.compile(r"^[ \t]+", re.MULTILINE)
_ENTITY = re.compile(r"&(?=#|\w+;)")


def _without_html(text: str) -> str:
    # A backslash before "<" is no escape in older Markdown; the entity works everywhere.
    return _ENTITY.sub("&amp;", text).replace("<", "&lt;")


def markdown_line(text: str) -> str:
    """A phrase for Markdown: every character stands for itself."""
    line = _LINE_SPECIALS.sub(r"\\\1", _without_html(clean_line(text)).replace(">", "&gt;"))
    return _LINE_MARKER.sub(r"\1\\\2", line)


def markdown_phrase(text: str) -> str:
    """Model-written Markdown on one line, for list items and table cells: emphasis stays, as in `markdown_prose`."""
    line = _PROSE_SPECIALS.sub(r"\\\1", _without_html(clean_line(text, PROSE_LIMIT)))
    return _LINE_MARKER.sub(r"\1\\\2", line.replace("|", r"\|"))


def markdown_prose(text: str) -> str:
    """Model-written Markdown for a Markdown file: emphasis, lists and quotations stay; what links, embeds, makes
    headings or code becomes plain characters (inside code no escape would work, so an open fence would win)."""
    # Four blanks of margin would make a code block, in which the escapes show.
    flat = _MARGIN.sub(lambda blanks: " " * min(len(blanks[0]), 3), clean(text).replace("\t", "  "))
    plain = _PROSE_SPECIALS.sub(r"\\\1", _without_html(flat))
    return _RULE_OR_UNDERLINE.sub(r"\1\\", plain).strip()
