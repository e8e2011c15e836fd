"""What a service says when it refuses a request: its own explanation, on one line."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping

import orjson

from novum.literature.importing.cleaning import clean_text, without_markup

_LONGEST = 200
"""Characters that are shown."""
_NAMES = ("message", "detail", "description", "error_description", "errorMessage", "error", "errors", "reason", "title")
"""Where services write the explanation, the most telling first: OpenAlex has the kind of error under `error`, the
explanation under `message`."""
_DEEPEST = 4
_WITHIN = re.compile(r'"(?:message|detail|error|reason)"\s*:\s*"((?:[^"\\]|\\.){1,400})"')
"""In JSON that was cut off."""
_UNSEEN = re.compile(r"<!--.*?-->|<![^<>]*>|<(head|script|style|noscript)\b.*?(</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_BLOCK_END = re.compile(r"[.:!?]?\s*</(h[1-6]|p|div|li|tr|title)\s*>|[.:!?]?\s*<br[^<>]{0,50}>", re.IGNORECASE)
_IN_XML = re.compile(r"<(?:\w+:)?(summary|message|errmsg|detail|reason)\b[^<>]{0,200}>([^<]{1,1000})<", re.IGNORECASE)
_TITLE = re.compile(r"<title[^<>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_WEB_PAGE = re.compile(rb"\s*(<!--.*?-->\s*)?<(!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)


def explanation(body: str, status: int = 0) -> str:
    """The explanation in the body of a refusal, JSON or HTML or text; empty when there is none."""
    start = body.lstrip()[:1]
    text = (start == "<" and _from_markup(body)) or (start in ("{", "[") and _from_json(body)) or body
    line = without_markup(clean_text(html.unescape(text)))
    return line.removeprefix(f"{status} ")[:_LONGEST].strip()


def _from_markup(body: str) -> str:
    """Of HTML the visible text; of XML what an element of a usual name says."""
    if is_web_page(body[:2000].encode()):
        return _from_page(body)
    found = _IN_XML.search(body)
    return found.group(2) if found else ""


def is_web_page(body: bytes) -> bool:
    """Whether a response is HTML, as a proxy, a sign-in page or a server in trouble sends it instead of data."""
    return _WEB_PAGE.match(body[:2000]) is not None


def page_title(body: bytes) -> str:
    """The title of an HTML page, or the beginning of its text."""
    return _title(body[:20_000].decode("utf-8", "replace"))[:80]


def _from_page(page: str) -> str:
    visible = _BLOCK_END.sub(". ", _UNSEEN.sub(" ", page))
    return clean_text(without_markup(visible)).strip(". ") or _title(page)


def _title(page: str) -> str:
    found = _TITLE.search(page)
    return clean_text(html.unescape(found.group(1) if found else without_markup(_UNSEEN.sub(" ", page))))


def _from_json(body: str) -> str:
    try:
        value = orjson.loads(body)
    except ValueError:
        cut = _WITHIN.search(body)
        return cut.group(1) if cut else ""
    return next(_explanations(value, _DEEPEST), "")


def _explanations(value: object, deep: int) -> Iterator[str]:
    """Texts under the usual names, however nested: Crossref writes a list of objects under `message`."""
    if isinstance(value, str) and clean_text(value):
        yield value
    elif isinstance(value, list) and deep:
        for member in value[:5]:
            yield from _explanations(member, deep - 1)
    elif isinstance(value, Mapping) and deep:
        for name in _NAMES:
            yield from _explanations(value.get(name), deep - 1)
