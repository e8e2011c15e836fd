"""What can go wrong, as a tree; the faces catch it at one door and print one line.

NovumError                 said in one line that tells what to do next; exit code 2
├── BadInput               the user's words, files or settings
├── LibraryError           the library folder or database
├── SourceError            a service of literature could not be asked
├── LedgerError            the ledger
├── ModelError             a model could not be asked or gave no usable answer
│   ├── ModelUnreachable   no connection, or what answers is no model server
│   ├── ModelRefusedUs     wrong key, no such model, no credit
│   ├── CallFailed         gave up after retries or at the deadline
│   └── NoUsableAnswer     it answered, but not usably
│       ├── Refusal        it declined
│       ├── Truncated      it hit the token limit
│       ├── EmptyAnswer    nothing but blanks
│       └── InvalidAnswer  not of the form asked for, after repairs
└── BudgetSpent            the next call would pass the budget; the run can be resumed; exit code 3
"""

from __future__ import annotations


class NovumError(Exception):
    """Base of all errors meant for people: the message says what happened, to what, and what to do."""

    exit_code = 2


class BadInput(NovumError):
    """The user's words, files or settings cannot be used."""


class LibraryError(NovumError):
    """The library cannot be opened, read or written."""


class SourceError(NovumError):
    """A service of literature cannot be asked, refuses us, or does not answer as it should. The others go on."""


class LedgerError(NovumError):
    """The ledger cannot be opened, read or written."""


class ModelError(NovumError):
    """A model could not be asked, or gave no usable answer."""


class ModelUnreachable(ModelError):
    """Nothing answers there, or what answers is no model server."""


class ModelRefusedUs(ModelError):
    """The server turned the request down for good: wrong key, unknown model, no credit, bad request."""


class CallFailed(ModelError):
    """Retries or time ran out."""


class NoUsableAnswer(ModelError):
    """The model answered, but not with anything that can be used. `raw` is what it said."""

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class Refusal(NoUsableAnswer):
    """The model declined to answer."""


class Truncated(NoUsableAnswer):
    """The answer was cut off at the token limit."""


class EmptyAnswer(NoUsableAnswer):
    """The answer held nothing but blanks."""


class InvalidAnswer(NoUsableAnswer):
    """The answer was not of the form asked for, even after it was sent back."""


class BudgetSpent(NovumError):
    """The next call would pass the run's budget."""

    exit_code = 3
