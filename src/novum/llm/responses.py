"""What the response of a model server means when it is not a plain answer. Pure functions.

Text of a server enters error messages on one line, without control characters, cut to 300 characters.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from novum.credentials.redaction import redact
from novum.http.retry_after import retry_after

_RETRIED = frozenset({408, 409, 425, 429})
_PERMANENT = frozenset({501, 505})
_PERHAPS_A_GATEWAY = frozenset({403, 404, 405})
"""With a web page as body these come from something in front of the model server."""
_LONGEST_REASON = 300
_MOST_DIGITS = 18
"""Of a whole number in a response; all such fit into 64 bits."""
_OUT_OF_CREDIT = re.compile(
    r"insufficient[_ ]quota|exceeded your current quota|credit balance|payment required|billing hard limit",
    re.IGNORECASE,
)
"""A 429 that no waiting helps, unless it says how long to wait: Google words its limits per minute like this too."""
_REQUESTED_WAIT = re.compile(
    r"(?:retry|try again) in (?:(?P<m>\d+)m)?(?P<s>\d+(?:\.\d+)?)(?P<ms>ms|s)"
    r"|\"retryDelay\":\s*\"(?P<d>\d+(?:\.\d+)?)s\"",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class HttpResponse:
    """A response with its body; `body` of an error may be only its beginning."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_web_page(self) -> bool:
        """Whether the body looks like HTML, whatever type the server says that it has."""
        return self.body.lstrip()[:1] == b"<"

    @property
    def text(self) -> str:
        """The body without keys and passwords that it repeats; UTF-16 and UTF-32 are recognised as in JSON."""
        return redact(self.body.decode(json.detect_encoding(self.body), "replace"))


@dataclass(frozen=True)
class ServerError:
    """An error as a server reported it."""

    status: int
    reason: str
    wait: float | None
    """Seconds that the server asks us to wait; None: it does not say."""
    is_out_of_credit: bool
    is_web_page: bool

    def __str__(self) -> str:
        return f"{self.status}: {self.reason}"

    def is_temporary(self, has_answered: bool) -> bool:
        """Whether the same request may succeed later. `has_answered`: the address is known to be a model server's."""
        if self.status in _RETRIED or (self.status >= 500 and self.status not in _PERMANENT):
            return True
        return has_answered and self.is_web_page and self.status in _PERHAPS_A_GATEWAY

    @property
    def may_name_a_parameter(self) -> bool:
        """Whether its reason may be something in the request that can be left out. Servers report a refused `logprobs`
        with any status."""
        return self.status in {400, 422} or (self.status != 429 and "logprob" in self.reason.lower())


def parse_json(body: bytes) -> Any:
    """The JSON of a body. Raises ValueError when it is none.

    Half surrogate pairs, which models write, NaN among logprobs, and a number beyond all measure, which becomes None,
    are no reason to lose an answer.
    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        try:
            lenient = json.loads(
                body, parse_constant=lambda _: None, parse_int=_bounded_integer, parse_float=_finite_number
            )
            return orjson.loads(json.dumps(lenient, ensure_ascii=False).encode("utf-8", "replace"))
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


def _bounded_integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MOST_DIGITS else None


def _finite_number(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def hidden_status(data: Any) -> int:
    """The status that an error inside a successful response should have had, 0 for a true success: routers send 200
    before the model behind them fails."""
    if not isinstance(data, dict) or not data.get("error") or data.get("choices") or data.get("data"):
        return 0
    code = data["error"].get("code") if isinstance(data["error"], dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 502


def describe_body(response: HttpResponse) -> str:
    """What a successful response has instead of JSON, in a few words."""
    if not response.body.strip():
        return "an empty response"
    if response.is_web_page:
        return "a web page"
    if response.body.lstrip()[:1] in {b"{", b"["}:
        return "JSON that is cut off or invalid"
    kind = one_line(response.headers.get("Content-Type", "").partition(";")[0], 60)
    return f"something that is not JSON ({kind})" if kind else "something that is not JSON"


def read_error(response: HttpResponse) -> ServerError:
    """The error that a response reports."""
    text = response.text
    wait = retry_after(response.headers)
    wait = requested_wait(text) if wait is None else wait
    return ServerError(
        status=response.status,
        reason=error_reason(text) or "no reason given",
        wait=wait,
        is_out_of_credit=response.status == 429 and wait is None and _OUT_OF_CREDIT.search(text) is not None,
        is_web_page=response.is_web_page,
    )


def error_reason(text: str) -> str:
    """The human part of the body of an error, on one line."""
    try:
        data = orjson.loads(text)
    except orjson.JSONDecodeError:
        data = None
    if isinstance(data, list) and data:
        data = data[0]
    error = data.get("error", data) if isinstance(data, dict) else data
    message = error.get("message") if isinstance(error, dict) else error
    return one_line(message if isinstance(message, str) else re.sub(r"<[^>]{1,2000}>", " ", text))


def one_line(text: str, longest: int = _LONGEST_REASON) -> str:
    """Text of a server for use in a message: one line, printable characters only, at most `longest` of them."""
    text = text[: 50 * longest]
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())[:longest]


def requested_wait(text: str) -> float | None:
    """Seconds that the body of an error asks us to wait."""
    if (match := _REQUESTED_WAIT.search(text)) is None:
        return None
    if match["d"]:
        return float(match["d"])
    seconds = float(match["s"]) / (1000 if match["ms"].lower() == "ms" else 1)
    return seconds + 60 * int(match["m"] or 0)
