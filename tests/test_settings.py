"""Settings: four sources in rising order, each value with its origin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from novum import settings as settings_module
from novum.errors import BadInput
from novum.settings import load_settings

USUAL, KEYED = settings_module._USUAL_SOURCES, settings_module._KEYED_SOURCES
"""As the program has them: tests do without."""
REAL = {"writer": "server:m@http://127.0.0.1:9/v1"}
"""A model that is not the offline one."""


def load(tmp_path, overrides=None, **environment):
    return load_settings({"home": str(tmp_path / "home")} | (overrides or {}), environment=environment, folder=tmp_path)


def test_later_sources_win_and_each_value_knows_where_it_came_from(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "novum.toml").write_text("seed = 1\nmax_tokens = 100\ntemperature = 0.1\nin_flight = 9\n")
    (tmp_path / "novum.toml").write_text("max_tokens = 200\ntemperature = 0.2\nin_flight = 8\n")
    loaded = load(tmp_path, {"in_flight": 7}, NOVUM_TEMPERATURE="0.3", NOVUM_IN_FLIGHT="6")
    values, origins = loaded.values, loaded.origins
    assert (values.seed, values.max_tokens, values.temperature, values.in_flight) == (1, 200, 0.3, 7)
    assert origins["seed"] == str(tmp_path / "home" / "novum.toml")
    assert origins["max_tokens"] == str(tmp_path / "novum.toml")
    assert (origins["temperature"], origins["in_flight"]) == ("NOVUM_TEMPERATURE", "command line")
    assert origins["deadline_seconds"] == "built in"


@pytest.mark.parametrize(
    ("toml", "environment", "told"),
    [
        ("colour = 'red'", {}, "colour from .*novum.toml.*Settings are"),
        ("seed = 'many'", {}, "seed from .*novum.toml"),
        ("seed = ", {}, "not valid TOML"),
        ("", {"NOVUM_MAX_TOKENS": "-5"}, "NOVUM_MAX_TOKENS from environment.*greater than 0"),
        ("", {"NOVUM_TEMPERATURE": "hot"}, "NOVUM_TEMPERATURE"),
    ],
)
def test_an_unusable_value_is_named_with_its_source(tmp_path, toml, environment, told):
    (tmp_path / "novum.toml").write_text(toml)
    with pytest.raises(BadInput, match=told):
        load(tmp_path, **environment)


@pytest.mark.parametrize(
    "setting", ['writer = "{}"', 'reader = "{}"', 'judges = ["openai:a", "{}"]', 'embedder = "{}"']
)
def test_a_file_of_the_current_folder_cannot_send_a_providers_key_elsewhere(tmp_path, setting):
    elsewhere = setting.format("openai:gpt-5.5@http://127.0.0.1:9/v1")
    (tmp_path / "novum.toml").write_text(elsewhere)
    with pytest.raises(BadInput, match=r"would send your key of openai to 127\.0\.0\.1:9"):
        load(tmp_path, OPENAI_API_KEY="sk-of-openai-0123456789")
    load(tmp_path, ANTHROPIC_API_KEY="sk-of-anthropic-0123456789")
    (tmp_path / "home").mkdir()
    (tmp_path / "novum.toml").rename(tmp_path / "home" / "novum.toml")
    load(tmp_path, OPENAI_API_KEY="sk-of-openai-0123456789")
    (tmp_path / "novum.toml").write_text('writer = "openai:gpt-5.5@https://api.openai.com/v1"')
    load(tmp_path, OPENAI_API_KEY="sk-of-openai-0123456789")


def test_without_a_key_the_offline_model_writes_and_says_why(tmp_path):
    assert load(tmp_path).default_writer() == ("offline:smollm2-135m", "because no provider's key is set")


def test_without_a_key_the_largest_installed_model_is_the_writer_and_no_encoder_is(tmp_path):
    def put(name: str, size: int, own: bool = False) -> None:
        folder = load(tmp_path).models_folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.gguf").write_bytes(b"GGUF")
        receipt = {
            "name": name,
            "title": name,
            "path": f"{name}.gguf",
            "sha256": "0",
            "size_bytes": size,
            "mtime_ns": 1,
        }
        (folder / f"{name}.receipt.json").write_text(json.dumps(receipt | {"licence": "x", "own": own}))

    put("smollm2-135m", 98)
    put("all-minilm-l6-v2", 9_999)
    assert load(tmp_path).default_writer()[0] == "offline:smollm2-135m"
    put("qwen2.5-coder-0.5b", 491)
    assert load(tmp_path).default_writer()[0] == "offline:qwen2.5-coder-0.5b"
    put("mine", 800, own=True)
    assert load(tmp_path).default_writer()[0] == "offline:mine"


def test_the_first_provider_with_a_key_writes_and_its_cheaper_model_reads(tmp_path):
    loaded = load(tmp_path, ANTHROPIC_API_KEY="sk-x", MISTRAL_API_KEY="sk-y")
    name, why = loaded.default_writer()
    roles = loaded.model_roles()
    assert name.startswith("anthropic:")
    assert why == "because ANTHROPIC_API_KEY is set"
    assert str(roles.writer) == name
    assert roles.reader.provider.name == "anthropic"
    assert roles.reader != roles.writer
    assert roles.judges == (roles.writer,)


def test_a_writer_that_the_user_chose_also_reads(tmp_path):
    roles = load(tmp_path, {"writer": "server:m", "base_url": "http://127.0.0.1:9/v1"}).model_roles()
    assert str(roles.reader) == "server:m@http://127.0.0.1:9/v1"


def test_a_panel_is_a_list_separated_by_commas(tmp_path):
    loaded = load(tmp_path, NOVUM_JUDGES="groq:a, mistral:b")
    assert [judge.short for judge in loaded.model_roles().judges] == ["groq:a", "mistral:b"]


def test_sources_are_a_list_separated_by_commas(tmp_path):
    loaded = load(tmp_path, NOVUM_SOURCES="openalex, arxiv,openalex")
    assert loaded.live_sources() == loaded.live_sources(single=False) == ("openalex", "arxiv")


@pytest.fixture
def usual(monkeypatch):
    """The usual services as the program has them, and no key."""
    monkeypatch.setattr(settings_module, "_USUAL_SOURCES", USUAL)
    monkeypatch.setattr(settings_module, "_KEYED_SOURCES", KEYED)
    for name in ("SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return ("openalex", "crossref", "europe-pmc", "arxiv")


def test_the_usual_services_are_asked_for_a_model_that_is_not_the_offline_one(tmp_path, usual):
    assert load(tmp_path).values.sources == ("auto",)
    assert load(tmp_path, REAL).live_sources() == usual
    assert load(tmp_path, ANTHROPIC_API_KEY="sk-x").live_sources() == usual
    assert load(tmp_path).live_sources() == ()


@pytest.mark.parametrize("name", ["SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY"])
def test_with_its_key_semantic_scholar_is_usual_too(tmp_path, usual, monkeypatch, name):
    monkeypatch.setenv(name, " ")
    assert load(tmp_path, REAL).live_sources() == usual
    monkeypatch.setenv(name, "a-key")
    assert load(tmp_path, REAL).live_sources() == (*usual, "semantic-scholar")
    assert load(tmp_path).live_sources() == ()


def test_services_can_be_named_beside_the_usual_ones_and_turned_off(tmp_path, usual):
    assert load(tmp_path, REAL | {"sources": "auto,dblp,arxiv"}).live_sources() == (*usual, "dblp")
    assert load(tmp_path, REAL | {"sources": "dblp"}).live_sources() == ("dblp",)
    assert load(tmp_path, {"sources": "dblp"}).live_sources() == ("dblp",), "with the offline model too"
    assert load(tmp_path, REAL, NOVUM_SOURCES="none").live_sources() == ()


def test_runs_on_many_topics_use_only_services_that_are_named(tmp_path, usual):
    assert load(tmp_path, REAL).live_sources(single=False) == ()
    assert load(tmp_path, REAL | {"sources": "auto,dblp"}).live_sources(single=False) == ("dblp",)
    assert load(tmp_path, REAL | {"sources": "none"}).live_sources(single=False) == ()


@pytest.mark.parametrize("given", ["none,openalex", "auto,none"])
def test_none_is_not_combined_with_services(tmp_path, given):
    with pytest.raises(BadInput, match=r"NOVUM_SOURCES .*`none` cannot be combined with services"):
        load(tmp_path, NOVUM_SOURCES=given)


def test_mirrors_of_services_are_named_in_a_file(tmp_path):
    (tmp_path / "novum.toml").write_text('[source_addresses]\nopenalex = "http://127.0.0.1:9"\n')
    assert load(tmp_path).values.source_addresses == {"openalex": "http://127.0.0.1:9"}


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("NOVUM_CONTACT", "nobody", "name@example.org"),
        ("NOVUM_CONTACT", "a@b.org\nX: y", "name@example.org"),
        ("NOVUM_GROBID", "localhost:8070", "address"),
    ],
)
def test_an_invalid_address_is_refused_by_name(tmp_path, name, value, told):
    with pytest.raises(BadInput, match=f"{name} .*{told}"):
        load(tmp_path, **{name: value})


def test_responses_of_services_are_stored_in_the_home_folder(tmp_path):
    assert load(tmp_path).answers_folder == tmp_path / "home" / "cache" / "sources"


def test_places_follow_home_unless_they_are_given(tmp_path):
    loaded = load(tmp_path, NOVUM_LEDGER="postgresql+psycopg://db/novum")
    assert loaded.library_folder == tmp_path / "home" / "library"
    assert loaded.ledger_place == "postgresql+psycopg://db/novum"
    assert load(tmp_path).ledger_place == tmp_path / "home" / "ledger.sqlite"
    assert load(tmp_path, NOVUM_HOME="ignored").values.home == Path(tmp_path / "home")
