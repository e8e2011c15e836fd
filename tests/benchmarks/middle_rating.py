"""Stands in for the process that reads a rating from a model's weights: says the middle of those that there are."""

from __future__ import annotations

import json
import sys
from pathlib import Path

if __name__ == "__main__":
    asked = json.loads(Path(sys.argv[1]).read_text())
    middle = sorted(asked["values"])[len(asked["values"]) // 2]
    prompts = [turns[-1]["content"] for turns in asked["conversations"]]
    assert all("Level" in prompt and "\x02" not in prompt for prompt in prompts)
    Path(sys.argv[2]).write_text(json.dumps({"ratings": [middle for _ in prompts]}))
