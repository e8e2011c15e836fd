"""The environment served by OpenEnv's own server, with a scripted model. Runs where `openenv-core` is installed:

python -m venv openenv && openenv/bin/pip install -e '.[openenv]' pytest hypothesis && openenv/bin/pytest THIS_FILE
"""

from __future__ import annotations

import json

import pytest

pytest.importorskip("openenv.core")

from fastapi.testclient import TestClient

from novum.errors import BadInput
from novum.integrations.environments.openenv_environment import IdeaAction, NextIdeaEnvironment, create_next_idea_app
from novum.settings import load_settings
from novum.testing.next_idea_tasks import write_invented_tasks
from novum.training.next_idea.environment.opening import open_environment


@pytest.fixture
def data(tmp_path):
    return write_invented_tasks(tmp_path / "tasks", 3, 1)


def answer(request):
    """A comment, or scores that rise by 0.2."""
    if request.form == "IdeaCritique":
        return json.dumps({"analysis": "It only sounds real.", "red_flags": ["x"], "advice": "y", "sound": False})
    return json.dumps({"reason": "r", "first": 0.3, "second": 0.5})


@pytest.fixture
def environment(data, serve, tmp_path):
    server = serve(answer)
    settings = load_settings({"home": str(tmp_path / "home"), "writer": server.model}, environment={}, folder=tmp_path)
    opened = open_environment(data, comment_model=server.model, reward_model=server.model, ideas=3, settings=settings)
    yield NextIdeaEnvironment(opened)
    opened.close()


def test_an_episode_is_played_with_comments_and_its_return_comes_at_the_end(environment):
    first = environment.reset(seed=1)
    assert [each["role"] for each in first.messages] == ["system", "user"]
    second = environment.step(IdeaAction(response="<idea>one</idea>"))
    assert (second.done, second.reward) == (False, None)
    assert "It only sounds real." in second.messages[-1]["content"]
    environment.step(IdeaAction(response="<idea>two</idea>"))
    last = environment.step(IdeaAction(response="<idea>three</idea>"))
    assert (last.done, last.ended) == (True, "limit")
    assert last.reward == pytest.approx(0.4)
    assert environment.state.ideas == 3
    with pytest.raises(BadInput, match="call reset first"):
        environment.step(IdeaAction(response="more"))


def test_the_same_seed_gives_the_same_task(environment):
    environment.reset(seed=7)
    one = environment.state.task_id
    environment.reset(seed=7)
    assert environment.state.task_id == one


def test_it_is_served_over_a_web_socket(data):
    with TestClient(create_next_idea_app(str(data), ideas=2)) as client, client.websocket_connect("/ws") as socket:
        socket.send_json({"type": "reset", "data": {"seed": 1}})
        assert socket.receive_json()["data"]["done"] is False
        socket.send_json({"type": "step", "data": {"response": "protein cell"}})
        socket.receive_json()
        socket.send_json({"type": "step", "data": {"response": ""}})
        ended = socket.receive_json()["data"]
    assert (ended["done"], ended["reward"], ended["observation"]["ended"]) == (True, -1.0, "no idea")
