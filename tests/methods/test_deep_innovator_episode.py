"""An episode is a pure state machine: an example worked by hand, and every way in which an episode can end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.methods.deep_innovator.conversation import conversation_prompt, fenced, policy_messages
from novum.methods.deep_innovator.episode import Episode, IdeaComment, read_idea, without_scores
from novum.prompts import builtin_prompts

WHOLE = "<idea>\nTitle: A\nProblem: B\nIdea: C\nApproach: 1. D\n2. E\nNovelty: F\n</idea>"


def test_ideas_and_comments_alternate_until_the_limit():
    episode = Episode(limit=3)
    assert episode.phase == "idea"
    episode = episode.with_response("<idea>first</idea>")
    assert episode.phase == "comment"
    episode = episode.with_comment(IdeaComment("Too vague."))
    episode = episode.with_response("<idea>second</idea>").with_comment(IdeaComment("No data."))
    episode = episode.with_response("<idea>third</idea>")
    assert (episode.phase, episode.ended) == ("ended", "limit")
    assert [each.text for each in episode.ideas] == ["first", "second", "third"]
    assert episode.comments == ("Too vague.", "No data.")
    assert [(each.number, each.before.text, each.after.text) for each in episode.refinements] == [
        (1, "first", "second"),
        (2, "second", "third"),
    ]


def test_the_usual_episode_has_at_most_six_ideas_and_five_comments():
    episode = Episode()
    for number in range(5):
        episode = episode.with_response(f"idea {number}").with_comment(IdeaComment("Go on."))
    episode = episode.with_response("the last")
    assert (len(episode.ideas), len(episode.comments), episode.ended) == (6, 5, "limit")


@pytest.mark.parametrize(
    "response", ["", "   ", "<idea></idea>", "<think>I ponder</think>", "<idea> \n </idea> and more"]
)
def test_a_response_without_an_idea_ends_the_episode(response):
    episode = Episode().with_response(response)
    assert (episode.phase, episode.ended, episode.ideas) == ("ended", "no idea", ())


def test_a_comment_that_finds_nothing_serious_ends_the_episode():
    episode = Episode().with_response("an idea").with_comment(IdeaComment("All is well.", satisfied=True))
    assert (episode.ended, episode.comments) == ("satisfied", ())


@pytest.mark.parametrize("comment", [None, IdeaComment(""), IdeaComment("Score: 7/10.")])
def test_without_a_usable_comment_the_episode_ends(comment):
    assert Episode().with_response("an idea").with_comment(comment).ended == "no comment"


def test_moves_out_of_turn_are_refused():
    with pytest.raises(ValueError, match="nothing to comment on"):
        Episode().with_comment(IdeaComment("x"))
    with pytest.raises(ValueError, match="may not write now"):
        Episode().with_response("x").with_response("y")
    with pytest.raises(ValueError, match="at least one idea"):
        Episode(limit=0)


@pytest.mark.parametrize(
    ("comment", "kept"),
    [
        ("The data are missing. I rate this 7/10. Name them.", "The data are missing. Name them."),
        ("Score: 0.8. The step is vague.", "The step is vague."),
        ("Authenticity is 0. Confidence 0.9!", ""),
        ("It is 80% authentic. Say which 3 data sets.", "Say which 3 data sets."),
        ("I would give 4 out of 5. Fix step 2.", "Fix step 2."),
        ("The learning rate of 0.1 is too high; use 20 mice.", "The learning rate of 0.1 is too high; use 20 mice."),
        ("The F1 measure rises by 12 percent only.", "The F1 measure rises by 12 percent only."),
    ],
)
def test_sentences_with_a_score_are_removed_from_a_comment(comment, kept):
    text, removed = without_scores(comment)
    assert text == kept
    assert (removed > 0) == (kept != comment)


def test_removed_scores_are_counted():
    episode = Episode().with_response("x").with_comment(IdeaComment("Grade: 3. Name the data."))
    assert (episode.comments, episode.scores_removed) == (("Name the data.",), 1)


@given(st.text(max_size=300))
def test_any_comment_can_be_searched_for_scores(text):
    kept, removed = without_scores(text)
    assert len(kept) <= len(text)
    assert removed >= 0


@given(st.lists(st.text(max_size=60), max_size=8), st.integers(1, 6))
def test_any_responses_give_an_episode_that_is_consistent(responses, limit):
    episode = Episode(limit)
    for each in responses:
        if episode.phase == "idea":
            episode = episode.with_response(each)
        if episode.phase == "comment":
            episode = episode.with_comment(IdeaComment(each or "x"))
    assert len(episode.ideas) <= limit
    assert len(episode.comments) <= len(episode.ideas)
    assert len(episode.refinements) == max(0, len(episode.ideas) - 1)


@pytest.mark.parametrize(
    ("response", "text", "well_formed"),
    [
        (WHOLE, WHOLE[7:-8], True),
        (f"<think><idea>no</idea></think>{WHOLE} done", WHOLE[7:-8], True),
        ("<idea>only words</idea>", "only words", False),
        (WHOLE.removesuffix("</idea>"), WHOLE[7:-8], False),
        ("no tags at all", "no tags at all", False),
        ("<idea>old</idea> no: <idea>new</idea>", "new", False),
        (WHOLE.replace("Novelty: F", "Novelty:"), WHOLE.replace("Novelty: F", "Novelty:")[7:-8], False),
    ],
)
def test_an_idea_is_what_stands_between_the_tags(response, text, well_formed):
    idea = read_idea(response)
    assert (idea.text, idea.well_formed) == (text, well_formed)


def test_the_parts_of_an_idea_are_read_by_name():
    assert read_idea(WHOLE).parts == {
        "title": "A", "problem": "B", "idea": "C", "approach": "1. D\n2. E", "novelty": "F"
    }  # fmt: skip
    assert read_idea("<idea>**Title:** T\n## Problem: P</idea>").parts == {"title": "T", "problem": "P"}


def test_the_policy_sees_context_ideas_and_comments_in_turn():
    episode = Episode().with_response("an idea").with_comment(IdeaComment("Name the data."))
    messages = fenced(policy_messages(builtin_prompts(), "CONTEXT", episode, topic="TOPIC"), "word")
    assert [each["role"] for each in messages] == ["system", "user", "assistant", "user"]
    assert "CONTEXT" in messages[1]["content"]
    assert "TOPIC" in messages[1]["content"]
    assert messages[2]["content"] == "<idea>\nan idea\n</idea>"
    assert "<material word>\nName the data.\n</material word>" in messages[3]["content"]


def test_a_conversation_can_be_sent_as_one_question():
    messages = policy_messages(builtin_prompts(), "CONTEXT", Episode())
    prompt = conversation_prompt(messages)
    assert prompt.render({}).messages == messages
    assert prompt.returns == "str"
