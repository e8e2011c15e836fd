"""The smaller commands: what there is, what is set, what is in the library, what is wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from novum.cli.setup.config import masked

GROUPS = ["runs", "library", "models", "methods", "prompts", "config"]


def test_help_teaches_with_examples_and_the_way_on(here):
    printed = here("--help").out
    assert printed.count("  novum ") >= 6
    assert all(name in printed for name in ("ideate", "doctor", *GROUPS))
    assert here().out.strip() == printed.strip()


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_without_a_command_shows_its_help(here, group):
    ended = here(group)
    assert ended.code == 0
    assert f"novum {group}" in ended.out


COMMANDS = [
    "ideate", "doctor", "runs list", "runs show", "runs resume", "runs export", "library add", "library import",
    "library update", "library searches", "library embed", "library search",
    "library show", "library stats", "library export", "models list", "models install", "models remove",
    "methods list", "methods show", "prompts list", "prompts show", "config show", "metrics fit", "metrics list",
    "metrics show", "metrics tune", "metrics validate", "score", "select", "foresight report", "data build preferences",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(here, command):
    printed = here(*command.split(), "--help").out
    assert f"  novum {command}" in printed.partition("Examples")[2]


def test_methods_are_listed_and_shown_with_their_options(here):
    assert "chain-of-ideas" in here("methods", "list").out
    printed = here("methods", "show", "chain-of-ideas").out
    assert "branches" in printed
    assert "whole number" in printed
    assert "Nothing published on or after this day is read or cited" in printed


def test_a_prompt_is_shown_as_the_file_that_it_is_and_can_be_replaced(here, tmp_path):
    text = here("prompts", "show", "repair").out
    assert text.startswith("---\nname: repair\n")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "repair.md").write_text(text + "Take care.\n")
    assert here("prompts", "show", "repair", "--prompts", "mine").out.endswith("Take care.\n")
    (line,) = (row for row in here("prompts", "list", "--prompts", "mine").out.splitlines() if row.startswith("repair"))
    assert line.rstrip().endswith("yours")


def test_every_setting_is_shown_with_its_origin(here, monkeypatch, tmp_path):
    monkeypatch.setenv("NOVUM_SEED", "7")
    (tmp_path / "novum.toml").write_text("max_tokens = 900")
    settings = json.loads(here("config", "show", "--json").out)["settings"]
    assert settings["seed"] == {"value": "7", "origin": "NOVUM_SEED"}
    assert settings["max_tokens"] == {"value": "900", "origin": str(tmp_path / "novum.toml")}
    assert settings["temperature"]["origin"] == "built in"


def test_keys_and_passwords_are_masked(here, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-proj-abcdefghijklmnop3f9a")
    monkeypatch.setenv("NOVUM_LEDGER", "postgresql+psycopg://me:hunter2@host/novum")
    printed = here("config", "show").out
    assert "sk-…3f9a" in printed
    assert "abcdefgh" not in printed
    assert "hunter2" not in printed


@pytest.mark.parametrize("key", ["", "short", "fifteen-letters"])
def test_a_short_key_is_masked_whole(key):
    assert masked(key) == "…"


def test_models_are_listed_with_their_keys_and_the_offline_ones_with_size_and_licence(here, monkeypatch):
    monkeypatch.setenv("MISTRAL_API_KEY", "a-key-of-some-length")
    printed = here("models", "list").out
    assert "MISTRAL_API_KEY is set" in printed
    assert "OPENAI_API_KEY is not set" in printed
    assert "98 MB" in printed
    assert "about 12" in printed
    assert "Without a key the largest installed model is used." in printed
    assert "Apache-2.0" in printed
    assert "mistral:mistral-large-latest is used (because MISTRAL_API_KEY is set)" in printed


def test_papers_are_found_shown_and_counted(here):
    (best, *_) = json.loads(here("library", "search", "proteins that fold", "--json", "--limit", "3").out)
    assert "folding proteins" in best["paper"]["title"]
    printed = here("library", "show", best["paper"]["title"]).out
    assert "It cites" in printed
    assert best["paper"]["id"] in printed
    assert json.loads(here("library", "stats", "--json").out)["papers"] == 8


def test_search_keeps_to_the_days_given(here):
    hits = json.loads(here("library", "search", "structure", "--before", "2013-01-01", "--json").out)
    assert {hit["paper"]["year"] for hit in hits} == {2010, 2011, 2012}


def test_a_file_is_imported_and_what_is_broken_in_it_is_listed_with_its_line(here, tmp_path):
    good = "@article{a, title={Good Things Come in Pairs}, author={A. Person}, year={2001}}"
    (tmp_path / "mine.bib").write_text(f"{good}\n@article{{b, title={{Broken,\n")
    ended = here("library", "import", "mine.bib")
    assert ended.code == 0
    assert "1 added" in ended.out
    assert any(line.startswith("mine.bib:2:") for line in ended.lines)


@pytest.mark.parametrize(
    ("file", "begins"), [("all.bib", "@"), ("all.RIS", "TY  - "), ("all.json", "["), ("all.jsonl", "{"), ("all", "{")]
)
def test_the_name_of_the_file_decides_how_papers_are_written(here, tmp_path, monkeypatch, file, begins):
    monkeypatch.chdir(tmp_path)
    assert here("library", "export", "--out", file).code == 0
    assert (tmp_path / file).read_text().startswith(begins)
    assert here("library", "export", "--out", file, "--format", "ris").code == 0
    assert (tmp_path / file).read_text().startswith("TY  - ")


def test_what_is_exported_can_be_imported_elsewhere(here, tmp_path, monkeypatch):
    assert here("library", "export", "--out", "all.jsonl").code == 0
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path / "other"))
    assert "8 added" in here("library", "import", "all.jsonl").out


def test_the_doctor_finds_everything_in_place(here, serve):
    ended = here("doctor", "--model", serve().model)
    assert ended.code == 0
    assert "answers in" in ended.out
    assert "8 papers" in ended.out


@pytest.mark.parametrize("model, advice", [
    ("server:m@http://127.0.0.1:9/v1", "Is the server running?"),
    ("openai:gpt-5.5", "Set it, or use another model"),
    ("opnai:gpt-5.5", "Did you mean openai?"),
])  # fmt: skip
def test_the_doctor_says_what_to_do_about_what_is_broken(here, model, advice):
    ended = here("doctor", "--model", model, "--json")
    assert ended.code == 1
    broken = [finding for finding in json.loads(ended.out) if finding["state"] == "broken"]
    assert any(advice in finding["found"] + finding["advice"] for finding in broken)


def test_the_doctor_looks_at_the_file_of_studies(here, serve):
    home = Path(os.environ["NOVUM_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / "studies.sqlite").write_bytes(b"no database " * 2000)
    ended = here("doctor", "--model", serve().model)
    assert ended.code == 1
    assert "✗ studies" in ended.out


def test_the_doctor_notes_a_model_that_its_server_does_not_list(here, serve):
    ended = here("doctor", "--model", f"server:another@{serve().base_url}")
    assert ended.code == 0
    assert "it lists scripted" in ended.out


def test_a_title_cannot_steer_the_terminal(here, tmp_path):
    (tmp_path / "evil.jsonl").write_text(
        json.dumps({"title": "A \x1b[2J\x1b]0;gone\x07 paper to forget", "year": 2001})
    )
    here("library", "import", "evil.jsonl")
    printed = here("library", "search", "paper to forget", "--limit", "1").out
    assert "\x1b" not in printed
    assert "\x07" not in printed


def test_the_doctor_says_that_others_can_read_an_old_home(here, serve):
    home = Path(os.environ["NOVUM_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o755)
    found = {each["what"]: each for each in json.loads(here("doctor", "--json").out)}
    assert found["privacy"]["advice"].startswith("chmod -R go-rwx ")
    home.chmod(0o700)
    assert "privacy" not in {each["what"] for each in json.loads(here("doctor", "--json").out)}
