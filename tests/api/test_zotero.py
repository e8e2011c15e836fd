"""Zotero from Python: the same as the commands."""

from __future__ import annotations

import shutil

import pytest

import novum
from novum.errors import BadInput
from tests.zotero_service import KEY, ZoteroService, paper


@pytest.fixture
def zotero():
    running = ZoteroService()
    yield running
    running.close()


def test_a_library_is_added_and_a_place_that_is_none_is_refused(zotero, tmp_path, monkeypatch):
    monkeypatch.setenv("ZOTERO_API_KEY", KEY)
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path))
    (tmp_path / "novum.toml").write_text(f'[source_addresses]\nzotero = "{zotero.address}"\n')
    zotero.put(paper("AAAA2222", "Sheets that fold"))
    assert novum.add_zotero().report.added == 1
    with pytest.raises(BadInput, match="comes a number"):
        novum.add_zotero("zotero:groups/mine")


def test_the_ideas_of_a_run_are_written(zotero, tmp_path, monkeypatch, environment, filled_library, serve):
    monkeypatch.setenv("ZOTERO_API_KEY", KEY)
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "novum.toml").write_text(f'[source_addresses]\nzotero = "{zotero.address}"\n')
    shutil.copytree(filled_library, tmp_path / "library")
    made = novum.ideate("graph learning for molecules", model=serve().model, branches=1, length=2)
    done = novum.export_to_zotero(made.run_id, with_papers=True)
    assert (done.notes, done.items > 0) == (len(made.ideas), True)
    assert novum.export_to_zotero(made.run_id).notes_present == len(made.ideas)
    with pytest.raises(BadInput, match="no place for ideas"):
        novum.export_to_zotero(made.run_id, "endnote")
