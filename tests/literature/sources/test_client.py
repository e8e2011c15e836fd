"""Asking a service: its pace, its refusals, its broken answers, and what is kept."""

from __future__ import annotations

import asyncio
import gzip
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import orjson
import pytest

from novum.core import Paper
from novum.errors import SourceError
from novum.literature import Entry
from novum.literature.services.client import SourceClient
from novum.literature.services.failures import FailedRequest, FailureKind
from novum.literature.services.rate_limits import RateLimitState
from novum.literature.services.response_cache import ResponseCache
from novum.literature.sources import Page, RateLimits, Request, Search, Source
from tests.literature.sources.conftest import Said, Service, Time, said

KEY = "s3cret/key+"


class Titles(Source):
    """A service whose pages are lists of titles: /titles?page=1, 2, …"""

    name: ClassVar[str] = "titles"
    title: ClassVar[str] = "The Titles"
    home: ClassVar[str] = "https://titles.example"
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=3.0, pause_with_key=1.0, patience=60.0)
    key_names: ClassVar[tuple[str, ...]] = ("TITLES_KEY", "OLD_TITLES_KEY")

    def search(self, search: Search) -> Request:
        return self.page(1)

    def page(self, number: int) -> Request:
        return Request(f"{self.address}/titles", lambda answer: self._read(number, answer), {"page": str(number)})

    def _read(self, number: int, answer: bytes) -> Page:
        try:
            titles = orjson.loads(answer)["titles"]
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError("no titles") from error
        entries = tuple(Entry(paper=Paper(title=title)) for title in titles)
        return Page(entries, next_request=self.page(number + 1) if titles else None)

    def headers(self, key: str) -> dict[str, str]:
        return {"x-key": key} if key else {}

    def credentials(self, key: str, contact: str) -> dict[str, str]:
        return {"api_key": key, "mailto": contact} if key else {}


def page(*titles: str) -> Said:
    return said({"titles": titles})


def ask(client: SourceClient, source: Source, **options: float) -> list[str]:
    """All titles of all pages."""

    async def inside() -> list[str]:
        async with client:
            pages = client.pages(source, source.search(Search(text="any")), **options)
            return [entry.paper.title async for page in pages for entry in page.entries]

    return asyncio.run(inside())


@pytest.fixture
def titles(service: Service) -> Titles:
    """Two pages and an empty last one."""
    service.on("/titles", page("One", "Ünë"), page="1")
    service.on("/titles", page("二"), page="2")
    service.on("/titles", page(), page="3")
    return Titles(service.address)


Make = Callable[..., SourceClient]


def test_pages_follow_each_other_at_the_pace_of_the_service(
    client: Make, titles: Titles, service: Service, time: Time
) -> None:
    assert ask(client(), titles) == ["One", "Ünë", "二"]
    assert time.slept == [3.0, 3.0]


def test_a_key_quickens_the_pace_and_travels_with_the_request(
    client: Make, titles: Titles, service: Service, time: Time
) -> None:
    ask(client(environment={"OLD_TITLES_KEY": f" {KEY}\n"}, contact="me@example.org"), titles)
    assert time.slept == [1.0, 1.0]
    first = service.asked[0]
    assert (first.headers["x-key"], first.query["api_key"], first.query["mailto"]) == (KEY, KEY, "me@example.org")
    assert first.headers["User-Agent"].startswith("novum/")
    assert first.headers["User-Agent"].endswith("(mailto:me@example.org)")


def test_what_was_answered_is_not_asked_again(client: Make, titles: Titles, service: Service) -> None:
    first = ask(client(), titles)
    assert ask(client(), titles) == first
    assert len(service.asked) == 3


def test_a_key_makes_no_other_question_of_it(client: Make, titles: Titles, service: Service) -> None:
    ask(client(environment={"TITLES_KEY": KEY}), titles)
    ask(client(), titles)
    assert len(service.asked) == 3


def test_asking_afresh_asks_again_and_keeps_the_newer_answer(client: Make, titles: Titles, service: Service) -> None:
    ask(client(), titles)
    service.on("/titles", page("New"), page="1")
    assert ask(client(), titles, age=3600) == ["One", "Ünë", "二"]
    assert ask(client(), titles, age=0) == ["New", "二"]
    assert ask(client(), titles) == ["New", "二"]
    assert len(service.asked) == 6


def test_an_answer_is_forgotten_after_its_time(tmp_path: Path, titles: Titles) -> None:
    moment = [0.0]
    cache = ResponseCache(tmp_path, age=10.0, now=lambda: moment[0])
    cache.put(titles.page(1), b"answer")
    moment[0] = 9.0
    assert cache.get(titles.page(1)) == b"answer"
    assert cache.get(titles.page(1), 8.0) is None
    moment[0] = 11.0
    assert cache.get(titles.page(1)) is None


@pytest.mark.parametrize("harm", [b"", b"not packed at all", None], ids=["empty", "other", "cut in half"])
def test_a_damaged_file_of_the_cache_is_as_if_it_were_not_there(
    client: Make, titles: Titles, service: Service, tmp_path: Path, harm: bytes | None
) -> None:
    first = ask(client(), titles)
    for file in (tmp_path / "answers").glob("*/*.z"):
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2] if harm is None else harm)
    assert ask(client(), titles) == first
    assert len(service.asked) == 6


def test_no_key_reaches_the_disk(client: Make, titles: Titles, tmp_path: Path) -> None:
    ask(client(environment={"TITLES_KEY": KEY}, contact="me@example.org"), titles)
    cache = ResponseCache(tmp_path / "answers")
    assert cache.get(titles.page(1))
    unpacked = [zlib.decompress(file.read_bytes()) for file in (tmp_path / "answers").glob("*/*.z")]
    assert len(unpacked) == 3
    assert not any(b"s3cret" in text or b"me@example" in text for text in unpacked)


def test_a_service_that_asks_for_patience_gets_it(client: Make, titles: Titles, service: Service, time: Time) -> None:
    service.on("/titles", Said(status=429, headers={"Retry-After": "40"}), page("Late"), page="1")
    assert ask(client(), titles) == ["Late", "二"]
    assert time.slept == [40.0, 3.0, 3.0]


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_passing_trouble_is_tried_again_ever_more_slowly(
    client: Make, titles: Titles, service: Service, time: Time, status: int
) -> None:
    service.on("/titles", *[Said(status=status)] * 3, page("Late"), page="1")
    assert ask(client(), titles) == ["Late", "二"]
    first, second, third = time.slept[:3]
    assert 3.0 <= first <= second <= third <= 6.0


def test_a_service_that_wants_too_much_patience_is_set_aside_in_one_line(
    client: Make, titles: Titles, service: Service, time: Time
) -> None:
    service.on("/titles", said({"message": "Daily limit <b>reached</b>"}, status=429, headers={"Retry-After": "36000"}))

    async def inside() -> None:
        async with client() as guest:
            with pytest.raises(SourceError) as caught:
                await guest.page(titles, titles.page(1))
            line = str(caught.value)
            assert "\n" not in line
            for part in ("The Titles", "429", "Daily limit reached", "10 h", "TITLES_KEY", "other sources"):
                assert part in line
            with pytest.raises(SourceError, match="10 h"):
                await guest.page(titles, titles.page(2))

    asyncio.run(inside())
    assert len(service.asked) == 1
    assert time.slept == []


def test_patience_ends(client: Make, titles: Titles, service: Service, time: Time) -> None:
    service.on("/titles", Said(b"<html>Bad Gateway</html>", 502))
    with pytest.raises(SourceError, match=r"The Titles failed .*502: Bad Gateway"):
        ask(client(), titles)
    assert sum(time.slept) <= 60.0


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, "wants a key .*set TITLES_KEY"), ({"OLD_TITLES_KEY": KEY}, "refused the key in OLD_TITLES_KEY")],
)
@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_or_missing_key_is_named_but_not_told(
    client: Make, titles: Titles, service: Service, environment: dict[str, str], expected: str, status: int
) -> None:
    service.on("/titles", said({"error": f"no such key: {KEY}"}, status=status))
    with pytest.raises(SourceError, match=expected) as caught:
        ask(client(environment=environment), titles)
    assert environment == {} or "s3cret" not in str(caught.value)
    assert len(service.asked) == 1


def test_no_half_of_a_key_is_told_either(client: Make, titles: Titles, service: Service) -> None:
    service.on("/titles", said({"error": "x" * 150 + f" in your question, no such key: {KEY}"}, status=400))
    service.on("/titles", said({"error": "x" * 155 + KEY}, status=400))
    with pytest.raises(SourceError) as caught:
        ask(client(environment={"TITLES_KEY": KEY}), titles)
    assert "s3c" not in str(caught.value)


def test_a_key_that_json_writes_otherwise_is_not_told(client: Make, titles: Titles, service: Service) -> None:
    service.on("/titles", Said(b'{"error": "no such key: s3cret\\/key+"}', 401))
    with pytest.raises(SourceError) as caught:
        ask(client(environment={"TITLES_KEY": KEY}), titles)
    assert "s3cret" not in str(caught.value)


def test_a_rate_limit_said_by_403_is_waited_for(client: Make, titles: Titles, service: Service) -> None:
    service.on("/titles", said({"error": "Rate limit exceeded"}, status=403), page("Late"), page="1")
    assert ask(client(), titles) == ["Late", "二"]


def test_nothing_of_that_name_is_an_empty_page(client: Make, titles: Titles, service: Service) -> None:
    service.on("/titles", Said(b"<!doctype html>", 404), page="1")
    assert ask(client(), titles) == []


def test_a_service_that_is_not_where_it_is_said_to_be_is_no_empty_answer(
    client: Make, titles: Titles, service: Service
) -> None:
    class Listed(Titles):
        def page(self, number: int) -> Request:
            return replace(super().page(number), when_missing=None)

    service.on("/titles", Said(b"<!doctype html>", 404))
    with pytest.raises(SourceError, match=r"not to be found at http.* correct it under `source_addresses`"):
        ask(client(), Listed(service.address))


def test_a_question_that_the_service_rejects_is_not_repeated(client: Make, titles: Titles, service: Service) -> None:
    service.on("/titles", said({"error": "Unknown filter"}, status=400), page="1")
    with pytest.raises(SourceError, match="400: Unknown filter"):
        ask(client(), titles)
    assert len(service.asked) == 1


def test_an_answer_cut_off_on_the_way_is_asked_for_again(client: Make, titles: Titles, service: Service) -> None:
    whole = page("Whole").body
    service.on("/titles", Said(whole[:9], cut=len(whole) - 9), Said(whole), page="1")
    assert ask(client(), titles) == ["Whole", "二"]


def test_an_unreadable_answer_is_asked_for_again_and_never_kept(
    client: Make, titles: Titles, service: Service, tmp_path: Path
) -> None:
    service.on("/titles", Said(b'{"titles": ["Hal'), page("Half"), page="1")
    assert ask(client(), titles) == ["Half", "二"]
    service.on("/titles", Said(b"[]"), page="1")
    with pytest.raises(SourceError, match=r"3 times with something unreadable \(no titles\)"):
        ask(client(fresh=True), titles)
    assert ask(client(), titles) == ["Half", "二"]


def test_nobody_there_is_soon_told(client: Make, titles: Titles, service: Service, time: Time) -> None:
    service.close()
    with pytest.raises(SourceError, match=r"cannot be reached .*network"):
        ask(client(), titles)
    assert sum(time.slept) < 20.0
    service.close = lambda: None  # type: ignore[method-assign]


def test_an_endless_answer_is_not_taken(
    client: Make, titles: Titles, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("novum.literature.services.client.LARGEST", 1000)
    service.on("/titles", page("x" * 2000), page="1")
    with pytest.raises(SourceError, match="more than 1,000 bytes"):
        ask(client(), titles)


def test_pages_that_lead_back_to_the_first_end(client: Make, titles: Titles, service: Service) -> None:
    class Circling(Titles):
        def page(self, number: int) -> Request:
            return super().page((number - 1) % 2 + 1)

    with pytest.raises(SourceError, match="in circles"):
        ask(client(), Circling(service.address))


def test_a_redirect_to_another_server_is_followed_without_our_key(
    client: Make, titles: Titles, service: Service, other_service: Service
) -> None:
    other_service.on("/elsewhere", page("Moved"))
    service.on("/titles", Said(status=301, headers={"Location": f"{other_service.address}/elsewhere"}), page="1")
    assert ask(client(environment={"TITLES_KEY": KEY}, configured=[other_service.address]), titles)[0] == "Moved"
    assert "x-key" not in other_service.asked[0].headers
    assert other_service.asked[0].query == {}


def test_a_redirect_that_repeats_our_key_is_followed_without_it(
    client: Make, titles: Titles, service: Service, other_service: Service
) -> None:
    other_service.on("/elsewhere", page("Moved"))
    there = f"{other_service.address}/elsewhere?page=1&api_key=s3cret%2Fkey%2B&mailto=me%40example.org"
    service.on("/titles", Said(status=301, headers={"Location": there}), page="1")
    guest = client(environment={"TITLES_KEY": KEY}, contact="me@example.org", configured=[other_service.address])
    assert ask(guest, titles)[0] == "Moved"
    (asked,) = other_service.asked
    assert asked.query == {"page": "1"}
    assert "example.org" not in asked.headers["User-Agent"]


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "127.1", "2130706433", "①②⑦.⓪.⓪.①", "127。0．0.1", "[::ffff:127.0.0.1]"]
)
def test_a_redirect_to_a_private_address_is_not_followed(
    client: Make, titles: Titles, service: Service, other_service: Service, host: str
) -> None:
    other_service.on("/elsewhere", page("Secret"))
    there = f"http://{host}:{other_service.address.rpartition(':')[2]}/elsewhere".encode()
    service.on("/titles", Said(status=302, headers={"Location": there.decode("latin-1")}), page="1")
    with pytest.raises(SourceError, match="is not on the public internet"):
        ask(client(configured=[service.address]), titles)
    assert other_service.asked == []


def test_a_refusal_behind_a_redirect_names_the_server_that_refused_and_not_the_key(
    client: Make, titles: Titles, service: Service, other_service: Service
) -> None:
    other_service.on("/elsewhere", said({"message": "go away"}, status=403))
    service.on("/titles", Said(status=302, headers={"Location": f"{other_service.address}/elsewhere"}), page="1")
    with pytest.raises(SourceError) as refused:
        ask(client(environment={"TITLES_KEY": KEY}, configured=[other_service.address]), titles)
    assert "redirects us to 127.0.0.1, which refused us (403: go away)" in str(refused.value)
    assert "TITLES_KEY" not in str(refused.value)


@pytest.mark.parametrize(
    "where", ["file:///etc/passwd", "ftp://example.org/x", "/titles?page=1", "http://[", "https://", "//[::1"]
)
def test_a_redirect_to_nowhere_is_not_followed(client: Make, titles: Titles, service: Service, where: str) -> None:
    service.on("/titles", Said(status=302, headers={"Location": where}), page="1")
    with pytest.raises(SourceError, match="do not follow"):
        ask(client(), titles)


def fetch(client: SourceClient, source: Source, url: str, to: Path, **options: int) -> bool:
    async def inside() -> bool:
        async with client:
            return await client.pdf(source, url, to, **options)

    return asyncio.run(inside())


def test_a_file_is_brought_whole_and_only_once(client: Make, titles: Titles, service: Service, tmp_path: Path) -> None:
    service.on("/paper.pdf", Said(b"%PDF- half", cut=5), Said(b"%PDF- whole"))
    target = tmp_path / "paper.pdf"
    assert fetch(client(), titles, f"{service.address}/paper.pdf", target)
    assert fetch(client(), titles, f"{service.address}/paper.pdf", target)
    assert target.read_bytes() == b"%PDF- whole"
    assert len(service.asked) == 2


def test_a_file_that_is_too_large_or_missing_leaves_nothing_behind(
    client: Make, titles: Titles, service: Service, tmp_path: Path
) -> None:
    service.on("/paper.pdf", Said(b"%PDF-" * 100))
    with pytest.raises(SourceError, match="more than 100 bytes"):
        fetch(client(), titles, f"{service.address}/paper.pdf", tmp_path / "paper.pdf", largest=100)
    assert not fetch(client(), titles, f"{service.address}/other.pdf", tmp_path / "other.pdf")
    assert [path.name for path in tmp_path.iterdir() if path.name != "answers"] == []


@pytest.mark.parametrize("allowed", [1, 3])
def test_requests_in_flight_never_exceed_what_the_service_allows(client: Make, service: Service, allowed: int) -> None:
    class Wide(Titles):
        rate_limits: ClassVar[RateLimits] = RateLimits(pause=0.0, pause_with_key=0.0, at_once=allowed)

    lock, flying, most = threading.Lock(), 0, 0
    together = threading.Barrier(allowed, timeout=600)  # holds everyone until as many as are allowed have come

    def fly() -> None:
        nonlocal flying, most
        with lock:
            flying += 1
            most = max(most, flying)
        together.wait()
        with lock:
            flying -= 1

    service.on("/titles", Said(page("x").body, first=fly))
    source = Wide(service.address)

    async def inside() -> None:
        async with client() as guest:
            await asyncio.gather(*(guest.page(source, source.page(number)) for number in range(6)))

    asyncio.run(inside())
    assert (most, len(service.asked)) == (allowed, 6)


def test_who_gives_an_address_may_ask_more_at_once_and_sooner(client: Make, service: Service, time: Time) -> None:
    class Polite(Titles):
        rate_limits: ClassVar[RateLimits] = RateLimits(
            pause=5.0, pause_with_key=1.0, pause_with_contact=0.25, at_once_with_contact=2
        )

    together = threading.Barrier(2, timeout=600)  # passes only when two are in flight
    service.on("/titles", Said(page("x").body, first=together.wait))
    source = Polite(service.address)

    async def inside() -> None:
        async with client(contact="me@example.org") as guest:
            await asyncio.gather(*(guest.page(source, source.page(number)) for number in range(2)))

    asyncio.run(inside())
    assert time.slept == [0.25]


def test_a_small_answer_that_unpacks_to_a_huge_one_is_not_taken(client: Make, titles: Titles, service: Service) -> None:
    bomb = gzip.compress(b" " * 70_000_000)
    service.on("/titles", Said(bomb, headers={"Content-Encoding": "gzip"}), page="1")
    with pytest.raises(SourceError, match="more than 64,000,000 bytes: it was not taken"):
        ask(client(), titles)


@pytest.mark.parametrize(("kind", "tries"), [("refused", 7), ("not connected", 3), ("hung", 3)])
def test_a_service_that_does_not_answer_is_given_up_sooner_than_one_that_refuses(
    time: Time, kind: FailureKind, tries: int
) -> None:
    class Patient(Titles):
        rate_limits = RateLimits(pause=3.0, pause_with_key=1.0, patience=10_000.0)

    state = RateLimitState(Patient(), {}, time.clock, time.sleep)
    failure, attempt = FailedRequest(503, "closed", kind=kind), state.attempt()
    for _ in range(tries - 1):
        state.sent(attempt)
        state.failed(failure, attempt)
    state.sent(attempt)
    with pytest.raises(SourceError):
        state.failed(failure, attempt)
    assert state.is_disabled


def failing(client: SourceClient, source: Titles, number: int, **options: float) -> str:
    """The message with which a page fails."""

    async def inside() -> str:
        async with client:
            with pytest.raises(SourceError) as caught:
                await client.page(source, source.page(number), **options)
        return str(caught.value)

    return asyncio.run(inside())


def test_three_failures_in_a_row_set_a_service_aside_for_some_minutes_only(
    client: Make, titles: Titles, service: Service, time: Time
) -> None:
    service.on("/titles", Said(b"down", 503))

    async def inside() -> None:
        async with client() as guest:
            with pytest.raises(SourceError, match="failed"):
                await guest.page(titles, titles.page(1))
            asked = len(service.asked)
            assert guest.is_disabled(titles)
            assert 200.0 < guest.delay(titles) <= 240.0
            with pytest.raises(SourceError, match="503: down"):
                await guest.page(titles, titles.page(2))
            assert len(service.asked) == asked
            time.now += 240.0
            assert not guest.is_disabled(titles)
            service.on("/titles", page("Back"), page="2")
            assert (await guest.page(titles, titles.page(2))).entries[0].paper.title == "Back"
            assert not guest.is_disabled(titles)

    asyncio.run(inside())


def test_failures_of_different_requests_add_up_and_a_success_ends_the_row(
    client: Make, titles: Titles, service: Service
) -> None:
    service.on("/titles", Said(b"down", 503))

    async def inside() -> list[bool]:
        states = []
        async with client(patience=0.5) as guest:  # too short for a second try
            for number in (3, 4, 1, 5, 6, 7):
                if number == 1:
                    service.on("/titles", page("One"), page="1")
                    await guest.page(titles, titles.page(number))
                else:
                    with pytest.raises(SourceError, match="The Titles failed once"):
                        await guest.page(titles, titles.page(number))
                states.append(guest.is_disabled(titles))
        return states

    assert asyncio.run(inside()) == [False, False, False, False, False, True]


def test_what_cannot_be_answered_never_counts_as_a_failure(client: Make, titles: Titles, service: Service) -> None:
    service.on("/titles", said({"error": "Unknown filter"}, status=400))

    async def inside() -> None:
        async with client() as guest:
            for number in range(1, 7):
                with pytest.raises(SourceError, match="400: Unknown filter"):
                    await guest.page(titles, titles.page(number))
            assert not guest.is_disabled(titles)

    asyncio.run(inside())
    assert len(service.asked) == 6


def test_a_request_that_cannot_be_answered_is_replaced_by_its_alternative(
    client: Make, titles: Titles, service: Service
) -> None:
    for status in (400, 403):
        service.on("/titles", said({"error": "not open to you"}, status=status), page="9")

        async def inside() -> str:
            async with client(fresh=True) as guest:
                found = await guest.page(titles, replace(titles.page(9), instead=titles.page(1)))
                assert not guest.is_disabled(titles)
                return found.entries[0].paper.title

        assert asyncio.run(inside()) == "One"


def test_a_refused_key_stays_aside_for_good(client: Make, titles: Titles, service: Service, time: Time) -> None:
    service.on("/titles", said({"error": "no"}, status=401))

    async def inside() -> None:
        async with client(environment={"TITLES_KEY": KEY}) as guest:
            with pytest.raises(SourceError, match="refused the key"):
                await guest.page(titles, titles.page(1))
            time.now += 1e7
            assert guest.is_disabled(titles)
            assert guest.delay(titles) == float("inf")

    asyncio.run(inside())


@pytest.mark.parametrize("patience", [12.0, 5.0])
def test_no_request_is_retried_for_longer_than_somebody_waits(
    client: Make, titles: Titles, service: Service, time: Time, patience: float
) -> None:
    service.on("/titles", Said(b"", 503))
    began = time.now
    failing(client(patience=patience), titles, 1)
    assert time.now - began <= patience
    assert len(service.asked) >= 2


def test_without_a_key_a_service_may_be_given_up_sooner(
    client: Make, titles: Titles, service: Service, time: Time
) -> None:
    class Crowded(Titles):
        rate_limits: ClassVar[RateLimits] = RateLimits(pause=1.0, pause_with_key=1.0, patience_without_key=10.0)

    service.on("/titles", Said(b"", 429))
    source, began = Crowded(service.address), time.now
    failing(client(), source, 1)
    without = time.now - began
    failing(client(environment={"TITLES_KEY": KEY}), source, 1)
    assert without <= 10.0 < time.now - began - without
    began = time.now
    failing(client(patience=1000.0), source, 1)
    assert time.now - began <= 10.0


def test_the_delay_counts_the_requests_that_wait_for_their_turn(client: Make, titles: Titles, service: Service) -> None:
    answered = threading.Event()
    service.on("/titles", Said(page("x").body, first=answered.wait))

    async def inside() -> float:
        async with client() as guest:
            tasks = [asyncio.create_task(guest.page(titles, titles.page(number))) for number in range(3)]
            for _ in range(20):
                await asyncio.sleep(0)
            delay = guest.delay(titles)
            answered.set()
            await asyncio.gather(*tasks)
            return delay

    assert asyncio.run(inside()) == 9.0


def test_an_answer_that_a_request_is_wrong_ends_a_row_of_failures(
    client: Make, titles: Titles, service: Service
) -> None:
    wrong, down = said({"error": "Unknown filter"}, status=400), Said(b"down", 503)
    service.on("/titles", down, down, wrong, down)

    async def inside() -> list[bool]:
        states = []
        async with client(patience=0.5) as guest:
            for number in range(5):
                with pytest.raises(SourceError):
                    await guest.page(titles, titles.page(number))
                states.append(guest.is_disabled(titles))
        return states

    assert asyncio.run(inside()) == [False] * 5


def test_the_delay_is_that_of_the_pace_and_of_refusals(
    client: Make, titles: Titles, service: Service, time: Time
) -> None:
    async def inside() -> None:
        async with client() as guest:
            assert guest.delay(titles) == 0.0
            await guest.page(titles, titles.page(1))
            assert guest.delay(titles) == 3.0
            service.on("/titles", Said(status=429, headers={"Retry-After": "1800"}))
            with pytest.raises(SourceError):
                await guest.page(titles, titles.page(2))
            assert guest.delay(titles) == 1800.0

    asyncio.run(inside())


def test_a_service_that_hangs_holds_nobody_longer_than_somebody_waits(
    client: Make, titles: Titles, service: Service
) -> None:
    answered = threading.Event()
    service.on("/titles", Said(page("Late").body, first=answered.wait))
    try:
        assert "no answer in time" in failing(client(patience=0.2), titles, 1)
    finally:
        answered.set()


def test_what_is_stored_is_there_although_the_service_is_set_aside(
    client: Make, titles: Titles, service: Service
) -> None:
    async def inside() -> str:
        async with client() as guest:
            await guest.page(titles, titles.page(1))
            service.on("/titles", Said(status=429, headers={"Retry-After": "3000"}))
            with pytest.raises(SourceError):
                await guest.page(titles, titles.page(2))
            assert guest.is_disabled(titles)
            return (await guest.page(titles, titles.page(1))).entries[0].paper.title

    assert asyncio.run(inside()) == "One"


HOLDER = """
import asyncio, pathlib, sys
from novum.literature.services.response_cache import ResponseCache
from novum.literature.sources.source import Page, Request

async def hold(folder, url, answer):
    cache, request = ResponseCache(pathlib.Path(folder)), Request(url, lambda body: Page(), {"page": "1"})
    async with cache.claim(request, 0.0):
        print("held", flush=True)
        sys.stdin.readline()
        cache.put(request, answer.encode())

asyncio.run(hold(*sys.argv[1:]))
"""


@pytest.fixture
def holder(tmp_path: Path, service: Service) -> Iterator[subprocess.Popen[str]]:
    """Another process that has sent the first request for titles."""
    answer = page("Theirs").body.decode()
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "answers"), f"{service.address}/titles", answer]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_request_of_another_process_is_not_sent_again(
    client: Make, titles: Titles, service: Service, holder: subprocess.Popen[str]
) -> None:
    async def inside() -> Page:
        async with client() as guest:
            asking = asyncio.create_task(guest.page(titles, titles.page(1)))
            await asyncio.sleep(0)  # it has found no stored response
            assert holder.stdin
            holder.stdin.write("\n")
            holder.stdin.flush()
            return await asking

    assert [entry.paper.title for entry in asyncio.run(inside()).entries] == ["Theirs"]
    assert service.asked == []


def test_the_request_of_a_process_that_was_killed_is_sent_again(
    client: Make, titles: Titles, service: Service, holder: subprocess.Popen[str]
) -> None:
    holder.kill()
    holder.wait()
    assert ask(client(), titles)[0] == "One"
    assert len(service.asked) == 3


def test_equal_requests_at_once_are_one(client: Make, titles: Titles, service: Service) -> None:
    async def inside() -> list[Page]:
        async with client() as guest, client() as other:
            return await asyncio.gather(*(each.page(titles, titles.page(1)) for each in (guest, other, guest)))

    assert {found.entries[0].paper.title for found in asyncio.run(inside())} == {"One"}
    assert len(service.asked) == 1
