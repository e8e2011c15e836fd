"""The experiment: what its writer and reviewer are asked, which papers are looked up, and what a plan cites."""

from __future__ import annotations

import pytest
from tests.methods.conftest import LINE
from tests.methods.test_chain_of_ideas import accepting, answering, one_query

from novum.core import Entity, Paper, Review
from novum.methods.experiment_design import Design, Revision, mentions
from novum.prompts import builtin_prompts
from novum.reading import Bibliography

ICE = [(f"ice{n}", f"Activity of cliffs of Antarctic ice {n}", 2012, [], 1, "activity cliffs ice") for n in range(12)]
CLIFFS = ("cliffs", "Activity cliffs of widgets", 2012, [], 1, "activity cliffs widgets gadgets learning")
HELPFUL = "What a reviewer of an experiment on this topic wants to know"


def of_form(server, form):
    return [asked.text for asked in server.asked if asked.form == form]


def wishing(query):
    return lambda answer, asked: answer | {"search_query": query}


def helped_by(*words):
    """Relevance as `accepting` of the words; of looked-up papers only."""

    def assess(answer, asked):
        lines = [line.split(". ", 1) for line in asked.text.splitlines() if line[:1] == "P" and line[1:2].isdigit()]
        return {
            "assessments": [
                {"label": label, "reason": "r", "fit": 3 if any(word in title.lower() for word in words) else 1}
                for label, title in lines
            ]
        }

    return assess


# The literature for a review


def test_a_request_is_searched_with_the_topic(generate, serve):
    """The words alone would bring twelve papers on ice."""
    server = serve(answering(Critique=wishing("activity cliffs")))
    ideation = generate(server, branches=1, papers=[*LINE, *ICE, CLIFFS])
    (question,) = [text for text in of_form(server, "Assessments") if HELPFUL in text]
    assert "Activity cliffs of widgets" in question
    assert "activity cliffs\n" in question
    looked_up = {paper.title for paper in ideation.papers if paper.id in ideation.drafts[0].looked_up}
    assert "Activity cliffs of widgets" in looked_up


def test_papers_that_do_not_help_are_dropped_by_the_reader(generate, serve):
    server = serve(answering(Critique=wishing("soup cooking altitude"), Assessments=helped_by("widget")))
    ideation = generate(server, branches=1)
    (question,) = [text for text in of_form(server, "Assessments") if HELPFUL in text]
    assert "Cooking soup at altitude" in question
    assert ideation.drafts[0].looked_up
    assert "Cooking soup at altitude" not in of_form(server, "Revision")[0].partition("Papers that were looked up")[2]


def test_a_reader_without_an_answer_brings_no_paper(generate, serve):
    def silent(answer, asked):
        return "I do not know." if HELPFUL in asked.text else helped_by("widget")(answer, asked)

    server = serve(answering(Critique=wishing("activity cliffs"), Assessments=silent))
    ideation = generate(server, branches=1, papers=[*LINE, *ICE, CLIFFS])
    assert ideation.drafts[0].looked_up == ()
    assert "Papers that were looked up" not in of_form(server, "Revision")[0]


def test_chance_neighbours_are_not_even_judged(generate, serve):
    odd = [(f"odd{n}", f"Ledgers of medieval guilds {n}", 1990, [], 1, "taxes parchment guilds") for n in range(3)]
    server = serve(answering(Critique=wishing("planning")))
    generate(server, branches=1, papers=[*LINE, *odd])
    (question,) = [text for text in of_form(server, "Assessments") if HELPFUL in text]
    assert "Widget learners that plan" in question
    assert "medieval guilds" not in question


def test_without_a_reader_similarity_decides_alone(generate, serve):
    server = serve(answering(Critique=wishing("activity cliffs")))
    ideation = generate(server, branches=1, guide="library", papers=[*LINE, *ICE, CLIFFS])
    assert 1 <= len(ideation.drafts[0].looked_up) <= 4
    assert "Assessments" not in server.forms()


# Labels


LOOKED_UP, CITED = "Papers that were looked up for the review:", "Papers that your plan cites:"


def labels_of(text, heading):
    """Titles by label, as a prompt lists them under a heading."""
    lines = text.partition(heading)[2].split("</material")[0].splitlines()
    listed = [line.split(". ", 1) for line in lines if line[:1] == "P" and line[1:2].isdigit()]
    return {label: entry.partition(": ")[2] for label, entry in listed}


def citing_all(answer, asked):
    """A plan with the first paper of the chain and every paper that was looked up so far."""
    labels = ["P1", *labels_of(asked.text, LOOKED_UP)]
    return answer | {"steps": [f"As in {' and '.join(f'[{label}]' for label in labels)}."], "other_works": []}


def helped_by_the_wish(answer, asked):
    wish = asked.text.partition(HELPFUL)[2].partition("</material")[0]
    return helped_by("soup" if "soup" in wish else "cliffs")(answer, asked)


def test_labels_keep_their_papers_through_all_rounds_and_what_was_cited_stays_cited(generate, serve):
    wishes = iter(["soup cooking altitude", "activity cliffs", ""])
    of_chain = WIDGETS_ONLY["Assessments"]
    server = serve(
        answering(
            Critique=lambda answer, asked: answer | {"search_query": next(wishes)},
            Design=lambda answer, asked: answer | {"steps": ["Begin as [P2] did."], "other_works": []},
            Revision=citing_all,
            Assessments=lambda a, asked: (helped_by_the_wish if HELPFUL in asked.text else of_chain)(a, asked),
            Perspectives=one_query("deep widget learning"),
        )
    )
    ideation = generate(server, branches=1, refinements=3, papers=[*LINE, CLIFFS])
    one, two, three = of_form(server, "Revision")
    assert "Begin as [P2] did." in one
    ((soup, title),) = labels_of(one, LOOKED_UP).items()
    assert title == "Cooking soup at altitude"
    assert f"As in [P1] and [{soup}]." in two
    second, third = labels_of(two, LOOKED_UP), labels_of(three, LOOKED_UP)
    assert second[soup] == third[soup] == "Cooking soup at altitude"
    assert list(second.values()) == list(third.values()) == ["Cooking soup at altitude", "Activity cliffs of widgets"]
    first_of_chain = ideation.best.chain.papers[0].title
    assert labels_of(two, CITED) == labels_of(three, CITED) == {"P1": first_of_chain}
    cited = [each.name for each in ideation.experiment.citations]
    assert cited == [first_of_chain, "Cooking soup at altitude", "Activity cliffs of widgets"]
    assert all(each.paper_id for each in ideation.experiment.citations)
    assert "[P" not in ideation.experiment.text


# Data sets are no citations


WIDGETS_ONLY = {"Assessments": accepting("widget"), "Perspectives": one_query("deep widget learning")}


@pytest.fixture
def cited(generate, serve):
    """Names of what a plan cites, by whether the library has it, when the plan names these works and data."""

    def run(works, datasets=(), **forms):
        def design(answer, asked):
            changes = {"other_works": works, "datasets": list(datasets), "steps": ["Do it."]}
            return {name: "Text." if isinstance(text, str) else [] for name, text in answer.items()} | changes

        server = serve(answering(**WIDGETS_ONLY, Design=design, **forms))
        about = ("bench", "Reliable gadgets", 2015, [], 1, "we measure gadgets on the GadgetBench suite")
        experiment = generate(server, branches=1, refinements=0, papers=[*LINE, about]).experiment
        return {each.name: each.paper_id is not None for each in experiment.citations}

    return run


def test_a_data_set_of_the_plan_is_no_citation(cited):
    assert cited(["WidgetNet", "A paper nobody wrote on anything"], ["WidgetNet, which all use"]) == {
        "A paper nobody wrote on anything": False
    }


def test_a_benchmark_that_papers_of_the_library_mention_is_known(cited):
    assert cited(["GadgetBench", "Frobnicator"]) == {"Frobnicator": False}


def test_an_entity_of_the_chain_is_known(cited):
    def naming(answer, asked):
        return answer | {"entities": [{"name": "Gizmo Corpus", "description": "a corpus"}]}

    assert cited(["gizmo corpus", "Gizmo Atlas"], Reading=naming) == {"Gizmo Atlas": False}


def test_a_paper_is_found_however_its_title_is_written(cited):
    works = ["deep WIDGET learning.", "Widget-learning, with gadget priors", "Cooking Soup at Altitude: a field study"]
    assert cited(works, ["deep widget learning, the corpus of that paper"]) == {
        "Deep widget learning": True,
        "Widget learning with gadget priors": True,
        "Cooking soup at altitude": True,
    }


def test_a_label_beside_the_text_is_a_citation(cited):
    assert list(cited(["[P1]"], ["the data of P1"]).values()) == [True]


@pytest.mark.parametrize(
    ("text", "found"),
    [("On ImageNet-1k we", True), ("the imagenet 1k split", True), ("ImageNets 1k", False), ("1k ImageNet", False)],
)
def test_a_name_is_mentioned_word_by_word(text, found):
    assert mentions([text], "imagenet 1k") is found


# What is asked for: the criteria stand in the prompts


SHELF = Bibliography([Paper(title="Widgets of old", year=2001, authors=("Ada Smith",), abstract="They turn.")])
PAST = [{"label": "P1", "citation": "Smith 2001", "title": "Widgets of old", "experiment": "They were turned."}]
REVIEW = Review(
    subject_id="e", reviewer="r", strengths=("The control.",), weaknesses=("No power.",), suggestions=("Repeat.",)
)
FULL = {
    "design_experiment": {
        "idea": "The idea of widgets.",
        "finding": "Result: partly anticipated",
        "past": PAST,
        "entities": (Entity(name="WidgetNet", description="a data set"),),
        "plan": "A first sketch.",
    },
    "review_experiment": {
        "idea": "The idea of widgets.",
        "experiment": "Step 1: turn it.",
        "entities": (Entity(name="WidgetNet", description="a data set"),),
    },
    "refine_experiment": {
        "idea": "The idea of widgets.",
        "experiment": "Step 1: turn it as [P1] did.",
        "review": REVIEW,
        "cited": SHELF.entries,
        "looked_up": SHELF.entries,
    },
}
TOLD = {
    "design_experiment": ["The idea of widgets.", "partly anticipated", "They were turned.", "A first sketch."],
    "review_experiment": ["The idea of widgets.", "Step 1: turn it.", "WidgetNet"],
    "refine_experiment": [
        *("The idea of widgets.", "as [P1] did", "Keep: The control.", "Weakness: No power.", "Change: Repeat."),
        "They turn.",
    ],
}  # fmt: skip
ASKED = {
    "design_experiment": [
        "so that an outcome could contradict it",
        "cheapest step that could end the project",
        "the check that the idea itself names",
        "its method is a baseline",
        "say how it is implemented",
        "data sets or materials that exist and can be obtained",
        "the method that people would otherwise use",
        "a rival that differs from the idea only in its central part",
        "which size of difference would matter",
        "which part is removed or changed",
        "including negative and mixed ones",
        "number of repetitions, the statistical test",
        "what else could explain a positive result",
        "together support the conclusion",
        "time, people, equipment and cost",
        "pseudo-code",
        "Cite papers above by label",
        "certain exist",
        "Data sets, benchmarks and software are named under data and are not listed here",
        "explain each special term",
    ],
    "review_experiment": [
        "can its outcome confirm or refute the idea",
        "could something else explain that outcome",
        "confusing, badly designed or impossible to carry out",
        "construction of any data set uncertain",
        "implementation of any method left unexplained",
        "baselines the ones that a sceptical reader would demand",
        "ablation of the part that is new",
        "clear, detailed enough to be carried out, reasonable, and feasible",
        "most serious first, each with one concrete change",
        "do not change the idea",
        "constructive, concise and specific",
        "a flaw that no plan can remove",
        "one search query of 3 to 10 words",
        "otherwise leave the query empty",
    ],
    "refine_experiment": [
        "must not be changed",
        "every requested change that is right",
        "never replace a concrete step by a vaguer one",
        "Write the whole plan again",
        "for each point of the review, what you did about it, or why nothing was done",
        "Keep the citations of your plan where they still apply",
        "only where it changes something",
        "certain exist",
        "are not listed here",
        "a rival that differs from the idea only in its central part",
    ],
}


def rendered(name, **changes):
    messages = builtin_prompts().get(name).render(FULL[name] | changes).messages
    return "\n".join(message.content for message in messages)


@pytest.mark.parametrize("name", FULL)
def test_everything_that_is_known_stands_in_the_prompt(name):
    text = rendered(name)
    assert [part for part in TOLD[name] if part not in text] == []


@pytest.mark.parametrize("name", FULL)
def test_every_criterion_stands_in_the_prompt(name):
    text = rendered(name)
    assert [part for part in ASKED[name] if part not in text] == []


@pytest.mark.parametrize(
    ("name", "left_out", "gone"),
    [
        ("design_experiment", {"finding": ""}, "novelty"),
        ("design_experiment", {"past": []}, "[P1]"),
        ("design_experiment", {"plan": ""}, "A first plan"),
        ("refine_experiment", {"looked_up": [], "cited": []}, "[P1]."),
    ],
)
def test_what_is_not_there_is_not_spoken_of(name, left_out, gone):
    assert gone in rendered(name)
    assert gone not in rendered(name, **left_out)


@pytest.mark.parametrize(("name", "form"), [("design_experiment", Design), ("refine_experiment", Revision)])
def test_every_field_of_the_answer_has_its_line_in_the_prompt(name, form):
    names = {"datasets": "Data", "sketch": "Outline", "other_works": "Other works"}
    lines = [names.get(field, field.capitalize()) for field in form.model_fields]
    text = rendered(name)
    assert [line for line in lines if f"\n{line}: " not in text] == []


@pytest.mark.parametrize("name", FULL)
def test_the_short_form_shows_the_idea_or_the_plan(name):
    text = builtin_prompts().get(name, small=True).render(FULL[name]).messages[-1].content
    assert ("Step 1: turn it." if name == "review_experiment" else "The idea of widgets.") in text
