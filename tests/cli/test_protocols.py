"""`novum liveidea protocol` and `novum arena protocol` as users meet them. The published prompts here are invented."""

from __future__ import annotations

import json

import pytest

from novum.prompts.published import sha256_of
from tests.prompts.invented_instrument import TEXTS, instrument, printed


@pytest.fixture(autouse=True)
def song_contest(monkeypatch):
    monkeypatch.setattr("novum.cli.liveidea.protocols.liveideabench", instrument)
    monkeypatch.setattr("novum.benchmarks.liveidea.published.liveideabench", instrument)


def install(here, tmp_path):
    (tmp_path / "paper.txt").write_text(printed(), "utf-8")
    return here("liveidea", "protocol", "install", "paper.txt")


def test_prompts_are_installed_listed_and_shown(here, tmp_path):
    before = here("liveidea", "protocol", "list")
    assert "not installed" in before.out
    assert "novum liveidea protocol install FILE" in before.out
    done = install(here, tmp_path)
    assert done.code == 0, done.err
    assert "7 prompts of the Song Contest installed" in done.out
    assert "novum liveidea run --protocol published" in done.out
    assert "from paper.txt" in here("liveidea", "protocol", "list").out
    shown = json.loads(here("liveidea", "protocol", "show", "published", "--json").out)
    assert {each["name"]: each["text"] for each in shown} == TEXTS
    assert all(each["sha256"] == sha256_of(each["text"]) for each in shown)


def test_novums_own_prompts_are_shown_too(here):
    assert "Your keyword" in here("liveidea", "protocol", "show", "novum").out
    own = json.loads(here("arena", "protocol", "show", "novum-2", "--json").out)
    assert [each["name"] for each in own] == ["compare_ideas", "compare_experiments"]
    names = [each["name"] for each in json.loads(here("arena", "protocol", "list", "--json").out)]
    assert names == ["novum-1", "novum-2", "published"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("liveidea", "protocol", "install", "gone.pdf"), "gone.pdf does not exist"),
        (("liveidea", "protocol", "show", "published"), "are not installed"),
        (("liveidea", "protocol", "show", "mine"), "There is no protocol 'mine'. There are: novum, published."),
        (("arena", "protocol", "show", "published"), "novum arena protocol install FILE"),
    ],
)
def test_what_cannot_be_done_is_one_line(here, arguments, reason):
    done = here(*arguments)
    assert (done.code, len(done.lines)) == (2, 1)
    assert reason in done.err


def test_a_copy_without_the_prompts_installs_nothing(here, tmp_path):
    (tmp_path / "other.txt").write_text("Another paper.", "utf-8")
    done = here("liveidea", "protocol", "install", "other.txt")
    assert done.code == 2
    assert "none of 6 was found. Nothing was installed." in done.err
    assert "not installed" in here("liveidea", "protocol", "list").out


def test_what_a_copy_may_lack_is_named_with_what_can_be_done(here, tmp_path):
    partial = {name: text for name, text in TEXTS.items() if name != "judge-message"}
    (tmp_path / "released.txt").write_text(printed(partial), "utf-8")
    done = here("liveidea", "protocol", "install", "released.txt")
    assert (done.code, done.err) == (0, "")
    assert "Not found: judge-message (Note 1). Install a copy that has it too, or sing as released." in done.out


def test_a_run_by_published_prompts_names_them_and_an_unknown_protocol_is_refused(here, tmp_path, serve):
    def singing(request):
        if "You are on stage" in request.text:
            return "Grow coral on frames that sound like a healthy reef, so that larvae settle again."
        return "B" if "Alike?" in request.text else '{"originality": 7, "feasibility": 6, "clarity": 8}'

    install(here, tmp_path)
    server = serve(singing)
    models = ("--model", "server:dreamer", "--judge", "server:a,server:b", "--base-url", server.base_url)
    given = ("liveidea", "run", *models, "--keywords", "1", "--anchors", "0", "--bootstrap-samples", "0")
    done = here(*given, "--protocol", "published")
    assert done.code == 0, done.err
    assert f"judge {sha256_of(TEXTS['judge'])[:12]}" in done.out
    assert "word for word" in here("liveidea", "score", "last", "--bootstrap-samples", "0").out
    told = json.loads(here("liveidea", "score", "last", "--bootstrap-samples", "0", "--json").out)
    assert told["run"]["protocol"]["prompts"] == "published"
    assert told["run"]["protocol"]["prompt_hashes"]["judge"] == sha256_of(TEXTS["judge"])
    wrong = here(*given, "--protocol", "publishd")
    assert (wrong.code, len(wrong.lines)) == (2, 1)
    assert "'novum' or 'published'" in wrong.err
