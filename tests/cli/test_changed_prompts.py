"""A stopped run that is resumed after Novum's prompts have changed says so, and finishes."""

from __future__ import annotations

import json
import sqlite3

CHANGED = "The prompts of Novum have changed since this run began"


def stopped(here, server):
    done = here(
        "ideate", "deep widget learning", "--method", "plain", "--model", server.model, "--budget-calls", "1",
        "--source", "none", "--force",
    )  # fmt: skip
    assert done.code == 3, done.err


def with_other_digest(tmp_path, change):
    """Replaces the digest in the parameters of all runs."""
    ledger = sqlite3.connect(next(tmp_path.rglob("ledger.sqlite")))
    with ledger:
        for run_id, params in ledger.execute("SELECT id, params FROM runs").fetchall():
            ledger.execute(
                "UPDATE runs SET params = ?, checksum = NULL WHERE id = ?",
                (json.dumps(change(json.loads(params))), run_id),
            )
    ledger.close()


def test_a_run_of_other_prompts_says_so_and_finishes(here, serve, tmp_path):
    server = serve()
    stopped(here, server)
    with_other_digest(tmp_path, lambda params: params | {"prompt_digest": "of an earlier version"})
    resumed = here("runs", "resume", "last", "--budget-calls", "100")
    assert resumed.code == 0, resumed.err
    assert resumed.err.count(CHANGED) == 1


def test_a_run_of_the_same_prompts_or_of_unknown_ones_says_nothing(here, serve, tmp_path):
    stopped(here, serve())
    with_other_digest(
        tmp_path, lambda params: {name: value for name, value in params.items() if name != "prompt_digest"}
    )
    resumed = here("runs", "resume", "last", "--budget-calls", "2")
    assert CHANGED not in resumed.err
    stopped(here, serve())
    assert CHANGED not in here("runs", "resume", "last", "--budget-calls", "100").err
