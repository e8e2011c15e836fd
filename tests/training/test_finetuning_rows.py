"""Which rows are learnt from, how they are cut, and in which order they come: all without torch."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core.trained import CurvePoint
from novum.training.finetuning import checkpoints
from novum.training.finetuning.conversations import Conversation, RowFacts
from novum.training.finetuning.curves import append_point, best_step, read_curve, write_curve
from novum.training.finetuning.events import MARK, parse_event
from novum.training.finetuning.ordering import measuring_steps, order_rows
from novum.training.finetuning.selection import choose_papers, choose_rows, rating_values
from novum.training.finetuning.trimming import DoesNotFit, Fitter
from novum.training.recipes.recipe import Batch, Lengths, Rows
from tests.training.tuning import conversation

TASKS = ("original-review", "idea-review", "original-abstract", "idea-abstract")


def rows_of(papers, reviews=2, tasks=TASKS):
    return [
        RowFacts(task=task, paper=f"p{paper}", review=review, rating=(paper + review) % 10 / 9,
              prompt_tokens=100, completion_tokens=50)
        for paper in range(papers) for review in range(reviews) for task in tasks
    ]  # fmt: skip


class Words:
    """A tokenizer whose tokens are words and blanks."""

    def __init__(self):
        self.known = {}

    def render(self, turns, opened):
        text = "".join(f"[{turn['role']}] {turn['content']} [end]" for turn in turns) + (
            "[assistant] " if opened else ""
        )
        return [self.known.setdefault(word, len(self.known)) for word in re.findall(r"\S+|\s", text)]

    def spans(self, text):
        return [match.span() for match in re.finditer(r"\S+|\s", text)]

    def text(self, tokens):
        words = {number: word for word, number in self.known.items()}
        return "".join(words[token] for token in tokens)


def fitted(row, sequence=160, prompt=110):
    words = Words()
    fitter = Fitter(words.render, words.spans, Lengths(sequence=sequence, prompt=prompt))
    row_fitted = fitter.row(Conversation.model_validate(row))
    return (
        row_fitted,
        words.text(row_fitted.tokens[: row_fitted.prompt]),
        words.text(row_fitted.tokens[row_fitted.prompt :]),
    )


def test_tasks_get_their_shares():
    about = rows_of(100)
    selected = choose_rows(about, Rows(tasks={"original-review": 3, "idea-abstract": 1}, most=80), seed=0)
    assert Counter(about[row].task for row in selected) == {"original-review": 60, "idea-abstract": 20}


@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_a_few_rows_are_as_many_as_wanted(most):
    assert len(choose_rows(rows_of(100), Rows(most=most), seed=0)) == most


def test_without_a_limit_as_many_rows_as_keep_the_shares():
    about = rows_of(10)
    selected = choose_rows(about, Rows(tasks={"original-review": 1, "idea-review": 0.5}), seed=0)
    assert Counter(about[row].task for row in selected) == {"original-review": 20, "idea-review": 10}


def test_a_task_that_the_data_do_not_have_leaves_its_share_to_the_others():
    about = rows_of(50, tasks=("original-review", "original-abstract"))
    selected = choose_rows(about, Rows(tasks=dict.fromkeys(TASKS, 1), most=40), seed=0)
    assert Counter(about[row].task for row in selected) == {"original-review": 20, "original-abstract": 20}


def test_a_limit_on_papers_holds_for_all_tasks():
    about = rows_of(50)
    selected = choose_rows(about, Rows(papers=5), seed=0)
    assert len({about[row].paper for row in selected}) == 5
    assert len(selected) == 5 * 2 * 4


@given(st.integers(0, 5), st.integers(1, 60))
def test_the_same_seed_draws_the_same_rows(seed, most):
    about = rows_of(12)
    first = choose_rows(about, Rows(most=most), seed)
    assert first == choose_rows(about, Rows(most=most), seed)
    assert len(set(first)) == len(first) == most


def test_a_paper_is_rated_by_the_mean_of_its_reviews_and_asked_as_a_whole():
    about = rows_of(3)
    papers = {each.paper: each for each in choose_papers(about, 10, seed=0)}
    assert papers["p2"].rating == pytest.approx((2 + 3) / 2 / 9)
    assert about[papers["p2"].row].task == "original-review"


def test_papers_without_ratings_are_not_measured_on():
    about = [each.model_copy(update={"rating": None}) for each in rows_of(3)]
    assert choose_papers(about, 10, seed=0) == ()
    assert rating_values(about, range(len(about))) == ()


def test_what_fits_is_left_as_it_is():
    row, prompt, answered = fitted(conversation(5))
    assert not row.prompt_cut and not row.completion_cut
    assert prompt.endswith("[assistant] ")
    assert answered == "Rating: 0.56\n\nIt is good. [end]".replace(" [end]", " [end]")


@given(st.integers(0, 400), st.integers(0, 400))
def test_a_row_never_grows_beyond_its_length_and_its_prompt_stays_whole_around_what_it_quotes(words, length):
    answer = "Rating: 0.56\n\n" + "so it is " * length
    row, prompt, answered = fitted(conversation(words, answer))
    assert len(row.tokens) <= 160
    assert "</material 1a2b>\nWrite your report." in prompt
    assert prompt.startswith("[system] You review papers.")
    assert answered.startswith("Rating: 0.56\n\n")


def test_a_completion_that_is_cut_does_not_end():
    row, _, answered = fitted(conversation(5, "Rating: 0.56\n\n" + "so it is " * 100))
    assert row.completion_cut
    assert "[end]" not in answered


def test_a_rating_at_the_end_survives_and_ends_the_review():
    row, _, answered = fitted(conversation(5, "so it is " * 100 + "\n\nRating: 0.56"))
    assert row.completion_cut
    assert answered.endswith("\n\nRating: 0.56 [end]")


def test_a_quoted_review_keeps_its_rating_too():
    row = conversation(300)
    quoted = row["prompt"][1]["content"].replace("\n</material", "\n\nRating: 0.78\n</material")
    row["prompt"][1]["content"] = quoted
    row_fitted, prompt, _ = fitted(row)
    assert row_fitted.prompt_cut
    assert "Rating: 0.78\n</material 1a2b>" in prompt


def test_a_text_of_blank_lines_is_cut_in_no_time():
    row = conversation(5)
    row["prompt"][1]["content"] = row["prompt"][1]["content"].replace("bees", "bees" + "\n" * 100_000 + "dance")
    row_fitted, prompt, _ = fitted(row)
    assert row_fitted.prompt_cut and prompt.endswith("</material 1a2b>\nWrite your report. [end][assistant] ")


def test_a_short_answer_leaves_its_room_to_the_prompt():
    short, _, _ = fitted(conversation(300, "Yes."))
    long, _, _ = fitted(conversation(300, "so it is " * 100))
    assert short.prompt > long.prompt


def test_a_prompt_that_is_too_long_without_what_it_quotes_does_not_fit():
    with pytest.raises(DoesNotFit):
        fitted(conversation(5, system="You review papers. " * 200))


@given(st.lists(st.integers(1, 500), min_size=1, max_size=200), st.integers(1, 8), st.sampled_from([1, 2, 3]))
def test_an_epoch_shows_every_row_at_most_once_and_always_in_the_same_order(lengths, rows, epochs):
    batch = Batch(rows=rows, epochs=epochs)
    order = order_rows(lengths, batch, seed=1)
    assert order == order_rows(lengths, batch, seed=1)
    assert max(Counter(order.rows).values()) <= epochs
    assert len(order.rows) == min(order.steps * rows, len(lengths) * epochs)


def test_rows_of_like_length_come_together_and_batches_in_no_order():
    lengths = [(7 * row) % 400 + 1 for row in range(400)]
    order = order_rows(lengths, Batch(rows=8), seed=0)
    batches = [order.rows[at : at + 8] for at in range(0, 400, 8)]
    assert all(max(lengths[row] for row in each) - min(lengths[row] for row in each) < 20 for each in batches)
    means = [sum(lengths[row] for row in each) for each in batches]
    assert means != sorted(means)
    assert order.tokens(lengths) == sum(lengths)


def test_it_is_measured_at_evenly_spread_steps_and_at_the_end():
    assert measuring_steps(25, 2) == (12, 25)
    assert measuring_steps(3, 10) == (1, 2, 3)


def point(step, choosing=None):
    return CurvePoint(step=step, seconds=step, held_out_loss=3 - step / 10, choosing_loss=choosing)


def test_curves_are_appended_and_a_line_that_was_cut_off_is_none(tmp_path):
    append_point(tmp_path, point(0))
    append_point(tmp_path, point(4))
    with (tmp_path / "curves.jsonl").open("ab") as file:
        file.write(b'{"step": 8, "sec')
    assert [each.step for each in read_curve(tmp_path)] == [0, 4]
    write_curve(tmp_path, read_curve(tmp_path, upto=3))
    assert [each.step for each in read_curve(tmp_path)] == [0]


def test_the_best_is_chosen_by_rows_set_apart_and_is_never_the_base():
    assert best_step([point(0, 1.0), point(4, 2.5), point(8, 2.7)]) == 4
    assert best_step([point(0), point(4), point(8)]) == 8
    assert best_step([point(0, 1.0)]) is None


def test_a_checkpoint_counts_once_its_note_is_written(tmp_path):
    for step in (5, 10, 15):
        (tmp_path / "checkpoints" / f"checkpoint-{step}").mkdir(parents=True)
    checkpoints.finish_checkpoint(tmp_path, 5, 50.0)
    checkpoints.finish_checkpoint(tmp_path, 10, 100.0)
    last = checkpoints.last_checkpoint(tmp_path)
    assert (last.step, last.seconds) == (10, 100.0)
    checkpoints.remove_other_checkpoints(tmp_path, last.place)
    assert [place.name for place in (tmp_path / "checkpoints").iterdir()] == ["checkpoint-10"]


@pytest.mark.parametrize("line", [b"loading", MARK + b"{", MARK + b"[1]", MARK + b'{"step": 1}', b' {"kind": "step"}'])
def test_only_marked_lines_are_events(line):
    assert parse_event(line) is None


def test_an_event_is_read_from_its_line():
    assert parse_event(MARK + b'{"kind": "step", "step": 3}\n') == {"kind": "step", "step": 3}
