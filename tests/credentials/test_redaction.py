"""Keys and passwords are taken out of texts, in every form in which they may be written, and nothing else is."""

from __future__ import annotations

import base64
import html
import json
import re
from urllib.parse import quote, quote_plus

import pytest

from novum.credentials.redaction import REDACTED, Redactor
from novum.errors import BadInput, InvalidAnswer

KEY = 'sk-Ab/c+d=12_34567890"xy*z'
FORMS = {
    "as it is": KEY,
    "percent-encoded": quote(KEY, safe=""),
    "percent-encoded, slashes kept": quote(KEY),
    "percent-encoded in small letters": re.sub("%..", lambda found: found[0].lower(), quote(KEY, safe="")),
    "as in a form": quote_plus(KEY),
    "in JSON": json.dumps({"key": KEY}),
    "in JSON with escaped slashes": json.dumps(KEY).replace("/", "\\/"),
    "in JSON inside JSON": json.dumps(json.dumps(KEY)),
    "in HTML": html.escape(KEY),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "base64 of user and key": base64.b64encode(f"user:{KEY}".encode()).decode(),
    "base64 inside other text": base64.b64encode(f"ab{KEY}cd".encode()).decode(),
    "base64 for addresses": base64.urlsafe_b64encode(f"u:{KEY}".encode()).decode(),
    "inside a word": f"x{KEY}y",
}


@pytest.fixture
def redactor():
    made = Redactor()
    made.add(KEY)
    return made


def holds_secret(text):
    """Whether eight characters of the key in a row are left, also in base64."""
    decoded = [base64.b64decode(word + "=" * (-len(word) % 4)) for word in text.split() if word.isalnum()]
    texts = [text, *(each.decode("utf-8", "replace") for each in decoded)]
    return any(KEY[start : start + 8] in each for each in texts for start in range(len(KEY) - 8))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_known_key_is_found_in_every_form(redactor, form):
    for left in (redactor.text(form), redactor.data(form.encode()).decode(), redactor.message(form)):
        assert REDACTED in left
        assert not holds_secret(left)


def test_short_secrets_and_ordinary_words_stay(redactor):
    redactor.add("", "a", "word", "seven77")
    text = "A word about seven77 keys, and basic understanding of bearer momentum."
    assert redactor.text(text) == redactor.message(text) == text


def test_a_password_without_digits_is_no_part_of_longer_words(redactor):
    redactor.add("research")
    assert redactor.text("researchers do not say research") == f"researchers do not say {REDACTED}"


LOOKS_SECRET = (
    ("authorization: Bearer abcdef123456", "authorization: Bearer [redacted]"),
    ("AUTHORIZATION: bearer abcdef123456", "AUTHORIZATION: bearer [redacted]"),
    ('{"X-Api-Key": "abcdef123456"}', '{"X-Api-Key": "[redacted]"}'),
    ("sent Basic dXNlcjpwdw== to it", "sent Basic [redacted] to it"),
    ("http://me:pw@host/v1", "http://[redacted]@host/v1"),
    ("postgresql://me:p@w@host/db", "postgresql://[redacted]@host/db"),
    ("http://host/v1?a=1&API_KEY=x&b=2", "http://host/v1?a=1&API_KEY=[redacted]&b=2"),
    ("wrong key sk-abcdefghij1234567890.", "wrong key sk-[redacted]."),
)


@pytest.mark.parametrize(("message", "without"), LOOKS_SECRET)
def test_messages_lose_what_looks_like_a_credential(message, without):
    assert Redactor().message(message) == without


@pytest.mark.parametrize(
    "message",
    [
        "authorization: required",
        "write to ada@example.org, or see https://example.org/@ada",
        "OPENAI_API_KEY is not set. Set it to your key.",
        "https://example.org/paper?id=10.1/x&page=2",
    ],
)
def test_messages_keep_what_only_resembles_one(message):
    assert Redactor().message(message) == message


def test_no_error_shows_what_was_in_an_address():
    assert "secret-pw" not in str(BadInput("http://user:secret-pw@host cannot be reached"))
    assert str(InvalidAnswer("no JSON", "{")) == "no JSON"
