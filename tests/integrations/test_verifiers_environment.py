"""The environment of verifiers, with a scripted model over HTTP. Runs where `verifiers` 0.1 is installed:

python -m venv vf && vf/bin/pip install -e '.[verifiers]' pytest hypothesis && vf/bin/pytest THIS_FILE
"""

from __future__ import annotations

import asyncio
import json

import pytest

if not hasattr(pytest.importorskip("verifiers"), "MultiTurnEnv"):
    pytest.skip("this version of verifiers has other environments", allow_module_level=True)

from verifiers.types import ClientConfig

from novum.integrations.environments.verifiers_environment import NextIdeaEnvironment, load_environment
from novum.settings import load_settings
from novum.testing.next_idea_tasks import write_invented_tasks
from novum.training.next_idea.environment.opening import open_environment


@pytest.fixture
def data(tmp_path):
    return write_invented_tasks(tmp_path / "tasks", 3, 1)


def answer(request):
    """The policy, its commenter, and its reward model, by what is asked for."""
    if request.form == "IdeaCritique":
        return json.dumps({"analysis": "It only sounds real.", "red_flags": ["x"], "advice": "y", "sound": False})
    if request.form == "IdeaScores":
        return json.dumps({"reason": "r", "first": 0.3, "second": 0.5})
    return f"<idea>version {sum(each['role'] == 'assistant' for each in request.messages) + 1}</idea>"


def evaluated(environment, server, monkeypatch):
    """The results of one rollout for one task."""
    monkeypatch.setenv("SCRIPTED_KEY", "x")
    client = ClientConfig(api_base_url=server.base_url, api_key_var="SCRIPTED_KEY")
    return asyncio.run(environment.evaluate(client=client, model="policy", num_examples=1, rollouts_per_example=1))


@pytest.mark.filterwarnings("ignore")  # of the package
def test_a_rollout_has_the_comments_in_its_conversation_and_the_return_as_its_reward(
    data, serve, tmp_path, monkeypatch
):
    server = serve(answer)
    settings = load_settings({"home": str(tmp_path / "home"), "writer": server.model}, environment={}, folder=tmp_path)
    opened = open_environment(data, comment_model=server.model, reward_model=server.model, ideas=3, settings=settings)
    results = evaluated(NextIdeaEnvironment(opened), server, monkeypatch)
    opened.close()
    [rollout] = results["outputs"]
    assert rollout["reward"] == pytest.approx(0.4)
    assert rollout["metrics"]["last_score"] == 0.5
    roles = [each["role"] for each in rollout["completion"]]
    assert roles == ["assistant", "user", "assistant", "user", "assistant"]
    assert "It only sounds real." in rollout["completion"][1]["content"]
    assert "version 3" in rollout["completion"][4]["content"]


@pytest.mark.filterwarnings("ignore")
def test_an_episode_that_cannot_be_scored_is_an_error_and_no_zero(data, serve, tmp_path, monkeypatch):
    unscored = json.dumps({"reason": "r", "first": 3, "second": 0.5})
    server = serve(lambda request: unscored if request.form == "IdeaScores" else answer(request))
    settings = load_settings({"home": str(tmp_path / "home"), "writer": server.model}, environment={}, folder=tmp_path)
    opened = open_environment(data, comment_model=server.model, reward_model=server.model, ideas=2, settings=settings)
    results = evaluated(NextIdeaEnvironment(opened), server, monkeypatch)
    opened.close()
    assert "could be scored" in str(results["outputs"][0]["error"])


def test_the_environment_is_loaded_from_a_folder_of_tasks(data):
    environment = load_environment(str(data), ideas=2)
    assert len(environment.get_dataset()) == 3
