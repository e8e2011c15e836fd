"""Keys and passwords are taken out of texts, in every form in which they may be written, and nothing else is."""

from __future__ import annotations

import base64
import html
import json
import re
import sys
import unicodedata
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as some

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
    "every byte percent-encoded": "".join(f"%{byte:02x}" for byte in KEY.encode()),
    "percent-encoded twice": quote(quote(KEY, safe=""), safe=""),
    "every character escaped as in JSON": "".join(f"\\u{ord(char):04X}" for char in KEY),
    "such JSON inside JSON": json.dumps("".join(f"\\u{ord(char):04x}" for char in KEY)),
    "in HTML by numbers": "".join(f"&#{ord(char)};" if char in "+=/_" else char for char in KEY),
    "in HTML by hexadecimal numbers": "".join(f"&#x{ord(char):x};" for char in KEY),
    "in HTML by names": KEY.replace("+", "&plus;").replace("=", "&equals;").replace("_", "&lowbar;"),
    "in HTML, escaped again": html.escape(KEY.replace("+", "&#43;")),
    "in hexadecimal digits": KEY.encode().hex(),
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


ESCAPES = (
    lambda char: char,
    lambda char: f"%{ord(char):02X}",
    lambda char: f"%25{ord(char):02x}",
    lambda char: f"\\u{ord(char):04x}",
    lambda char: f"\\\\u{ord(char):04X}",
    lambda char: f"\\x{ord(char):02x}",
    lambda char: f"&#{ord(char)};",
    lambda char: f"&amp;#{ord(char)};",
    lambda char: f"&#0{ord(char)};",
    lambda char: f"%26%23{ord(char)}%3B",
)


@given(some.lists(some.sampled_from(ESCAPES), min_size=len(KEY), max_size=len(KEY)))
def test_a_key_is_found_in_every_mixture_of_escapes_and_what_stands_around_it_stays(escapes):
    redactor = Redactor()
    redactor.add(KEY)
    form = "".join(escape(char) for escape, char in zip(escapes, KEY, strict=True))
    text = f'caf%C3%A9 &lt;a href=\\"x%20y\\"&gt; {form} \\u2013 100 % &amp; more'
    assert redactor.text(text) == text.replace(form, REDACTED)
    assert redactor.data(b"\xff" + text.encode()) == b"\xff" + text.replace(form, REDACTED).encode()


@pytest.mark.parametrize("unseen", ["\u200b", "\u2060", "\ufeff", "\u00ad", "\u3164"])
@pytest.mark.parametrize(
    "escaped",
    [
        lambda char: json.dumps(char)[1:-1],
        lambda char: json.dumps(json.dumps(char)[1:-1])[1:-1],
        lambda char: json.dumps(char)[1:-1].replace("u", "U").upper().replace("\\U", "\\u"),
        lambda char: f"&#{ord(char)};",
        lambda char: f"&#x{ord(char):x};",
        lambda char: f"&#X00000{ord(char):X};",
        lambda char: f"\\U{ord(char):08x}",
        lambda char: f"\\u{{{ord(char):x}}}",
        quote,
        lambda char: quote(char).lower(),
    ],
)
def test_so_is_one_in_which_that_is_escaped(unseen, escaped):
    redactor = Redactor()
    redactor.add(KEY)
    text = f"«{KEY[:6]}{escaped(unseen)}{KEY[6:]}» caf\\u00e9 %C3%A9"
    assert redactor.text(text) == f"«{REDACTED}» caf\\u00e9 %C3%A9"
    assert redactor.data(text.encode()) == f"«{REDACTED}» caf\\u00e9 %C3%A9".encode()


@pytest.mark.parametrize("unseen", ["\u200c", "\ufe0f", "\u034f", "\x1b[1m", "\u200b\u200d", "\x1b", "\\b"])
@given(at=some.integers(1, len(KEY) - 1))
def test_a_key_with_something_inside_that_nobody_sees_is_found(unseen, at):
    redactor = Redactor()
    redactor.add(KEY)
    text = f"«{KEY[:at]}{unseen}{KEY[at:]}» na\u200bïve"
    assert redactor.text(text) == f"«{REDACTED}» na\u200bïve"
    assert redactor.data(text.encode()) == f"«{REDACTED}» na\u200bïve".encode()


def test_no_control_format_or_private_character_hides_a_key():
    redactor = Redactor()
    redactor.add(KEY)
    hidden = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"} and chr(code) not in "\n\r\t"
    ]
    some_of_them = hidden[:: len(hidden) // 1500] + hidden[:300]
    assert [char for char in some_of_them if KEY[6:] in redactor.text(f"{KEY[:6]}{char}{KEY[6:]}")] == []


@pytest.mark.parametrize("form", ["&auml;", "&auml", "&#228;", "&#xE4;", "\\u00e4", "\\xe4", "%C3%A4"])
@pytest.mark.parametrize("quoted", ['"', "&quot;", "&quot", "&#34;", "\\x22", "%22"])
def test_a_password_that_is_not_ascii_is_found_in_any_mixture_of_escapes(form, quoted):
    redactor = Redactor()
    redactor.add('p\u00e4ssw"rter12')
    assert redactor.text(f"«p{form}ssw{quoted}rter12»") == f"«{REDACTED}»"


def test_a_password_that_is_not_ascii_is_found_percent_encoded():
    redactor = Redactor()
    redactor.add("pässwörter")
    encoded = "".join(f"%{byte:02x}" for byte in "pässwörter".encode())
    assert redactor.text(f"at {encoded}, {encoded.upper()}") == f"at {REDACTED}, {REDACTED}"


@given(some.text(alphabet='%25\\u0073x&#;amp/"é\ud800\u200c\x1b[m', max_size=60))
def test_text_without_a_secret_stays_as_it_is(text):
    redactor = Redactor()
    redactor.add(KEY)
    assert redactor.text(text) is text
    data = text.encode("utf-8", "replace")
    assert redactor.data(data) is data


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
    ("No provider 'bob' (in 'bob:PASSWORD1@127.0.0.1/v1')", "No provider 'bob' (in 'bob:[redacted]@127.0.0.1/v1')"),
    ("bob:p@ss/word@localhost:80 failed", "bob:[redacted]@localhost:80 failed"),
    ("at http://host/v1#key=abc", "at http://host/v1#key=[redacted]"),
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
        "server:m@http://127.0.0.1:8000/v1 cannot be reached",
        "mailto:ada@example.org, https://example.org:8080/@ada.b/c, git@example.org:a/b, google:m@20261101",
        "OPENAI_API_KEY is not set. Set it to your key.",
        "https://example.org/paper?id=10.1/x&page=2",
        "Resume it: novum runs resume 20261129-033515-hf-calculations-of-large-1a2b",
        "novum-reports/20261129-033104-server-sk-models-of-spin-glasses-1a2b",
    ],
)
def test_messages_keep_what_only_resembles_one(message):
    assert Redactor().message(message) == message


def test_no_error_shows_what_was_in_an_address():
    assert "secret-pw" not in str(BadInput("http://user:secret-pw@host cannot be reached"))
    assert str(InvalidAnswer("no JSON", "{")) == "no JSON"
