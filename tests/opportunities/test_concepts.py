"""Concepts: found by statistics, merged where they are one, dropped where they tell nothing."""

import asyncio
import shutil
from dataclasses import fields, replace

import numpy as np
import pytest

from novum.errors import BadInput
from novum.literature import Library
from novum.opportunities import folder as stored
from novum.opportunities.building import build_concept_map
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.paper_columns import read_columns
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.synonym_list import FILE, edits, list_text, read_list, save
from novum.opportunities.synonyms import Synonym, apply_decisions, heads, idle
from tests.opportunities.made_up import NAMES, library_of, literature, paper

SETTINGS = OpportunitySettings(general=0.5, horizon=20)
"""So many years that nothing is learnt, which is the longer part of a build."""


def made(library, settings=SETTINGS):
    asyncio.run(build_concept_map(library, settings))
    return ConceptMap.open(library)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A library of four hundred papers, built."""
    place = tmp_path_factory.mktemp("library")
    with library_of(place, literature(400)) as library:
        made(library)
    return place


@pytest.fixture
def library(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy")
    with Library.open(tmp_path / "copy") as opened:
        yield opened


def test_names_are_found_with_their_years_and_papers(library):
    found = made(library)
    assert set(NAMES[:20]) <= set(found.names)
    one = found.concept(NAMES[0])
    assert one.first_year == min(one.papers) >= 2008
    latest = library.get_many(found.papers_of(NAMES[0], 3))
    assert len(latest) == 3
    assert all(NAMES[0] in each.title for each in latest)


def test_plural_hyphen_and_spelling_are_one_concept(tmp_path):
    forms = ["pre-training", "pretraining", "colour spaces", "color space", "data set", "dataset", "data sets"]
    texts = [paper(f"On {form} for case {n}", 2000 + n % 9, f"About {form}.") for n in range(12) for form in forms]
    with library_of(tmp_path, [*texts, *literature(200)]) as library:
        found = made(library)
    assert len({found.named(form) for form in ("pre-training", "pretraining")}) == 1
    assert len({found.named(form) for form in ("colour spaces", "color space")} - {None}) == 1
    assert len({"dataset", "data set", "data sets"} & set(found.names)) == 1


def test_what_is_in_every_paper_is_no_concept(tmp_path):
    everywhere = [paper(f"{each.paper.title} by deep survey", each.paper.year) for each in literature(200)]
    with library_of(tmp_path, everywhere) as library:
        found = made(library)
    assert "deep survey" not in found.names
    assert NAMES[0] in found.names


def test_short_forms_beside_their_names_are_merged_and_the_list_is_believed(tmp_path):
    output = [paper(f"Support vector machine (SVM) number {n}", 2000 + n, "An SVM, svm.") for n in range(12)]
    with library_of(tmp_path, [*output, *literature(300)]) as library:
        found = made(library)
        assert found.named("support vector machine")
        assert "svm" not in found.names
        file = stored.map_folder(library.folder) / FILE
        lines = file.read_text("utf-8").splitlines()
        file.write_text("\n".join(line for line in lines if not line.startswith("svm\t")) + "\n", "utf-8")
        assert "svm" in made(library).names, "a pair that was taken away is not merged again"
        file.write_text(file.read_text("utf-8") + f"{NAMES[1]}\t{NAMES[0]}\tmy own\n", "utf-8")
        found = made(library)
        assert NAMES[1] not in found.names
        assert "my own" in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [("one column only", "a tab"), ("a\ta\tx", "itself"), ("a\tb\na\tc", "occurs twice"), ("a\tb\tc\td", "a tab")],
)
def test_a_list_that_cannot_be_meant_is_refused_with_its_line(library, line, wrong):
    made(library)
    file = stored.map_folder(library.folder) / FILE
    file.write_text(line + "\n", "utf-8")
    with pytest.raises(BadInput, match=wrong) as refused:
        made(library)
    assert "line" in str(refused.value)


@pytest.mark.parametrize(
    "odd", [b"\xef\xbb\xbf", b"# a note\r\n\r\n"], ids=["a mark of its encoding", "line ends of Windows"]
)
def test_a_list_is_read_however_an_editor_wrote_it(tmp_path, odd):
    file = tmp_path / FILE
    file.write_bytes(odd + b"SVM\tsupport vector  machine\t\t\r\n")
    assert [(each.name, each.concept) for each in read_list(file)] == [("svm", "support vector machine")]


def test_a_list_that_goes_round_is_refused_with_its_line(tmp_path):
    (tmp_path / FILE).write_text("a\tb\nb\tc\nc\ta\n", "utf-8")
    with pytest.raises(BadInput, match="line 1: 'a' counts as 'b'"):
        edits(tmp_path)


def test_what_the_user_says_goes_before_what_was_found_even_the_other_way_round():
    found = [Synonym(name="svm", concept="machines", why="")]
    own = [Synonym(name="machines", concept="gone", why=""), Synonym(name="gone", concept="svm", why="")]
    assert heads(["svm", "machines"], apply_decisions(found, own)).tolist() == [0, 0]
    assert idle(["svm", "machines"], own) == tuple(own)


def test_a_list_that_was_edited_while_it_was_built_is_left_alone(tmp_path):
    save(tmp_path, list_text([], ()), ())
    own = edits(tmp_path)
    (tmp_path / FILE).write_text("a\tb\tmine\n", "utf-8")
    save(tmp_path, list_text([], own), own)
    assert [each.why for each in edits(tmp_path)] == ["mine"]


def test_an_edit_that_a_killed_build_had_only_written_down_comes_into_force(library, monkeypatch):
    made(library)
    file = stored.map_folder(library.folder) / FILE
    file.write_text(file.read_text("utf-8") + f"{NAMES[1]}\t{NAMES[0]}\tmine\nno such\tthing\n", "utf-8")

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(stored.BuildFolder, "finish", killed)
        asyncio.run(build_concept_map(library, SETTINGS))
    assert NAMES[1] in ConceptMap.open(library).names
    found = made(library)
    assert NAMES[1] not in found.names
    assert found.card.idle == 1


def test_a_library_that_has_grown_is_as_if_built_at_once(tmp_path):
    entries = list(literature(300))
    with library_of(tmp_path / "grown", entries[:200]) as grown, library_of(tmp_path / "whole", entries) as whole:
        made(grown)
        grown.add(entries[200:])
        assert ConceptMap.open(grown).behind
        first, second = made(grown), made(whole)
    assert first.names == second.names
    assert first.card.edges == second.card.edges
    assert first.joint(NAMES[0], NAMES[1]) == second.joint(NAMES[0], NAMES[1])


def test_a_library_whose_papers_were_changed_is_as_if_read_at_once(tmp_path):
    entries = list(literature(60))
    changed = [
        replace(each, paper=each.paper.but(abstract=f"Aardvark fences. {each.paper.abstract}", venue="Zoo"))
        for each in entries[:20]
    ]
    with library_of(tmp_path, entries) as library:
        before = read_columns(library)
        library.add(changed)
        grown, whole = read_columns(library, before), read_columns(library)
    for name in ("words", "filed", "venues"):
        assert getattr(grown, name).names == getattr(whole, name).names
    for column in fields(grown.tokens):
        np.testing.assert_array_equal(getattr(grown.tokens, column.name), getattr(whole.tokens, column.name))


def test_nothing_is_made_anew_where_nothing_changed(library):
    first = made(library).card.build
    assert made(library).card.build == first
    assert made(library, SETTINGS.model_copy(update={"fewest": 6})).card.build != first


def test_a_damaged_folder_is_said_in_one_line_and_made_anew(library):
    found = made(library)
    column = stored.map_folder(library.folder) / found.card.build / "edges" / "paper.npy"
    column.write_bytes(column.read_bytes()[:100])
    with pytest.raises(BadInput, match="--fresh"):
        ConceptMap.open(library)
    asyncio.run(build_concept_map(library, SETTINGS, fresh=True))
    assert ConceptMap.open(library).names == found.names


def test_titles_alone_are_read_where_hardly_any_paper_has_an_abstract(tmp_path):
    few = list(literature(200, abstract=""))
    few += [paper("A first note", 2010, "zebra fences and zebra fences. " * 3), paper("More zebra fences", 2011)]
    with library_of(tmp_path, few) as library:
        found = made(library)
    assert found.card.titles_only
    assert NAMES[0] in found.names


def test_two_languages_give_concepts_of_both_and_no_phrase_of_joining_words(tmp_path):
    french = [
        paper(f"Le traitement des langues par la {name} ({n})", 2005 + n, f"Les {name} pour le traitement des langues.")
        for n in range(10)
        for name in ("grammaire formelle", "syntaxe profonde")
    ]
    with library_of(tmp_path, [*french, *literature(200)]) as library:
        names = made(library).names
    assert {"grammaire formelle", "syntaxe profonde"} & set(names)
    assert not [name for name in names if {"des", "la", "le", "les", "par"} & set(name.split())]


def test_a_library_without_years_or_with_hardly_a_paper_is_refused_in_one_line(tmp_path):
    with library_of(tmp_path / "undated", literature(60, year=None)) as library, pytest.raises(BadInput, match="year"):
        made(library)
    with library_of(tmp_path / "tiny", literature(5)) as library, pytest.raises(BadInput, match="concepts"):
        made(library)


def test_before_anything_is_built_it_says_how(tmp_path):
    with library_of(tmp_path, literature(5)) as library, pytest.raises(BadInput, match="opportunities build"):
        ConceptMap.open(library)


def test_papers_of_one_year_make_a_graph_but_no_forecast(tmp_path):
    with library_of(tmp_path, literature(120, years=1)) as library:
        found = made(library)
        assert found.card.edges
        with pytest.raises(BadInput, match="papers since"):
            found.forecast([(found.names[0], found.names[1])])
