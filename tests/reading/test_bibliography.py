"""Labels in prompts, and the citations that come back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Paper
from novum.reading import Bibliography

WEI = Paper(title="Chain of thought", year=2022, authors=("Jason Wei", "A B", "C D"))
YAO = Paper(title="Tree of thoughts", year=2023, authors=("Shunyu Yao",))
SHELF = Bibliography([WEI, YAO])


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("It was shown [P1].", "It was shown (Wei et al. 2022)."),
        ("It was shown [P1, P2] twice.", "It was shown (Wei et al. 2022; Yao 2023) twice."),
        ("It was shown ([P1]).", "It was shown (Wei et al. 2022)."),
        ("Unlike P2 it holds.", "Unlike Yao 2023 it holds."),
        ("[P1] shows it. [P2] does not.", "Wei et al. 2022 shows it. Yao 2023 does not."),
        ("Wei et al. [P1] show it, and Yao [P2] too.", "Wei et al. (2022) show it, and Yao (2023) too."),
        ("Shown by Smith et al. [P1].", "Shown by Smith et al. (Wei et al. 2022)."),
        ("A final. [P1] begins.", "A final. Wei et al. 2022 begins."),
        ("Nobody did [P9].", "Nobody did ([unresolved: P9])."),
        ("GPT-P1 and P1-like and XP2 stay.", "GPT-P1 and P1-like and XP2 stay."),
        ("No label at all.", "No label at all."),
    ],
)
def test_labels_are_spelled_out_so_that_a_text_stands_by_itself(text, read):
    assert SHELF.spelled_out(text) == read


@given(st.text())
def test_any_text_can_be_spelled_out_and_cited(text):
    assert SHELF.spelled_out(SHELF.spelled_out(text)) == SHELF.spelled_out(text)
    assert all(citation.name for citation in SHELF.citations([text], [text]))


def test_each_work_is_cited_once_in_order_of_appearance():
    cited = SHELF.citations(
        ["[P2] then [P1]", "[P1] again"],
        ["Tree of thoughts", "Unknown work"],
        lambda title: YAO if "Tree" in title else None,
    )
    assert [(each.name, each.paper_id) for each in cited] == [
        ("Tree of thoughts", YAO.id),
        ("Chain of thought", WEI.id),
        ("Unknown work", None),
    ]


@pytest.mark.parametrize("written", ["P1", "[P1]", "paper P1", "(P1)"])
def test_a_label_is_recognised_however_it_is_wrapped(written):
    assert SHELF.paper(written) == WEI


def test_papers_of_the_same_authors_and_year_are_told_apart_by_their_titles():
    one, other = (Paper(title=f"{title}: a study", year=2024, authors=("Li", "B", "C")) for title in ("GSM", "Maths"))
    assert Bibliography([one, other, WEI]).spelled_out("So [P1], not [P2, P3].") == (
        "So (Li et al. 2024, GSM), not (Li et al. 2024, Maths; Wei et al. 2022)."
    )


def test_a_word_that_the_papers_themselves_use_is_no_label():
    shelf = Bibliography([WEI.but(abstract="Loss of P53 and of its target P21.")])
    text = "P53 acts on P21 [P1], unlike P9."
    assert shelf.spelled_out(text) == "P53 acts on P21 (Wei et al. 2022), unlike [unresolved: P9]."
    assert [each.name for each in shelf.citations([text])] == [WEI.title, "[P9]"]
    assert shelf.strays([text]) == ("P9",)


def test_a_second_list_has_labels_of_its_own():
    looked_up = Bibliography([YAO], "L")
    assert looked_up.spelled_out("see [L1], not [P1]") == "see (Yao 2023), not ([unresolved: P1])"
