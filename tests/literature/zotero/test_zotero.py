"""Zotero's libraries are read whole at first and then as far as they changed, at the pace that Zotero asks for."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

import pytest

from novum.core import Identifiers
from novum.errors import BadInput, SourceError
from novum.literature import Entry, Library
from novum.literature.importing.record import UnusableRecord
from novum.literature.zotero.client import ZoteroClient, ZoteroForbiddenError
from novum.literature.zotero.items import item_entry
from novum.literature.zotero.library import ZoteroLibrary, zotero_client
from novum.literature.zotero.place import ZoteroPlace
from novum.literature.zotero.reading import ZoteroReport, add_zotero
from tests.literature.sources.conftest import Time
from tests.zotero_service import KEY, USER, Answer, ZoteroService, paper


@pytest.fixture
def web() -> Iterator[ZoteroService]:
    running = ZoteroService()
    yield running
    running.close()


@pytest.fixture
def local() -> Iterator[ZoteroService]:
    running = ZoteroService(local=True)
    yield running
    running.close()


@pytest.fixture
def time() -> Time:
    return Time()


class Reader:
    """Reads a place of a service into a library, with a clock that does not wait."""

    def __init__(self, library: Library, time: Time) -> None:
        self.library = library
        self.time = time

    def __call__(
        self, service: ZoteroService, name: str = "zotero:", *, key: str = KEY, **options: Any
    ) -> ZoteroReport:
        place = ZoteroPlace.read(name)

        async def read() -> ZoteroReport:
            client = ZoteroClient(
                service.address,
                "" if service.local else key,
                local=service.local,
                clock=self.time.clock,
                sleep=self.time.sleep,
            )
            async with client:
                zotero = await ZoteroLibrary.open(client, place)
                return await add_zotero(self.library, zotero, place.collection, **options)

        return asyncio.run(read())


@pytest.fixture
def read(library: Library, time: Time) -> Reader:
    return Reader(library, time)


def key(number: int) -> str:
    """A key of an item."""
    return f"ITEM{number:04}".replace("0", "A").replace("1", "B")


def stock(service: ZoteroService, count: int) -> None:
    service.put(*(paper(key(number), f"Sheet {number} and its folds") for number in range(count)))


# Items


def shown(**data: object) -> dict[str, object]:
    meta = data.pop("meta", {})
    library = {"type": "group", "id": 7}
    return {"key": "ABCD2345", "version": 3, "library": library, "meta": meta, "data": {"itemType": "preprint", **data}}


def test_an_item_becomes_a_paper_with_all_that_zotero_knows() -> None:
    entry = item_entry(
        shown(
            itemType="conferencePaper",
            title="Folding <i>Sheets</i> &amp; More",
            creators=[
                {"creatorType": "editor", "firstName": "Ed", "lastName": "Itor"},
                {"creatorType": "author", "firstName": "Ada", "lastName": "Byron"},
                {"creatorType": "author", "name": "The Folding Group"},
            ],
            proceedingsTitle="Proceedings of Sheets",
            date="May 12, 2019",
            DOI="https://doi.org/10.1000/ABC",
            abstractNote="Sheets\nare folded.",
            extra="Citation Key: byron\nPMID: 31000001\narXiv: 1706.03762 [cs]\nRelated: 10.1000/other",
            tags=[{"tag": "paper", "type": 1}, {"tag": "to read"}],
            meta={"parsedDate": "2019-05-12"},
        )
    )
    found = entry.paper
    assert found.title == "Folding Sheets & More"
    assert found.authors == ("Ada Byron", "The Folding Group")
    assert (found.venue, found.year, found.date) == ("Proceedings of Sheets", 2019, dt.date(2019, 5, 12))
    assert found.ids == Identifiers(doi="10.1000/abc", arxiv="1706.03762", pmid="31000001")
    assert (found.abstract, found.fields) == ("Sheets are folded.", ("paper",))
    assert entry.key == "zotero:groups/7/ABCD2345"


@pytest.mark.parametrize(
    ("data", "arxiv"),
    [
        ({"repository": "arXiv", "archiveID": "arXiv:2101.00001"}, "2101.00001"),
        ({"repository": "arXiv", "archiveID": "2101.00001"}, "2101.00001"),
        ({"url": "http://arxiv.org/abs/2101.00001v3"}, "2101.00001"),
        ({"DOI": "10.48550/arXiv.2101.00001"}, "2101.00001"),
        ({"extra": "arXiv:2101.00001 [cs.CL]"}, "2101.00001"),
        ({"extra": "Compare arXiv:2101.00001"}, None),
        ({"abstractNote": "arXiv:2101.00001"}, None),
    ],
)
def test_the_number_of_a_preprint_is_found_where_zotero_puts_it(data: dict[str, object], arxiv: str | None) -> None:
    assert item_entry(shown(title="A Preprint", **data)).paper.ids.arxiv == arxiv


@pytest.mark.parametrize(
    "data",
    [
        {"itemType": "webpage", "title": "A Page"},
        {"title": ""},
        {"title": None, "creators": "nobody", "tags": 3},
        {"title": "RETRACTED: Gone"},
        {},
    ],
)
def test_what_is_no_paper_is_refused_with_a_reason(data: dict[str, object]) -> None:
    with pytest.raises(UnusableRecord):
        item_entry(shown(**data))


def test_hostile_items_become_gaps() -> None:
    entry = item_entry(
        shown(title="Odd\x00", creators=[None, {"lastName": 3}, {}], date=5, DOI=[], extra={}, url=7, tags=[None])
    )
    assert isinstance(entry, Entry)
    assert (entry.paper.title, entry.paper.authors, entry.paper.year) == ("Odd", (), None)


# Reading


def test_a_library_is_read_in_pages_and_only_papers_of_it(web: ZoteroService, read: Reader) -> None:
    stock(web, 230)
    web.put(
        {"key": "NATE2345", "itemType": "note", "note": "<p>mine</p>"},
        {"key": "PAGE2345", "itemType": "webpage", "title": "A Page"},
        {"key": "FALE2345", "itemType": "attachment", "parentItem": key(3), "title": "PDF"},
    )
    done = read(web)
    assert (done.report.added, done.report.rejected, done.parts) == (230, 1, 1)
    assert "no paper, of type webpage" in done.report.rejects[0].reason
    assert web.paths() == ["/keys/current", *[f"/users/{USER}/items/top"] * 3]
    assert [each.query.get("start") for each in web.asked[1:]] == [None, "100", "200"]
    assert read.library.by_names([("key", f"zotero:users/{USER}/{key(7)}")])


def test_a_second_time_only_changes_are_requested(web: ZoteroService, read: Reader) -> None:
    stock(web, 5)
    assert not read(web).since
    again = read(web)
    assert (again.unchanged, again.report.read) == (True, 0)
    web.put(paper(key(2), "Sheet 2 and its folds", DOI="10.1000/two"), paper("NEWW2345", "A new sheet"))
    web.asked.clear()
    changed = read(web)
    assert (changed.since, changed.report.added, changed.report.merged) == (True, 1, 1)
    (asked,) = (each for each in web.asked if each.path.endswith("/top"))
    assert (asked.query["since"], asked.headers["If-Modified-Since-Version"]) == ("1", "1")
    whole = read(web, fresh=True)
    assert (whole.since, whole.report.unchanged) == (False, 6)


def test_an_interrupted_reading_starts_again(web: ZoteroService, read: Reader) -> None:
    stock(web, 150)
    served = web.answer

    def fail(asked: Any) -> Answer:
        return Answer(400, b"Nothing") if "start" in asked.query else served(asked)

    web.answer = fail  # type: ignore[method-assign]
    with pytest.raises(SourceError, match="cannot answer this"):
        read(web)
    assert read.library.size().papers == 100
    web.answer = served  # type: ignore[method-assign]
    assert (read(web).report.added, read.library.size().papers) == (50, 150)


def test_what_changes_while_pages_are_read_is_read_the_next_time(web: ZoteroService, read: Reader) -> None:
    stock(web, 150)
    served = web.answer

    def change(asked: Any) -> Answer:
        if "start" in asked.query:
            web.put(paper(key(0), "Sheet 0 and its folds", DOI="10.1000/late"))
        return served(asked)

    web.answer = change  # type: ignore[method-assign]
    read(web)
    web.answer = served  # type: ignore[method-assign]
    read(web)
    assert read.library.by_identifier("doi", "10.1000/late") is not None


def test_a_collection_is_found_by_name_path_and_key_with_those_below_it(web: ZoteroService, read: Reader) -> None:
    for name, title, parent in (("AAAA2222", "Thesis", ""), ("BBBB2222", "Chapter", "AAAA2222"), ("CCCC2222", "X", "")):
        web.collect(name, title, parent)
    web.put(
        paper("PAPA2222", "In the thesis", collections=["AAAA2222"]),
        paper("PAPB2222", "In the chapter", collections=["BBBB2222"]),
        paper("PAPC2222", "Elsewhere", collections=["CCCC2222"]),
    )
    assert read(web, "zotero:thesis").report.added == 2
    assert read(web, "zotero:Thesis/Chapter", fresh=True).report.unchanged == 1
    assert read(web, "zotero:chapter", fresh=True).report.unchanged == 1
    assert read(web, "zotero:CCCC2222").report.added == 1


def test_an_unknown_or_ambiguous_collection_is_answered_with_names(web: ZoteroService, read: Reader) -> None:
    with pytest.raises(BadInput, match="this library of Zotero has none"):
        read(web, "zotero:Thesis")
    web.collect("AAAA2222", "Thesis")
    web.collect("BBBB2222", "Notes", "AAAA2222")
    web.collect("CCCC2222", "Book")
    web.collect("DDDD2222", "Notes", "CCCC2222")
    with pytest.raises(BadInput, match=r"2 collections named 'notes': Book/Notes \(DDDD2222\), Thesis/Notes"):
        read(web, "zotero:notes")
    with pytest.raises(BadInput, match=r"no collection .Tesis. in Zotero\. Did you mean Thesis"):
        read(web, "zotero:Tesis")
    with pytest.raises(BadInput, match="There are: Book, Book/Notes, Thesis, Thesis/Notes"):
        read(web, "zotero:quantum")


def test_collections_in_a_circle_end(web: ZoteroService, read: Reader) -> None:
    web.collect("AAAA2222", "One", "BBBB2222")
    web.collect("BBBB2222", "Two", "AAAA2222")
    web.put(paper("PAPA2222", "In a circle", collections=["BBBB2222"]))
    assert read(web, "zotero:AAAA2222").report.added == 1


def test_a_public_group_is_read_without_a_key(web: ZoteroService, read: Reader) -> None:
    web.owner = "groups/34"
    stock(web, 2)
    assert read(web, "zotero:groups/34", key="").report.added == 2
    assert "Zotero-API-Key" not in web.asked[-1].headers
    with pytest.raises(BadInput, match="no library groups/35"):
        read(web, "zotero:groups/35", key="")


def test_the_texts_of_files_are_added_where_the_library_has_none(web: ZoteroService, read: Reader) -> None:
    stock(web, 3)
    web.put(
        {"key": "FALA2345", "itemType": "attachment", "parentItem": key(0), "title": "PDF"},
        {"key": "FALB2345", "itemType": "attachment", "parentItem": key(1), "title": "PDF, not indexed"},
        {"key": "FALC2345", "itemType": "attachment", "title": "by itself"},
    )
    web.texts = {"FALA2345": "The whole text.\x00", "FALC2345": "Of nothing."}
    assert read(web, full_texts=True).full_texts == 1
    found = read.library.by_names([("key", f"zotero:users/{USER}/{key(0)}")]).popitem()[1]
    assert read.library.full_text(found.id) == "The whole text."
    web.asked.clear()
    assert read(web, full_texts=True).full_texts == 0
    assert not any(path.endswith("2345/fulltext") for path in web.paths())


# On this computer


def test_without_a_key_the_program_on_this_computer_is_read_and_always_whole(
    local: ZoteroService, read: Reader
) -> None:
    stock(local, 150)
    assert read(local).report.added == 150
    assert {each.path for each in local.asked} == {"/api/users/0/items/top"}
    local.items[key(1)]["DOI"] = "10.1000/not-synchronised"  # keeps its version until it is
    assert read(local).report.merged == 1
    assert read.library.by_names([("key", f"zotero:users/{USER}/{key(7)}")])


def test_a_program_that_lets_nobody_in_or_does_not_run_says_what_to_do(local: ZoteroService, read: Reader) -> None:
    local.instead = [Answer(403, b"Local API is not enabled")]
    with pytest.raises(ZoteroForbiddenError, match="Allow other applications on this computer"):
        read(local)
    local.close()
    with pytest.raises(SourceError, match=r"Zotero does not run on this computer .* start it .* or set ZOTERO_API_KEY"):
        read(local)


@pytest.mark.parametrize(
    ("name", "environment", "is_local"),
    [
        ("zotero:", {}, True),
        ("zotero:", {"ZOTERO_API_KEY": " k "}, False),
        ("zotero:local", {"ZOTERO_API_KEY": "k"}, True),
        ("zotero:local/Thesis", {"ZOTERO_API_KEY": "k"}, True),
        ("zotero:groups/3", {}, False),
        ("zotero:local/groups/3", {}, True),
    ],
)
def test_the_key_and_the_name_decide_which_api_is_used(name: str, environment: dict[str, str], is_local: bool) -> None:
    assert zotero_client(ZoteroPlace.read(name), {}, environment).local is is_local


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("zotero:", ZoteroPlace()),
        ("zotero: My Thesis / Two ", ZoteroPlace("My Thesis/Two")),
        ("zotero:groups/34/Notes", ZoteroPlace("Notes", "groups/34")),
        ("zotero:users/5", ZoteroPlace("", "users/5")),
        ("zotero:local/groups/34", ZoteroPlace("", "groups/34", local=True)),
    ],
)
def test_names_of_places(name: str, place: ZoteroPlace) -> None:
    assert ZoteroPlace.read(name) == place
    assert ZoteroPlace.read(str(place)) == place


@pytest.mark.parametrize("name", ["zotero:groups", "zotero:groups/mine", "zotero:users/"])
def test_a_group_is_named_by_its_number(name: str) -> None:
    with pytest.raises(BadInput, match="comes a number"):
        ZoteroPlace.read(name)


# Refusals


def test_an_unknown_key_and_a_private_library_say_what_to_do(web: ZoteroService, read: Reader) -> None:
    with pytest.raises(ZoteroForbiddenError, match="does not know the key in ZOTERO_API_KEY"):
        read(web, key="another-key-1234")
    with pytest.raises(
        ZoteroForbiddenError, match=r"is not public .* set ZOTERO_API_KEY to a key from https://www.zot"
    ):
        read(web, f"zotero:users/{USER}", key="")


def test_zotero_is_left_alone_for_as_long_as_it_asks(web: ZoteroService, read: Reader, time: Time) -> None:
    stock(web, 150)
    web.instead = [Answer(429, b"Too many requests", {"Retry-After": "7"}), Answer(503, b"", {"Retry-After": "2"})]
    read(web)
    assert time.slept == [7, 2]
    time.slept.clear()
    web.extra_headers = {"Backoff": "11"}  # with good answers too
    read(web, fresh=True)
    assert time.slept == [11, 11]


def test_what_asks_for_too_much_patience_is_told(web: ZoteroService, read: Reader, time: Time) -> None:
    web.instead = [Answer(429, b"", {"Retry-After": "900"})]
    with pytest.raises(SourceError, match="asks to be left alone for 900 s: run the same command again later"):
        read(web)
    assert time.slept == []


def test_a_service_that_keeps_failing_is_given_up(web: ZoteroService, read: Reader) -> None:
    web.instead = [Answer(500, b"<b>Oh</b>")] * 5
    with pytest.raises(SourceError, match=r"failed 5 times in a row \(500: Oh\)"):
        read(web)


@pytest.mark.parametrize("body", [b"", b"<html>sign in</html>", b"[" * 100_000])
def test_an_unreadable_answer_is_one_line(web: ZoteroService, read: Reader, body: bytes) -> None:
    web.instead = [Answer(200, body)]
    with pytest.raises(SourceError, match="unreadable"):
        read(web)


@pytest.mark.parametrize("link", ["http://127.0.0.1:9/users/12/items", "{again}"])
def test_links_to_elsewhere_and_in_circles_are_not_followed(web: ZoteroService, read: Reader, link: str) -> None:
    stock(web, 1)
    served = web.answer

    def lead(asked: Any) -> Answer:
        answer = served(asked)
        again = f"{web.address}/users/{USER}/items/top?start=1"
        answer.headers["Link"] = f'<{link.replace("{again}", again)}>; rel="next"'
        return answer

    web.answer = lead  # type: ignore[method-assign]
    with pytest.raises(SourceError, match="elsewhere or in circles"):
        read(web)
    assert read.library.size().papers == 1


def test_a_redirect_is_not_followed_with_the_key(web: ZoteroService, local: ZoteroService, read: Reader) -> None:
    web.instead = [Answer(302, b"moved", {"Location": local.address})]
    with pytest.raises(SourceError, match="302"):
        read(web)
    assert local.asked == []


def test_rejects_are_listed_in_a_file(web: ZoteroService, read: Reader) -> None:
    web.put({"key": "PAGE2345", "itemType": "webpage", "title": "A Page"})
    file = read(web).rejects_file
    assert file is not None
    assert "of type webpage" in json.loads(file.read_text().splitlines()[0])["reason"]
