"""A small library on kites, and readers that answer from a script: what the tests of exploring share."""

from __future__ import annotations

import asyncio
import json
import re
import shutil

import pytest

from novum.core import Paper
from novum.lab import Workplace
from novum.literature import Entry, Library
from novum.reading.exploration import ExploreOptions
from novum.settings import load_settings
from novum.testing import plausible_answer

LIBRARY = [  # title, year, what it says
    ("Kites fly by lift", 2001, "Kites fly because wind makes lift. The tail keeps them steady. Paper tears in rain."),
    ("Kite tails and steadiness", 2005, "A longer kite tail damps swinging. Wind above 12 m/s breaks tails."),
    (
        "Silk kites in strong wind",
        2010,
        "Silk kites survive strong wind. Their lift is lower than that of paper kites.",
    ),
    (
        "Steering kites by two lines",
        2015,
        "Two lines steer a kite. The pilot feels the lift of the kite in both hands.",
    ),
    ("Kites that make power", 2021, "A kite on a drum makes power. Ground stations control its lift by the tether."),
    ("Soup at altitude", 2012, "Soup boils early on mountains. Salt does not change that very much at all."),
]
QUESTION = "Why do kites fly steadily in wind?"
PAPER = Paper(title=LIBRARY[0][0], year=2001, authors=("Ada Smith",), abstract=LIBRARY[0][2])


def kite(title, year, text):
    return Entry(paper=Paper(title=title, year=year, authors=("Ada Smith",), abstract=text))


@pytest.fixture(scope="session")
def kites_held(tmp_path_factory):
    """The small library, filled and indexed."""
    home = tmp_path_factory.mktemp("stocked")
    with Library.open(home / "library") as library:
        library.add(kite(*each) for each in LIBRARY)
        asyncio.run(library.index())
    return home


@pytest.fixture
def at_desk(kites_held, tmp_path):
    """Runs a job with a lab on the small library. A second job in the same test takes up the run of the first."""
    home = shutil.copytree(kites_held, tmp_path / "home")

    def run(server, job, *, papers=(), texts=None):
        settings = load_settings({"home": str(home), "writer": server.model}, environment={}, folder=tmp_path)

        async def inside():
            async with Workplace(settings) as place:
                place.library.add([kite(*each) for each in papers])
                for title, text in (texts or {}).items():
                    place.library.set_full_text(place.library.find(title).id, text)
                known = place.ledger.runs(limit=1)
                record = known[0] if known else place.ledger.start_run("explore", QUESTION, {})
                return await job(place.lab(record))

        return asyncio.run(inside())

    return run


def answering(**by_form):
    """A script: for some forms a function of the plausible answer and of what was asked; the others as they come."""

    def script(asked):
        change = by_form.get(asked.form)
        if change is None:
            return None
        answer = change(json.loads(plausible_answer(asked.messages, asked.schema)), asked)
        return answer if isinstance(answer, str) else json.dumps(answer)

    return script


def material(asked):
    """What is quoted in a question about a passage: title, blank line, passage."""
    return re.search(r"<material \w{8}>\n(.*?)\n</material", asked.text, re.DOTALL)[1]


def finding(score_of, kind_of=lambda text: "result"):
    """A reader that scores by what is quoted and quotes the first sentence of the passage."""

    def read(answer, asked):
        passage = material(asked).split("\n\n", 1)[1]
        quote = passage.split(".")[0] + "."
        return {
            "summary": f"It says: {quote}",
            "quote": quote,
            "kind": kind_of(material(asked)),
            "score": score_of(material(asked)),
        }

    return read


def kites_count(text):
    return 8 if "ite" in text else 2


def searching(*rounds):
    """A reader that writes these queries, one round after the other."""
    left = list(rounds)
    return lambda answer, asked: {
        "missing": "the rest", "read_on": [], "terms": [], "queries": left.pop(0) if left else [],
    }  # fmt: skip


def few(**options):
    return ExploreOptions(**({"papers": 2, "passages": 2, "snippets": 3, "coverage": 3} | options))
