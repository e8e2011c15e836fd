"""What tells a result, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.training.reviews.annotating import idea_by_rules
from novum.training.reviews.leak_rules import LeakRule, leak_rules
from novum.training.reviews.leaks import leaks_anything, leaks_in, sentence_spans

LEAKS = [
    ("It reduces the error by 12.5\\% on average.", "percentage"),
    ("We reach an accuracy of 91.2 in all settings.", "metric"),
    ("The gain is 3.4 BLEU.", "metric"),
    ("Our method outperforms all baselines.", "comparison"),
    ("It achieves state-of-the-art results.", "comparison"),
    ("It sets a new state of the art.", "comparison"),
    ("It significantly improves generalization.", "comparison"),
    ("Inference is 3.5x faster.", "comparison"),
    ("It is competitive with much larger models.", "comparison"),
    ("This gives a speedup of up to 4.", "comparison"),
    ("Extensive experiments on six datasets demonstrate its merits.", "finding"),
    ("We find that larger models forget less.", "finding"),
    ("These results highlight the effectiveness of our approach.", "finding"),
    ("The effectiveness of BEE is validated on real data.", "finding"),
    ("The difference is significant (p < 0.01).", "statistics"),
    ("As Table 3 tells, this is not so.", "exhibit"),
    ("It scores 67.3 there.", "score"),
    ("We won the challenge.", "score"),
    ("Training takes 8 A100 GPUs.", "implementation"),
    ("We use a batch size of 64.", "implementation"),
    ("It gains ٩١٪ there, and twelve percent elsewhere.", "percentage"),
    ("Accuracy reaches ninety-one.", "metric"),
    ("The error drops from 3.1 to 2.4.", "metric"),
    ("BLEU goes up by two points.", "metric"),
    ("It cuts the error in half.", "comparison"),
    ("It doubles the speed of its rivals.", "comparison"),
    ("It is twice as fast.", "comparison"),
    ("The result is state of the art.", "comparison"),
    ("None of the baselines come close.", "comparison"),
    ("The model wins on every data set.", "comparison"),
    ("Our 1.3B model beats a 7B one.", "comparison"),
    ("Memory use shrinks, which dramatically cuts costs.", "comparison"),
    ("It tops the leaderboard.", "comparison"),
    ("It needs only a tenth of the labels.", "comparison"),
    ("It closes the gap to people.", "comparison"),
    ("This turned out to be highly effective.", "finding"),
    ("The hypothesis was confirmed.", "finding"),
    ("Human raters preferred our answers.", "finding"),
    ("Gains hold across seeds.", "finding"),
    ("| ours | 91.2 |", "exhibit"),
    ("ours & 91.2 & 88.0 \\\\", "exhibit"),
    ("Training took three days on four A100s.", "implementation"),
    ("It was trained with Adam.", "implementation"),
    ("Code is available at https://example.org/bees.", "implementation"),
    ("All code and models will be made publicly available.", "implementation"),
]
IDEAS = [
    "Since 2019 graph networks have been the tool of choice.",
    "We propose a two-stage 3D method on top of GPT-4 and ResNet-50.",
    "It is to be looked at on CIFAR-10 and ImageNet-1k with top-k routing.",
    "Existing state-of-the-art methods fail on long inputs.",
    "Existing methods achieve strong performance only when labels abound.",
    "We ask whether a small model can outperform a large one.",
    "We prove a bound of order $O(\\sqrt{T})$ on the regret.",
    "The goal is to learn from pairs, not to achieve higher accuracy.",
    "Current approaches cannot outperform simple rules.",
    "Recently, large models have become common and achieve impressive performance on many tasks.",
    "An agent is to learn from demonstrations when the performance measure is unknown.",
    "Noise comes from many sources, leading to significant performance degradation.",
    "Diffusion models are state-of-the-art generative models that learn a reverse process.",
    "Queries part variables into evidence and non-evidence variables, as |x_1| and |x_2| do.",
    "The key idea is to share weights between 2D and 3D views.",
    "A 1-bit code is learnt for each of the k nearest neighbours.",
    "We cast it as a minimax problem with 2 players.",
]


@pytest.mark.parametrize(("sentence", "kind"), LEAKS)
def test_results_figures_and_implementation_are_found(sentence, kind):
    assert kind in {leak.kind for leak in leaks_in(sentence)}


@pytest.mark.parametrize("sentence", IDEAS)
def test_names_with_numbers_wishes_proofs_and_what_others_did_are_no_leaks(sentence):
    assert leaks_in(sentence) == ()


def test_a_leak_points_at_its_words():
    text = "Bees dance. İn our tests the method outperforms ants by 3 points. They rest."
    (first, *_) = leaks_in(text)
    assert text[first.start : first.end].strip() == first.words
    assert "outperforms" in " ".join(leak.words for leak in leaks_in(text))


def test_sentences_end_where_they_end_and_not_at_abbreviations():
    text = "We follow Li et al. (2020), i.e. Bees. Then:\n- a list\n- goes on"
    assert [text[a:b] for a, b in sentence_spans(text)] == [
        "We follow Li et al. (2020), i.e. Bees.", "Then:", "- a list", "- goes on",
    ]  # fmt: skip


def test_stripping_keeps_the_other_sentences_as_they_stand():
    text = "Bees dance, and why is unknown.\n\nWe model it as a game. It outperforms all others. Proofs follow."
    assert idea_by_rules(text) == "Bees dance, and why is unknown.\n\nWe model it as a game. Proofs follow."


@given(st.lists(st.sampled_from([*IDEAS, *(sentence for sentence, _ in LEAKS)]), max_size=8))
def test_what_the_rules_have_stripped_they_find_clean(sentences):
    assert leaks_in(idea_by_rules(" ".join(sentences))) == ()


@given(st.text(max_size=300))
def test_no_text_upsets_the_rules(text):
    leaks = leaks_in(text)
    assert all(0 <= leak.start < leak.end <= len(text) for leak in leaks)
    assert not leaks_anything("") and list(leaks) == sorted(leaks, key=lambda leak: leak.start)


def test_a_sentence_without_an_end_takes_no_longer_than_others():
    assert leaks_in("achieves better " * 20_000) is not None


@pytest.mark.parametrize("rule", leak_rules(), ids=lambda rule: f"{rule.kind}: {rule.name}")
def test_every_rule_finds_its_example(rule: LeakRule):
    assert rule.pattern.search(rule.example)
    assert rule.kind in {leak.kind for leak in leaks_in(rule.example)}
