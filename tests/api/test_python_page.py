"""docs/python.md: every example runs as it stands there, one after the other, with a scripted model."""

from __future__ import annotations

import ast
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import novum
import novum.api
from tests.training.review_files import lines, paper

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
EXAMPLES = [each.strip() for each in re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)]
NEEDS_MORE = (
    "add_papers",
    "add_zotero",
    "evaluate_judges",
    "validate_judges",
    "create_study",
    "study_results",
    "study_files",
    "export_to_zotero",
    "build_ideas",
    "build_preferences",
    "build_next_ideas",
    "check_reward",
    "train_next_ideas",
    "evaluate_next_ideas",
    "train",
)
"""Verbs whose examples need a network or larger data than a test has; their calls are checked by their signatures."""
_BIB = "@article{w, title={Widgets and message passing}, author={Byron, Ada}, year={2020}, abstract={About widgets.}}\n"


def calls_of(example):
    """The verbs that an example calls, with the call."""
    for node in ast.walk(ast.parse(example)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("novum."):
            yield ast.unparse(node.func).removeprefix("novum."), node


@pytest.fixture
def place(environment, filled_library, serve, tmp_path, monkeypatch):
    """A folder with what the examples read, and settings that name the scripted model."""
    for name in [name for name in os.environ if name not in environment]:
        monkeypatch.delenv(name)
    model, home = serve().model, tmp_path / "starter"
    shutil.copytree(filled_library, home / "library")
    for name, value in {"HOME": str(home), "WRITER": model, "JUDGES": model}.items():
        monkeypatch.setenv(f"NOVUM_{name}", value)
    monkeypatch.chdir(tmp_path)
    prices = "input_per_million = 1\noutput_per_million = 1\n"
    (tmp_path / "novum.toml").write_text(f'[prices."server:scripted"]\n{prices}')
    (tmp_path / "my-papers.bib").write_text(_BIB)
    lines(tmp_path / "reviews.jsonl", [paper(1, 2022), paper(2, 2022), paper(3, 2024), paper(4, 2024)])
    ratings = (f"Widgets {number},Widgets that wait for {number} turns.,{1 + number % 5}\n" for number in range(20))
    (tmp_path / "ratings.csv").write_text("title,text,rating\n" + "".join(ratings))
    return model


@pytest.mark.slow
def test_every_example_runs_as_it_stands_on_the_page(place):
    names = {}
    for example in EXAMPLES:
        statements = [
            statement
            for statement in ast.parse(example).body
            if not any(f"novum.{verb}(" in ast.unparse(statement) for verb in NEEDS_MORE)
            and "reviewers" not in ast.unparse(statement)
        ]
        code = "\n".join(map(ast.unparse, statements)).replace("openai:gpt-5.5", place)
        code = code.replace("anthropic:claude-sonnet-5-5", place.replace(":scripted", ":another"))
        exec(compile(code, "python.md", "exec"), names)  # the page is our own text


def test_the_page_shows_every_verb():
    verbs_on_page = {verb.removesuffix("_async") for example in EXAMPLES for verb, _ in calls_of(example)}
    verbs = {name for name in novum.api.__all__ if name.islower() and not name.startswith("_")}
    assert {verb for verb in verbs if not verb.endswith("_async")} == verbs_on_page


@pytest.mark.parametrize("verb, call", [each for example in EXAMPLES for each in calls_of(example)])
def test_every_call_on_the_page_fits_its_signature(verb, call):
    function = getattr(novum, verb)
    keywords = [keyword.arg for keyword in call.keywords]
    inspect.signature(function).bind(*call.args, **dict.fromkeys(keywords))


def test_every_verb_is_listed_and_has_both_forms():
    assert set(novum._NAMES) == set(novum.api.__all__) <= set(dir(novum))
    for name in novum.api.__all__:
        if name.islower() and not name.endswith("_async"):
            assert callable(getattr(novum, name))
            assert callable(getattr(novum, f"{name}_async"))
            assert inspect.getdoc(getattr(novum, name))


def test_importing_novum_stays_light():
    heavy = "import sys, novum; print(sorted({'numpy', 'pydantic', 'typer', 'novum.api'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
