"""The records of the scripted services have no field that those of the real services lack."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scripted_internet.test_limits import get

RECORDED = Path(__file__).parents[3] / "shared" / "data"


def fields(value, path=""):
    """The paths of all fields in a JSON value; words that are keys of an inverted abstract are none."""
    if isinstance(value, dict) and not path.endswith("abstract_inverted_index"):
        return {f"{path}.{name}" for name in value}.union(
            *(fields(each, f"{path}.{name}") for name, each in value.items())
        )
    return set().union(*(fields(each, f"{path}[]") for each in value)) if isinstance(value, list) else set()


def test_works_of_openalex_have_the_fields_of_recorded_works(internet):
    file = RECORDED / "http2" / "peneira_works.json"
    newest = RECORDED / "http2" / "openscience_2026.json"
    if not file.exists():
        pytest.skip("the recorded answers are not at hand")
    real = fields(json.loads(file.read_text("utf-8"))["results"])
    real |= fields([json.loads(newest.read_text("utf-8"))["payload"]])
    query = {"search": "guilds OR tuberculosis OR neutron", "per_page": 100}
    assert fields(get(internet, "openalex", "/works", **query).json["results"]) <= real


def test_works_of_crossref_have_the_fields_of_recorded_works(internet):
    real = set().union(*(fields([work]) for work in recorded_works()))
    if not real:
        pytest.skip("the recorded answers are not at hand")
    query = {"query": "guilds tuberculosis neutron", "rows": 200}
    assert fields(get(internet, "crossref", "/works", **query).json["message"]["items"]) <= real


def recorded_works() -> Iterator[object]:
    """Every work in a recorded answer of Crossref."""
    file = RECORDED / "http2" / "crossref_habanero.jsonl.gz"
    if not file.exists():
        return
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        bodies = [json.loads(line)["body"] for line in lines]
    for body in bodies:
        message = body.get("message") if isinstance(body, dict) else _message(body)
        if isinstance(message, dict):
            yield from message.get("items", [message])


def _message(body: str) -> object:
    return json.loads(body).get("message") if body.startswith('{"') else None
