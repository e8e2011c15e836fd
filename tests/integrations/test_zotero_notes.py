"""Ideas become notes in Zotero: once, linked to the items of their papers, and harmless whatever a model wrote."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from novum.core import (
    Account,
    Candidate,
    Chain,
    Citation,
    Idea,
    Ideation,
    IdeationReport,
    Identifiers,
    Link,
    NoveltyCheck,
    Paper,
)
from novum.core.chain import Trend
from novum.errors import BadInput, SourceError
from novum.integrations.zotero.paper_items import object_key, paper_item
from novum.integrations.zotero.writing import ZoteroExport, write_ideas
from novum.literature import Library
from novum.literature.zotero.client import ZoteroClient
from novum.literature.zotero.library import ZoteroLibrary
from novum.literature.zotero.place import ZoteroPlace
from novum.literature.zotero.reading import add_zotero
from tests.literature.sources.conftest import Time
from tests.zotero_service import KEY, USER, Answer, ZoteroService, paper

FOLDS = Paper(title="On Folds", year=2019, authors=("Ada Byron",), ids=Identifiers(doi="10.1000/folds"))
TEARS = Paper(title="On Tears: <i>Sheets</i> & More", year=2020, authors=("Grace Hopper", "Club"), venue="Letters")
CITED = Paper(title="Attention Is All You Need", year=2017, ids=Identifiers(arxiv="1706.03762"))


def idea(title: str = "Fold <script>alert(1)</script> before tearing", **more: Any) -> Idea:
    texts = {"motivation": "**Why** [x](javascript:alert(1))", "novelty": "New.", "method": "- one\n- two"}
    given = {"topic": "sheets", "title": title, "summary": "The whole *idea*.", **texts, **more}
    return Idea(**given, citations=(Citation(name="attention", paper_id=CITED.id),))


def report(*ideas: Idea) -> IdeationReport:
    chain = Chain(
        topic="sheets", query="folding sheets",
        links=(
            Link(paper=FOLDS, direction="backward", reason="it began there"),
            Link(paper=TEARS, direction="anchor", reason="it is near"),
        ),
        trends=(Trend(earlier_id=FOLDS.id, later_id=TEARS.id, text="from folds to tears"),),
    )  # fmt: skip
    check = NoveltyCheck(idea_id=ideas[0].id, round=1, novel=True, reason="Nothing alike.")
    candidates = tuple(Candidate(idea=one, chain=chain, checks=(check,)) for one in ideas)
    ideation = Ideation(topic="sheets", method="chain-of-ideas", candidates=candidates, papers=(FOLDS, TEARS, CITED))
    account = Account(run_id="run-1", novum_version="0", started="2026-11-23T10:00:00Z", seconds=1.0, models={})
    return IdeationReport(ideation=ideation, account=account)


@pytest.fixture
def web() -> Iterator[ZoteroService]:
    running = ZoteroService()
    running.collect("CCCC2222", "My Ideas")
    yield running
    running.close()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


class Writer:
    """Writes reports to a service."""

    def __init__(self, service: ZoteroService, library: Library) -> None:
        self.service = service
        self.library = library

    def client(self, key: str = KEY, *, local: bool = False) -> ZoteroClient:
        time = Time()
        return ZoteroClient(self.service.address, key, local=local, clock=time.clock, sleep=time.sleep)

    def __call__(
        self, told: IdeationReport, name: str = "zotero:", *, key: str = KEY, local: bool = False, **options: Any
    ) -> ZoteroExport:
        async def write() -> ZoteroExport:
            async with self.client(key, local=local) as client:
                return await write_ideas(client, ZoteroPlace.read(name), self.library, told, **options)

        return asyncio.run(write())

    def read(self) -> None:
        """Adds the whole of Zotero to the library."""

        async def read() -> None:
            async with self.client() as client:
                await add_zotero(self.library, await ZoteroLibrary.open(client, ZoteroPlace()))

        asyncio.run(read())

    def notes(self) -> list[dict[str, Any]]:
        return [item for item in self.service.items.values() if item["itemType"] == "note"]


@pytest.fixture
def write(web: ZoteroService, library: Library) -> Writer:
    return Writer(web, library)


def test_each_idea_is_a_note_in_the_collection(write: Writer) -> None:
    done = write(report(idea(), idea("Tear first")), "zotero:my ideas")
    assert (done.notes, done.notes_present, done.items) == (2, 0, 0)
    assert done.place == f"users/{USER}/My Ideas"
    first, second = write.notes()
    assert first["collections"] == ["CCCC2222"]
    assert first["tags"] == [{"tag": "Novum"}]
    text = str(first["note"])
    for words in (
        "Fold",
        "The whole <em>idea</em>",
        "folding sheets",
        "it began there",
        "from folds to tears",
        "run-1",
    ):
        assert words in text
    assert "Nothing alike" in text
    assert text.index("On Folds") < text.index("On Tears") < text.index("Attention Is All You Need")
    assert "Tear first" in str(second["note"])


def test_text_of_models_and_papers_is_harmless_in_a_note(write: Writer) -> None:
    write(report(idea()))
    text = str(write.notes()[0]["note"])
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert not any("javascript" in address for address in re.findall(r'href="([^"]*)"', text))
    assert "&lt;i&gt;Sheets&lt;/i&gt; &amp; More" in text
    assert {tag.lower() for tag in re.findall(r"<(\w+)", text)} <= {
        "h1", "h2", "p", "em", "strong", "a", "ol", "ul", "li", "br", "code",
    }  # fmt: skip


def test_a_repeated_command_creates_nothing_twice(write: Writer) -> None:
    write(report(idea()), with_papers=True)
    before = dict(write.service.items)
    again = write(report(idea(), idea("A later idea of the same run")), with_papers=True)
    assert (again.notes, again.notes_present, again.items) == (1, 1, 0)
    assert {key: write.service.items[key] for key in before} == before
    assert "Zotero-Write-Token" not in write.service.asked[-1].headers  # redundant with versions, Zotero says


def test_notes_link_to_items_of_papers_that_were_added_from_zotero(write: Writer) -> None:
    write.service.put(paper("FALD2345", "On Folds", date="2019", DOI="10.1000/folds"))
    write.read()
    write.service.asked.clear()
    assert write(report(idea())).linked == 1
    (note,) = write.notes()
    assert 'href="zotero://select/library/items/FALD2345"' in str(note["note"])
    assert note["relations"] == {"dc:relation": [f"http://zotero.org/users/{USER}/items/FALD2345"]}
    assert "On Folds" not in {each.query.get("q") for each in write.service.asked}


def test_papers_that_only_zotero_has_are_found_by_title_and_identity(write: Writer) -> None:
    write.service.put(
        paper("FALD2345", "On Folds: a reply", date="2019"),
        paper("FALE2345", "On Folds", date="2019", DOI="10.1000/folds"),
        paper("ATTN2345", "Attention is all you need", date="1950", creators=[]),
    )
    assert write(report(idea())).linked == 1
    assert "items/FALE2345" in str(write.notes()[0]["note"])


def test_papers_are_added_where_they_are_wanted(write: Writer) -> None:
    done = write(report(idea()), "zotero:CCCC2222", with_papers=True)
    assert (done.items, done.linked) == (3, 3)
    added = {str(item["title"]): item for item in write.service.items.values() if item["itemType"] != "note"}
    assert added["On Folds"]["DOI"] == "10.1000/folds"
    assert added["On Folds"]["collections"] == ["CCCC2222"]
    assert added["Attention Is All You Need"]["itemType"] == "preprint"
    assert added[TEARS.title]["creators"] == [
        {"creatorType": "author", "firstName": "Grace", "lastName": "Hopper"},
        {"creatorType": "author", "name": "Club"},
    ]
    assert len(re.findall("zotero://select", str(write.notes()[0]["note"]))) == 3


def test_many_ideas_are_sent_in_parts(write: Writer) -> None:
    assert write(report(*(idea(f"Idea {number}") for number in range(23)))).notes == 23
    assert len(write.service.paths("POST")) == 3


def test_a_group_is_written_when_the_key_may(write: Writer) -> None:
    write.service.owner = "groups/34"
    write.service.access = {"user": {"library": True}, "groups": {"all": {"library": True, "write": True}}}
    write.service.put(paper("FALD2345", "On Folds", date="2019", DOI="10.1000/folds"))
    done = write(report(idea()), "zotero:groups/34/My Ideas")
    assert (done.notes, done.place) == (1, "groups/34/My Ideas")
    assert "zotero://select/groups/34/items/FALD2345" in str(write.notes()[0]["note"])


def test_a_key_that_may_only_read_says_what_to_tick(write: Writer) -> None:
    write.service.access = {"user": {"library": True, "notes": True, "write": False}}
    with pytest.raises(BadInput, match=r"may read users/12 but not write to it: tick “Allow write access”"):
        write(report(idea()))
    assert write.service.paths("POST") == []


def test_a_refusal_while_writing_says_where_to_change_it(write: Writer) -> None:
    served = write.service.answer

    def refuse(asked: Any) -> Answer:
        return Answer(403, b"Write access denied") if asked.method == "POST" else served(asked)

    write.service.answer = refuse  # type: ignore[method-assign]
    with pytest.raises(SourceError, match=r"may not do this \(403: Write access denied\): change what it may at https"):
        write(report(idea()))


def test_without_a_key_nothing_can_be_written(write: Writer) -> None:
    with pytest.raises(BadInput, match="can be read by other programs but not written: set ZOTERO_API_KEY"):
        write(report(idea()), key="", local=True)
    with pytest.raises(BadInput, match="needs a key: set ZOTERO_API_KEY to one with write access"):
        write(report(idea()), "zotero:groups/34", key="")
    assert write.service.asked == []


def test_an_unknown_collection_is_answered_with_names(write: Writer) -> None:
    with pytest.raises(BadInput, match="There are: My Ideas"):
        write(report(idea()), "zotero:thesis")
    assert write.notes() == []


def test_a_note_that_zotero_refuses_is_told_with_what_was_written(write: Writer) -> None:
    served = write.service.answer
    refused = {"success": {"0": "AAAA2222"}, "failed": {"1": {"code": 413, "message": "Note 'Fold...' too long"}}}

    def refuse(asked: Any) -> Answer:
        return Answer(200, json.dumps(refused).encode()) if asked.method == "POST" else served(asked)

    write.service.answer = refuse  # type: ignore[method-assign]
    with pytest.raises(SourceError, match=r"refused a note \(Note 'Fold...' too long\); 1 of 2 notes were written"):
        write(report(idea(), idea("Two")))


def test_a_lost_answer_does_not_lose_or_double_a_note(write: Writer) -> None:
    served = write.service.answer
    lost = []

    def lose(asked: Any) -> Answer:
        answer = served(asked)
        if asked.method == "POST" and not lost:
            lost.append(answer)
            return Answer(503)
        return answer

    write.service.answer = lose  # type: ignore[method-assign]
    done = write(report(idea()))
    assert (done.notes, done.notes_present, len(write.notes())) == (0, 1, 1)


def test_keys_are_zoteros_and_follow_from_what_they_are_for() -> None:
    keys = {object_key("note", "users/12", str(number)) for number in range(200)}
    assert len(keys) == 200
    assert all(re.fullmatch("[23456789ABCDEFGHIJKLMNPQRSTUVWXYZ]{8}", key) for key in keys)
    assert object_key("a", "b") == object_key("a", "b") != object_key("b", "a")


def test_an_item_has_the_identifiers_that_zotero_has_no_field_for() -> None:
    item = paper_item(FOLDS.but(ids=Identifiers(pmid="3", pmcid="PMC4", arxiv="2101.00001"), venue="J"), "K", "")
    assert item["extra"] == "arXiv: 2101.00001\nPMID: 3\nPMCID: PMC4"
    assert (item["itemType"], item["publicationTitle"], item["collections"]) == ("journalArticle", "J", [])
