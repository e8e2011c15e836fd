"""Addresses are stored without their credentials, which are put back where a connection is opened."""

from __future__ import annotations

import base64

import pytest

from novum.credentials.addresses import credentials_for, private_address, public_address
from novum.credentials.redaction import REDACTED, redact
from novum.errors import BadInput
from novum.llm import ModelName
from novum.runs.engine import settings_to_repeat
from novum.settings import load_settings

ADDRESSES = (
    ("http://u1:first-pw1@one.test/v1", "http://one.test/v1"),
    ("http://two.test/v1?api_key=second-key&version=3", "http://two.test/v1?version=3"),
    ("https://token-of-three@three.test:8443/v1/", "https://three.test:8443/v1/"),
    ("postgresql+psycopg://novum:fourth-pw@four.test:5432/db", "postgresql+psycopg://novum@four.test:5432/db"),
    ("postgresql://five.test/db?password=fifth-pw5", "postgresql://five.test/db"),
)


@pytest.mark.parametrize(("address", "public"), ADDRESSES)
def test_an_address_loses_its_credentials_and_gets_them_back(address, public):
    assert public_address(address) == public
    assert set(private_address(public).replace("&", "?").split("?")) == set(address.replace("&", "?").split("?"))


@pytest.mark.parametrize(
    "text",
    ["", "static", "/home/me/library", "http://plain.test/v1", "postgresql://me@plain.test/db", "http://[broken/v1"],
)
def test_what_holds_no_credentials_stays_as_it_is(text):
    assert public_address(text) == private_address(text) == text


def test_a_key_in_the_fragment_of_an_address_is_neither_stored_nor_shown():
    assert str(ModelName.parse("server:m@http://ten.test/v1#key=tenth-key10")) == "server:m@http://ten.test/v1"
    assert public_address("https://eleven.test/v1?version=3#part") == "https://eleven.test/v1?version=3"
    assert redact("it said tenth-key10") == f"it said {REDACTED}"
    assert "eleventh" not in str(BadInput("http://eleven.test/v1#api_key=eleventh cannot be reached"))


def test_the_password_of_a_database_may_hold_what_ends_the_host_of_an_address():
    public = public_address("postgresql://novum:pw#of?twelve@twelve.test/db")
    assert public == "postgresql://novum@twelve.test/db"
    assert private_address(public) == "postgresql://novum:pw%23of%3Ftwelve@twelve.test/db"


@pytest.mark.parametrize("password", ["p@x/Secretword99", "p@ss", "a/b@c/d@e", "p@s#s/w"])
def test_a_password_of_a_database_with_marks_of_addresses_is_taken_out_as_a_whole(password):
    public = public_address(f"postgresql://eve:{password}@thirteen.test:5432/db?application_name=a@b")
    assert public == "postgresql://eve@thirteen.test:5432/db?application_name=a@b"
    assert credentials_for(public).password == password


def test_credentials_are_for_what_lies_below_their_address_alone():
    public_address("http://u6:sixth-pw6@six.test/v1")
    assert credentials_for("http://six.test/v1/chat/completions").user == "u6"
    assert not credentials_for("http://six.test/v10")
    assert not credentials_for("http://seven.test/v1")


def test_a_model_is_known_by_its_address_without_credentials():
    with_them = ModelName.parse("server:m@http://u8:eighth-pw8@eight.test/v1?api_key=eighth-key8")
    assert with_them == ModelName.parse("server:m@http://eight.test/v1")
    assert str(with_them) == "server:m@http://eight.test/v1"
    assert redact("u8:eighth-pw8, eighth-key8") == f"{REDACTED}, {REDACTED}"


def test_an_address_that_cannot_be_read_is_not_repeated():
    with pytest.raises(BadInput, match="web address") as refused:
        ModelName.parse("server:m@http://user:pa/ss-word@host/v1")
    assert "ss-word" not in str(refused.value)


def test_settings_hold_no_credentials_and_open_databases_with_them(tmp_path):
    loaded = load_settings(
        {"home": str(tmp_path)},
        environment={
            "NOVUM_BASE_URL": "http://u9:ninth-pw9@nine.test/v1",
            "NOVUM_JUDGES": "server:a@http://u9:ninth-pw9@nine.test/v2,groq:b",
            "NOVUM_LIBRARY": "postgresql://novum:tenth-pw10@ten.test/papers",
            "NOVUM_LEDGER": "postgresql://novum:tenth-pw10@ten.test/ledger",
            "OPENAI_API_KEY": "sk-eleventh-key-11",
        },
        folder=tmp_path,
    )
    assert "pw" not in loaded.values.model_dump_json()
    assert loaded.library_url == "postgresql://novum:tenth-pw10@ten.test/papers"
    assert loaded.ledger_place == "postgresql://novum:tenth-pw10@ten.test/ledger"
    assert redact("sk-eleventh-key-11") == REDACTED


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("NOVUM_BASE_URL", "bob:hidden-word@127.0.0.1:1/v1", "written like http"),
        ("NOVUM_GROBID", "bob:hid/den-word@grobid.test", "written like http"),
        ("NOVUM_LEDGER", "bob:hidden-word@127.0.0.1/db", "begins with postgresql://"),
        ("NOVUM_LIBRARY", "postgresql+psycopg:/bob:hidden-word@127.0.0.1/db", "begins with postgresql://"),
        ("NOVUM_LIBRARY", "//bob:hidden-word@127.0.0.1/db", "begins with postgresql://"),
        ("NOVUM_LEDGER", "host=ten.test user=bob password=hidden-word", "begins with postgresql://"),
        ("NOVUM_WRITER", "bob:hidden-word@127.0.0.1/v1", "begins with http://"),
        ("NOVUM_JUDGES", "groq:a,bob:hidden-word@host.test:80/v1", "begins with http://"),
        ("NOVUM_LEDGER", "postgresql://bob:hidden-word@127.0.0.1:abc/x", "host or port cannot be read"),
        ("NOVUM_LIBRARY", "postgresql://bob:hidden-word@127.0.0.1:99999/x", "host or port cannot be read"),
        ("NOVUM_BASE_URL", "http://bob:hidden-word@127.0.0.1:abc/v1", "host or port cannot be read"),
        ("NOVUM_CONTACT", "bob:hidden-word@ host.test", "e-mail address"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_without_the_password_in_it(tmp_path, name, value, told):
    with pytest.raises(BadInput, match=told) as refused:
        load_settings({"home": str(tmp_path)}, environment={name: value}, folder=tmp_path)
    assert name in str(refused.value)
    assert "hid" not in str(refused.value)
    assert "den-word" not in str(refused.value)


def test_the_value_of_an_unknown_setting_is_not_repeated_as_it_may_be_a_key(tmp_path):
    (tmp_path / "novum.toml").write_text('openai_api_key = "hidden-word"\n')
    with pytest.raises(BadInput, match=r"openai_api_key from .*novum\.toml") as refused:
        load_settings({"home": str(tmp_path)}, environment={}, folder=tmp_path)
    assert "hidden-word" not in str(refused.value)


@pytest.mark.parametrize("text", ["server:m", "openrouter:~openai/gpt-latest", "google:m@20261101", "local:a/b@v1.0"])
def test_names_of_models_without_an_address_stay(tmp_path, text):
    given = {"home": str(tmp_path), "writer": text}
    assert load_settings(given, environment={}, folder=tmp_path).values.writer == text


def test_what_a_run_repeats_holds_no_password(tmp_path):
    class OpenPlace:
        settings = load_settings(
            {"home": str(tmp_path), "library": "postgresql://novum:pw-of-twelve@twelve.test/papers"},
            environment={},
            folder=tmp_path,
        )
        model_settings = settings.for_models()

    assert settings_to_repeat(OpenPlace)["library"] == "postgresql://novum@twelve.test/papers"


def test_the_header_with_user_and_password_is_found_encoded_once_more():
    public_address("http://six:sixth-password6@six.test/v1")
    header = credentials_for("http://six.test/v1").authorization["Authorization"]
    twice = base64.b64encode(f"Authorization: {header}".encode()).decode()
    spread = "\u200b".join(header.removeprefix("Basic "))
    for text in (header, twice, spread):
        assert text not in redact(f"wrong key: {text} is not known")
    kept = redact(f"wrong key: {twice}").partition("key: ")[2]
    assert kept.startswith(twice[:20])
    assert kept.endswith(REDACTED)
