"""All keys of the environment are known secrets once the settings are loaded, and one that can be no key is named."""

from __future__ import annotations

import pytest

from novum.credentials.environment import PASSWORDS, SERVICE_KEYS
from novum.credentials.redaction import REDACTED, redact
from novum.errors import BadInput
from novum.literature.sources import sources
from novum.literature.zotero.client import KEY_NAME
from novum.llm.providers import PROVIDERS
from novum.settings import load_settings

OF_MODELS = sorted({name for provider in PROVIDERS.values() for name in provider.key_names})


def load(tmp_path, **environment):
    return load_settings({"home": str(tmp_path)}, environment=environment, folder=tmp_path)


def test_the_list_of_keys_is_that_of_the_services():
    every = [sources.get(name) for name in sources.names()]
    assert {*SERVICE_KEYS} == {KEY_NAME, *(name for source in every for name in source.key_names)}
    asked: set[str] = set()
    for source in every:
        source().sign_in(_Recorder(asked))
    assert {name for name in asked if "PASSWORD" in name or "TOKEN" in name or "SECRET" in name} <= {*PASSWORDS}


class _Recorder(dict[str, str]):
    """An empty environment that remembers what it was asked for."""

    def __init__(self, asked):
        super().__init__()
        self.asked = asked

    def get(self, name, default=""):
        self.asked.add(name)
        return default


@pytest.mark.parametrize("name", [*OF_MODELS, *SERVICE_KEYS, *PASSWORDS, "HF_TOKEN"])
def test_every_key_is_taken_out_of_texts_once_the_settings_are_loaded(tmp_path, name):
    load(tmp_path, **{name: f" Key+of/{name}=0123\n"})
    assert redact(f"It is Key+of/{name}=0123.") == f"It is {REDACTED}."


@pytest.mark.parametrize("proxy", ["http://me:{}@proxy.test:8080", "me:{}@proxy.test:8080"])
def test_so_is_the_password_of_a_proxy(tmp_path, proxy):
    secret = f"proxy-word-{len(proxy)}"
    load(tmp_path, HTTPS_PROXY=proxy.format(secret))
    assert redact(f"through {secret}") == f"through {REDACTED}"


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "NOVUM_SERVER_KEY", "OPENALEX_API_KEY", "ZOTERO_API_KEY"])
@pytest.mark.parametrize("key", ["sk-bad\nhidden-word", "\x01hidden-word", "sk\udcffhidden-word", "ключhidden-word"])
def test_what_can_be_no_key_is_refused_by_the_name_of_its_variable(tmp_path, name, key):
    with pytest.raises(BadInput, match=f"^{name} is not a key.* set {name} to it alone") as refused:
        load(tmp_path, **{name: key})
    assert "hidden-word" not in str(refused.value)


def test_a_password_may_hold_any_characters(tmp_path):
    load(tmp_path, PGPASSWORD="pass\udcff wörter\n\x01more")
