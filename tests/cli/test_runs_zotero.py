"""`novum runs export --to zotero:…`: the ideas of a run as notes."""

from __future__ import annotations

import pytest

import novum.cli.runs.resume  # noqa: F401  once loaded, a command does not announce itself on stderr
from tests.cli.conftest import SMALL
from tests.zotero_service import KEY, ZoteroService


@pytest.fixture
def zotero(home):
    running = ZoteroService()
    running.collect("CCCC2222", "My Ideas")
    (home / "novum.toml").write_text(f'[source_addresses]\nzotero = "{running.address}"\n')
    yield running
    running.close()


@pytest.fixture
def run(here, serve, ledger):
    """A finished run."""
    assert here("ideate", "graph networks", *SMALL, "--model", serve().model, "--quiet").code == 0
    return ledger.run("last")


def notes(zotero):
    return [str(item["note"]) for item in zotero.items.values() if item["itemType"] == "note"]


def test_the_ideas_of_a_run_are_written_once(here, zotero, run, monkeypatch):
    monkeypatch.setenv("ZOTERO_API_KEY", KEY)
    ended = here("runs", "export", "last", "--to", "zotero:My Ideas", "--with-papers")
    assert (ended.code, ended.lines) == (0, [])
    assert "Zotero users/12/My Ideas: 1 note created." in ended.out
    (note,) = notes(zotero)
    assert run.id in note
    assert note.count("zotero://select/library/items/") >= 2
    again = here("runs", "export", "last", "--to", "zotero:My Ideas", "--with-papers")
    assert "0 notes created, 1 were there already" in again.out
    assert len(notes(zotero)) == 1


def test_without_a_key_one_line_says_what_to_do(here, zotero, run):
    ended = here("runs", "export", "last", "--to", "zotero:")
    (line,) = ended.lines
    assert ended.code == 2
    assert "can be read by other programs but not written: set ZOTERO_API_KEY" in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "endnote"), "endnote is no place for ideas: write zotero:"),
        (("--to", "zotero:", "--calls"), "--to goes by itself"),
        (("--with-papers",), "--with-papers goes with --to"),
        (("--to", "zotero:groups/mine"), "comes a number"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_one_line(here, arguments, said):
    ended = here("runs", "export", "last", *arguments)
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert said in ended.err
