"""Runs that know the opportunities of their topic: as if an earlier session of work had computed them."""

from __future__ import annotations

import asyncio
import shutil

from tests.methods.conftest import LINE, entry

from novum.core.opportunity import Opportunity, OpportunityList, OpportunitySide
from novum.lab import Workplace
from novum.ledger import Run
from novum.methods import get_method
from novum.runs.engine import resume, settings_to_repeat
from novum.runs.ideation import IDEATION
from novum.settings import load_settings

TOPIC = "widgets and gadgets that learn"
PAPERS = {key: entry(key, *rest).paper for key, *rest in LINE}


def opening(one, other, of_one=(), of_other=(), *, kind="rising", reasons=(), attempts=(), until=2022):
    """One between two concepts, with papers of the invented literature by their keys."""

    def side(concept, keys):
        ids = tuple(PAPERS[key].id for key in keys)
        return OpportunitySide(concept=concept, first_year=2001, papers_by_year={2001: 1}, papers=ids)

    return Opportunity(
        kind=kind, pair=(one, other), until=until, one=side(one, of_one), other=side(other, of_other), probability=0.2,
        reasons=reasons, attempts=tuple(PAPERS[key].id for key in attempts),
    )  # fmt: skip


SOUP = opening("planning", "altitude", ["newest"], ["aside"], reasons=("both gained papers",), attempts=["late"])
LEDGERS = opening("gadget priors", "accounting ledgers", ["early"], ["twin"], kind="bridge")


def openings(*found, until=2022):
    return OpportunityList(
        topic=TOPIC, until=until, horizon=3, near=("widgets",), openings=found, papers=tuple(PAPERS.values())
    )


def known(found, why=""):
    """The event as a run keeps it."""
    return {"topic": TOPIC, "before": "", "found": {"openings": found and found.model_dump(mode="json"), "why": why}}


def taken_up(server, home, shelf, found, *, method="chain-of-ideas", why="", **options):
    """The report of a run that is taken up with these opportunities in its events."""
    shutil.copytree(shelf, home / "library")
    settings = load_settings({"home": str(home), "writer": server.model}, environment={}, folder=home)

    async def inside():
        async with Workplace(settings) as workplace:
            full = get_method(method).options_from(options).model_dump(mode="json")
            params = {"topic": TOPIC, "method": method, "options": full, "settings": settings_to_repeat(workplace)}
            record = workplace.ledger.start_run("ideate", TOPIC, params)
            Run(workplace.ledger, record).emit("openings", **known(found, why))
            return await resume(IDEATION, workplace, record.id, force=True)

    return asyncio.run(inside())
