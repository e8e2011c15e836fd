"""The columns that filters ask say what the rows say, whatever was added, enriched, merged, saved and read again."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novum.core import Identifiers, Paper
from novum.literature import Filters, Library
from novum.literature.search import catalogue
from novum.literature.search.catalogue import Catalogue
from novum.literature.search.locking import exclusive
from novum.literature.store import lookup
from novum.literature.store.database import Database, open_database
from tests.literature.conftest import entry, paper

FIELDS = ("Graphs", "graphs ", "Proofs", "Ünits", "")
PAPERS = st.builds(
    lambda title, year, date, fields, venue, count, doi: paper(
        f"Engine {title}", year, "Ada Lovelace", date=date, fields=fields, venue=venue, citation_count=count,
        ids=Identifiers(doi=doi),
    ),
    st.integers(0, 5), st.sampled_from([None, 2000, 2001]), st.sampled_from([None, dt.date(2000, 5, 1)]),
    st.lists(st.sampled_from(FIELDS), max_size=4, unique=True).map(tuple),
    st.sampled_from(["", "NeurIPS", "neurips.", "ICML"]), st.sampled_from([None, 0, 7, 2**40]),
    st.sampled_from([None, None, "10.1/a", "10.1/b"]),
)  # fmt: skip
DAYS = st.sampled_from([None, dt.date(1, 1, 1), dt.date(2000, 5, 1), dt.date(2001, 1, 1), dt.date(9999, 12, 31)])
FILTERS = st.builds(
    lambda before, since, fields, venues, least: Filters(
        before=before, since=since, fields=fields, venues=venues, min_citations=least
    ),
    DAYS, DAYS, st.sampled_from([(), ("graphs",), ("ünits", "proofs"), ("none",)]),
    st.sampled_from([(), ("NEURIPS",), ("icml", "")]), st.sampled_from([None, 0, 1, 8]),
)  # fmt: skip


def rows(library: Library, database: Database) -> dict[int, Paper]:
    """By number."""
    with database.read() as connection:
        numbers = lookup.numbers_by_name(connection, [("paper", one.id) for one in library.papers()])
        return lookup.papers_by_number(connection, numbers.values())


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(PAPERS, min_size=1, max_size=5), min_size=1, max_size=5), st.lists(FILTERS, max_size=5))
def test_what_passes_is_what_the_filters_admit(
    tmp_path_factory: pytest.TempPathFactory, added: list[list[Paper]], asked: list[Filters]
) -> None:
    folder = tmp_path_factory.mktemp("catalogue")
    kept, file = Catalogue.empty(), folder / "index" / "catalogue.npz"
    with pytest.MonkeyPatch.context() as small, Library.open(folder) as library:
        small.setattr(catalogue, "_WORTH_A_FILE", 0)
        database = open_database(folder, None)
        for papers in added:
            library.add(entry(one) for one in papers)
            kept = kept.updated_from(database).save(file)
            held = rows(library, database)
            assert kept.numbers.tolist() == sorted(held)
            for filters in asked:
                passing = kept.passing(filters)
                found = kept.numbers if passing is None else passing
                assert found.tolist() == sorted(n for n, one in held.items() if filters.admits(one))
        again, anew = Catalogue.load(file).updated_from(database), Catalogue.empty().updated_from(database)
        for name, column in kept.columns.items():
            assert column.tolist() == again.columns[name].tolist() == anew.columns[name].tolist()
            assert column.dtype == again.columns[name].dtype
        database.close()


def test_the_file_is_written_again_when_much_has_changed_though_nothing_came(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "_WORTH_A_FILE", 10)
    database, file = open_database(library.folder, None), library.folder / "index" / "catalogue.npz"
    papers = [paper(f"Engine {n}") for n in range(20)]
    library.add(entry(one) for one in papers)
    first = Catalogue.empty().updated_from(database).save(file)
    library.add(entry(one.but(venue="NeurIPS")) for one in papers)
    first.updated_from(database).save(file)
    assert Catalogue.load(file).change == database.last_change()
    database.close()


def test_two_processes_do_not_write_one_file_at_once(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_WORTH_A_FILE", 0)
    database, file = open_database(library.folder, None), library.folder / "index" / "catalogue.npz"
    library.add([entry(paper("Engine"))])
    mine = Catalogue.empty().updated_from(database)
    with exclusive(file.parent) as theirs:
        assert theirs
        assert mine.save(file) is mine
        assert not file.exists()
    assert mine.save(file).unsaved == 0
    assert len(Catalogue.load(file)) == 1
    database.close()
