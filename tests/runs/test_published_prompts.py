"""Published prompts from a user's copy: a folder, a file, an address; and what is said of a copy that lacks them."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.literature.pdf.writing import Text, pdf
from tests.local_service import Said, Service
from tests.prompts.invented_instrument import TEXTS, instrument, printed, released

from novum.errors import BadInput
from novum.runs.published_prompts import install_prompts, installed_prompts, needed_prompts

HOW = "novum song install"


@pytest.fixture
def service():
    started = Service()
    yield started
    started.close()


def install(folder, *sources, known=None):
    return asyncio.run(install_prompts(known or instrument(), [str(each) for each in sources], folder / "protocols"))


def as_pdf(text, *, numbers_first=False):
    """A PDF with one line of text below the other, a page number at the head or the foot of each page."""
    lines = text.splitlines()
    pages = []
    for number, start in enumerate(range(0, len(lines), 60), 12):
        body = [Text(60, 800 - 12 * at, line) for at, line in enumerate(lines[start : start + 60]) if line]
        place = Text(300, 820 if numbers_first else 20, str(number))
        pages.append([place, *body] if numbers_first else [*body, place])
    return pdf(pages)


def test_a_folder_a_text_a_pdf_and_a_json_file_install_the_same(tmp_path):
    copy = tmp_path / "repository"
    (copy / "utils").mkdir(parents=True)
    (copy / "README.md").write_text("A contest.", "utf-8")
    (copy / "utils" / "prompts.json").write_text(released(), "utf-8")
    (tmp_path / "paper.txt").write_text(printed(), "utf-8")
    (tmp_path / "paper.pdf").write_bytes(as_pdf(printed()))
    for source in (copy, tmp_path / "paper.txt", tmp_path / "paper.pdf", copy / "utils" / "prompts.json"):
        assert install(tmp_path, source).prompts == TEXTS, source
        stored = installed_prompts(instrument(), tmp_path / "protocols")
        assert (stored.prompts, stored.sources) == (TEXTS, (str(source),))


def test_page_numbers_do_not_cut_a_prompt_in_two(tmp_path):
    for numbers_first in (True, False):
        (tmp_path / "paper.pdf").write_bytes(as_pdf(printed(), numbers_first=numbers_first))
        assert install(tmp_path, tmp_path / "paper.pdf").prompts == TEXTS


def test_a_source_that_is_not_there_is_said_also_beside_a_complete_one(tmp_path):
    (tmp_path / "paper.txt").write_text(printed(), "utf-8")
    with pytest.raises(BadInput, match=r"gone\.txt does not exist"):
        install(tmp_path, tmp_path / "paper.txt", tmp_path / "gone.txt")


def test_an_address_is_fetched_and_the_public_copies_are_the_default(service, tmp_path):
    service.on("/prompts.json", Said(released().encode()))
    assert install(tmp_path, f"{service.address}/prompts.json").prompts == TEXTS
    known = instrument(addresses=(f"{service.address}/prompts.json",))
    assert install(tmp_path / "other", known=known).prompts == TEXTS


def test_a_public_copy_that_is_gone_does_not_matter_where_another_has_the_prompts(service, tmp_path):
    service.on("/prompts.json", Said(released().encode()))
    known = instrument(addresses=(f"{service.address}/gone", f"{service.address}/prompts.json"))
    assert install(tmp_path, known=known).prompts == TEXTS
    with pytest.raises(BadInput, match="gone answers 404"):
        install(tmp_path / "other", known=instrument(addresses=(f"{service.address}/gone",)))


def test_two_copies_complete_each_other(tmp_path):
    half = {name: text for name, text in TEXTS.items() if name.startswith("judge")}
    (tmp_path / "one.txt").write_text(printed(half), "utf-8")
    (tmp_path / "two.json").write_text(released({n: t for n, t in TEXTS.items() if n not in half}), "utf-8")
    assert install(tmp_path, tmp_path / "one.txt", tmp_path / "two.json").prompts == TEXTS


def test_a_copy_that_lacks_prompts_installs_nothing_and_one_line_says_what_is_missing(tmp_path):
    file = tmp_path / "abridged.txt"
    file.write_text(printed({name: TEXTS[name] for name in ("idea", "judge", "fluency")}), "utf-8")
    with pytest.raises(BadInput) as refused:
        install(tmp_path, file)
    said = str(refused.value)
    assert said.startswith(f"{file}: of the prompts of the Song Contest, found are idea, judge, fluency; missing are ")
    assert "fallback (Note 1)" in said
    assert "Give the programme of the contest" in said
    assert "\n" not in said
    assert installed_prompts(instrument(), tmp_path / "protocols") is None


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("nothing.pdf", "does not exist"),
        ("other.txt", "none of 6 was found"),
        ("broken.pdf", "cannot be read"),
        ("{service}/gone", "answers 404"),
        ("http://127.0.0.1:9/", "cannot be fetched"),
    ],
)
def test_a_wrong_source_is_one_clear_line(service, tmp_path, monkeypatch, source, reason):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.txt").write_text("Another paper.", "utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    with pytest.raises(BadInput, match=reason):
        install(tmp_path, source.format(service=service.address))


def test_what_was_changed_in_the_home_is_not_sent(tmp_path):
    (tmp_path / "paper.txt").write_text(printed(), "utf-8")
    install(tmp_path, tmp_path / "paper.txt")
    file = tmp_path / "protocols" / "song-contest.json"
    stored = json.loads(file.read_text("utf-8"))
    stored["prompts"]["idea"] += " Be brief."
    file.write_text(json.dumps(stored), "utf-8")
    with pytest.raises(BadInput, match="idea of the Song Contest was changed"):
        needed_prompts(instrument(), tmp_path / "protocols", ["judge"], HOW)


def test_what_is_not_installed_is_said_with_the_command_and_what_else_can_be_done(tmp_path):
    with pytest.raises(BadInput, match=r"not installed\. Install them from the programme of the contest: novum song"):
        needed_prompts(instrument(), tmp_path, ["idea"], HOW)
    (tmp_path / "released.json").write_text(released({n: t for n, t in TEXTS.items() if n != "judge-message"}), "utf-8")
    assert "judge-message" not in install(tmp_path, tmp_path / "released.json").prompts
    with pytest.raises(BadInput, match=r"lacks judge-message \(Note 1\).*; or sing as released\."):
        needed_prompts(instrument(), tmp_path / "protocols", ["judge-message"], HOW)
