"""The errors of Novum, as a tree. The command line catches them in one place and prints one line.

NovumError                 its message says what happened and what to do next; exit code 2
├── BadInput               arguments, files or settings that cannot be used
├── LibraryError           the library folder or database
├── SourceError            a literature service failed
│   └── SourceUnreachable  no connection to it
├── LedgerError            the ledger
├── ModelError             a model could not be called or gave no usable answer
│   ├── ModelUnreachable   no connection, or the address is not a model server
│   ├── ModelRefusedUs     wrong key, no such model, no credit
│   │   └── RequestRefused this request, such as one that is too long; others may pass
│   ├── CallFailed         gave up after retries or at the deadline
│   └── NoUsableAnswer     one question has no usable answer; others may have
│       ├── LostAnswer     its call failed, while other calls of the run succeed
│       ├── Refusal        it declined to answer
│       ├── Truncated      the answer reached the token limit
│       ├── EmptyAnswer    only white space
│       └── InvalidAnswer  not in the requested form, after repairs
└── BudgetSpent            the next call would exceed the budget; the run can be resumed; exit code 3
"""

from __future__ import annotations

from novum.credentials.redaction import redact, redact_message


class NovumError(Exception):
    """Base of all errors that users see: the message says what happened, to what, and what to do next.

    Keys and passwords are taken out of the message, as it may quote an address or the answer of a server.
    """

    exit_code = 2

    def __init__(self, *message: object) -> None:
        super().__init__(*(redact_message(each) if isinstance(each, str) else each for each in message))


class BadInput(NovumError):
    """Arguments, files or settings cannot be used."""


class LibraryError(NovumError):
    """The library cannot be opened, read or written."""


class SourceError(NovumError):
    """A literature service cannot be reached, refuses a request, or gives an unexpected answer. Others continue."""


class SourceUnreachable(SourceError):
    """There is no connection to a literature service."""


class LedgerError(NovumError):
    """The ledger cannot be opened, read or written."""


class ModelError(NovumError):
    """A model could not be called, or gave no usable answer."""


class ModelUnreachable(ModelError):
    """The address does not answer, or is not a model server."""


class ModelRefusedUs(ModelError):
    """The server rejected the request permanently: wrong key, unknown model, no credit, bad request."""


class RequestRefused(ModelRefusedUs):
    """The server rejected this request for what is in it, such as its length. Other requests may pass."""


class CallFailed(ModelError):
    """The call failed after all retries, or its deadline passed."""


class NoUsableAnswer(ModelError):
    """One question has no answer that can be used. `raw` is the text of the answer, where there was one."""

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = redact(raw)


class LostAnswer(NoUsableAnswer):
    """The call of one question failed for good, while the run continues without its answer."""


class Refusal(NoUsableAnswer):
    """The model declined to answer."""


class Truncated(NoUsableAnswer):
    """The answer was cut off at the token limit."""


class EmptyAnswer(NoUsableAnswer):
    """The answer is empty."""


class InvalidAnswer(NoUsableAnswer):
    """The answer does not have the requested form, even after repairs."""


class BudgetSpent(NovumError):
    """The next call would exceed the budget of the run."""

    exit_code = 3


class CredentialsExposed(UserWarning):
    """A file of settings with a password or key in it can be read by other users. A warning: the file is used."""
