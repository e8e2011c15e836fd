"""A trained policy goes back in as the writer of the generator, by the name under which it was exported."""

from __future__ import annotations

import importlib.util
import json

import pytest

from novum.testing.next_idea_tasks import FIELD, OTHERS, QUICK, write_invented_policy, write_invented_tasks
from tests.training.next_idea.test_evaluation import answer

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
    pytest.mark.train,
    pytest.mark.skipif(importlib.util.find_spec("trl") is None, reason="needs the extra train"),
]


@pytest.mark.parametrize("tuned", ["lora.rank=4", "lora=false"])
def test_a_trained_policy_is_exported_and_writes_the_ideas_of_the_generator(here, serve, tmp_path, tuned):
    data, base = write_invented_tasks(tmp_path / "tasks", 4, 2), write_invented_policy(tmp_path / "base")
    sets = [word for each in (*QUICK[1:], "grpo.steps=2", tuned) for word in ("--option", each)]
    out = str(tmp_path / "policy")
    trained = here("train", "next-idea", str(data), "--base", str(base), "--out", out, "--recipe", "cpu", *sets)
    assert trained.code == 0, trained.err
    exported = here("train", "export", out, "--name", "mine")
    assert exported.code == 0, exported.err
    assert "--method deep-innovator --model local:mine" in exported.out

    server = serve(answer)
    asked = here(
        "ideate", "learning graph networks for molecules", "--method", "deep-innovator", "--model", "local:mine",
        "--reader", server.model, "--judge", server.model, "--rounds", "1", "--source", "none", "--json", "--force",
        "--option", "papers=3", "--option", "write_up=no", "--option", "experiment=no", "--option", "small_prompts=yes",
    )  # fmt: skip
    assert asked.code == 0, asked.err
    ideation = json.loads(asked.out)["ideation"]
    [candidate] = ideation["candidates"]
    written = set(candidate["idea"]["summary"].split())
    assert written
    assert written <= {*FIELD, *OTHERS, "[UNK]", "system", "user", "assistant"}
    assert candidate["comments"]
    assert "" not in server.forms()  # the server wrote no idea
