"""A real paper's idea among the others: found, told without its results and names, and never cited itself."""

from __future__ import annotations

import asyncio
import datetime as dt

import pytest
from tests.methods.conftest import LINE, entry
from tests.methods.test_chain_of_ideas import answering

from novum.core import Paper
from novum.errors import BadInput
from novum.lab import Workplace
from novum.methods.double_blind import IdentityLeak, find_leaks, identifying_details
from novum.prompts import PromptBook
from novum.runs.engine import start
from novum.runs.ideation import IDEATION, IdeationTask
from novum.settings import load_settings
from novum.testing import ScriptedAnswer

METHOD = "real-paper"
DAY = dt.date(2019, 6, 1)
TITLE = "WIDGETRON: Planning widget learners with gadget maps"
TEXT = """Widgets and gadgets that learn forget their gadgets. We call it WIDGETRON, trained on GadgetBench-7.
We achieve 93.4% accuracy on widgets, and outperform deep widget learning by 12 points. Code: https://example.org/w."""
PLANTED = ("planted", TITLE, 2023, ["late", "root"], 5, "widgets gadgets that learn, planning by gadget maps")
PAPERS = [*LINE, (*PLANTED, ("Quentin Zabriskie", "Wilma Oduya"), TEXT)]
BLIND = {
    "title": "Maps of gadgets for widgets that plan",
    "motivation": "Widgets forget their gadgets [P1].",
    "novelty": "Unlike [P2], a map is kept.",
    "method": "A map of gadgets is drawn, then asked for a path.",
    "summary": "A map kept beside the learner would show fewer lost gadgets.",
    "own_names": ["WIDGETRON", "GadgetBench-7"],
    "other_works": [TITLE, "Widget learning with gadget priors", "A work nobody wrote"],
}
OPEN = {
    "hypothesis": "A map of gadgets keeps widgets from forgetting them.",
    "steps": ["1. Draw a map of gadgets.", "Step 2: Let the learner plan with it, as [P1] does."],
    "datasets": ["Plans of widgets."],
    "baselines": ["A deep widget learner."],
    "metrics": ["Share of gadgets that are found again."],
    "ablations": ["No map."],
    "analysis": "If the map makes no difference, the idea is wrong.",
    "feasibility": "One machine.",
    "sketch": "",
    "other_works": [TITLE],
}
PLANTS = ("93.4", "12 points", "WIDGETRON", "GadgetBench", "Zabriskie", "Oduya", "outperform", "https")


def blind(**fields):
    return answering(
        BlindIdea=lambda answer, asked: answer | BLIND | fields, Design=lambda answer, asked: answer | OPEN
    )


def told(ideation):
    """What judges read."""
    return ideation.best.idea.text + (ideation.experiment.text if ideation.experiment else "")


def texts(server, form):
    return [asked.text for asked in server.asked if asked.form == form]


def test_the_idea_and_the_experiment_are_those_of_the_paper_in_two_calls(generate, serve):
    server = serve(blind())
    ideation = generate(server, method=METHOD, papers=PAPERS, paper=TITLE)
    assert sorted(server.forms()) == ["BlindIdea", "Design"]
    assert all(TEXT.splitlines()[1] in asked.text for asked in server.asked), "its full text is read"
    assert all("Take everything from the text of the paper above" in asked.text for asked in server.asked)
    assert ideation.best.idea.title == BLIND["title"]
    assert ideation.best.idea.motivation.startswith("Widgets forget their gadgets (Smith 20")
    assert ideation.experiment.idea_id == ideation.best.idea.id
    assert ideation.experiment.steps[0] == "Draw a map of gadgets."
    assert len(ideation.drafts) == 1, "neither designed nor reviewed"
    assert ideation.drafts[0].review is None


def test_a_first_answer_that_reveals_the_paper_is_requested_again(generate, serve):
    def first_leaks(answer, asked):
        if "Your earlier version revealed" in asked.text:
            return answer | BLIND
        return (
            answer
            | BLIND
            | {
                "method": "WIDGETRON by Zabriskie is trained on GadgetBench-7. We achieve 93.4% accuracy.",
                "summary": "It outperforms deep widget learning by 12 points, see https://example.org/w.",
            }
        )

    def plan_leaks(answer, asked):
        if "Your earlier version revealed" in asked.text:
            return answer | OPEN
        return answer | OPEN | {"analysis": "Oduya finds an accuracy of 93.4% on GadgetBench-7."}

    server = serve(answering(BlindIdea=first_leaks, Design=plan_leaks))
    ideation = generate(server, method=METHOD, papers=PAPERS, paper=TITLE)
    assert not [plant for plant in PLANTS if plant in told(ideation)]
    assert sorted(server.forms()) == ["BlindIdea", "BlindIdea", "Design", "Design"]
    again = texts(server, "BlindIdea")[1].partition("Your earlier version revealed")[2]
    for words in ("author: «Zabriskie»", "name: «WIDGETRON»", "name: «GadgetBench-7»", "result: «", "address: «"):
        assert words in again
    assert not any("give the paper away" in note for note in ideation.notes)


def test_what_remains_after_the_second_request_is_reported(generate, serve):
    server = serve(blind(summary="WIDGETRON keeps a map."))
    ideation = generate(server, method=METHOD, papers=PAPERS, paper=TITLE)
    assert "It may still reveal the paper. name: «WIDGETRON»." in ideation.notes
    assert server.forms().count("BlindIdea") == 2


@pytest.mark.slow
def test_the_form_is_that_of_all_generators(generate, serve):
    mine = generate(serve(blind()), method=METHOD, papers=PAPERS, paper=TITLE)
    theirs = generate(serve(), method="chain-of-ideas", papers=PAPERS, branches=1)

    def headings(idea):
        return [part.partition(":")[0] for part in idea.text.split("\n\n")]

    assert headings(mine.best.idea)[:5] == headings(theirs.best.idea)[:5]


def test_the_paper_itself_is_never_cited(generate, serve):
    ideation = generate(serve(blind()), method=METHOD, papers=PAPERS, paper=TITLE)
    cited = (*ideation.best.idea.citations, *ideation.experiment.citations)
    assert TITLE not in [each.name for each in cited]
    names = {each.name for each in ideation.best.idea.citations}
    assert {"Widget learning with gadget priors", "A work nobody wrote"} < names
    assert TITLE in {paper.title for paper in ideation.papers}, "the report tells whose idea it is, beside the idea"
    assert TITLE in ideation.notes[0]


def test_after_the_day_a_paper_is_taken_that_nobody_else_can_have_read(generate, serve):
    server = serve(blind())
    ideation = generate(server, method=METHOD, papers=PAPERS, before="2019-06-01")
    source = next(paper for paper in ideation.papers if paper.id in ideation.notes[0])
    assert not source.is_before(DAY)
    cited = [paper for paper in ideation.papers if paper.id != source.id]
    assert cited
    assert all(paper.is_before(DAY) for paper in cited), "what it cites is from before that day"


def test_a_day_after_the_last_paper_leaves_nothing_and_says_so(generate, serve):
    server = serve(blind())
    ideation = generate(server, method=METHOD, papers=PAPERS, before="2030-01-01")
    assert ideation.candidates == ()
    assert ideation.notes == (
        "The library has no paper on the topic from 2030-01-01 or later with a text or an abstract.",
    )
    assert server.asked == []


@pytest.mark.slow
def test_a_paper_that_hardly_fits_the_topic_is_taken_with_a_note(generate, serve):
    ideation = generate(serve(blind()), "medieval basket weaving", method=METHOD, papers=[LINE[5]])
    assert any("may be about something else (cosine" in note for note in ideation.notes)


@pytest.mark.slow
def test_a_named_paper_from_before_the_day_is_taken_and_the_note_says_so(generate, serve):
    ideation = generate(serve(blind()), method=METHOD, papers=PAPERS, paper=TITLE, before="2030-01-01")
    assert any("published before 2030-01-01" in note for note in ideation.notes)


@pytest.mark.slow
def test_without_a_full_text_its_abstract_is_read_and_the_note_says_so(generate, serve):
    ideation = generate(serve(blind()), method=METHOD, papers=LINE, paper="Deep widget learning")
    assert any("Only its abstract was available" in note for note in ideation.notes)


@pytest.mark.slow
def test_without_an_experiment_only_the_idea_is_requested(generate, serve):
    server = serve(blind())
    ideation = generate(server, method=METHOD, papers=PAPERS, paper=TITLE, experiment=False)
    assert server.forms() == ["BlindIdea"]
    assert ideation.drafts == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "candidates", "drafts", "note"),
    [
        ("BlindIdea", 0, 0, "The reader gave no usable idea of it."),
        ("Design", 1, 0, "The reader gave no usable experiment."),
    ],
)
def test_an_unusable_answer_is_tolerated_and_reported(generate, serve, form, candidates, drafts, note):
    script = answering(
        BlindIdea=lambda answer, asked: ScriptedAnswer("No.", refusal="No.") if form == "BlindIdea" else answer | BLIND,
        Design=lambda answer, asked: ScriptedAnswer("No.", refusal="No.") if form == "Design" else answer | OPEN,
    )
    ideation = generate(serve(script), method=METHOD, papers=PAPERS, paper=TITLE)
    assert (len(ideation.candidates), len(ideation.drafts)) == (candidates, drafts)
    assert note in ideation.notes


@pytest.mark.slow
def test_a_second_answer_that_fails_leaves_the_first(generate, serve):
    def once(answer, asked):
        if "Your earlier version revealed" in asked.text:
            return ScriptedAnswer("No.", refusal="No.")
        return answer | BLIND | {"summary": "WIDGETRON keeps a map."}

    script = answering(BlindIdea=once, Design=lambda answer, asked: answer | OPEN)
    ideation = generate(serve(script), method=METHOD, papers=PAPERS, paper=TITLE)
    assert ideation.best.idea.summary == "WIDGETRON keeps a map."
    assert any("name: «WIDGETRON»" in note for note in ideation.notes)


@pytest.mark.slow
def test_a_paper_is_found_by_id_and_identifier_and_title(tmp_path, serve):
    server = serve(blind())
    settings = load_settings({"home": str(tmp_path), "writer": server.model}, environment={}, folder=tmp_path)
    planted = entry(*PLANTED, ("Quentin Zabriskie",), TEXT)
    ids = {"doi": "10.1000/planted", "arxiv": "2301.00001"}
    planted = type(planted)(paper=planted.paper.but(ids=ids), key=planted.key, full_text=planted.full_text)

    async def titles():
        async with Workplace(settings) as workplace:
            workplace.library.add([planted, *(entry(*each) for each in LINE)])
            names = (planted.paper.id, "https://doi.org/10.1000/PLANTED", "arXiv:2301.00001v2", TITLE)
            for name in names:
                request = IdeationTask(topic="widgets", method=METHOD, options={"paper": name, "experiment": False})
                yield (await start(IDEATION, workplace, request)).ideation.notes[0]
            with pytest.raises(BadInput, match="no paper 'Widgets of yore'"):
                await start(
                    IDEATION,
                    workplace,
                    IdeationTask(topic="widgets", method=METHOD, options={"paper": "Widgets of yore"}),
                )

    async def gathered():
        return [note async for note in titles()]

    notes = asyncio.run(gathered())
    assert len(notes) == 4
    assert all(TITLE in note for note in notes)


@pytest.mark.slow
def test_the_same_answers_give_the_same_outcome(generate, serve):
    one = generate(serve(), method=METHOD, papers=PAPERS)
    assert generate(serve(), method=METHOD, papers=PAPERS) == one


# The rules

SECRETS = identifying_details(
    Paper(title=TITLE, authors=("Quentin Zabriskie", "Oduya, Wilma", "Bo Li"), venue="WidgetConf"),
    TEXT,
    ["GadgetBench-7", "the method"],
    "widgets and gadgets that learn",
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We achieve an accuracy of 93.4%.", "result"),
        ("It reaches 93 % accuracy.", "result"),
        ("The F1 score rises from 71.2 to 78.9.", "result"),
        ("BLEU: 41.8 on the test set.", "result"),
        ("This improves recall by 12 points.", "result"),
        ("It is 3.5x faster.", "result"),
        ("Accuracy rose by almost eighteen points.", "result"),
        ("Errors were reduced by more than 20 percent.", "result"),
        ("The difference is significant (p < 0.01).", "result"),
        ("Our approach outperforms all baselines.", "result"),
        ("Experiments show that maps help.", "result"),
        ("It sets a new state of the art.", "result"),
        ("It significantly outperforms the others.", "result"),
        ("WIDGETRON draws a map.", "name"),
        ("Plans are taken from GadgetBench-7.", "name"),
        ("Zabriskie drew the first map.", "author"),
        ("As Oduya says.", "author"),
        ("As in Widgetron: planning widget learners with gadget maps!", "title"),
        ("Presented at WidgetConf.", "venue"),
        ("See github.com/widgets/w.", "address"),
        ("The code is publicly available.", "address"),
        ("The paper does not tell which learner is used.", "paper"),
        ("A map is drawn, as the authors propose.", "paper"),
    ],
)
def test_what_gives_a_paper_away_is_found(text, kind):
    assert [leak.kind for leak in find_leaks([text], SECRETS)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "15% of the tokens are masked, and 10% of the plans are held out.",
        "The network has 24 layers and is trained for 3 epochs with a rate of 0.001.",
        "Accuracy and F1 are measured over 5 seeds.",
        "If the map helps, the learner should outperform the baseline.",
        "An ablation without the map would show which part matters.",
        "Widgets and gadgets that learn are hard to build.",
        "A zabriskie-like point, in other letters.",
        "Compare with the state of the art in planning.",
        "We achieve this by a map.",
        "The paper is coated with wax, and the text reports of the gadgets are read by two people.",
    ],
)
def test_what_was_chosen_beforehand_or_is_still_open_is_no_leak(text):
    assert find_leaks([text], SECRETS) == []


def test_names_that_the_topic_itself_has_may_be_used():
    paper = Paper(title="WIDGETRON: Planning", authors=())
    assert find_leaks(["WIDGETRON plans."], identifying_details(paper, "", (), "improving WIDGETRON")) == []
    assert find_leaks(["WIDGETRON plans."], identifying_details(paper, "", (), "improving widgets")) == [
        IdentityLeak("name", "WIDGETRON")
    ]


def test_an_ordinary_word_before_a_colon_is_no_name():
    paper = Paper(title="Learning: a survey", authors=())
    assert find_leaks(["Learning takes time."], identifying_details(paper, "On learning of all kinds.", (), "")) == []


def test_accents_hide_nobody():
    paper = Paper(title="T", authors=("Jiří Čapek",))
    assert find_leaks(["As Capek wrote."], identifying_details(paper, "", (), "")) == [IdentityLeak("author", "Čapek")]


def test_a_title_without_spaces_between_its_words_is_found_too():
    secrets = identifying_details(Paper(title="基于图神经网络的分子性质预测方法", authors=()), "", (), "")
    assert [leak.kind for leak in find_leaks(["我们读了《基于图神经网络的分子性质预测方法》一文。"], secrets)] == [
        "title"
    ]
    assert find_leaks(["图神经网络可以预测分子性质。"], secrets) == []


def test_a_text_that_coins_names_without_end_has_bounded_work_made_of_it():
    text = " ".join(f"We call it Name{number}X." for number in range(3000))
    secrets = identifying_details(Paper(title="T", authors=()), text, ["ToldByTheReader"], "")
    assert len(secrets.names) == 100
    assert "ToldByTheReader" in secrets.names


@pytest.mark.parametrize("name", ["real_paper_idea", "real_paper_experiment"])
def test_every_question_has_a_short_form_with_the_same_needs(name):
    book = PromptBook()
    usual, small = book.get(name), book.get(name, small=True)
    assert small is not usual
    assert (small.needs, small.returns) == (usual.needs, usual.returns)
