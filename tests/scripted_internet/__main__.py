"""The scripted internet as a process of its own: `python -m tests.scripted_internet --latency 1`.

Prints the addresses of its services as JSON. Each line on its input is a command in JSON, answered by a line of JSON:
`{"faults": {"crossref": "503"}}` (those and no others), `{"latency": 0}`, `{"forget": true}`, `{"log": true}`, `{}`; it
ends with its input. Answers hold the addresses, what was spent at OpenAlex without a key, and the log if asked for.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from tests.scripted_internet.server import ScriptedInternet
from tests.scripted_internet.service import Rules


def main() -> None:
    """Serves until standard input closes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--papers", type=int, default=50_000)
    options.add_argument("--latency", type=float, default=1.0, help="1: as long as the real services")
    options.add_argument("--unpaced", action="store_true", help="do not refuse requests that come too fast")
    options.add_argument("--port", type=int, default=0)
    chosen = options.parse_args()
    rules = Rules(paced=not chosen.unpaced)
    with ScriptedInternet(papers=chosen.papers, latency=chosen.latency, rules=rules, port=chosen.port) as internet:
        internet.prepare()
        print(json.dumps(internet.addresses), flush=True)
        for line in sys.stdin:
            print(json.dumps(_obey(internet, json.loads(line))), flush=True)


def _obey(internet: ScriptedInternet, command: dict[str, Any]) -> dict[str, Any]:
    if "faults" in command:
        internet.put_in_order()
        for service, fault in command["faults"].items():
            internet.put_out_of_order(service, fault)
    if "latency" in command:
        internet.latency = float(command["latency"])
    said: dict[str, Any] = {"addresses": internet.addresses, "spent": internet.spent.get("", 0.0)}
    if command.get("log"):
        said["log"] = [asdict(one) for one in internet.log]
    if command.get("forget"):
        internet.forget()
    return said


if __name__ == "__main__":
    main()
