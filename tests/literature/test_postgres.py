"""The same library with its rows on a PostgreSQL server."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from novum.core import Identifiers
from novum.errors import LibraryError
from novum.literature import Entry, Library, Reference, import_file
from tests.literature import test_library, test_search
from tests.literature.conftest import ATTENTION, BERT, COOKING, FOLDING, entry, paper
from tests.postgres import Server


@pytest.fixture
def library(tmp_path: Path, postgres: Server) -> Iterator[Library]:
    """An empty library on the server; takes the place of the one in a folder."""
    with Library.open(tmp_path / "library", url=postgres.new_schema()) as opened:
        yield opened


def stories(told: ModuleType) -> dict[str, Callable[..., None]]:
    """The tests of a module that ask for nothing but a library."""
    return {
        name: test
        for name, test in vars(told).items()
        if name.startswith("test_") and not {"library", "shelf"}.isdisjoint(inspect.signature(test).parameters)
    }


globals().update(stories(test_library))  # every behaviour of rows in a folder, on the server
test_new_text_is_found = test_search.test_what_was_just_added_or_enriched_is_found_at_once
test_merged_papers_leave = test_search.test_a_merged_paper_leaves_the_indexes_too


@pytest.fixture(params=["sqlite", "postgresql"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Library]:
    """An empty library in a folder, then one on the server."""
    on_server = request.param == "postgresql"
    url = request.getfixturevalue("postgres").new_schema() if on_server else None
    with Library.open(tmp_path / "library", url=url) as opened:
        yield opened


def test_text_that_no_database_holds_is_mended_and_the_paper_comes_in(anywhere: Library) -> None:
    odd = "half \ud83d and nothing \x00 here"
    described = paper(
        "Odd \x00Signs", 2020, odd, venue=odd, abstract=odd, fields=(odd,), ids=Identifiers(doi="10.1/\x00")
    )
    references = (Reference("key", odd), Reference("title", f"What it cites: {odd}"))
    described = described.but(references=(odd,))
    whole = Entry(described, f"test/{odd}", references, full_text=odd, other_keys=(f"other/{odd}",))
    report = anywhere.add([whole, entry(BERT)])
    assert (report.added, report.waiting) == (2, 3)
    held = anywhere.find("Odd Signs")
    assert held is not None
    mended = "half ? and nothing  here"
    assert (held.authors, held.venue, held.abstract, held.fields) == ((mended,), mended, mended, (mended,))
    assert anywhere.full_text(held.id) == mended
    anywhere.set_full_text(held.id, odd)
    assert anywhere.full_text(held.id) == mended
    assert [hit.paper for hit in asyncio.run(anywhere.search("odd signs", 1))] == [held]


def test_nothing_is_known_by_a_name_that_no_database_holds(anywhere: Library) -> None:
    anywhere.add([entry(BERT, "bert")])
    assert anywhere.get(f"{BERT.id}\x00 and more") is None
    for odd in ("\x00", "half \ud83d"):
        assert anywhere.get(odd) is None
        assert anywhere.by_identifier("key", odd) is None
        assert anywhere.find(odd) is None
        assert len(asyncio.run(anywhere.search(odd))) <= 1


def test_values_as_large_as_they_may_be(anywhere: Library) -> None:
    scribe = "𒀀" * 950  # four bytes each
    large = paper(f"Tablet {scribe}", 9999, *[f"Scribe {n}" for n in range(5000)], abstract=scribe * 1000,
                  citation_count=2**62, ids=Identifiers(doi=f"10.1/{scribe[:480]}"))  # fmt: skip
    cited_by_title = Entry(BERT, references=(Reference("title", large.title), Reference("doi", large.ids.doi or "")))
    assert anywhere.add([cited_by_title]).waiting == 2
    assert anywhere.add([Entry(large, key=f"k:{scribe[:500]}", full_text="word " * 400_000)]).links == 1
    held = anywhere.get(large.id)
    assert held == large
    assert anywhere.by_identifier("doi", large.ids.doi or "") == large
    assert len(anywhere.full_text(large.id) or "") == 2_000_000
    assert anywhere.stats().waiting == 0


def test_a_name_that_is_too_long_is_not_taken_for_its_beginning(library: Library) -> None:
    library.add([entry(paper("Short Name", 2020, ids=Identifiers(doi="10.1/" + "a" * 507)))])
    assert library.by_identifier("doi", "10.1/" + "a" * 507) is not None
    assert library.by_identifier("doi", "10.1/" + "a" * 508) is None


def test_a_file_comes_in_and_is_known_the_second_time(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "papers.jsonl"
    lines = [
        {"title": f"Engine number {n}", "year": 2000, "key": f"k:{n}", "references": [f"k:{n + 1}"]} for n in range(50)
    ]
    file.write_text("\n".join(map(json.dumps, lines)) + "\nnot json\n", "utf-8")
    first, second = import_file(library, file), import_file(library, file)
    assert (first.added, first.links, first.waiting, first.rejected) == (50, 49, 1, 1)
    assert (second.added, second.unchanged, second.links) == (0, 50, 0)


def test_the_indexes_of_two_machines_follow_the_rows(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_schema()
    with Library.open(tmp_path / "here", url=url) as here, Library.open(tmp_path / "there", url=url) as there:
        here.add([entry(ATTENTION), entry(COOKING)])
        asyncio.run(here.index())
        assert [hit.paper for hit in asyncio.run(there.search("attention", 1))] == [ATTENTION]
        there.add([entry(FOLDING)])
        assert [hit.paper for hit in asyncio.run(here.search("protein structure", 1))] == [FOLDING]
        asyncio.run(there.index())
        assert here.stats() == there.stats()


def test_many_may_make_the_same_library_at_once_and_write_to_it(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_schema()

    def write(writer: int) -> int:
        with Library.open(tmp_path / str(writer), url=url) as library:
            return sum(library.add([entry(paper(f"Engine {writer} {n}"))]).added for n in range(15))

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(write, range(6))) == [15] * 6
    with Library.open(tmp_path / "after", url=url) as library:
        stats = library.stats()
    assert (stats.papers, stats.changes) == (90, 90)


def test_several_libraries_may_share_a_database_each_in_a_schema_of_its_own(tmp_path: Path, postgres: Server) -> None:
    with (
        Library.open(tmp_path / "one", url=postgres.new_schema()) as one,
        Library.open(tmp_path / "other", url=postgres.new_schema()) as other,
    ):
        one.add([entry(ATTENTION)])
        assert other.get(ATTENTION.id) is None


def test_when_the_server_goes_away_it_is_said_in_a_line_and_when_it_is_back_all_works(
    tmp_path: Path, postgres: Server
) -> None:
    with Library.open(tmp_path, url=postgres.new_schema()) as library:
        library.add([entry(ATTENTION)])

        def interrupted() -> Iterator[Entry]:
            yield entry(BERT)
            postgres.stop()

        try:
            with pytest.raises(LibraryError, match="does not answer") as told:
                library.add(interrupted())
            with pytest.raises(LibraryError, match="does not answer"):
                library.stats()
        finally:
            postgres.start()
        assert "\n" not in str(told.value)
        assert library.stats().papers == 1
        assert library.add([entry(ATTENTION), entry(BERT)]).added == 1


def test_a_restart_between_two_questions_is_not_even_noticed(tmp_path: Path, postgres: Server) -> None:
    with Library.open(tmp_path, url=postgres.new_schema()) as library:
        library.add([entry(ATTENTION)])
        postgres.stop()
        postgres.start()
        assert library.get(ATTENTION.id) == ATTENTION
        assert library.add([entry(BERT)]).added == 1


def test_a_writer_that_falls_silent_does_not_stop_the_others_for_good(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_schema()
    Library.open(tmp_path, url=url).close()
    quick = url.replace("?", "?application_name=silent&")
    with Library.open(tmp_path / "silent", url=quick) as silent, Library.open(tmp_path / "lively", url=url) as lively:
        held = silent._database.write()
        held.__enter__().connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = '200ms'")
        assert lively.add([entry(ATTENTION)]).added == 1
        with pytest.raises(LibraryError, match="does not answer"):
            held.__exit__(None, None, None)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (lambda server: server.url(user="guarded:wrong"), "does not let you in"),
        (lambda server: server.url(user="guarded"), "does not let you in"),
        (lambda server: server.url("nowhere"), "There is no database"),
        (lambda server: server.url("template0"), "not currently accepting connections"),
        (lambda server: f"postgresql+psycopg://{_nobody()}/library", "does not answer"),
        (lambda server: server.new_database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"), "kept in LATIN1"),
        (lambda server: "mysql://host/name", "not a database URL that Novum understands"),
        (lambda server: "postgresql+asyncpg://host/name", "not a database URL that Novum understands"),
    ],
)
def test_what_hinders_is_told_in_one_line_without_the_password(
    tmp_path: Path, postgres: Server, place: Callable[[Server], str], said: str
) -> None:
    with pytest.raises(LibraryError, match=said) as told:
        Library.open(tmp_path, url=place(postgres))
    assert "\n" not in str(told.value)
    assert "wrong" not in str(told.value)


def _nobody() -> str:
    """An address where nobody listens: no test is ever given a port so low."""
    return "127.0.0.1:9"


def test_the_right_password_opens(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_database("OWNER guarded").replace("postgres@", "guarded:right@")
    with Library.open(tmp_path, url=url) as library:
        assert library.add([entry(ATTENTION)]).added == 1


def test_a_database_without_the_right_to_make_tables_is_refused(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_database().replace("postgres@", "guarded:right@")
    with pytest.raises(LibraryError, match="ask its owner"):
        Library.open(tmp_path, url=url)


def test_tables_of_something_else_are_left_alone(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_database()
    name = url.rpartition("/")[2]
    postgres.say("CREATE TABLE citations (title text)", name)
    with pytest.raises(LibraryError, match="belongs to something else"):
        Library.open(tmp_path, url=url)
    assert postgres.say("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", name) == [(1,)]
