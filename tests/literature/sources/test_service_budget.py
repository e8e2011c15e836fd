"""What services say of their limits: read, kept, obeyed before a request is sent, and known to the next process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.errors import SourceError
from novum.literature.services.client import SourceClient
from novum.literature.services.service_budget import ServiceBudget, dollars, read_budget
from novum.literature.services.stored_limits import LimitsFile
from novum.literature.sources import Search
from novum.literature.sources.openalex import OpenAlex
from tests.literature.sources.conftest import RECORDED, Said, Service, Time, said

Make = Callable[..., SourceClient]
NO_WORKS = {"meta": {"count": 0}, "results": []}
SPENT = {
    "error": "Rate limit exceeded",
    "message": "Insufficient budget. This request costs $0.001 but you only have $0 remaining. Resets at midnight UTC.",
    "retryAfter": 47052,
    "dailyRemainingUsd": 0,
}


def dollar_headers(remaining: float, cost: float = 0.001, reset: int = 3600) -> dict[str, str]:
    """The headers with which OpenAlex answers."""
    return {
        "X-RateLimit-Limit-USD": "0.1",
        "X-RateLimit-Remaining-USD": str(remaining),
        "X-RateLimit-Cost-USD": str(cost),
        "X-RateLimit-Reset": str(reset),
    }


def search(source: OpenAlex, words: str = "guilds"):
    return source.search(Search(text=words, limit=10))


def test_the_budget_is_that_of_the_last_answer(client: Make, service: Service) -> None:
    service.on("/works", said(NO_WORKS, headers=dollar_headers(0.099)), said(NO_WORKS, headers=dollar_headers(0.098)))
    source = OpenAlex(service.address)

    async def inside() -> list[ServiceBudget | None]:
        async with client(now=lambda: 5000.0) as guest:
            seen = [guest.budget(source)]
            for words in ("guilds", "looms"):
                await guest.page(source, search(source, words))
                seen.append(guest.budget(source))
            return seen

    none, first, second = asyncio.run(inside())
    assert none is None
    assert first == ServiceBudget("USD", limit=0.1, remaining=0.099, cost=0.001, resets_at=8600.0)
    assert second is not None
    assert str(second) == "$0.0980 of $0.10 left"


def test_what_the_budget_does_not_pay_for_is_not_sent_but_what_is_free_is(client: Make, service: Service) -> None:
    service.on("/works", said(NO_WORKS, headers=dollar_headers(0.0005)))
    service.on("/works/doi:10.1%2Fa*b", said({"title": "Found", "id": "https://openalex.org/W1"}))
    source = OpenAlex(service.address)

    async def inside() -> str:
        async with client(now=lambda: 5000.0) as guest:
            await guest.page(source, search(source))
            with pytest.raises(SourceError) as caught:
                await guest.page(source, search(source, "looms"))
            (single,) = source.fetch([("doi", "10.1/a*b")])
            assert (await guest.page(source, single)).entries[0].paper.title == "Found"
            (listed,) = source.fetch([("openalex", "W1"), ("openalex", "W2")])
            await guest.page(source, listed)
            assert not guest.is_disabled(source)
            return str(caught.value)

    line = asyncio.run(inside())
    assert [asked.path for asked in service.asked] == ["/works", "/works/doi:10.1%2Fa*b", "/works"]
    for part in ("OpenAlex", "$0.0005 of $0.10 left", "costs $0.0010", "60 min", "02:23 UTC", "OPENALEX_API_KEY"):
        assert part in line
    assert "\n" not in line


def test_a_reserve_is_kept_for_cheaper_requests(client: Make, service: Service) -> None:
    service.on("/works", said(NO_WORKS, headers=dollar_headers(0.004)))
    source = OpenAlex(service.address)

    async def inside() -> None:
        async with client() as guest:
            await guest.page(source, search(source))
            with pytest.raises(SourceError, match=r"\$0\.0035 are kept for later requests"):
                await guest.page(source, search(source, "looms"), reserve=0.0035)
            await guest.page(source, search(source, "looms"), reserve=0.003)

    asyncio.run(inside())
    assert len(service.asked) == 2


def test_the_reserve_is_kept_while_another_process_has_a_request_under_way(client: Make, service: Service) -> None:
    source, refusals = OpenAlex(service.address), []

    async def ask(words: str) -> None:
        async with client() as guest:
            await guest.page(source, search(source, words), reserve=0.0035)

    def another_process() -> None:
        try:
            asyncio.run(ask("looms"))
        except SourceError as refusal:
            refusals.append(str(refusal))

    first, last = (said(NO_WORKS, headers=dollar_headers(amount)) for amount in (0.0045, 0.0035))
    service.on("/works", first, replace(last, first=another_process), last)
    asyncio.run(ask("guilds"))
    asyncio.run(ask("masons"))
    assert [asked.query["search"] for asked in service.asked] == ["guilds", "masons"]
    assert "$0.0035 of $0.10 left; the last $0.0035 are kept" in "".join(refusals)


def test_a_failed_request_does_not_count_against_the_budget(client: Make, service: Service) -> None:
    service.on("/works", said(NO_WORKS, headers=dollar_headers(0.0015)), Said(status=503), said(NO_WORKS))
    source = OpenAlex(service.address)

    async def inside() -> None:
        async with client() as guest:
            for words in ("guilds", "looms"):
                await guest.page(source, search(source, words))
            with pytest.raises(SourceError, match=r"has \$0\.0005 of"):
                await guest.page(source, search(source, "masons"))

    asyncio.run(inside())
    assert len(service.asked) == 3


def test_after_the_reset_the_whole_budget_is_there_again(client: Make, service: Service) -> None:
    service.on("/works", said(NO_WORKS, headers=dollar_headers(0.0)))
    source, moment = OpenAlex(service.address), [5000.0]

    async def inside() -> None:
        async with client(now=lambda: moment[0]) as guest:
            await guest.page(source, search(source))
            with pytest.raises(SourceError):
                await guest.page(source, search(source, "looms"))
            moment[0] += 3601.0
            budget = guest.budget(source)
            assert budget
            assert budget.remaining == 0.1
            await guest.page(source, search(source, "looms"))

    asyncio.run(inside())


def test_a_refusal_for_want_of_money_says_so_in_the_words_of_the_service_and_leaves_free_requests(
    client: Make, service: Service
) -> None:
    headers = {"x-ratelimit-limit-usd": "0.1", "x-ratelimit-cost-required-usd": "0.001", "retry-after": "47052"}
    service.on("/works", said(SPENT, status=429, headers=headers))
    source = OpenAlex(service.address)

    async def inside() -> str:
        async with client(now=lambda: 11 * 3600.0) as guest:
            with pytest.raises(SourceError) as caught:
                await guest.page(source, search(source))
            assert not guest.is_disabled(source)
            assert guest.delay(source) < 1.0
            with pytest.raises(SourceError, match="was not sent"):
                await guest.page(source, search(source, "looms"))
            return str(caught.value)

    line = asyncio.run(inside())
    assert len(service.asked) == 1
    assert line.startswith("OpenAlex: Insufficient budget. This request costs $0.001")
    assert "Resets at midnight UTC (in 13 h). Set OPENALEX_API_KEY (free, " in line
    assert "https://openalex.org/settings/api" in line


def test_where_the_rest_does_not_pay_for_the_semantic_search_that_of_words_is_tried(
    client: Make, service: Service
) -> None:
    dear = {"message": "This request costs $0.01 but you only have $0.005 remaining. Resets at midnight UTC."}
    service.on("/works", said(NO_WORKS))
    crafts = "weavers dyers bakers brewers tanners smiths coopers masons glaziers thatchers chandlers fullers"
    text = f"Guilds of {crafts}"
    service.on("/works", said(dear, status=429), **{"search.semantic": text})
    source = OpenAlex(service.address)

    async def inside() -> None:
        async with client() as guest:
            await guest.page(source, search(source, text))
            budget = guest.budget(source)
            assert budget
            assert budget.remaining == pytest.approx(0.004)

    asyncio.run(inside())
    assert ["search.semantic" in asked.query for asked in service.asked] == [True, False]


def test_the_next_process_knows_that_the_money_is_spent(client: Make, service: Service) -> None:
    service.on("/works", said(SPENT, status=429, headers={"x-ratelimit-limit-usd": "0.1"}))
    source = OpenAlex(service.address)

    async def fail(guest: SourceClient) -> None:
        async with guest:
            with pytest.raises(SourceError):
                await guest.page(source, search(source))

    asyncio.run(fail(client(now=lambda: 5000.0)))
    asyncio.run(fail(client(now=lambda: 40_000.0)))
    assert len(service.asked) == 1
    asyncio.run(fail(client(now=lambda: 40_000.0, environment={"OPENALEX_API_KEY": "another-budget"})))
    asyncio.run(fail(client(now=lambda: 24 * 3600.0)))
    assert len(service.asked) == 3


def test_the_next_process_knows_how_long_a_service_wants_to_be_left_alone(
    client: Make, service: Service, time: Time
) -> None:
    service.on("/works", Said(b"busy", 503, headers={"Retry-After": "1800"}))
    source = OpenAlex(service.address)

    async def fail(now: float) -> float:
        async with client(now=lambda: now) as guest:
            with pytest.raises(SourceError, match="busy"):
                await guest.page(source, search(source))
            return guest.delay(source)

    assert asyncio.run(fail(5000.0)) == 1800.0
    assert asyncio.run(fail(5600.0)) == 1200.0
    assert len(service.asked) == 1
    assert asyncio.run(fail(6900.0)) == 1800.0
    assert len(service.asked) == 2


def test_who_asks_afresh_does_not_rely_on_what_was_stored(client: Make, service: Service) -> None:
    service.on("/works", said(SPENT, status=429), said(NO_WORKS))
    source = OpenAlex(service.address)

    async def ask(guest: SourceClient) -> None:
        async with guest:
            await guest.page(source, search(source))

    with pytest.raises(SourceError, match="Insufficient budget"):
        asyncio.run(ask(client()))
    asyncio.run(ask(client(fresh=True)))
    assert len(service.asked) == 2


@pytest.mark.parametrize(
    "harm", ["", "{", "[]", '{"budget": 3}', '{"budget": {"remaining": "much"}}', '{"set_aside_until": "soon"}']
)
def test_a_damaged_file_of_limits_is_as_if_it_were_not_there(tmp_path: Path, harm: str) -> None:
    file = LimitsFile(tmp_path, OpenAlex(), "")
    file.write(file.read())
    (written,) = tmp_path.glob("*/*.json")
    written.write_text(harm)
    assert file.read() == LimitsFile(tmp_path, OpenAlex(), "other").read()


def test_no_key_is_in_the_file_of_limits(client: Make, service: Service, tmp_path: Path) -> None:
    service.on("/works", said(NO_WORKS, headers=dollar_headers(0.5)))
    source = OpenAlex(service.address)

    async def inside() -> None:
        async with client(environment={"OPENALEX_API_KEY": "s3cret-key"}) as guest:
            await guest.page(source, search(source))

    asyncio.run(inside())
    (file,) = tmp_path.glob("answers/limits/*")
    assert "s3cret" not in file.name + file.read_text()


def test_prices_are_those_of_the_service() -> None:
    source = OpenAlex()
    assert source.cost(search(source)) == 0.001
    assert source.cost(source.fetch([("openalex", "W1"), ("openalex", "W2")])[0]) == 0.0001
    assert source.cost(source.fetch([("doi", "10.1/a*b")])[0]) == 0.0


def test_money_that_was_paid_in_advance_counts() -> None:
    headers = dollar_headers(0.0) | {"X-RateLimit-Prepaid-Remaining-USD": "7.5"}
    assert str(read_budget(headers, "", 0.0)) == "$7.50 of $0.10 left"


def test_other_services_count_requests(time: Time) -> None:
    found = read_budget({"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "12"}, "", 0.0)
    assert str(found) == "12 of 100 requests left"
    assert read_budget({"x-rate-limit-limit": "5", "x-rate-limit-interval": "1s"}, "", 0.0) is None


def test_recorded_refusals_for_want_of_money_are_read() -> None:
    file = RECORDED.parent / "http2" / "errors.json"
    if not file.exists():
        pytest.skip("recorded errors are not at hand")
    refusal = json.loads(file.read_text())["openalex_429_budget"]
    found = read_budget(refusal["headers"], refusal["body"], 1000.0)
    assert found == ServiceBudget("USD", limit=0.1, remaining=0.0, cost=0.001, resets_at=24 * 3600.0)


def test_a_reset_is_read_from_wherever_it_is_stated() -> None:
    left = {"x-ratelimit-remaining-usd": "0"}

    def reset(body: str = "", **more: str) -> float | None:
        found = read_budget(left | {name.replace("_", "-"): value for name, value in more.items()}, body, 1000.0)
        return found and found.resets_at

    assert reset(x_ratelimit_reset="60", retry_after="5") == 1060.0
    moment = read_budget(left | {"x-ratelimit-reset": "1795000000"}, "", 1_794_999_000.0)
    assert moment and moment.resets_at == 1795000000.0
    assert reset(x_ratelimit_reset="99999999999") == 1000.0 + 31 * 86_400
    assert reset("Resets at midnight UTC.", retry_after="5") == 86400.0
    assert reset(retry_after="5") == 1005.0
    assert reset('{"retryAfter": 7}') == 1007.0
    assert reset() == 86400.0, "of a day, or a spent budget would never end"


TEXTS = st.text(max_size=30) | st.floats().map(str)


@given(st.dictionaries(st.sampled_from([*dollar_headers(1.0), "Retry-After"]), TEXTS), st.text(max_size=100))
def test_no_header_is_too_odd(headers: dict[str, str], body: str) -> None:
    found = read_budget(headers, body, 1000.0)
    assert found is None or str(found.at(2000.0).after(0.1))


@given(st.floats(min_value=0, max_value=1e6))
def test_a_price_is_written_with_as_many_digits_as_it_needs(amount: float) -> None:
    assert abs(float(dollars(amount).lstrip("$").replace(",", "")) - amount) <= 5.1e-5
