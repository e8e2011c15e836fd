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
_TITLE = re.compile(r"<title[^<>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_WEB_PAGE = re.compile(rb"\s*(<!--.*?-->\s*)?<(!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)


def explanation(body: str, status: int = 0) -> str:
    """The explanation in the body of a refusal, JSON or HTML or text; empty when there is none."""
    text = _from_json(body) or (_from_page(body) if is_web_page(body.encode()[:2000]) else body)
    line = without_markup(clean_text(html.unescape(text)))
    return line.removeprefix(f"{status} ")[:_LONGEST].strip()


def is_web_page(body: bytes) -> bool:
    """Whether a response is HTML, as a proxy, a sign-in page or a server in trouble sends it instead of data."""
    return _WEB_PAGE.match(body[:2000]) is not None


def page_title(body: bytes) -> str:
    """The title of an HTML page, or the beginning of its text."""
    return _title(body[:20_000].decode("utf-8", "replace"))[:80]


def _from_page(page: str) -> str:
    return clean_text(without_markup(_UNSEEN.sub(" ", page))) or _title(page)


def _title(page: str) -> str:
    found = _TITLE.search(page)
    return clean_text(html.unescape(found.group(1) if found else without_markup(_UNSEEN.sub(" ", page))))


def _from_json(body: str) -> str:
    try:
        value = orjson.loads(body)
    except ValueError:
        cut = _WITHIN.search(body) if body.lstrip().startswith(("{", "[")) else None
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
