"""The forms of all answers as one text: what each field is called, which values it takes, and how it is described.

`python -m tests.prompts.answer_forms` writes `answer_forms.txt` anew after a form was changed on purpose: read the
difference before you keep it.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import novum.benchmarks
import novum.judges
import novum.methods
import novum.reading
import novum.training.next_idea.environment.rewarding
import novum.training.next_idea.reward_check
import novum.training.reviews.annotation
from novum.llm import Answer

FILE = Path(__file__).parent / "answer_forms.txt"
_PACKAGES = (novum.methods, novum.judges, novum.reading, novum.benchmarks)


def forms() -> list[type[Answer]]:
    """All forms of Novum, by module and name."""
    for package in _PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    own = {form for form in _below(Answer) if form.__module__.startswith("novum.")}
    return sorted(own, key=name_of)


def _below(form: type[Answer]) -> Iterator[type[Answer]]:
    for each in form.__subclasses__():
        yield each
        yield from _below(each)


def name_of(form: type[Answer]) -> str:
    """Its module and name, such as `judges.pair.Comparison`."""
    return f"{form.__module__.removeprefix('novum.')}.{form.__name__}"


def told(form: type[Answer]) -> str:
    """A form as it is described to a model, with the bounds that its answers must keep."""
    lines = [f"{name_of(form)}: {' '.join((form.__doc__ or '').split())}"]
    for name, field in form.model_json_schema()["properties"].items():
        kept = {key: value for key, value in sorted(field.items()) if key not in {"title", "description"}}
        lines.append(f"  {name}: {json.dumps(kept, ensure_ascii=False)} {field.get('description', '')}".rstrip())
    return "\n".join(lines)


def all_told() -> str:
    """What the file holds."""
    return "\n\n".join(map(told, forms())) + "\n"


if __name__ == "__main__":
    FILE.write_text(all_told(), encoding="utf-8")
