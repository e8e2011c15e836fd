"""A pytest plugin: which functions of a package and which prompts each test uses.

    NOVUM_TOUCHED=FOLDER pytest -p figures.touched_by_tests tests/methods

Every process of the run writes one JSON file into the folder: test -> names, `methods/rag.py:rag` for a function,
`small/rag_idea` for a prompt.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from novum import prompts
from novum.prompts.loader import Prompt, PromptBook

SOURCE = Path(prompts.__file__).parents[1]
_touched: defaultdict[str, set[str]] = defaultdict(set)
_current = ""
_get = PromptBook.get


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Fixtures count as part of the test that they are made for."""
    global _current  # noqa: PLW0603  # one test at a time
    _current = item.nodeid
    sys.setprofile(_note_function)
    try:
        return (yield)
    finally:
        sys.setprofile(None)


def _note_function(frame: FrameType, event: str, _: object) -> None:
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(_WATCHED):
        name = Path(code.co_filename).relative_to(SOURCE)
        _touched[_current].add(f"{name}:{code.co_qualname}")


_WATCHED = str(SOURCE / "methods")


def _note_prompt(self: PromptBook, name: str, *, small: bool = False) -> Prompt:
    prompt = _get(self, name, small=small)
    used_small = small and f"small/{name}.md" in self._files
    _touched[_current].add(f"small/{name}" if used_small else name)
    return prompt


PromptBook.get = _note_prompt  # type: ignore[method-assign]


def pytest_sessionfinish() -> None:
    """Each worker of pytest-xdist writes a file of its own."""
    place = Path(os.environ["NOVUM_TOUCHED"]) / f"{os.getpid()}.json"
    place.write_text(json.dumps({test: sorted(names) for test, names in _touched.items()}), "utf-8")
