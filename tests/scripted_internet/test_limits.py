"""The scripted services refuse as the real ones do: prices, keys, pace, wrong parameters, and failures."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from urllib.parse import urlencode

import pytest

from novum.errors import SourceError
from novum.literature.services.client import SourceClient
from novum.literature.sources.arxiv import Arxiv
from novum.literature.sources.openalex import OpenAlex
from novum.literature.sources.source import Search
from tests.literature.sources.conftest import Time
from tests.scripted_internet import VALID_KEY, Rules, ScriptedInternet

SMALL = 2000
RECORDED = Path(__file__).parents[3] / "shared" / "data" / "http2" / "errors.json"


@dataclass
class Answered:
    status: int
    headers: Message
    text: str

    @property
    def json(self):
        return json.loads(self.text)


def get(internet, service, path, headers=None, body=None, **parameters):
    """One request, also when it is refused."""
    query = urlencode({name.replace("__", "."): value for name, value in parameters.items()})
    request = urllib.request.Request(f"{internet.address(service)}{path}?{query}", body, headers or {})
    try:
        with urllib.request.urlopen(request) as response:
            return Answered(response.status, response.headers, response.read().decode())
    except urllib.error.HTTPError as error:
        return Answered(error.code, error.headers, error.read().decode())


@pytest.fixture
def strict() -> Iterator[ScriptedInternet]:
    """Services that watch the pace, and the least money."""
    with ScriptedInternet(papers=SMALL, rules=Rules(openalex_daily_usd=0.0021)) as internet:
        yield internet


def recorded(name):
    """An error of a real service."""
    if not RECORDED.exists():
        pytest.skip("the recorded errors are not at hand")
    return json.loads(RECORDED.read_text("utf-8"))[name]


# OpenAlex


def test_openalex_takes_nothing_for_a_work_little_for_a_list_and_ten_times_that_for_a_search(internet):
    work = internet.corpus.openalex(int(internet.corpus.in_openalex.argmax()))
    single = get(internet, "openalex", f"/works/{work}")
    listed = get(internet, "openalex", "/works", filter="publication_year:2020")
    searched = get(internet, "openalex", "/works", search="guilds")
    meant = get(internet, "openalex", "/works", search__semantic="how guilds work")
    costs = [float(answer.headers["x-ratelimit-cost-usd"]) for answer in (single, listed, searched, meant)]
    assert costs == [0, 0.0001, 0.001, 0.001]
    assert [one.cost for one in internet.log] == costs
    assert internet.spent[""] == pytest.approx(0.0021)
    assert searched.headers["x-ratelimit-limit-usd"] == "1"
    assert float(meant.headers["x-ratelimit-remaining-usd"]) == pytest.approx(0.9979)


def test_openalex_refuses_when_the_money_of_the_day_is_spent_but_still_gives_single_works(strict):
    assert [get(strict, "openalex", "/works", search="guilds").status for _ in range(3)] == [200, 200, 429]
    refused = get(strict, "openalex", "/works", search="guilds")
    work = strict.corpus.openalex(int(strict.corpus.in_openalex.argmax()))
    assert get(strict, "openalex", f"/works/{work}").status == 200
    assert get(strict, "openalex", "/works", search="guilds", api_key=VALID_KEY).status == 200
    assert "This request costs $0.001 but you only have $0.0001 remaining" in refused.json["message"]
    real = recorded("openalex_429_budget")
    assert refused.json.keys() == json.loads(real["body"]).keys()
    assert real["headers"].keys() <= {name.lower() for name in refused.headers}


def test_openalex_refuses_a_key_that_it_does_not_know(internet):
    refused = get(internet, "openalex", "/works", search="guilds", api_key="mistyped")
    assert refused.status == 401
    assert refused.json == json.loads(recorded("openalex_401")["body"])


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"limit": "10"}, "limit is not a valid parameter"),
        ({"filter": "author_name:Smith"}, "author_name is not a valid field"),
        ({"filter": "cites:W1|nonsense"}, "'nonsense' is not a valid OpenAlex ID"),
        (
            {"filter": "openalex:" + "|".join(f"W{number}" for number in range(101))},
            "Maximum number of values exceeded",
        ),
        ({"filter": "from_publication_date:2020"}, "Value for param from_publication_date is an invalid date"),
        ({"per_page": "101"}, "per-page parameter must be between 1 and 100"),
        ({"page": "101", "per_page": "100"}, "Maximum results size of 10,000 records is exceeded"),
        ({"select": "id,abstract"}, "abstract is not a valid select field"),
        ({"sort": "relevance_score:desc"}, "Must include a search query"),
        ({"search.semantic": "guilds", "per_page": "100"}, "per_page cannot exceed 50 for semantic search"),
        ({"search.semantic": "guilds", "cursor": "*"}, "Cursor pagination is not supported with semantic search"),
        ({"search": "guilds|crafts"}, "does not support the | operator"),
        ({"cursor": "nonsense"}, "Invalid cursor value"),
    ],
)
def test_openalex_names_what_is_wrong_with_a_request(internet, parameters, said):
    refused = get(internet, "openalex", "/works", **parameters)
    assert refused.status == 400
    assert said in refused.json["message"]
    assert internet.spent[""] == 0


def test_openalex_joins_words_by_and_and_reads_operators(internet):
    def count(text):
        return get(internet, "openalex", "/works", search=text).json["meta"]["count"]

    assert count("guilds Flanders") < min(count("guilds"), count("Flanders"))
    assert count("guilds OR tuberculosis") == count("guilds") + count("tuberculosis") - count("guilds tuberculosis")
    assert count("(guilds OR tuberculosis) AND Flanders") >= count("guilds Flanders")
    assert 0 < count('"trade guilds"') <= count("trade guilds")
    assert count("How do guilds regulate the masters of the cloth towns") == 0


def test_openalex_gives_what_was_selected_and_in_the_order_that_was_asked_for(internet):
    answer = get(
        internet, "openalex", "/works", search="guilds", sort="cited_by_count:desc", select="id,cited_by_count"
    ).json
    counts = [work["cited_by_count"] for work in answer["results"]]
    assert counts == sorted(counts, reverse=True)
    assert set(answer["results"][0]) == {"id", "cited_by_count"}
    cited = answer["results"][0]["id"].rpartition("/")[2]
    citing = get(internet, "openalex", "/works", filter=f"cites:{cited}", per_page=100).json
    assert 0 < citing["meta"]["count"] <= counts[0]
    back = get(internet, "openalex", "/works", filter=f"cited_by:{citing['results'][0]['id']}", per_page=100).json
    assert cited in {work["id"].rpartition("/")[2] for work in back["results"]}
    assert internet.asked(kind="citations")[0].about == (internet.corpus.number_of("openalex", cited),)


def test_openalex_gives_one_semantic_search_a_second(strict):
    parameters = {"search__semantic": "how guilds work", "api_key": VALID_KEY}
    assert [get(strict, "openalex", "/works", **parameters).status for _ in range(2)] == [200, 429]


# The others


@pytest.mark.parametrize(
    ("parameters", "status", "kind"),
    [
        ({"rows": "1001"}, 400, "integer-not-valid"),
        ({"rows": "many"}, 400, "integer-not-valid"),
        ({"offset": "10001"}, 400, "integer-not-valid"),
        ({"filter": "has-assertion:true"}, 400, "filter-not-available"),
        ({"filter": "from-pub-date:soon"}, 400, "date-not-valid"),
        ({"query.abstract": "guilds"}, 400, "parameter-not-allowed"),
        ({"cursor": "nonsense"}, 404, "cursor-invalid"),
    ],
)
def test_crossref_names_what_is_wrong_with_a_request(internet, parameters, status, kind):
    refused = get(internet, "crossref", "/works", **parameters)
    assert refused.status == status
    assert refused.json["message"][0]["type"] == kind


def test_crossref_serves_the_polite_faster_and_refuses_the_hasty(strict):
    assert get(strict, "crossref", "/works", rows=0).headers["x-api-pool"] == "public"
    assert get(strict, "crossref", "/works", rows=0, mailto="me@example.org").headers["x-api-pool"] == "polite"
    statuses = [get(strict, "crossref", "/works", rows=0).status for _ in range(5)]
    assert statuses[-1] == 429
    assert get(strict, "crossref", "/works/10.1/none").status in (404, 429)


def test_crossref_says_of_a_doi_that_it_does_not_have_that_it_is_missing(internet):
    answer = get(internet, "crossref", "/works/10.1%2Fnone")
    assert (answer.status, answer.text) == (404, "Resource not found.")


def test_arxiv_answers_haste_by_a_word_with_status_200(strict):
    first, second = (get(strict, "arxiv", "/api/query", search_query="all:quark") for _ in range(2))
    assert first.text.startswith("<?xml")
    assert (second.status, second.text) == (200, recorded("arxiv_200_rate_exceeded")["body"])


def test_arxiv_answers_a_wrong_number_by_a_feed_with_an_error(internet):
    refused = get(internet, "arxiv", "/api/query", id_list="abc")
    assert refused.status == 400
    assert "incorrect id format for abc" in refused.text


def test_arxiv_reads_fields_and_operators(internet):
    def count(query):
        return int(
            get(internet, "arxiv", "/api/query", search_query=query, max_results=0)
            .text.split("totalResults>")[1]
            .split("<")[0]
        )

    assert count("cat:math.GT") == count("cat:math.GT ANDNOT ti:quagga") > count("cat:math.GT AND all:skein") > 0
    assert count('all:"knot polynomials"') <= count("all:knot AND all:polynomials")
    dated = [
        count(f"cat:math.GT AND submittedDate:[{span}]")
        for span in ("199101010000 TO 201512312359", "201601010000 TO 299912312359")
    ]
    assert sum(dated) == count("cat:math.GT")


def test_semantic_scholar_refuses_most_requests_without_a_key_and_haste_with_one(strict):
    without = [get(strict, "semantic-scholar", "/graph/v1/paper/search", query="guilds").status for _ in range(8)]
    assert without == [429] * 7 + [200]
    refused = get(strict, "semantic-scholar", "/graph/v1/paper/search", query="guilds")
    assert refused.json == json.loads(recorded("s2_429")["body"])
    keyed = [
        get(strict, "semantic-scholar", "/graph/v1/paper/search", {"x-api-key": VALID_KEY}, query="guilds")
        for _ in range(2)
    ]
    assert [one.status for one in keyed] == [200, 429]
    wrong = get(strict, "semantic-scholar", "/graph/v1/paper/search", {"x-api-key": "mistyped"}, query="guilds")
    assert (wrong.status, wrong.json) == (403, {"message": "Forbidden"})


@pytest.mark.parametrize(
    ("path", "parameters", "said"),
    [
        ("/paper/search", {"query": "guilds", "fields": "unknown"}, "Unrecognized or unsupported fields: [unknown]"),
        ("/paper/search", {"query": "guilds", "limit": "101"}, "'limit' must be <= 100"),
        ("/paper/search", {"query": "guilds", "limit": "0"}, "Unacceptable query params: [limit=0]"),
        ("/paper/search", {"query": "guilds", "rows": "5"}, "Unacceptable query params: [rows=5]"),
        ("/paper/search/match", {"query": "quagga zebra"}, "Title match not found"),
        ("/paper/DOI:10.1/none", {}, "Paper with id DOI:10.1/none not found"),
    ],
)
def test_semantic_scholar_names_what_is_wrong_with_a_request(internet, path, parameters, said):
    refused = get(internet, "semantic-scholar", f"/graph/v1{path}", **parameters)
    assert refused.status in (400, 404)
    assert refused.json["error"] == said


def test_semantic_scholar_gives_null_for_unknown_names_of_a_batch(internet):
    corpus = internet.corpus
    paper = int(corpus.in_s2.argmax())
    body = json.dumps({"ids": [corpus.s2(paper), "DOI:10.1/none", f"CorpusId:{corpus.corpus_number(paper)}"]}).encode()
    found = get(internet, "semantic-scholar", "/graph/v1/paper/batch", body=body, fields="title,externalIds").json
    assert [one and one["title"] for one in found] == [corpus.title(paper), None, corpus.title(paper)]


def test_europe_pmc_echoes_the_last_cursor_and_leaves_it_out_of_a_single_page(internet):
    def page(**parameters):
        return get(internet, "europe-pmc", "/search", format="json", **parameters).json

    first = page(query="patients", pageSize=1000)
    assert first["hitCount"] == len(first["resultList"]["result"])
    assert "nextCursorMark" not in first
    half = page(query="patients", pageSize=first["hitCount"] - 1)
    last = page(query="patients", pageSize=first["hitCount"] - 1, cursorMark=half["nextCursorMark"])
    over = page(query="patients", pageSize=first["hitCount"] - 1, cursorMark=last["nextCursorMark"])
    assert len(last["resultList"]["result"]) == 1
    assert over["nextCursorMark"] == last["nextCursorMark"]
    assert get(internet, "europe-pmc", "/search", format="json", query="").json["errCode"] == 400


def test_dblp_has_computing_alone(internet):
    def count(text):
        return int(get(internet, "dblp", "/search/publ/api", q=text, format="json").json["result"]["hits"]["@total"])

    assert count("consensus protocols") > 0
    assert count("tuberculosis") == 0


# Failures


def test_a_service_out_of_order_does_not_hold_up_the_others(internet):
    internet.put_out_of_order("openalex", "503")
    internet.put_out_of_order("crossref", "html")
    assert get(internet, "openalex", "/works").status == 503
    assert get(internet, "crossref", "/works").text.startswith("<!DOCTYPE html>")
    assert get(internet, "europe-pmc", "/search", query="heart", format="json").status == 200
    internet.put_in_order()
    assert get(internet, "openalex", "/works").status == 200


def test_a_service_that_refuses_connections_is_at_a_dead_port(internet):
    internet.put_out_of_order("crossref", "refused")
    with pytest.raises(urllib.error.URLError, match="refused"):
        get(internet, "crossref", "/works")


@pytest.mark.parametrize("fault", ["503", "html", "old form", "refused", "cut", "403"])
def test_the_client_says_what_is_wrong_in_one_line(internet, fault):
    internet.put_out_of_order("openalex", fault)
    with pytest.raises(SourceError) as refused:
        asyncio.run(search(OpenAlex(internet.address("openalex"))))
    assert "OpenAlex" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_client_waits_when_arxiv_says_that_it_is_asked_too_often(strict):
    get(strict, "arxiv", "/api/query", search_query="all:quark")
    with pytest.raises(SourceError):  # the clock of the test stands still for the server
        asyncio.run(search(Arxiv(strict.address("arxiv"))))
    assert {one.status for one in strict.asked("arxiv")} == {200}


async def search(source):
    time = Time()
    async with SourceClient(environment={}, clock=time.clock, sleep=time.sleep) as client:
        return await client.page(source, source.search(Search(text="guilds", limit=5)))
