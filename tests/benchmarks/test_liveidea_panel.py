"""The panel of judges: made from a ranked list, drawn from by the seed and what is judged."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.benchmarks.liveidea.panel import (
    DrawnJudges,
    NoEligibleJudge,
    Panel,
    draw_fluency_judge,
    draw_judges,
    make_panel,
    same_model,
)
from novum.benchmarks.liveidea.ranking import RankedModel, read_ranking
from novum.errors import BadInput

RANKING = """model,organisation,score,base model
claude-3.7-sonnet:thinking,Anthropic,76.1,claude-3.7-sonnet
o3-mini-high,OpenAI,75.9,o3-mini
o1,OpenAI,75.7,o1
qwq-32b,Qwen,71.9,
deepseek-r1,DeepSeek,71.6,
o3-mini,OpenAI,70.0,o3-mini
gpt-4.5-preview,OpenAI,69.0,
gemini-2.0-flash-thinking-exp,Google,66.9,
claude-3.7-sonnet,Anthropic,65.6,claude-3.7-sonnet
gemini-2.0-pro-exp-02-05,Google,65.1,
gemini-exp-1206,Google,64.1,
qwen-max,Qwen,62.9,
claude-3.5-sonnet,Anthropic,59.0,
deepseek-chat,DeepSeek,60.5,
"""


@pytest.fixture
def panel():
    return make_panel(read_ranking(RANKING).models)


def names(panel):
    return [judge.model for judge in panel.judges]


def test_the_next_eligible_moves_up_until_ten_sit_at_the_table(panel):
    assert names(panel) == [
        "claude-3.7-sonnet:thinking", "o3-mini-high", "o1", "qwq-32b", "deepseek-r1", "gemini-2.0-flash-thinking-exp",
        "gemini-2.0-pro-exp-02-05", "qwen-max", "deepseek-chat", "claude-3.5-sonnet",
    ]  # fmt: skip
    assert panel.short == 0


def test_who_is_left_out_is_reported_with_the_reason(panel):
    assert {each.model: each.why for each in panel.passed_over} == {
        "o3-mini": "differs from o3-mini-high only in its effort of reasoning",
        "gpt-4.5-preview": "OpenAI has 2 judges already",
        "claude-3.7-sonnet": "differs from claude-3.7-sonnet:thinking only in its effort of reasoning",
        "gemini-exp-1206": "Google has 2 judges already",
    }


def test_variants_that_differ_only_in_effort_are_recognised_by_their_names_where_the_ranking_does_not_say():
    names = (
        "o3-mini-high", "o3-mini", "o3-mini-low", "o1-high", "sonnet", "sonnet:thinking", "mistral-medium",
        "mistral-large",
    )  # fmt: skip
    lines = (f"{name},org {name[:2]},{80 - place}" for place, name in enumerate(names))
    panel = make_panel(read_ranking("\n".join(["model,organisation,score", *lines])).models)
    assert [judge.model for judge in panel.judges] == [
        "o3-mini-high", "o1-high", "sonnet", "mistral-medium", "mistral-large",
    ]  # fmt: skip
    assert {each.model for each in panel.passed_over} == {"o3-mini", "o3-mini-low", "sonnet:thinking"}


def test_a_panel_of_nobody_is_refused():
    with pytest.raises(BadInput, match="judges nothing"):
        make_panel(read_ranking("model,organisation,score\na,b,1\n").models, size=0)


def test_a_short_list_makes_a_short_panel_that_says_so():
    panel = make_panel(read_ranking(RANKING).models[:3])
    assert (len(panel.judges), panel.short) == (3, 7)


def test_the_same_unit_draws_the_same_judges_whatever_was_drawn_before(panel):
    units = [{"model": "phi-4", "keyword": f"k{each}", "idea": 0} for each in range(50)]
    forth = [draw_judges(panel, 7, **unit) for unit in units]
    back = [draw_judges(panel, 7, **unit) for unit in reversed(units)]
    assert forth == back[::-1]
    assert forth != [draw_judges(panel, 8, **unit) for unit in units]


def test_the_order_of_the_ranking_file_does_not_change_a_draw(panel):
    turned = Panel(judges=panel.judges[::-1])
    assert draw_judges(panel, 1, model="m", keyword="k", idea=0) == draw_judges(
        turned, 1, model="m", keyword="k", idea=0
    )


@given(
    st.integers(), st.text(max_size=20), st.integers(0, 9), st.sampled_from(["o1", "openai:o1", "openrouter:openai/o1"])
)
def test_no_model_ever_judges_its_own_ideas(seed, keyword, idea, model):
    panel = make_panel(read_ranking(RANKING).models)
    drawn = draw_judges(panel, seed, model=model, keyword=keyword, idea=idea)
    assert len(set(drawn.judges)) == 3
    assert "o1" not in {*drawn.judges, *draw_fluency_judge(panel, seed, model=model, keyword=keyword).judges}


def test_every_judge_gets_its_share(panel):
    drawn = Counter(
        judge for each in range(2000) for judge in draw_judges(panel, 0, model="x", keyword=f"k{each}", idea=0).judges
    )
    assert set(drawn) == set(names(panel))
    assert all(abs(count - 600) < 90 for count in drawn.values())  # four standard deviations


def test_a_judge_that_fails_for_good_changes_only_its_own_seat(panel):
    unit = {"model": "x", "keyword": "k", "idea": 1}
    whole = draw_judges(panel, 3, **unit).judges
    without = draw_judges(panel, 3, **unit, lost={whole[1]}).judges
    assert without[:2] == (whole[0], whole[2])
    assert without[2] not in whole


def test_fewer_eligible_than_wanted_is_a_smaller_draw():
    panel = make_panel(read_ranking(RANKING).models[:3])
    drawn = draw_judges(panel, 0, model="o1", keyword="k", idea=0)
    assert isinstance(drawn, DrawnJudges)
    assert (len(drawn.judges), drawn.wanted) == (2, 3)


def test_a_panel_that_becomes_empty_is_a_value_not_a_crash():
    alone = make_panel([RankedModel(model="o1", organisation="OpenAI", score=1, base="o1")])
    nobody = draw_judges(alone, 0, model="openai:o1", keyword="k", idea=0)
    assert isinstance(nobody, NoEligibleJudge)
    assert "the model itself" in nobody.reason
    assert draw_fluency_judge(Panel(judges=()), 0, model="m", keyword="k") == NoEligibleJudge(
        model="m", reason="the panel is empty"
    )


def test_the_released_code_lets_a_model_grade_its_own_fluency():
    alone = make_panel([RankedModel(model="o1", organisation="OpenAI", score=1, base="o1")])
    assert draw_fluency_judge(alone, 0, model="o1", keyword="k", own_too=True).judges == ("o1",)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("o1", "O1", True),
        ("openai:o1", "openrouter:openai/o1", True),
        ("server:o1@http://127.0.0.1:1/v1", "o1", True),
        ("o3-mini", "o3-mini-high", False),
        ("claude-3.7-sonnet:thinking", "claude-3.7-sonnet", False),
    ],
)
def test_one_model_under_several_names(first, second, same):
    assert same_model(first, second) is same


def test_lines_that_are_no_ranked_model_are_reported():
    ranking = read_ranking("name;organization;average\na;X;70,5\na;X;60\nb;;50\nc;Y;best\nd;Y;nan\n\ne;Z;1e999\n")
    assert [(each.model, each.score, each.base) for each in ranking.models] == [("a", 70.5, "a")]
    assert [each.why for each in ranking.refused] == [
        "a is there already",
        "no organisation",
        "the score 'best' is no number",
        "the score 'nan' is no number",
        "the score '1e999' is no number",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no column model, organisation, score (it has: none)"),
        ("model,score\no1,1", "has no column organisation"),
        ("model,organisation,score\n", "names no model with a score"),
        ("model,organisation,score\no1,OpenAI,\n", "line 2, no score"),
        ("model,organisation,score\n" + "x" * 200_000 + ",a,1\n", "is no CSV"),
    ],
)
def test_a_ranking_that_cannot_be_used_says_what_to_do(text, said):
    with pytest.raises(BadInput) as refusal:
        make_panel(read_ranking(text).models)
    assert said in str(refusal.value)


def test_no_panel_comes_from_an_empty_ranking():
    with pytest.raises(BadInput, match="at least one model"):
        make_panel([])


@given(st.text(max_size=300))
def test_any_text_is_a_ranking_or_bad_input(text):
    try:
        assert read_ranking("model,organisation,score\n" + text).models
    except BadInput as refusal:
        assert "ranking" in str(refusal)
