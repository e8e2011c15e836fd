"""A model server for trying things out: it speaks the OpenAI protocol over real HTTP, answers from a script, and
stores the requests. Part of the product: tests, benchmarks and other people's methods use it.

    with ScriptedServer() as server:
        … --model server:scripted@{server.base_url} …
        assert server.asked[0].form == "Perspectives"
"""

from novum.testing.liveidea import ideas_and_scores
from novum.testing.local_server import LocalModelServer
from novum.testing.plausible import plausible_answer
from novum.testing.server import ReceivedRequest, Script, ScriptedAnswer, ScriptedServer

__all__ = [
    "LocalModelServer",
    "ReceivedRequest",
    "Script",
    "ScriptedAnswer",
    "ScriptedServer",
    "ideas_and_scores",
    "plausible_answer",
]
