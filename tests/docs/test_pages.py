"""The pages say what is: commands exist, links lead somewhere, files, functions, tests and settings are named right."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from functools import cache

import pytest
from tests.docs.conftest import EVIDENCE, ROOT, load_page_script

from novum.cli.app import app
from novum.cli.shell.group import CommandGroup
from novum.cli.shell.options import with_current_names
from novum.llm import PROVIDERS
from novum.methods import get_method
from novum.prompts import PromptBook
from novum.settings import Settings, load_settings

BLOCKS = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINKS = re.compile(r"\[[^\]\n]+\]\(([^)\s]+)\)")
IN_CODE = re.compile(r"`([^`\n]+)`")
PLACE = re.compile(r"([a-z_/]+\.py): ([A-Za-z_]+)(?:\.([a-z_]+))?")


def text_of(page):
    """A page as readers see it, with what it includes."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r'^--8<-- "(.+)"$', lambda found: (ROOT / found[1]).read_text(encoding="utf-8"), text, flags=re.M)


def blocks(page, *languages):
    return [body for language, body in BLOCKS.findall(text_of(page)) if language in languages]


def quoted(page):
    """What stands in backticks outside blocks."""
    return IN_CODE.findall(BLOCKS.sub("", text_of(page)))


# Commands


def commands(page):
    """Every `novum …` of a page, as words."""
    lines = [line for body in blocks(page, "sh") for line in body.replace("\\\n", " ").splitlines()] + quoted(page)
    told = [line.removeprefix("NOVUM_TEMPERATURE=0.2 ") for line in lines]
    return [re.split(r"\s[>|]\s", line)[0] for line in told if re.match(r"novum\s", line)]


def resolved(words):
    """The command that `words` lead to, and the words left over for it."""
    command = app
    while words and isinstance(command, CommandGroup):
        name, *rest = words
        if name not in command.commands and command.default:
            return command.load(command.default), words
        if name.startswith("-"):
            break
        assert name in command.commands, f"there is no command {name!r} in {command.name}"
        command, words = command.load(name), rest
    return command, words


def test_every_command_shown_exists_with_its_options(page):
    for line in commands(page):
        whole = shlex.split(line)[1:]
        command, words = resolved(whole)
        known = {name for parameter in command.params for name in parameter.opts} | {"--help", "-h"}
        if page.stem.lower() == "changelog":  # tells of options by the names that they had
            path = " ".join(whole[: len(whole) - len(words)])
            words = with_current_names(path, words, known)
        options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert options <= known, f"{line}: {options - known}"


def test_every_option_of_a_method_shown_exists(page):
    fields = get_method("chain-of-ideas").options.model_fields
    for name, value in re.findall(r"--option (\w+)=(\w+)", text_of(page)):
        if name not in {"key", "KEY", "count"}:
            assert name in fields
            get_method("chain-of-ideas").options_from({name: value})


def test_every_goal_of_make_shown_exists(page):
    goals = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    shown = [line for body in blocks(page, "sh") for line in body.splitlines()] + quoted(page)
    for line in shown:
        if line.startswith("make "):
            named = [word for word in shlex.split(line)[1:] if "=" not in word]
            assert set(named) <= goals, line


# Links and names


def broken_links(page):
    targets = LINKS.findall(BLOCKS.sub("", page.read_text(encoding="utf-8")))
    return [
        target
        for target in targets
        if not re.match(r"https?://|#", target) and not (page.parent / target.partition("#")[0]).exists()
    ]


def test_every_link_leads_somewhere(page):
    assert broken_links(page) == []


def test_every_link_of_the_evidence_leads_somewhere():
    pages = sorted(EVIDENCE.rglob("*.md"))
    assert {str(page): found for page in pages if (found := broken_links(page))} == {}


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text().partition("nav:")[2]
    for page in (ROOT / "docs").glob("*.md"):
        assert f": {page.name}\n" in navigation


@cache
def known_tests():
    """The names of all tests."""
    source = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    return set(re.findall(r"def (test_\w+)", source))


def test_every_test_named_exists(page):
    named = {name for name in quoted(page) if re.fullmatch(r"test_\w+", name)}
    assert named <= known_tests(), named - known_tests()


@cache
def names_in(file):
    """What a file defines: functions and classes, and what these hold."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    defines = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    outer = [node for node in tree.body if isinstance(node, defines)]
    return {node.name: {each.name for each in ast.walk(node) if isinstance(each, defines)} for node in outer}


def test_every_place_in_the_code_named_exists(page):
    for quote in quoted(page):
        if found := PLACE.fullmatch(quote):
            file, outer, inner = found.groups()
            defined = names_in(ROOT / "src" / "novum" / file)
            assert outer in defined, quote
            assert inner is None or inner in defined[outer], quote


def test_every_prompt_named_exists():
    named = re.findall(r"prompt `(\w+)\.md`", text_of(ROOT / "docs" / "fidelity.md"))
    assert named
    assert set(named) <= set(PromptBook().names())


def test_every_file_of_the_repository_named_exists(page):
    for quote in quoted(page):
        if re.fullmatch(r"(src|docs|tests|bench)/[\w./-]+", quote) and "echo.py" not in quote:
            assert (ROOT / quote).exists() or quote.endswith("repeated_choice.py"), quote


def test_every_piece_of_python_shown_is_python(page):
    for body in blocks(page, "python"):
        compile(body, str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


# Settings, providers, options, errors


def test_the_table_of_settings_is_what_the_settings_say():
    page = ROOT / "docs" / "configuration.md"
    script = load_page_script("settings_table")
    assert page.read_text() == script.filled_in(page.read_text()), "run: python docs/settings_table.py"
    assert all(f"| `{name}` |" in page.read_text() for name in Settings.model_fields)


def test_every_settings_file_shown_can_be_read(page, tmp_path):
    for body in blocks(page, "toml"):
        if "[project" not in body:
            (tmp_path / "novum.toml").write_text(body)
            load_settings({"home": str(tmp_path)}, environment={}, folder=tmp_path)
            assert set(tomllib.loads(body)) <= set(Settings.model_fields)


def test_every_variable_named_is_read(page):
    known = {f"NOVUM_{name.upper()}" for name in Settings.model_fields} | {"NOVUM_DEBUG", "NOVUM_SERVER_KEY", "NOVUM_"}
    assert set(re.findall(r"NOVUM_[A-Z_]*", text_of(page))) <= known


def test_the_page_of_models_names_every_provider_with_its_keys():
    told = text_of(ROOT / "docs" / "models.md")
    for provider in PROVIDERS.values():
        assert f"| `{provider.name}` |" in told
        assert all(key in told for key in provider.key_names)


def test_the_page_of_the_method_tells_every_option_and_its_default():
    told = text_of(ROOT / "docs" / "chain-of-ideas.md")
    for name, field in get_method("chain-of-ideas").options.model_fields.items():
        (row,) = (line for line in told.splitlines() if line.startswith("| `") and f"`{name}`" in line.split("|")[1])
        default = "" if field.default is None else str(field.default)
        assert row.split("|")[2].strip().strip("`") == {"True": "yes"}.get(default, default)


def test_every_line_of_trouble_is_one_that_novum_can_say():
    source = "".join(file.read_text() for file in (ROOT / "src").rglob("*.py")) + (ROOT / "Makefile").read_text()
    source = re.sub(r'"\s*\n\s*f?"', "", source).replace("{self._kind}", "method")  # texts over several lines
    rows = re.findall(r"^\| (.+?) \| ", text_of(ROOT / "docs" / "troubleshooting.md"), re.MULTILINE)
    for line in (quote for row in rows for quote in IN_CODE.findall(row)):
        for piece in re.split(r"…|\d{3}|2,000|METHOD|RUN|FILE:LINE: reason|make", line):
            words = piece.strip(" ():")
            assert len(words) < 5 or words in source, f"{line!r}: {words!r}"


def test_a_command_that_does_not_exist_would_be_noticed():
    with pytest.raises(AssertionError, match="no command"):
        resolved(["runs", "restart"])
