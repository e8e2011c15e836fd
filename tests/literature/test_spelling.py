"""A word is found however a text or a query spells it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.literature import Library
from novum.literature.search.spelling import _RULES, _TELLTALE, fold_spelling, fold_word, usual_spelling
from novum.literature.search.text_index import _words
from novum.literature.search.text_search import WordStems
from tests.literature.conftest import entry, paper

PAIRS = """
optimisation optimization, generalising generalizing, regularised regularized, tokenisers tokenizers, utilise utilize,
emphasises emphasizes, collectivise collectivize, memoised memoized, recognisable recognizable, parametrised
parameterized, behaviour behavior, colours colors, neighbouring neighboring, tumours tumors, misbehaviour misbehavior,
labour labor, centre center, centred centered, centring centering, millimetres millimeters, fibres fibers, theatre
theater, manoeuvre maneuver, manoeuvring maneuvering, manoeuvred maneuvered, haemoglobin hemoglobin, anaemia anemia,
leukaemic leukemic, foetal fetal, faecal fecal, oesophagus esophagus, oestrogen estrogen, oedema edema, diarrhoea
diarrhea, apnoea apnea, paediatric pediatric, orthopaedic orthopedic, encyclopaedia encyclopedia, gynaecology
gynecology, palaeolithic paleolithic, mediaeval medieval, anaesthesia anesthesia, esthetic aesthetic, archeology
archaeology, homoeostasis homeostasis, coeliac celiac, caesium cesium, sulphate sulfate, leucocyte leukocyte,
aetiology etiology, analyse analyze, analysing analyzing, catalysed catalyzed, hydrolysing hydrolyzing, analogue
analog, catalogues catalogs, catalogued cataloged, dialog dialogue, modelling modeling, labelled labeled, unlabelled
unlabeled, travelling traveling, signalling signaling, cancelled canceled, fulfil fulfill, enrolment enrollment,
skilful skillful, focussed focused, defence defense, licence license, practised practiced, programme program, grey
gray, mould mold, ageing aging, artefacts artifacts, aluminium aluminum, sceptical skeptical, judgement judgment,
over-optimisation overoptimization, pre-training pretraining, co-operative cooperative, non-linear nonlinear,
multi-agent multiagent, data-set dataset, fine-tuned finetuned, trade-offs tradeoffs, time-stamp timestamp, naïve
naive, Erdős Erdos, re‐ranking reranking, semi\u00adconductor semiconductor
"""
SPELT_ALIKE = [tuple(pair.split()) for pair in PAIRS.replace("\n", " ").split(",")]
OWN = """
rise arise sunrise wise likewise otherwise pairwise advise revise devise supervised unsupervised promise promising
premise compromise surprise comprise enterprise exercise precise concise noise denoising raise praise advertise
franchise expertise treatise paradise merchandise disguise bruise tortoise demise four hour our tour contour source
course pour detour acre genre massacre mediocre aerial aerosol algae larvae does goes coefficient poem shoe coexist
analyses analysis basis lysine hypotheses controlled propelled excelled all tell dialect login prolonged epilogues
blogs crystalline metallic central metric
"""
"""Words with one spelling."""


@pytest.mark.parametrize(("one", "other"), SPELT_ALIKE, ids=str)
def test_both_spellings_of_a_word_are_one(one: str, other: str) -> None:
    assert set(fold_spelling(other).split()) <= set(fold_spelling(one).split())
    assert set(fold_spelling(one).split()) & set(fold_spelling(other).split())


@pytest.mark.parametrize("word", OWN.split())
def test_a_word_with_one_spelling_is_left_alone(word: str) -> None:
    assert fold_spelling(word) == fold_word(word) == usual_spelling(word) == word


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("over-optimisation", "over overoptimization optimization"),
        ("Over optimization", "over overoptimization optimization"),
        ("multi agent", "multiagent agent"),
        ("(multi-agent) systems", "multiagent agent systems"),
        ("non-pre-trained", "nonpretrained pretrained trained"),
        ("data set, data sets", "dataset datasets"),
        ("gains over time", "gains over time"),
        ("pre-2020 and pre-AI", "pre 2020 and pre ai"),
        ("modelo de lenguaje", "modelo de lenguaje"),
        ("state-of-the-art", "state of the art"),
        ("TNF-α", "tnf alpha"),
        ("TNFα", "tnf alpha"),
        ("NF-κB in 5 μm", "nf kappa b in 5 μm"),
        ("αβγ", "αβγ"),
        ("- --", "- --"),
    ],
)
def test_compounds_and_greek_letters(text: str, folded: str) -> None:
    assert fold_spelling(text) == folded


@given(st.text())
def test_any_text_folds_to_words_in_lower_case_and_case_does_not_matter(text: str) -> None:
    assert fold_spelling(text) == fold_spelling(text.lower().lower()) or not text.isascii()
    assert fold_spelling(text) == fold_spelling(text).lower()


@given(st.text("abcdefghijklmnoprstuvyz", min_size=1, max_size=14))
def test_a_folded_word_is_one_word_that_folding_does_not_lengthen_without_end(word: str) -> None:
    once = fold_word(word)
    assert once.isalpha()
    assert len(fold_word(fold_word(once))) <= len(once) + 6


STEMS = st.sampled_from(
    ["general", "optim", "organ", "random", "tok", "polymer", "critic", "subsid", "magnet", "modern"]
)
ENDINGS = st.sampled_from(["e", "es", "ed", "er", "ers", "ing", "ation", "ations", "able", "ability"])


@given(STEMS, ENDINGS, st.sampled_from(["", "re", "de", "over", "un"]))
def test_every_form_of_a_verb_in_ise_is_that_in_ize(stem: str, ending: str, prefix: str) -> None:
    assert (
        fold_word(f"{prefix}{stem}is{ending}") == fold_word(f"{prefix}{stem}iz{ending}") == f"{prefix}{stem}iz{ending}"
    )


@given(
    st.sampled_from(["pre", "multi", "co", "non", "semi", "hyper", "over"]),
    st.sampled_from(["training", "agents", "models"]),
)
def test_a_prefix_joins_the_next_word_in_all_three_ways_of_writing(prefix: str, word: str) -> None:
    joined = fold_spelling(f"{prefix}{word}")
    assert fold_spelling(f"{prefix}-{word}") == fold_spelling(f"{prefix} {word}")
    assert joined in fold_spelling(f"{prefix}-{word}").split()
    assert word in fold_spelling(f"{prefix}-{word}").split()


@given(st.text("abc XYZ.,-()\n", max_size=40))
def test_a_text_for_an_embedder_keeps_everything_but_spellings(text: str) -> None:
    assert usual_spelling(text) == text


def test_an_embedder_reads_the_usual_spelling_with_its_capitals() -> None:
    assert usual_spelling("Behaviour of over-optimised MODELS") == "Behavior of over-optimized MODELS"


FORMS = ["over-optimisation", "over optimization", "overoptimization"]


@pytest.mark.parametrize("query", [*FORMS, "over-optimised"])
def test_a_search_finds_all_spellings_of_a_word_by_any_of_them(library: Library, query: str) -> None:
    library.add(
        [entry(paper(f"Reward {form} in {place}")) for form, place in zip(FORMS, ["Rome", "Oslo", "Bonn"], strict=True)]
    )
    library.add([entry(paper(f"Vegetables of garden {n}")) for n in range(50)])
    hits = asyncio.run(library.search(f"{query} of a reward", 3))
    assert {hit.paper.title.split()[-1] for hit in hits} == {"Rome", "Oslo", "Bonn"}
    assert all(hit.text_rank for hit in hits)


def test_spelling_makes_no_difference_to_the_vector_of_a_query(library: Library) -> None:
    library.add([entry(paper("Optimization of behavior")), entry(paper("Vegetables in winter"))])
    british, american = (
        asyncio.run(library.nearest(text, 2)) for text in ("optimisation of behaviour", "optimization of behavior")
    )
    assert british == american


def test_a_title_is_found_in_another_spelling(library: Library) -> None:
    held = paper("Modelling the behaviour of tumour cells under catalysed oxidation at low temperature", 2020)
    library.add([entry(held)])
    library.add([entry(paper(f"Cells at low temperature under light number {n}")) for n in range(30)])
    found = library.find("Modeling the behavior of tumor cells under catalyzed oxidation at low temperature", 2020)
    assert found is not None
    assert found.title == held.title


def test_an_index_of_an_earlier_version_is_built_again(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        library.add([entry(paper("Optimisation of rewards")), entry(paper("Vegetables in winter"))])
        asyncio.run(library.index())
    state = tmp_path / "index" / "text" / "state.json"
    old = json.loads(state.read_text("utf-8"))
    state.write_text(json.dumps({**old, "layout": old["layout"] - 1}), "utf-8")
    with Library.open(tmp_path) as library:
        assert asyncio.run(library.search("optimization", 1))[0].text_rank == 1
    new = json.loads(state.read_text("utf-8"))
    assert (new["layout"], new["files"] != old["files"]) == (old["layout"], True)


@given(st.text() | st.text("ab -,.-’–αé\n", max_size=40))
def test_remembered_stems_are_those_of_the_whole_text(text: str) -> None:
    analyzer = _words()
    assert WordStems(analyzer).of(text) == analyzer.analyze(fold_spelling(text))


@given(
    st.text("abcdefghilmnoprstuvyz", max_size=8),
    st.sampled_from([one for pair in SPELT_ALIKE for one in pair]),
    st.text("aeinsdt", max_size=4),
)
def test_words_that_need_no_rule_are_told_from_those_that_do(before: str, word: str, after: str) -> None:
    long = "".join(letter for letter in f"{before}{word}{after}".lower() if letter in "abcdefghijklmnopqrstuvwxyz")
    by_rules = long
    for pattern, folded in _RULES:
        by_rules = pattern.sub(folded, by_rules)
    assert by_rules == long or _TELLTALE.search(long)
