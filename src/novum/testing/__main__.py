"""The scripted server as a process of its own: `python -m novum.testing --latency 0.2`. Prints its address, ends
with its input.
"""

from __future__ import annotations

import argparse
import json
import sys

from novum.testing.liveidea import ideas_and_scores
from novum.testing.server import ScriptedServer

SCRIPTS = {"plausible": None, "liveidea": ideas_and_scores}


def main() -> None:
    """Serves until standard input closes; any line on it is answered with the counts so far, as JSON."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--script", choices=SCRIPTS, default="plausible", help="what kind of questions it knows")
    arguments = options.parse_args()
    with ScriptedServer(
        SCRIPTS[arguments.script], latency=arguments.latency, port=arguments.port, keep=False
    ) as server:
        print(server.base_url, flush=True)
        for _ in sys.stdin:
            counts = {
                "answered": server.answered,
                "most_in_flight": server.most_in_flight,
                "prompt_tokens": server.prompt_tokens,
            }
            print(json.dumps(counts), flush=True)
            server.answered = server.most_in_flight = server.prompt_tokens = 0


if __name__ == "__main__":
    main()
