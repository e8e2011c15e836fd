"""The guard before all routes: host check, access token, size of bodies, origin of changes, headers, audit lines.

It is plain ASGI and reads no body, so that streams of events and uploads pass through it unbuffered.
"""

from __future__ import annotations

import asyncio
import hmac
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from novum.web.options import WebOptions, host_name
from novum.web.security.audit import AuditLog
from novum.web.security.keys import ACCESS, SESSION, Keys, new_session
from novum.web.security.session_addresses import SessionAddresses

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Scripts only from files of the package. Attributes of style carry lengths of bars; they can load nothing."""
_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN = ("/static/", "/take/")
"""Paths that need no access token: files of the package, and personal links of studies."""
_LONGEST_CHANGE = 300.0
"""Seconds that a change may take, its upload included."""
_UPLOADS = ("/library/upload",)
_LOCKED = (
    "This workbench needs its access token. Open the address that `novum serve` printed, the one that ends with "
    "?token=…, once in this browser.\n"
)


@dataclass(frozen=True)
class _Visit:
    """What the guard knows of one request."""

    scope: Scope
    headers: Headers
    cookies: dict[str, str]

    @property
    def method(self) -> str:
        return str(self.scope["method"])

    @property
    def path(self) -> str:
        return str(self.scope["path"])

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(self.scope["query_string"].decode("latin-1"), keep_blank_values=True)

    @property
    def client(self) -> str:
        return str((self.scope.get("client") or ("unknown",))[0])


class Guard:
    """ASGI middleware. `app` receives only requests that may be answered; `scope["state"]` has the session."""

    def __init__(self, app: ASGIApp, options: WebOptions, keys: Keys, audit: AuditLog) -> None:
        self._app, self._options, self._keys, self._audit = app, options, keys, audit
        self._addresses = SessionAddresses()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or passes it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        visit = _Visit(scope, headers, _cookies(headers.get("cookie", "")))
        session = visit.cookies.get(SESSION, "")
        status = 500

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._complete(MutableHeaders(scope=message), session, new)
            await send(message)

        new = "" if session else new_session()
        scope.setdefault("state", {})["session"] = session or new
        refusal = self._refusal(visit)
        longest = None if visit.method in _SAFE else _LONGEST_CHANGE
        try:
            if refusal is not None:
                await refusal(scope, receive, send_on)
            else:
                async with asyncio.timeout(longest):
                    with self._addresses.of(session or new):
                        await self._app(scope, _capped(receive, self._most_bytes(visit)), send_on)
        except TimeoutError:
            if status == 500:
                await PlainTextResponse("The request took too long to arrive.\n", 408)(scope, receive, send_on)
        finally:
            if visit.method not in _SAFE:
                self._audit.write(
                    method=visit.method, path=visit.path, status=status, client=visit.client, session=session
                )

    def _refusal(self, visit: _Visit) -> Response | None:
        """Why a request is not passed on; None where it is."""
        host = visit.headers.get("host", "")
        if not self._options.serves(host):
            return PlainTextResponse(
                f"The workbench does not answer under the name {host_name(host)[:100]!r}. If it is yours, start it "
                "with `novum serve --name NAME`.\n", 421,
            )  # fmt: skip
        if self._options.token and not visit.path.startswith(_OPEN) and (refusal := self._without_access(visit)):
            return refusal
        if visit.method not in _SAFE and not _same_origin(visit.headers, host):
            return PlainTextResponse("This change was requested by a page of another site, and was not made.\n", 403)
        length = visit.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._most_bytes(visit):
            return PlainTextResponse(f"Too large: at most {self._most_bytes(visit):,} bytes can be sent.\n", 413)
        return None

    def _without_access(self, visit: _Visit) -> Response | None:
        """A refusal, or the redirection that takes a right token out of the address and into a cookie."""
        if self._keys.may_enter(self._options.token, visit.cookies.get(ACCESS, "")):
            return None
        scheme, _, bearer = visit.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self._is_token(bearer):
            return None
        query = visit.query
        given = query.pop("token", [""])[0]
        if not self._is_token(given):
            return PlainTextResponse(_LOCKED, 401)
        rest = urlencode(query, doseq=True)
        place = f"/{visit.path.lstrip('/')}"  # two slashes would begin the name of another host
        response = RedirectResponse(f"{place}?{rest}" if rest else place, 303)
        response.set_cookie(
            ACCESS, self._keys.access_cookie(self._options.token), httponly=True, samesite="strict",
            secure=self._options.tls, max_age=30 * 86_400,
        )  # fmt: skip
        return response

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._options.token.encode())

    def _most_bytes(self, visit: _Visit) -> int:
        return self._options.upload_bytes if visit.path in _UPLOADS else self._options.body_bytes

    def _complete(self, headers: MutableHeaders, session: str, new: str) -> None:
        for name, value in _HEADERS.items():
            headers.setdefault(name, value)
        headers.setdefault("Cache-Control", "no-store")
        if not session:
            secure = "; Secure" if self._options.tls else ""
            headers.append("Set-Cookie", f"{SESSION}={new}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000{secure}")


class BodyTooLarge(HTTPException):
    """More bytes came than a request may have. Of this type, since only such errors pass through a form's parser."""

    def __init__(self) -> None:
        super().__init__(413, "The request is too large.")


def _capped(receive: Receive, most: int) -> Receive:
    """Counts the bytes of a body whose length was not announced, or announced wrongly."""
    received = 0

    async def counted() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > most:
            raise BodyTooLarge
        return message

    return counted


def _same_origin(headers: Headers, host: str) -> bool:
    """Whether a browser says that the request comes from a page of this host. Programs, which send neither header,
    still need the token of a form."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc.lower() == host.lower()


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}
