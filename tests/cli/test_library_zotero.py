"""`novum library add zotero:…`: the user's own library, and what to do when it cannot be read."""

from __future__ import annotations

import pytest

import novum.cli.library.add  # noqa: F401  once loaded, a command does not announce itself on stderr
from tests.cli.test_library_add import work, works
from tests.local_service import Service
from tests.zotero_service import KEY, Answer, ZoteroService, paper


@pytest.fixture
def zotero(home):
    """Zotero's web API, and the program on this computer, which does not run."""
    running = ZoteroService()
    gone = ZoteroService(local=True)
    gone.close()
    text = f'[source_addresses]\nzotero = "{running.address}"\nzotero-local = "{gone.address}"\n'
    (home / "novum.toml").write_text(text)
    yield running
    running.close()


@pytest.fixture
def keyed(monkeypatch):
    monkeypatch.setenv("ZOTERO_API_KEY", KEY)


def test_a_library_comes_in_and_a_second_time_nothing_is_new(here, zotero, keyed):
    zotero.put(paper("AAAA2222", "Sheets that fold", DOI="10.1000/sheets"), paper("BBBB2222", "Sheets that tear"))
    zotero.put(
        {"key": "PAGE2345", "itemType": "webpage", "title": "A Page"},
        {"key": "NATE2345", "itemType": "note", "note": "<p>mine</p>"},
    )
    ended = here("library", "add", "zotero:")
    assert ended.code == 0
    assert "Notes and files that belong to no paper: 1" in ended.out
    assert "knows no citations" in ended.err
    assert "Zotero: 2 added, 0 merged with known ones, 0 known already, 1 left out, being no papers" in ended.out
    assert "The library holds 10 papers" in ended.out
    assert "Sheets that fold" in here("library", "show", "doi:10.1000/sheets").out
    assert "nothing has changed since the last time" in here("library", "add", "zotero:").out


def test_a_collection_with_blanks_in_its_name(here, zotero, keyed):
    zotero.collect("CCCC2222", "My Thesis")
    zotero.put(paper("AAAA2222", "Sheets that fold", collections=["CCCC2222"]), paper("BBBB2222", "Another"))
    assert "Zotero: 1 added" in here("library", "add", "zotero:My Thesis").out
    ended = here("library", "add", "zotero:My", "Thesis")
    assert (ended.code, "written in quotes" in ended.err) == (2, True)


def test_full_texts_come_in_where_they_are_wanted(here, zotero, keyed):
    zotero.put(
        paper("AAAA2222", "Sheets that fold"),
        {"key": "FALE2345", "itemType": "attachment", "parentItem": "AAAA2222", "title": "PDF"},
    )
    zotero.texts = {"FALE2345": "All of it."}
    assert "Full texts added" not in here("library", "add", "zotero:").out
    assert "Full texts added: 1" in here("library", "add", "zotero:", "--with-full-texts").out


def test_without_key_and_program_one_line_says_what_to_do(here, zotero):
    ended = here("library", "add", "zotero:")
    assert ended.code == 2
    (line,) = ended.lines
    assert "Zotero does not run on this computer" in line
    assert "start it" in line
    assert "ZOTERO_API_KEY" in line


def test_a_refused_key_is_one_line_without_the_key(here, zotero, keyed):
    zotero.instead = [Answer(403, f"Invalid key {KEY}".encode())]
    ended = here("library", "add", "zotero:")
    (line,) = ended.lines
    assert "does not know the key in ZOTERO_API_KEY" in line
    assert KEY not in ended.out + ended.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "zotero:", "--source", "arxiv"),
        ("add", "zotero:", "--pdf", "folder"),
        ("add", "folding sheets", "--with-full-texts"),
        ("add", "zotero"),
        ("import", "zotero:My Thesis"),
    ],
)
def test_what_does_not_go_together_is_refused_in_one_line(here, arguments):
    ended = here("library", *arguments)
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert "zotero:" in ended.err


@pytest.mark.slow
def test_the_command_in_a_process_of_its_own(novum, zotero):
    zotero.put(paper("AAAA2222", "Sheets that fold"))
    ended = novum("library", "add", "zotero:", "--json", ZOTERO_API_KEY=KEY)
    assert (ended.code, '"added": 1' in ended.out) == (0, True)


# Citations, of which Zotero knows none


@pytest.mark.parametrize("times", [1, 2])
def test_citations_between_the_papers_come_from_a_service(here, home, zotero, keyed, times):
    zotero.collect("CCCC2222", "My Thesis")
    zotero.put(
        paper("AAAA2222", "Sheets that fold", DOI="10.1000/fold", collections=["CCCC2222"]),
        paper("BBBB2222", "Sheets that tear", DOI="10.1000/tear", collections=["CCCC2222"]),
    )
    openalex = Service()
    with (home / "novum.toml").open("a") as settings:
        settings.write(f'openalex = "{openalex.address}"\n')
    known = work(1, 2, title="Sheets that fold", doi="https://doi.org/10.1000/fold")
    openalex.on("/works", works(known, work(2, title="Sheets that tear", doi="https://doi.org/10.1000/tear")))
    if times == 2:  # nothing has changed in Zotero since, and citations are wanted now
        here("library", "add", "zotero:My Thesis")
    ended = here("library", "add", "zotero:My Thesis", "--with-citations", "1", "--source", "openalex")
    openalex.close()
    assert ended.code == 0, ended.err
    assert "1 citation link found" in ended.out
    shown = here("library", "show", "doi:10.1000/fold").out
    assert "Sheets that tear" in shown.partition("It cites")[2]


# Again


def test_update_reads_what_changed_in_the_places_that_were_added(here, zotero, keyed):
    zotero.collect("CCCC2222", "My Thesis")
    zotero.put(paper("AAAA2222", "Sheets that fold", collections=["CCCC2222"]))
    here("library", "add", "zotero:My Thesis")
    zotero.put(paper("BBBB2222", "Sheets that tear", collections=["CCCC2222"]), paper("DDDD2222", "Elsewhere"))
    ended = here("library", "update")
    assert ended.code == 0
    assert ended.out.startswith("zotero:My Thesis\n")
    assert "Notes and files" not in ended.out
    assert "Zotero: 1 added, 0 merged with known ones, 0 known already; only what changed since" in ended.out
    assert "nothing has changed" in here("library", "update", "--source", "zotero").out


def test_a_place_that_cannot_be_read_does_not_stop_the_others(here, zotero, keyed):
    zotero.collect("CCCC2222", "My Thesis")
    here("library", "add", "zotero:My Thesis")
    here("library", "add", "zotero:")
    zotero.collections.clear()
    zotero.put(paper("AAAA2222", "Sheets that fold"))
    ended = here("library", "update")
    assert ended.code == 0
    assert "Zotero: 1 added" in ended.out
    assert any("Not read: There is no collection 'My Thesis'" in line for line in ended.lines)


def test_places_are_listed_with_the_searches_and_can_be_forgotten(here, zotero, keyed):
    here("library", "add", "zotero:", "--with-full-texts")
    assert "zotero:" in here("library", "searches").out
    assert '"full_texts": true' in here("library", "searches", "--json").out
    assert "No search is saved" in here("library", "searches", "--forget", "1").out
    assert here("library", "update", "--source", "zotero").code == 2
