"""One name for one thing on the command line, words that people know for values, and one rule for --out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from novum.cli.app import app
from novum.cli.shell.options import FORMER_NAMES, with_current_names
from novum.cli.shell.output import report_folder, table_file
from novum.errors import BadInput

COMMANDS = dict(app.walk())
METAVARS = {
    "DATE", "DIR", "FILE", "IDEAS", "KEY=VALUE", "LOW-HIGH", "METHOD", "MODEL", "N", "N%", "NAME", "NAME=FAMILY",
    "NAMES", "PAPER", "HOST:PORT", "ADDRESS", "PROVIDER:MODEL", "QUERY", "QUESTION", "RUN", "TEXT", "TOPIC", "URL",
    "VENUE", "YEAR", "ENTRANT", "WORDS", "RATINGS", "STUDY", "KIND", "OWNER/NAME",
}  # fmt: skip
OTHER_NAMES = {
    "--judges", "--methods", "--models", "--number", "--n", "--k", "--top", "--most", "--max", "--draws", "--anyway",
    "--overwrite", "--replace", "--day", "--date", "--output", "--output-dir", "--verbose", "--silent", "--form",
    "--questions", "--folder",
}  # fmt: skip
"""What others call --judge, --method, --model, --count, --limit, --bootstrap-samples, --force, --before, --out,
--quiet, --format, --topics."""
MEANINGS = {
    "--json": "JSON",
    "--model": "odel",
    "--seed": "eed",
    "--bootstrap-samples": "Bootstrap samples",
    "--base-url": "OpenAI-compatible server",
}
"""Words that the help of these options has in every command."""


def options(command):
    return [param for param in command.params if param.param_type_name == "option" and not param.hidden]


def names(command):
    return {name for option in options(command) for name in (*option.opts, *option.secondary_opts)}


@pytest.mark.parametrize("path", COMMANDS)
def test_no_option_has_a_name_that_another_command_spells_differently(path):
    assert not names(COMMANDS[path]) & OTHER_NAMES


@pytest.mark.parametrize("path", COMMANDS)
def test_the_help_shows_words_that_people_know_and_no_types(path):
    for param in COMMANDS[path].params:
        metavar = param.metavar
        if getattr(param, "is_flag", False):
            assert metavar == "", param.name
        else:
            for word in re.split(r"\|", metavar.rstrip(".…")):
                assert word in METAVARS or word.islower() or re.fullmatch(r"[a-z0-9-]+", word), (param.name, metavar)


@pytest.mark.parametrize("name", MEANINGS)
def test_an_option_means_the_same_everywhere(name):
    texts = {
        path: option.help for path, command in COMMANDS.items() for option in options(command) if name in option.opts
    }
    assert [path for path, text in texts.items() if MEANINGS[name] not in text] == []


def test_judges_methods_and_models_to_compare_are_repeatable():
    for path, command in COMMANDS.items():
        for option in options(command):
            if "--judge" in option.opts:
                assert option.multiple, path


def test_every_former_name_stands_for_an_option_that_is_there():
    for former, current in FORMER_NAMES.items():
        *path, name = former.split()
        meant = [COMMANDS[" ".join(["novum", *path])]] if path else COMMANDS.values()
        option = current.partition("=")[0]
        assert any(option in names(command) and name not in names(command) for command in meant), former


def test_former_names_are_accepted_and_not_shown(here):
    assert with_current_names("arena run", ["--judges", "a", "--methods=b", "-q"], {"--judge", "--method", "-q"}) == [
        "--judge", "a", "--method=b", "-q",
    ]  # fmt: skip
    assert with_current_names("score", ["--csv", "a"], {"--format"}) == ["--format=csv", "a"]
    assert with_current_names("score", ["--", "--judges"], {"--judge"}) == ["--", "--judges"]
    assert "--judges" not in here("review", "--help").out
    assert "No such option" not in here("library", "search", "graphs", "-k", "2").err


@pytest.mark.parametrize("out", [["--out", ""], ["--out", " "], ["--out="]])
@pytest.mark.parametrize("command", ["study export last", "data build survey last", "ideate bridges"])
def test_an_empty_out_is_refused_and_is_not_the_current_folder(here, command, out):
    done = here(*command.split(), *out)
    assert done.code == 2
    assert "--out names no file or folder" in done.err


FILES = ["rep.pdf", "report.html", "ideas.jsonl", "a/b.CSV"]


@pytest.mark.parametrize("name", FILES)
def test_a_folder_named_like_a_file_is_refused_with_a_suggestion(name):
    with pytest.raises(BadInput, match=f"Name a folder: --out {Path(name).with_suffix('')}"):
        report_folder(Path(name))


def test_a_folder_for_a_report_may_have_a_point_in_its_name():
    assert report_folder(Path("runs/v1.2")) == Path("runs/v1.2")


@pytest.mark.parametrize("name, suggested", [("ideas", "ideas/ideas.jsonl"), ("ideas.pdf", "ideas.jsonl")])
def test_a_table_is_a_file_and_the_right_name_is_suggested(name, suggested):
    with pytest.raises(BadInput, match=f"--out {suggested}"):
        table_file(Path(name))


def test_a_report_is_refused_before_anything_is_spent(here, serve):
    server = serve()
    ended = here("ideate", "molecules", "--model", server.model, "--out", "rep.pdf")
    assert ended.code == 2
    assert "--out rep" in ended.err
    assert not server.asked


def shown_examples():
    """Every command line in the examples of a command's help."""
    for path, command in COMMANDS.items():
        for line in (command.epilog or "").splitlines():
            if line.strip().startswith("novum "):
                yield path, re.split(r"\s[>|]\s|\s{3,}", line.strip())[0]


@pytest.mark.parametrize("path, line", list(shown_examples()))
def test_the_examples_of_the_help_name_commands_and_options_that_exist(path, line):
    words = shlex.split(line)
    known = max((each for each in COMMANDS if line.startswith(each)), key=len, default="")
    if not known:  # a group with a default command
        known = next(each for each in COMMANDS if each.rsplit(" ", 1)[0] == " ".join(words[:2]))
    used = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert used <= names(COMMANDS[known]), (path, line)


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_examples_and_a_line_in_the_list(path):
    assert f"novum {path.split()[1]}" in COMMANDS[path].epilog
    assert COMMANDS[path].short_help
    assert not COMMANDS[path].short_help.endswith(".")


@pytest.mark.slow
def test_a_command_that_loads_much_says_at_once_what_it_is_about_to_do(novum):
    assert (
        novum("ideate", " ").err.splitlines()[0] == "novum ideate: generate research ideas on a topic, with a report …"
    )
    assert len(novum("ideate", " ", "--quiet").lines) == 1
    assert novum("ideate", "--help").err == ""
