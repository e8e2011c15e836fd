"""Takes keys and passwords out of every text that leaves the process: ledger, files, reports, log, terminal.

Each secret is registered where it is loaded: keys of the environment, credentials in addresses, passwords of proxies
and databases. The set is one per process, as the environment and the terminal are. `redact` is for data and takes out
known secrets alone; `redact_message` is for messages and also takes out whatever looks like a credential.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from novum.credentials.escapes import decoded, decoded_spans, may_hold_escapes

REDACTED = "[redacted]"
SHORTEST = 8
"""Characters. A shorter secret would take ordinary words out of every text; it is taken out of addresses only."""
_STRONG = 16
"""Characters from which a secret with a digit is found inside longer words as well."""
_PADDING = "(?:[A-Za-z0-9+/_-]?={1,2})?"
_ANY_CASE = "(?i:"
"""How the expression of a strong secret begins: names of papers are stored in small letters."""
_TAG = re.compile("<[^<>]*>")
_NO_WORD_BEFORE, _NO_WORD_AFTER = "(?<![A-Za-z0-9])", "(?![A-Za-z0-9])"


class _Forms:
    """The forms of secrets, for a fast look whether a text may hold one: as they are, and those that count in any case,
    in small letters."""

    def __init__(self, exact: tuple[str, ...] = (), small: tuple[str, ...] = ()) -> None:
        self._exact, self._small = exact, small
        self._exact_bytes, self._small_bytes = (tuple(form.encode() for form in each) for each in (exact, small))

    def __bool__(self) -> bool:
        return bool(self._exact or self._small)

    def may_be_in(self, text: str) -> bool:
        """Whether one of them stands in a text."""
        small = text.lower() if self._small else ""
        return any(form in text for form in self._exact) or any(form in small for form in self._small)

    def may_be_in_bytes(self, data: bytes) -> bool:
        """The same for text in UTF-8."""
        small = data.lower() if self._small else b""
        return any(form in data for form in self._exact_bytes) or any(form in small for form in self._small_bytes)


class Redactor:
    """A set of known secrets, each in all forms in which it may be written, and texts without them."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._patterns: dict[str, str] = {}
        """Each form with the regular expression that finds it."""
        self._forms = _Forms()
        self._any = re.compile("(?!)")
        self._any_encoded = re.compile(b"(?!)")

    def add(self, *secrets: str) -> None:
        """Adds secrets; those that are shorter than eight characters are ignored."""
        encodable = (each.encode("utf-8", "replace").decode() for each in secrets)  # the environment may hold any bytes
        new = {each for each in encodable if len(each) >= SHORTEST} - self._secrets
        if not new:
            return
        self._secrets |= new
        patterns = self._patterns | {form: pattern for each in sorted(new) for form, pattern in _patterns(each)}
        whole = "|".join(patterns[form] for form in sorted(patterns, key=len, reverse=True))
        self._patterns, self._any, self._any_encoded = patterns, re.compile(whole), re.compile(whole.encode())
        in_any_case = {form for form, pattern in patterns.items() if pattern.startswith(_ANY_CASE)}
        self._forms = _Forms(tuple(patterns.keys() - in_any_case), tuple(form.lower() for form in in_any_case))

    def text(self, text: str) -> str:
        """`text` with `[redacted]` in place of each known secret. Fast where none occurs: a test for substrings
        is several times as fast as one regular expression for all."""
        if self._forms.may_be_in(text):
            text = self._any.sub(REDACTED, text)
        return self._without_escaped(text) if self._forms and may_hold_escapes(text) else text

    def data(self, data: bytes) -> bytes:
        """The same for text in UTF-8."""
        if self._forms.may_be_in_bytes(data):
            data = self._any_encoded.sub(REDACTED.encode(), data)
        if not self._forms or b"\0" in data:  # then it is no text
            return data
        text = data.decode("utf-8", "surrogateescape")  # what is not UTF-8 stays as it is
        without = self._without_escaped(text) if may_hold_escapes(text) else text
        return data if without is text else without.encode("utf-8", "surrogateescape")

    def _without_escaped(self, text: str) -> str:
        """`text` without secrets of which some or all characters are escaped, in any mixture."""
        readable = decoded(text)
        if not self._forms.may_be_in(readable):
            return text
        plain, starts, ends = decoded_spans(text)
        pieces, at = [], 0
        for match in self._any.finditer(plain):
            pieces += [text[at : starts[match.start()]], REDACTED]
            at = ends[match.end() - 1]
        return "".join([*pieces, text[at:]]) if at else text

    def message(self, text: str) -> str:
        """`text` without known secrets, and without what looks like one: credentials in addresses, headers of
        authorization, keys with the prefix of a provider."""
        text = self.text(text)
        for pattern, replacement in _CREDENTIALS:
            text = pattern.sub(replacement, text)
        return text


_process = Redactor()


def register_secrets(*secrets: str) -> None:
    """Adds keys or passwords to the secrets of this process."""
    _process.add(*secrets)


def redact(text: str) -> str:
    """Data without the secrets of this process."""
    return _process.text(text)


def redact_bytes(data: bytes) -> bytes:
    """Data in UTF-8 without the secrets of this process."""
    return _process.data(data)


def redact_message(text: str) -> str:
    """A message without the secrets of this process and without what looks like a credential."""
    return _process.message(text)


def _patterns(secret: str) -> Iterator[tuple[str, str]]:
    """The forms of a secret, each with its regular expression."""
    strong = len(secret) >= _STRONG and any(char.isdigit() for char in secret)
    for form in dict.fromkeys(_plain_forms(secret)):
        pattern = re.escape(form)
        yield (
            form,
            f"{_ANY_CASE}{pattern})" if strong and form.isascii() else f"{_NO_WORD_BEFORE}{pattern}{_NO_WORD_AFTER}",
        )
    for form in dict.fromkeys(_base64_forms(secret)):
        yield form, re.escape(form) + _PADDING


def _plain_forms(secret: str) -> Iterator[str]:
    yield secret
    for each in {secret, decoded(secret), _TAG.sub(" ", secret)}:  # as it is once it is decoded and cleaned
        if len(cleaned := " ".join(each.split())) >= SHORTEST:
            yield cleaned
    for encoded in (quote(secret, safe=""), quote(secret), quote_plus(secret)):
        yield encoded
        yield re.sub(r"%[0-9A-F]{2}", lambda match: match[0].lower(), encoded)
    for in_json in (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
        for escaped in (in_json, in_json.replace("/", "\\/")):
            yield escaped
            yield json.dumps(escaped)[1:-1]
    yield html.escape(secret)
    raw = secret.encode()
    yield from (raw.hex(), raw.hex().upper())
    if not secret.isascii():  # of ASCII, all mixtures are found by decoding
        yield from (f"%{raw.hex('%')}", f"%{raw.hex('%').upper()}")
    yield re.sub(r"([\\`*_\[\]$~|#])", r"\\\1", secret)  # in Markdown


def _base64_forms(secret: str) -> Iterator[str]:
    """The part of its base64 that is the same whatever stands around it, for each of the three alignments."""
    for before in range(3):
        raw = b"\0" * before + secret.encode()
        cut = {0: 0, 1: 3, 2: 2}[len(raw) % 3]
        core = base64.b64encode(raw).decode()
        core = core[{0: 0, 1: 2, 2: 3}[before] : len(core) - cut]
        yield core
        yield core.translate(_URL_SAFE)


_URL_SAFE = str.maketrans("+/", "-_")


def _bearer(match: re.Match[str]) -> str:
    return f"{match[1]}{REDACTED}" if _looks_secret(match[2]) else match[0]


def _basic(match: re.Match[str]) -> str:
    """Basic authorization is the base64 of `user:password`; after the word may also come the next word."""
    try:
        decoded = base64.b64decode(match[2] + "=" * (-len(match[2]) % 4), validate=True)
    except binascii.Error:
        return match[0]
    return f"{match[1]}{REDACTED}" if decoded.isascii() and b":" in decoded else match[0]


def _looks_secret(token: str) -> bool:
    return len(token) >= SHORTEST and (len(token) >= 2 * _STRONG or any(char.isdigit() for char in token))


_CREDENTIALS = (
    (re.compile(r"(://)[^/\s\"'<>]+@"), rf"\1{REDACTED}@"),
    (  # `user:password@host` without a scheme
        re.compile(
            r"(?<![\w./+-])(?!mailto:)([\w.+-]+:)(?!//)(?:(?!://)[^\s\"'<>])+"
            r"@(?!https?:)(?=[\w-]+[.:/]\w|localhost\b|\[[0-9A-Fa-f:]+\])",
            re.IGNORECASE,
        ),
        rf"\1{REDACTED}@",
    ),
    (
        re.compile(
            r"([?&#](?:[a-z_-]*(?:key|token|secret|signature|passw(?:or)?d)|pwd|sig|auth)=)[^&\s\"'<>#]+", re.IGNORECASE
        ),
        rf"\1{REDACTED}",
    ),
    (
        re.compile(
            r"((?:authorization|api[-_]?key|auth-token|cookie)[\"']?\s*[:=]\s*[\"']?"
            r"(?:(?:bearer|basic|token|digest)\s+)?)([^\s\"',;)}&\[\]]+)",
            re.IGNORECASE,
        ),
        _bearer,
    ),
    (re.compile(r"\b((?:password|passwd|pwd)\s*=\s*)[^\s\"'&]+", re.IGNORECASE), rf"\1{REDACTED}"),  # in parameters
    (re.compile(r"(bearer\s+)([A-Za-z0-9._~+/=-]+)", re.IGNORECASE), _bearer),
    (re.compile(r"(basic\s+)([A-Za-z0-9+/]{6,}={0,2})", re.IGNORECASE), _basic),
    # Not within the id of a run, whose topic may begin with such a word: 20240131-093000-hf-calculations-1a2b.
    (re.compile(r"(?<![a-z0-9]-)\b((?:sk|pk|gsk|hf|ghp|xai)[-_])([A-Za-z0-9_-]{16,})"), _bearer),
)
"""What looks like a credential, in messages: they are short, and nothing is lost if a word too many goes."""
