"""A model server as the user named it, and the errors about it: what happened, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from novum.errors import CallFailed, ModelRefusedUs, ModelUnreachable, RequestRefused
from novum.llm.providers import KEYLESS, ModelName
from novum.llm.responses import ServerError
from novum.llm.sending import UNTRUSTED

_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
_ABOUT_THE_REQUEST = frozenset({400, 413, 422})
"""HTTP statuses of a refusal that may be due to this one request."""
_MORE_TIME = "Resume later, or allow more time by NOVUM_DEADLINE_SECONDS."


@dataclass(frozen=True)
class Server:
    """Where a model is, and the key for it."""

    model: ModelName
    base_url: str
    key: str
    key_name: str
    """What to set when the key is wrong."""

    def __str__(self) -> str:
        return f"{self.model.short} at {self.base_url}"

    def address_of(self, path: str) -> str:
        """The address of something that the server offers; a query of its base stays at the end."""
        parts = urlsplit(self.base_url)
        return urlunsplit(parts._replace(path=parts.path.rstrip("/") + path)) if parts.query else self.base_url + path

    @property
    def is_here(self) -> bool:
        """Whether it runs on this machine."""
        return urlsplit(self.base_url).hostname in _THIS_MACHINE

    def unreachable(self, reason: str) -> ModelUnreachable:
        """No connection."""
        advice = "Is the server running?" if self.model.provider.name in KEYLESS else "Check the network."
        if UNTRUSTED in reason:
            advice = "Check the address, or name a file with its certificate in SSL_CERT_FILE. Nothing was sent."
        return ModelUnreachable(f"{self} cannot be reached: {reason}. {advice}")

    def answers_otherwise(self, response: str, server_kind: str = "a model server") -> ModelUnreachable:
        """It does not answer like what it should be; `response`: what it sends, in a few words."""
        return ModelUnreachable(
            f"{self} answered with {response}, not like {server_kind}. Check the model's name and the address, which "
            "usually ends in /v1."
        )

    def refusal(self, error: ServerError) -> ModelRefusedUs:
        """A refusal that another try does not change."""
        if error.is_out_of_credit:
            return ModelRefusedUs(
                f"{self} says there is no credit left: {error.reason}. Top up the account or use another model."
            )
        advice = {
            401: self._key_advice(),
            402: "Top up the account or use another model.",
            403: f"{self._key_advice()} It must be allowed to use this model.",
            404: f"Check the model's name and the address {self.base_url}.",
            405: "Check the address: it usually ends in /v1.",
        }.get(error.status, "Check the model's name and settings.")
        kind = RequestRefused if error.status in _ABOUT_THE_REQUEST else ModelRefusedUs
        return kind(f"{self} refused the request ({error}). {advice}")

    def no_answer(self, deadline: float, tries: int, reason: str) -> CallFailed:
        """The deadline (seconds) leaves no time for another try; `reason`: why the last one failed."""
        count = "1 try" if tries == 1 else f"{tries} tries"
        return CallFailed(f"{self} gave no answer within {deadline:.0f} s ({count}, last: {reason}). {_MORE_TIME}")

    def wait_too_long(self, wait: float, deadline: float, reason: str) -> CallFailed:
        """It asks for a wait (seconds) that goes beyond the deadline."""
        return CallFailed(
            f"{self} asks for a wait of {_duration(wait)} ({reason}), more than the deadline of {deadline:.0f} s "
            f"leaves. {_MORE_TIME}"
        )

    def _key_advice(self) -> str:
        if not self.key_name:
            return "This server wants no key from us: check the address."
        return f"Set {self.key_name} to {'a valid' if self.key else 'your'} key."


def _duration(seconds: float) -> str:
    """`0.4 s`, `40 s`, `12 min`, `9 h`."""
    if seconds < 1:
        return f"{seconds:.1g} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
