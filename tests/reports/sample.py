"""Sample reports: real papers, ideas written for the purpose, and every way in which a run can go less than well."""

from __future__ import annotations

from novum.core import (
    Account,
    Candidate,
    Chain,
    Citation,
    CriticObjection,
    DraftComment,
    Entity,
    Experiment,
    ExperimentDraft,
    FutureDirection,
    Idea,
    Ideation,
    IdeationReport,
    Identifiers,
    Insight,
    Link,
    Match,
    NoveltyCheck,
    Paper,
    PriorWork,
    Review,
    Score,
    SeedOrigin,
    Spend,
    TopicLiterature,
    Trend,
    Verdict,
)
from novum.core.research_context import IdeaGroup, IdeaRelation, PaperIdea, ResearchContext, ResearchSignal

TOPIC = "making language models reason reliably in several steps"


def paper(title: str, year: int | None, *authors: str, venue: str = "arXiv", **ids: str) -> Paper:
    return Paper(title=title, year=year, authors=authors, venue=venue, ids=Identifiers(**ids))


GPT3 = paper(
    "Language Models are Few-Shot Learners",
    2020,
    "Tom B. Brown",
    "Benjamin Mann",
    "Nick Ryder",
    venue="NeurIPS",
    arxiv="2005.14165",
).but(citation_count=30000, summary="Shows that one large model can do many tasks from a few examples in its prompt.")
SCRATCHPAD = paper(
    "Show Your Work: Scratchpads for Intermediate Computation with Language Models",
    2021,
    "Maxwell Nye",
    "Anders Johan Andreassen",
    "Guy Gur-Ari",
    arxiv="2112.00114",
)
VERIFIERS = paper(
    "Training Verifiers to Solve Math Word Problems",
    2021,
    "Karl Cobbe",
    "Vineet Kosaraju",
    "Mohammad Bavarian",
    arxiv="2110.14168",
)
COT = paper(
    "Chain-of-Thought Prompting Elicits Reasoning in Large Language Models",
    2022,
    "Jason Wei",
    "Xuezhi Wang",
    "Dale Schuurmans",
    venue="NeurIPS",
    arxiv="2201.11903",
).but(citation_count=10000, summary="Worked examples with their intermediate steps make large models reason better.")
SELF_CONSISTENCY = paper(
    "Self-Consistency Improves Chain of Thought Reasoning in Language Models",
    2022,
    "Xuezhi Wang",
    "Jason Wei",
    "Dale Schuurmans",
    venue="ICLR",
    arxiv="2203.11171",
)
ZERO_SHOT = paper(
    "Large Language Models are Zero-Shot Reasoners",
    2022,
    "Takeshi Kojima",
    "Shixiang Shane Gu",
    "Machel Reid",
    venue="NeurIPS",
    arxiv="2205.11916",
)
PROCESS = paper(
    "Let's Verify Step by Step", 2023, "Hunter Lightman", "Vineet Kosaraju", "Yura Burda", arxiv="2305.20050"
)
TREE = paper(
    "Tree of Thoughts: Deliberate Problem Solving with Large Language Models",
    2023,
    "Shunyu Yao",
    "Dian Yu",
    "Jeffrey Zhao",
    venue="NeurIPS",
    arxiv="2305.10601",
)
UNFAITHFUL = paper(
    "Language Models Don't Always Say What They Think: Unfaithful Explanations in Chain-of-Thought Prompting",
    2023,
    "Miles Turpin",
    "Julian Michael",
    "Ethan Perez",
    "Samuel R. Bowman",
    venue="NeurIPS",
    arxiv="2305.04388",
)
BLEU = paper(
    "BLEU: a Method for Automatic Evaluation of Machine Translation",
    2002,
    "Kishore Papineni",
    "Salim Roukos",
    "Todd Ward",
    "Wei-Jing Zhu",
    venue="ACL",
    acl="P02-1040",
    doi="10.3115/1073083.1073135",
)
LSTM = paper(
    "Long Short-Term Memory",
    1997,
    "Sepp Hochreiter",
    "Jürgen Schmidhuber",
    venue="Neural Computation",
    doi="10.1162/neco.1997.9.8.1735",
)
ATTENTION = paper(
    "Attention Is All You Need",
    2017,
    "Ashish Vaswani",
    "Noam Shazeer",
    "Niki Parmar",
    venue="NeurIPS",
    arxiv="1706.03762",
)
NOTES_1950 = paper("Notizen über das Schließen in Stufen: 推論についての覚え書き", None, "Ödön von Horváth-Nagy")

PAPERS = (
    GPT3,
    SCRATCHPAD,
    VERIFIERS,
    COT,
    SELF_CONSISTENCY,
    ZERO_SHOT,
    PROCESS,
    TREE,
    UNFAITHFUL,
    BLEU,
    LSTM,
    ATTENTION,
    NOTES_1950,
)

INSIGHT = Insight(
    background="Models of that time answered arithmetic questions in one go and were often wrong.",
    novelty="Examples in the prompt show the *intermediate steps*, not only the answers.",
    contribution="A change of eight examples moves accuracy on GSM8K further than a tenfold larger model did.",
    rationale="Each step is a small prediction, and later steps can lean on earlier ones.",
    limitation="Nothing checks a step; a fluent wrong step is carried to the end.",
    experiment="Five arithmetic, five commonsense and two symbolic tasks; PaLM, LaMDA and GPT-3.",
    entities=(
        Entity(name="GSM8K", description="8,500 school mathematics problems with worked solutions"),
        Entity(name="PaLM", description="a 540-billion-parameter language model"),
        Entity(name="exemplar", description="a worked example inside a prompt"),
    ),
    key_references=("Training Verifiers to Solve Math Word Problems", "Language Models are Few-Shot Learners"),
)


def link(of: Paper, direction: str, reason: str, insight: Insight | None = INSIGHT) -> Link:
    return Link.model_validate({"paper": of, "direction": direction, "reason": reason, "insight": insight})


def trend(earlier: Paper, later: Paper, text: str) -> Trend:
    return Trend(earlier_id=earlier.id, later_id=later.id, text=text)


STEPS_CHAIN = Chain(
    topic=TOPIC,
    query="step-by-step prompting and the checking of intermediate steps",
    links=(
        link(GPT3, "backward", "The few-shot prompt that the later papers extend."),
        link(SCRATCHPAD, "backward", "First to let a model write its working down before the answer."),
        link(COT, "anchor", "Reasoning in several steps is its subject."),
        link(SELF_CONSISTENCY, "forward", "Makes several-step answers more reliable by voting."),
        link(PROCESS, "forward", "Judges each step, which is what reliability asks for.", None),
    ),
    trends=(
        trend(
            GPT3,
            SCRATCHPAD,
            "From answers in one go to answers *with their working*: the prompt stays, what is predicted grows longer.",
        ),
        trend(SCRATCHPAD, COT, "What needed fine-tuning now needs only eight worked examples."),
        trend(COT, SELF_CONSISTENCY, "One path of thought becomes many; the majority stands in for a check."),
    ),
    future=FutureDirection(
        reflection="Voting fails where most paths share one mistake. Then disagreement about *steps* still tells.",
        analogy="Double-entry bookkeeping finds errors because every amount is written down twice, independently.",
        deep_dive="Step verifiers see the steps in order; without them they would judge independently.",
        direction="Check steps **against each other** rather than against a learned score.",
    ),
    ends=(
        "Earlier side: Language Models are Few-Shot Learners is a milestone with over 1,000 citations.",
        "Later side: five papers, as many as were asked for.",
    ),
)

VERIFY_CHAIN = Chain(
    topic=TOPIC,
    query="learned verifiers for mathematical reasoning",
    links=(
        link(LSTM, "backward", "The sequence model on which the whole line rests."),
        link(ATTENTION, "backward", "The architecture of all later models."),
        link(VERIFIERS, "anchor", "Trains a judge of whole solutions."),
        link(ZERO_SHOT, "forward", "Removes the examples."),
        link(PROCESS, "forward", "Judges each step."),
        link(TREE, "forward", "Searches over steps that are judged."),
        link(UNFAITHFUL, "forward", "Shows that what is written need not be what was thought."),
    ),
    trends=(trend(VERIFIERS, PROCESS, "From judging the whole to judging each step."),),
    ends=("No paper that cites the last one was found relevant.",),
)

ODD_CHAIN = Chain(
    topic=TOPIC,
    query="reasoning before computers",
    links=(link(NOTES_1950, "anchor", ""),),
    ends=("Its references are unknown.",),
)


def idea(title: str, summary: str, *citations: Citation, **parts: str) -> Idea:
    return Idea(
        topic=TOPIC,
        title=title,
        summary=summary,
        citations=citations,
        generator="chain-of-ideas",
        motivation=parts.get("motivation", ""),
        novelty=parts.get("novelty", ""),
        method=parts.get("method", ""),
    )


def cites(of: Paper) -> Citation:
    return Citation(name=of.short_citation, paper_id=of.id)


BEST = idea(
    "Double-entry reasoning: every step of a chain of thought is booked twice and must balance",
    "Voting over whole answers hides shared mistakes, and learned step scores can be talked into approval. We write "
    "every step of a solution down **twice, from different sides**: once forwards from the question and once backwards "
    "from the claimed result, by samples that cannot see each other. Where the two entries do not balance, only that "
    "step is thought through again.",
    cites(COT),
    cites(SELF_CONSISTENCY),
    cites(PROCESS),
    Citation(name="Hartmann & Okafor 2024, Balanced Thought"),
    motivation="Self-consistency (Wang et al. 2022) assumes that mistakes are independent. On harder problems they are "
    "not: most samples share the same wrong turn, and the vote confirms it.\n\nA check that is independent *by "
    "construction* does not need that assumption.",
    novelty="1. Agreement is asked of steps, not of answers.\n2. The second entry is made from the **result**, so that "
    "a shared wrong turn does not show up on both sides.\n3. No verifier is trained.",
    method="- Sample a solution and cut it into claims, each a statement about named quantities.\n"
    "- For each claim, ask a fresh sample to derive the claim *before* it from the claims *after* it.\n"
    "- Compare the two with `sympy` where both are equations, else by a yes-or-no question.\n"
    "- Re-open only the steps that do not balance; stop after three rounds.",
)
SENT_BACK = idea(
    "Voting over steps instead of answers",
    "Cut sampled solutions into steps, align the steps and take the majority at each position.",
    cites(SELF_CONSISTENCY),
    motivation="Majorities over answers throw the working away.",
    novelty="Votes are taken at each step.",
    method="Align, vote, continue.",
)
VERIFIER_IDEA = idea(
    "Verifiers that must bet: calibrated step scores through a scoring market",
    "A step verifier states a probability and pays a logarithmic penalty when the finished proof disagrees; verifiers "
    "with different training sets trade against each other, and the price is the score of the step.",
    cites(VERIFIERS),
    cites(PROCESS),
    motivation="Scores of step verifiers are not probabilities, so they cannot be added over a chain.",
    novelty="A market aggregates verifiers that know different things.",
    method="Logarithmic market scoring rule over step claims; settled by the answer.",
)
LONE_IDEA = idea(
    "Antworten, die ihren Rückweg kennen: 可逆な推論 for language models",
    "Train only on problems whose solutions can be run backwards; see whether forward reasoning gets more reliable.",
    Citation(name="Bennett 1973", paper_id="paper-0000000000000000"),
)
ODD_IDEA = idea(
    "A census of early rules for step-wise inference", "Collect the rules, encode them, and test models on each."
)

CHECK_REASON = "The nearest papers vote over answers or score steps; none derives a step twice."


def check(
    of: Idea, number: int, novel: bool | None, *near: tuple[Paper, float], reason: str = CHECK_REASON
) -> NoveltyCheck:
    found = tuple(PriorWork(paper_id=prior.id, similarity=similarity) for prior, similarity in near)
    closest = near[0][0].id if near else None
    return NoveltyCheck(idea_id=of.id, round=number, novel=novel, nearest=found, closest_id=closest, reason=reason)


CANDIDATES = (
    Candidate(
        idea=BEST,
        chain=STEPS_CHAIN,
        earlier_drafts=(SENT_BACK,),
        checks=(
            check(
                SENT_BACK, 1, False, (SELF_CONSISTENCY, 0.83), (TREE, 0.52), reason="Self-consistency has this result."
            ),
            check(BEST, 2, True, (PROCESS, 0.41), (SELF_CONSISTENCY, 0.39), (UNFAITHFUL, 0.22), (BLEU, -0.04)),
        ),
        win_rate=5 / 6,
    ),
    Candidate(
        idea=VERIFIER_IDEA,
        chain=VERIFY_CHAIN,
        checks=(check(VERIFIER_IDEA, 1, None, (VERIFIERS, 0.57), reason=""),),
        win_rate=0.5,
    ),
    Candidate(idea=LONE_IDEA, chain=None, win_rate=1 / 6),
    Candidate(idea=ODD_IDEA, chain=ODD_CHAIN, checks=(check(ODD_IDEA, 1, None, reason=""),), win_rate=None),
)

JUDGE = "openai:gpt-example"


def match(first: Idea, second: Idea, *verdicts: tuple[str, str, str], failure: str = "") -> Match:
    said = [{"criterion": criterion, "outcome": outcome, "reason": reason} for criterion, outcome, reason in verdicts]
    return Match(
        first_id=first.id,
        second_id=second.id,
        judge=JUDGE,
        verdicts=tuple(Verdict.model_validate(one) for one in said),
        failure=failure,
    )


MATCHES = (
    match(
        BEST,
        VERIFIER_IDEA,
        ("novelty", "first", "Deriving a step from the result is a new check; markets over models have been tried."),
        ("significance", "tie", "Both would matter to the same people."),
        ("feasibility", "first", "Needs no training."),
    ),
    match(
        VERIFIER_IDEA,
        BEST,
        ("novelty", "second", "The second idea changes what is checked."),
        ("significance", "first", "A calibrated score has uses beyond reasoning."),
        ("feasibility", "first", "Verifiers exist already."),
    ),
    match(
        BEST, LONE_IDEA, ("novelty", "first", "Sharper claim."), ("feasibility", "first", "The other needs new data.")
    ),
    match(LONE_IDEA, BEST, failure="The answer was not of the form asked for, even after it was sent back."),
    match(
        VERIFIER_IDEA,
        LONE_IDEA,
        ("novelty", "second", "Reversibility is rarely used."),
        ("feasibility", "first", "Clear plan."),
    ),
    match(LONE_IDEA, VERIFIER_IDEA, ("novelty", "first", "As before."), ("feasibility", "second", "As before.")),
)

PLAN_1 = Experiment(
    idea_id=BEST.id,
    hypothesis="Booking steps twice finds more wrong steps than voting does, at the same number of sampled tokens.",
    steps=("Sample 16 solutions for each problem.", "Book every step twice.", "Compare accuracy with voting."),
    datasets=("GSM8K", "MATH"),
    baselines=("self-consistency, 40 samples",),
    metrics=("accuracy",),
    citations=(cites(SELF_CONSISTENCY),),
)
PLAN_2 = PLAN_1.but(
    steps=(
        "Sample 16 solutions for each problem with two open models.",
        "Book every step twice; the second entry never sees the first.",
        "Have 300 steps marked right or wrong by two people; report their agreement.",
        "Compare accuracy *at equal tokens* with voting and with a step verifier.",
    ),
    baselines=("self-consistency, 40 samples", "step verifier trained on PRM800K"),
    metrics=("accuracy at equal tokens", "share of wrong steps found", "false alarms per solution"),
    ablations=("second entry sees the first", "balance by string equality only"),
    analysis="If accuracy rises but wrong steps found do not, the gain comes from re-sampling: it is rejected. "
    "If both stay, the idea is wrong for problems of this length.",
    feasibility="Two weeks, one GPU with 80 GB. Risk: claims that cannot be cut out; then keep to equations.",
    sketch="for claim in claims(solution):\n    back = derive(before=claim, given=after(claim))\n"
    "    if not balances(claim, back):   # a & b < c\n        reopen(claim)",
    citations=(cites(SELF_CONSISTENCY), cites(PROCESS), Citation(name="PRM800K (unpublished appendix)")),
)
DRAFTS = (
    ExperimentDraft(
        experiment=PLAN_1,
        review=Review(
            subject_id=PLAN_1.id,
            reviewer="openai:gpt-example",
            strengths=("The comparison is at **equal tokens**.",),
            weaknesses=(
                "Accuracy cannot tell whether wrong *steps* are found.",
                "No learned verifier among the baselines.",
            ),
            suggestions=("Mark a sample of steps by hand.",),
            search_query="process supervision step labels",
            scores=(
                Score(subject_id=PLAN_1.id, metric="soundness", value=6),
                Score(subject_id=PLAN_1.id, metric="clarity", value=None, reason="no number given"),
            ),
            accept=False,
        ),
        looked_up=(PROCESS.id, "paper-ffffffffffffffff"),
    ),
    ExperimentDraft(experiment=PLAN_2),
)

NOTES = (
    "The branch “reasoning before computers” found one paper; three were asked for.",
    "The novelty check of idea 2 gave no usable answer.",
)
ACCOUNT = Account(
    run_id="run-20260502-140512-7f3a",
    novum_version="0.1.0",
    started="2026-05-02T14:05:12+00:00",
    seconds=252.4,
    models={
        "writer": "openai:gpt-example",
        "reader": "openai:gpt-example-mini",
        "judge": JUDGE,
        "embedder": "wordllama-256",
    },
    spend=Spend(
        calls=61,
        reused=4,
        failed=1,
        prompt_tokens=184_220,
        completion_tokens=31_905,
        usd=0.4213,
        usd_unknown=5,
        energy_kwh=0.021,
        co2_kg=0.0094,
        footprint_unknown=5,
    ),
)
OPTIONS = {"branches": 3, "length": 5, "novelty_rounds": 3, "before": None, "refinements": 1}

REPORT = IdeationReport(
    ideation=Ideation(
        topic=TOPIC,
        method="chain-of-ideas",
        options=OPTIONS,
        candidates=CANDIDATES,
        matches=MATCHES,
        drafts=DRAFTS,
        papers=PAPERS,
        notes=NOTES,
    ),
    account=ACCOUNT,
)
"""A full run: a draft sent back, a tie, an unreadable match, citations that lead nowhere, an idea without a chain."""

DEMONSTRATION = IdeationReport(
    ideation=REPORT.ideation.but(
        candidates=(CANDIDATES[0].model_copy(update={"win_rate": None}),), matches=(), drafts=()
    ),
    account=Account.model_validate(
        ACCOUNT.model_dump()
        | {"models": {"writer": "offline:smollm2-135m"}, "demonstration": True}
        | {"spend": Spend(calls=18, prompt_tokens=21_000, completion_tokens=4_100, footprint_unknown=18)}
    ),
)
"""The offline model, one branch, nothing compared, no experiment."""

EMPTY = IdeationReport(
    ideation=Ideation(topic=TOPIC, method="chain-of-ideas", notes=("No paper in the library fits the topic.",)),
    account=ACCOUNT,
)
"""A run that ended without an idea."""

VERIFIERS_READ = VERIFIERS.but(
    abstract="Large models still fail at school mathematics. We train verifiers that judge the correctness of whole "
    "solutions and select the one that is ranked highest. Verification scales better with data than fine-tuning does."
)
TOLD = idea(
    "Verifiers that are tested on their own mistakes",
    "Verifiers of reasoning are trained on mistakes that the model makes on its own. Those differ from the mistakes "
    "that a search for high scores brings about. We build the second kind and train on them. It works if the score and "
    "the truth stay together under search.",
    cites(VERIFIERS),
    motivation="Verifiers lose their value when a search selects for their score (Cobbe et al. 2021). No study trains "
    "on what that search finds. Obvious remedies cost labels.",
    novelty="Unlike step verifiers, it never needs labels of steps. It adds a second source of mistakes.",
    method="1. Search for solutions with a high score.\n2. Check their final answers.\n"
    "3. Train on those that are wrong.\n\nIt works if the score and the truth stay together under search.",
).but(
    mechanism="A verifier is trained on wrong solutions that score high, found by the search that will use it.",
    assumption="Wrong solutions with high scores share patterns that training can remove.",
    check="Take 200 problems and a public verifier, and select the best of 256 samples. If the share of wrong ones "
    "among the highest scores does not rise with the number of samples, there is nothing to repair.",
    rival="Averaging three verifiers does without the mechanism; problems on which all three share a mistake decide.",
    unchecked="Whether unpublished verifiers are trained this way already.",
)
TOLD_CHECK = NoveltyCheck(
    idea_id=TOLD.id,
    round=1,
    novel=True,
    known="partly",
    nearest=(PriorWork(paper_id=TREE.id, similarity=0.71), PriorWork(paper_id=VERIFIERS.id, similarity=0.44)),
    closest_id=VERIFIERS.id,
    closest_title=VERIFIERS.title,
    relevant_ids=(VERIFIERS.id,),
    reason="Both train a judge of whole solutions.",
    difference="It trains on mistakes that the search itself produces, which the closest paper never sees.",
)
SEEDS = (
    SeedOrigin(
        source="analogy",
        title="Verifiers with a red team",
        problem="Search breaks verifiers.",
        mechanism="Train on what breaks them.",
        test="200 problems.",
        fate="developed",
        idea_id=TOLD.id,
        objections=(
            CriticObjection(
                draft_id=TOLD.id,
                round=1,
                objection="The mistakes may be noise that no training removes.",
                closest_id=VERIFIERS.id,
                overlap="It trains on sampled mistakes.",
                check="Compare with mistakes in shuffled order.",
                reply="The check was added.",
            ),
            CriticObjection(draft_id=TOLD.id, round=2, objection="A published paper contains a part of it."),
        ),
    ),
    SeedOrigin(
        source="plain",
        title="More votes",
        problem="Votes agree on mistakes.",
        mechanism="Ask more often.",
        test="GSM8K.",
        fate="anticipated",
        closest_id=SELF_CONSISTENCY.id,
        finding="Voting over samples is its method.",
    ),
)
MODERN = IdeationReport(
    ideation=Ideation(
        topic=TOPIC,
        method="portfolio",
        candidates=(
            Candidate(
                idea=TOLD,
                chain=VERIFY_CHAIN.but(
                    links=tuple(
                        each.model_copy(update={"linked_by": "similar, not cited"}) if each.paper == TREE else each
                        for each in VERIFY_CHAIN.links
                    )
                ),
                checks=(TOLD_CHECK,),
                win_rate=1.0,
            ),
            Candidate(idea=LONE_IDEA, win_rate=0.0),
        ),
        matches=(
            match(TOLD, LONE_IDEA, ("novelty", "first", "Sharper.")),
            match(LONE_IDEA, TOLD, ("novelty", "second", "Sharper still.")),
        ),
        origins=SEEDS,
        papers=(VERIFIERS_READ, *(each for each in PAPERS if each != VERIFIERS)),
    ),
    account=ACCOUNT,
    literature=TopicLiterature(
        verdict="thin",
        reason="thin: 3 papers are near it",
        on_topic=3,
        searched=1047,
        years=(2021, 2023),
        papers=(VERIFIERS_READ, TREE),
    ),
)
"""An idea with all parts, partly anticipated, chosen from short ideas; a chain with a step that is no citation."""

FIRST_DRAFT = idea("Check each step once", "Each step is checked by a second derivation of the same model.")
REFINED = IdeationReport(
    ideation=Ideation(
        topic=TOPIC,
        method="deep-innovator",
        candidates=(
            Candidate(
                idea=TOLD,
                chain=STEPS_CHAIN,
                earlier_drafts=(FIRST_DRAFT, SENT_BACK),
                comments=(
                    DraftComment(draft_id=FIRST_DRAFT.id, text="One could begin.\n\n- No data are named.\n\nName."),
                ),
            ),
        ),
        matches=(
            match(FIRST_DRAFT, SENT_BACK, ("novelty", "second", "The later one names its check.")),
            match(SENT_BACK, FIRST_DRAFT, ("novelty", "first", "The later one names its check.")),
        ),
        context=ResearchContext(
            ideas=(
                PaperIdea(paper_id=COT.id, title=COT.title, problem="p", approach="a", contribution="c"),
                PaperIdea(paper_id=VERIFIERS.id, title=VERIFIERS.title, problem="p", approach="a", contribution="c"),
            ),
            groups=(IdeaGroup(name="Steps in words", memory="All write steps.", paper_ids=(COT.id, VERIFIERS.id)),),
            relations=(
                IdeaRelation(
                    kind="evolution", source_id=VERIFIERS.id, target_id=COT.id, reason="The latter needs no verifier."
                ),
                IdeaRelation(kind="conflict", source_id=COT.id, target_id="paper-unknown", reason="They disagree."),
            ),
            signals=(
                ResearchSignal(kind="insight", text="None derives a step twice.", paper_ids=(COT.id, VERIFIERS.id)),
            ),
        ),
        papers=PAPERS,
    ),
    account=ACCOUNT,
)
"""A run whose idea was developed from a research context and refined under comments."""
REPORTS = {"full": REPORT, "modern": MODERN, "demonstration": DEMONSTRATION, "empty": EMPTY, "refined": REFINED}
