"""Answers as judges really write them, each with what it should be read as: one table for all judges.

Four kinds: three scores, a letter for two ideas, an idea, and one JSON object of any form. An outcome is a value,
`missing` for good, or `again`.
"""

from __future__ import annotations

from typing import NamedTuple

from novum.benchmarks.liveidea.answers import MissingReason

FENCE = "```"


class Scores(NamedTuple):
    name: str
    text: str
    expected: tuple[float | MissingReason, float | MissingReason, float | MissingReason]
    """Originality, feasibility, clarity; a Why where there is no value."""


class Grade(NamedTuple):
    name: str
    text: str
    expected: float | MissingReason


class IdeaCase(NamedTuple):
    name: str
    text: str
    idea: str
    fate: str
    words: int
    marker: bool = False


NOT_GIVEN, NO_NUMBER, RANGE, TWICE = (
    MissingReason.NOT_GIVEN,
    MissingReason.NOT_A_NUMBER,
    MissingReason.OUT_OF_RANGE,
    MissingReason.CONTRADICTORY,
)
DECLINED, SCALE, PART = MissingReason.DECLINED, MissingReason.OTHER_SCALE, MissingReason.NOT_WHOLE
NOTHING = (NOT_GIVEN, NOT_GIVEN, NOT_GIVEN)
GOOD = (7, 6, 8)
BLOCK = '{"originality": 7, "feasibility": 6, "clarity": 8}'
QUOTED = '{"originality": 10, "feasibility": 10, "clarity": 10}'
SHORT_NAMES = '{"scores": {"o": 2, "f": 2, "c": 2}}'
MALFORMED = {
    "in single quotes": "{'originality': 2, 'feasibility': 2, 'clarity': 2}",
    "with a comma too many": '{"originality": 2, "feasibility": 2, "clarity": 2,}',
    "with bare names": "{originality: 2, feasibility: 2, clarity: 2}",
    "with a comment": '{"originality": 2, /* new */ "feasibility": 2, "clarity": 2}',
    "with comments before its values": '{"originality": /* a */ 2, "feasibility": /* b */ 2, "clarity": /* c */ 2}',
    "with a comment first": '{ /* mine */ "originality": 2, "feasibility": 2, "clarity": 2}',
    "in curly quotes": "{“originality”: 2, “feasibility”: 2, “clarity”: 2}",
    "with a no-break space": '{"originality":\u00a02, "feasibility":\u00a02, "clarity":\u00a02}',
    "with equals signs": "{originality = 2, feasibility = 2, clarity = 2}",
    "with values that cannot be read": "{'originality': low, 'feasibility': low, 'clarity': low}",
}
"""A judge's own scores as no JSON, beside which it may quote others that are JSON."""
UNUSABLE = {
    "below the scale": '{"originality": -5, "feasibility": -5, "clarity": -5}',
    "above the scale": '{"originality": 11, "feasibility": 12, "clarity": 13}',
    "below the scale in single quotes": "{'originality': -5, 'feasibility': -5, 'clarity': -5}",
    "of another scale": '{"originality": "20%", "feasibility": "20%", "clarity": "20%"}',
    "that are adjectives": '{"originality": "low", "feasibility": "low", "clarity": "low"}',
    "that are null": '{"originality": null, "feasibility": null, "clarity": null}',
    "with one of them missing": '{"originality": 2, "feasibility": 2}',
    "with one alone": '{"originality": 2}',
    "with codes of HTML": "{&quot;originality&quot;: 2, &quot;feasibility&quot;: 2, &quot;clarity&quot;: 2}",
    "with codes of HTML twice": "{&amp;quot;originality&amp;quot;: 2, &amp;quot;feasibility&amp;quot;: 2,"
    " &amp;quot;clarity&amp;quot;: 2}",
    "in wide braces": '\uff5b"originality": 2, "feasibility": 2, "clarity": 2\uff5d',
    "as text under a name": '{"verdict": "{\\"originality\\": 2, \\"feasibility\\": 2, \\"clarity\\": 2}"}',
    "in one object each": '{"originality": 2}\n{"feasibility": 2}\n{"clarity": 2}',
}
"""A judge's own scores that are none, or not all, beside which it may quote others."""

SCORES = [
    *(
        Scores(f"own scores {name}, then quoted ones", f"{own}\nIt contains {QUOTED}.", (TWICE,) * 3)
        for name, own in MALFORMED.items()
    ),
    *(
        Scores(f"quoted scores, then own ones {name}", f"It contains {QUOTED}.\n{own}", (TWICE,) * 3)
        for name, own in MALFORMED.items()
    ),
    *(
        Scores(f"own scores {name}, {order}", text, (TWICE,) * 3)
        for name, own in UNUSABLE.items()
        for order, text in {
            "then quoted ones": f"{own}\nIt contains {QUOTED}.",
            "after quoted ones": f"It contains {QUOTED}.\n{own}",
        }.items()
    ),
    Scores("one own score that agrees with quoted ones", f'{{"originality": 10}}\n{QUOTED}', (10, TWICE, TWICE)),
    Scores("quoted scores, then an own one that agrees", f'{QUOTED}\n{{"originality": 10}}', (10, TWICE, TWICE)),
    Scores("one object each", '{"originality": 7}\n{"feasibility": 6}\n{"clarity": 8}', GOOD),
    Scores("codes of HTML", BLOCK.replace('"', "&quot;"), GOOD),
    *(
        Scores(f"own scores under other names, {where}", text, (TWICE,) * 3)
        for where, text in {
            "then quoted ones": f"{SHORT_NAMES}\nIt contains {QUOTED}.",
            "after quoted ones": f"It contains {QUOTED}.\n{SHORT_NAMES}",
            "not nested": f'{{"novelty": 2, "effort": 2, "style": 2}}\nIt contains {QUOTED}.',
        }.items()
    ),
    Scores("an object with other numbers before", f'{{"pages": 12, "figures": 3, "tables": 2}}\n{BLOCK}', GOOD),
    Scores("an object with two numbers before", f'{{"pages": 2, "figures": 3}}\n{BLOCK}', GOOD),
    Scores("thoughts in the middle that never end", f"<think>7?</think> Hm. <think>Or {QUOTED}", NOTHING),
    Scores("thoughts at the end", f"{BLOCK} <think>Or originality: 10, feasibility: 10, clarity: 10?", GOOD),
    Scores("the form asked for", f"A sound plan.\n\n{FENCE}json\n{BLOCK}\n{FENCE}", GOOD),
    Scores("bare JSON", BLOCK, GOOD),
    Scores("a fence without a language", f"{FENCE}\n{BLOCK}\n{FENCE}", GOOD),
    Scores("a fence never closed", f"{FENCE}json\n{BLOCK}", GOOD),
    Scores("JSON cut off in the middle", '{"originality": 7, "feasibility": 6, "cla', (7, 6, NOT_GIVEN)),
    Scores("scores as strings", '{"originality": "7", "feasibility": "6", "clarity": "8"}', GOOD),
    Scores(
        "out of ten, as strings", '{"originality": "7/10", "feasibility": "6 / 10", "clarity": "8 out of 10"}', GOOD
    ),
    Scores("out of ten, unquoted", '{"originality": 7/10, "feasibility": 6/10, "clarity": 8/10}', GOOD),
    Scores("out of a hundred", '{"originality": "70/100", "feasibility": 6, "clarity": 8}', (SCALE, 6, 8)),
    Scores("percent", '{"originality": "70%", "feasibility": 6, "clarity": 8}', (SCALE, 6, 8)),
    Scores("a key in capitals", '{"Originality": 7, "FEASIBILITY": 6, "Clarity": 8}', GOOD),
    Scores("longer keys", '{"originality_score": 7, "Feasibility Score": 6, "clarity-rating": 8}', GOOD),
    Scores("half points", '{"originality": 7.5, "feasibility": 6.0, "clarity": 8.25}', (PART, 6, PART)),
    Scores("decimal commas in strings", '{"originality": "7,5", "feasibility": "6,0", "clarity": "8"}', (PART, 6, 8)),
    Scores("decimal commas in prose", "Originality: 7,5\nFeasibility: 6,0\nClarity: 8", (PART, 6, 8)),
    Scores("decimal commas in what is no JSON", '{"originality": 7,5, "feasibility": 6, "clarity": 8}', (PART, 6, 8)),
    Scores("a thousand, with its comma", "Originality: 7,000\nFeasibility: 6\nClarity: 8", (NOT_GIVEN, 6, 8)),
    Scores("eleven", '{"originality": 11, "feasibility": 6, "clarity": 8}', (RANGE, 6, 8)),
    Scores("minus three", '{"originality": 7, "feasibility": -3, "clarity": 8}', (7, RANGE, 8)),
    Scores("nine hundred", '{"originality": 7, "feasibility": 6, "clarity": 900}', (7, 6, RANGE)),
    Scores("nought", '{"originality": 0, "feasibility": 6, "clarity": 8}', (RANGE, 6, 8)),
    Scores("a number beyond floats", '{"originality": 1e999, "feasibility": 6, "clarity": 8}', (RANGE, 6, 8)),
    Scores("minus three in prose", "Originality: -3\nFeasibility: 6\nClarity: 8", (RANGE, 6, 8)),
    Scores("nine hundred in prose", "Originality: 900, Feasibility: 6, Clarity: 8", (RANGE, 6, 8)),
    Scores("not applicable", '{"originality": 7, "feasibility": "N/A", "clarity": 8}', (7, DECLINED, 8)),
    Scores("null", '{"originality": 7, "feasibility": null, "clarity": 8}', (7, DECLINED, 8)),
    Scores("not applicable, unquoted", "originality: 7\nfeasibility: N/A\nclarity: 8", (7, DECLINED, 8)),
    Scores("N/A to everything", "N/A", (DECLINED, DECLINED, DECLINED)),
    Scores("not a number", '{"originality": NaN, "feasibility": 6, "clarity": 8}', (NO_NUMBER, 6, 8)),
    Scores("yes and no", '{"originality": true, "feasibility": 6, "clarity": 8}', (NO_NUMBER, 6, 8)),
    Scores("an adjective", '{"originality": "high", "feasibility": 6, "clarity": 8}', (NO_NUMBER, 6, 8)),
    Scores("words in JSON", '{"originality": "seven", "feasibility": "Six", "clarity": "eight"}', GOOD),
    Scores("words in prose", "Originality: seven. Feasibility: six. Clarity: eight.", GOOD),
    Scores("a range", '{"originality": "7-8", "feasibility": 6, "clarity": 8}', (TWICE, 6, 8)),
    Scores("a range in prose", "Originality: 7–8/10\nFeasibility: 6/10\nClarity: 8/10", (TWICE, 6, 8)),
    Scores("with the reason behind", '{"originality": "7 (new link)", "feasibility": "6 - hard", "clarity": 8}', GOOD),
    Scores(
        "comments",
        '{\n  "originality": 7, // fresh\n  "feasibility": 6, /* costly */\n  "clarity": 8 # plain\n}',
        GOOD,
    ),
    Scores("a trailing comma", '{"originality": 7, "feasibility": 6, "clarity": 8,}', GOOD),
    Scores("single quotes", "{'originality': 7, 'feasibility': 6, 'clarity': '8'}", GOOD),
    Scores("no quotes at all", "{originality: 7, feasibility: 6, clarity: 8}", GOOD),
    Scores("typographic quotes", "{“originality”: 7, “feasibility”: 6, “clarity”: 8}", GOOD),
    Scores("the block twice, the same", f"{BLOCK}\n\nIn short:\n{BLOCK}", GOOD),
    Scores("the block twice, changed", f"{BLOCK}\nOn reflection:\n{BLOCK.replace('7', '4')}", (TWICE, 6, 8)),
    Scores(
        "a key twice, changed", '{"originality": 7, "originality": 4, "feasibility": 6, "clarity": 8}', (TWICE, 6, 8)
    ),
    Scores(
        "the empty form first",
        f'{{"originality": <score_1_to_10>, "feasibility": <score_1_to_10>, "clarity": <score_1_to_10>}}\n{BLOCK}',
        GOOD,
    ),
    Scores(
        "the form alone, in strings", '{"originality": "<score_1_to_10>", "feasibility": "<score_1_to_10>"}', NOTHING
    ),
    Scores("quoted in a sentence before", f"It rates itself 'originality: 10, clarity: 10'.\n{BLOCK}", GOOD),
    Scores(
        "quoted as JSON before other scores in lines",
        f"It contains {BLOCK.replace('7', '10')}.\n\nOriginality: 2\nFeasibility: 6\nClarity: 8",
        (TWICE, 6, 8),
    ),
    Scores(
        "quoted as lines before other scores in JSON",
        f"It says\nOriginality: 10\nFeasibility: 6\nClarity: 8\nof itself. I say {BLOCK}",
        (TWICE, 6, 8),
    ),
    Scores("lines and JSON that agree", f"Originality: 7/10\nFeasibility: 6/10\nClarity: 8/10\n\n{BLOCK}", GOOD),
    Scores("nested under a name", f'{{"scores": {BLOCK}, "analysis": "fine"}}', GOOD),
    Scores(
        "nested under each dimension",
        '{"originality": {"reason": "3 new parts", "score": 7}, "feasibility": {"score": "6/10"},'
        ' "clarity": {"rating": 8}}',
        GOOD,
    ),
    Scores(
        "a list of dimensions",
        '[{"dimension": "Originality", "score": 7}, {"dimension": "Feasibility", "score": 6},'
        ' {"dimension": "Clarity", "score": 8}]',
        GOOD,
    ),
    Scores("a dimension missing", '{"originality": 7, "feasibility": 6}', (7, 6, NOT_GIVEN)),
    Scores("the missing one said in the prose", 'Clarity: 8/10.\n{"originality": 7, "feasibility": 6}', GOOD),
    Scores("bold names", "**Originality**: 7\n**Feasibility**: 6\n**Clarity**: 8", GOOD),
    Scores("bold with the colon inside", "**Originality:** 7/10\n**Feasibility:** 6/10\n**Clarity:** 8/10", GOOD),
    Scores("bold scores", "- Originality: **7**/10\n- Feasibility: **6**/10\n- Clarity: **8**/10", GOOD),
    Scores("a numbered list", "1. Originality - 7\n2. Feasibility - 6\n3. Clarity - 8", GOOD),
    Scores("bullets with reasons", "* Originality (7): new.\n* Feasibility (6): hard.\n* Clarity (8): plain.", GOOD),
    Scores("headings", "### Originality\n7/10\nNew.\n### Feasibility\n6/10\n### Clarity\n8/10", GOOD),
    Scores("the scale named", "Originality (1-10): 7\nFeasibility (1-10): 6\nClarity [1 to 10]: 8", GOOD),
    Scores("on one line", "Originality: 7, Feasibility: 6, Clarity: 8", GOOD),
    Scores("on one line without marks", "originality 7/10 feasibility 6 clarity 8", GOOD),
    Scores("equals signs", "originality=7; feasibility=6; clarity=8", GOOD),
    Scores("sentences", "The originality is 7. Its feasibility is 6 because of cost, and clarity gets 8.", GOOD),
    Scores("scores before names", "I give 7/10 for originality, 6/10 for feasibility and 8/10 for clarity.", GOOD),
    Scores(
        "a table downwards",
        "| Dimension | Score |\n|---|---|\n| Originality | 7 |\n| Feasibility | 6 |\n| Clarity | 8 |",
        GOOD,
    ),
    Scores(
        "a table with bold cells",
        "| **Originality** | **7/10** |\n| **Feasibility** | 6/10 |\n| **Clarity** | 8/10 |",
        GOOD,
    ),
    Scores("a table sideways", "| Originality | Feasibility | Clarity |\n|:--:|:--:|:--:|\n| 7 | 6/10 | **8** |", GOOD),
    Scores("YAML", "originality: 7\nfeasibility: 6\nclarity: 8\n", GOOD),
    Scores("full-width signs", "originality：７\nfeasibility：６\nclarity：８", GOOD),
    Scores("thoughts with other numbers", f"<think>originality: 3? {{'clarity': 2}}</think>{BLOCK}", GOOD),
    Scores("thoughts never closed", f"<think>Perhaps {BLOCK}", (MissingReason.EMPTY,) * 3),
    Scores(
        "a number that is no score",
        "In originality 3 novel parts stand out. Feasibility of 2 methods is open.",
        NOTHING,
    ),
    Scores("a heading that counts", "Originality: 3 distinct innovations.\n" + BLOCK, GOOD),
    Scores("prose alone", "This idea is quite original and could be done within a year. I like it.", NOTHING),
    Scores("three numbers without names", "7, 6, 8", NOTHING),
    Scores("nothing", "   \n ", (MissingReason.EMPTY,) * 3),
    Scores("a refusal", "I'm sorry, but I cannot evaluate this idea.", (MissingReason.REFUSED,) * 3),
    Scores("braces in the prose before", f"The set {{x | x > 0}} is used.\n{BLOCK}", GOOD),
    Scores("a brace never closed before", f"Use {{x as a name.\n{BLOCK}", GOOD),
    Scores("arrows", "Originality → 7\nFeasibility -> 6\nClarity => 8", GOOD),
    Scores("stars", "Originality: ★★★★★★★☆☆☆ (7/10)\nFeasibility: 6\nClarity: 8", GOOD),
    Scores("about so much", "Originality: ~7\nFeasibility: about 6\nClarity: approximately 8", GOOD),
    Scores("as formulas", "Originality: $7$, Feasibility: $6$, Clarity: $8$", GOOD),
    Scores(
        "with articles",
        "From 1 to 10, originality is a 7, feasibility earns a 6, and clarity gets an 8.",
        GOOD,
    ),
    Scores(
        "the scale named at length",
        "Originality (scale of 1-10): 7\nFeasibility (out of 10): 6\nClarity (1-10 scale): 8",
        GOOD,
    ),
    Scores("as HTML", "<b>Originality</b>: 7<br><b>Feasibility</b>: 6<br><b>Clarity</b>: 8", GOOD),
    Scores(
        "a table of HTML",
        "<tr><td>Originality</td><td>7</td></tr><tr><td>Feasibility</td><td>6</td></tr><tr><td>Clarity</td><td>8</td></tr>",
        GOOD,
    ),
    Scores(
        "a table with other numbers before the scores",
        "| Criterion | Weight | Score |\n|---|---|---|\n| Originality | 3 | 7 |\n| Feasibility | 3 | 6 |\n"
        "| Clarity | 4 | 8 |",
        GOOD,
    ),
    Scores("a score that was changed", "Originality: 5 → 7\nFeasibility: 6\nClarity: 8", (TWICE, 6, 8)),
    Scores("one of two scores", "Originality: 6\nFeasibility: 7 or 8\nClarity: 8", (6, TWICE, 8)),
    Scores("struck out", "Originality: ~~5~~ 7\nFeasibility: 6\nClarity: 8", (NOT_GIVEN, 6, 8)),
    Scores("a half as a sign", "Originality: 7½\nFeasibility: 6\nClarity: 8", (NOT_GIVEN, 6, 8)),
    Scores("a word that begins with a number", "The originality is a 3-fold one. Clarity: 2-step plan.", NOTHING),
    Scores("a share in a sentence", "Originality: 5% of it is new.", NOTHING),
    Scores("an apology before the scores", f"I'm sorry, but I cannot find anything new here.\n{BLOCK}", GOOD),
    Scores("lists of one", '{"originality": [7], "feasibility": 6, "clarity": 8}', (NO_NUMBER, 6, 8)),
    Scores("another name for it", '{"novelty": 7, "feasibility": 6, "clarity": 8}', (NOT_GIVEN, 6, 8)),
    Scores("an answer in Chinese", f"该想法新颖，但实现困难。\n{BLOCK}", GOOD),
    Scores("far too long", "originality: 7 " * 30_000, (MissingReason.TOO_LONG,) * 3),
]

GRADES = [
    Grade("a letter", "B", 7),
    Grade("a small letter", "c", 4),
    Grade("with a full stop", "D.", 1),
    Grade("in brackets", "(A)", 10),
    Grade("bold", "**B**", 7),
    Grade("in backticks", "`B`", 7),
    Grade("in quotation marks", '"C"', 4),
    Grade("full width", "Ｂ", 7),
    Grade("announced", "Answer: B", 7),
    Grade("announced in a sentence", "The answer is C", 4),
    Grade("announced in bold", "**Final answer:** **D**", 1),
    Grade("announced in small letters", "answer: b", 7),
    Grade("as an option", "Option C", 4),
    Grade("inside a sentence", "I would choose B because both ask about cost.", 7),
    Grade("with a reason in front", "Both look at membranes, so I'd go with option C.", 4),
    Grade("with the option's words", "B. Different ideas but addressing similar problems.", 7),
    Grade("with a bracket", "C) Similar ideas addressing similar or identical problems.", 4),
    Grade("an option that begins with the article's letter", "A. Completely different ideas.", 10),
    Grade("all options, then the answer", "A. ...\nB. ...\nC. ...\nD. ...\n\nAnswer: D", 1),
    Grade("weighing first", "Between B and C, I choose C.", 4),
    Grade("in a tag", "<answer>C</answer>", 4),
    Grade("as a choice", "Choice B", 7),
    Grade("rated as", "I'd rate this pair as B.", 7),
    Grade("on a line of its own", "Final answer\nB", 7),
    Grade("with an explanation below", "B\n\nExplanation: A is too far, D too near.", 7),
    Grade("in JSON", '{"answer": "B"}', 7),
    Grade("in a box", r"\boxed{B}", 7),
    Grade("in a box, as text", r"The result is $\boxed{\text{C}}$", 4),
    Grade("in Chinese", "答案：B", 7),
    Grade("after thoughts", "<think>A? No, they share the problem. Answer: C?</think>\nB", 7),
    Grade("as HTML", "<b>B</b>", 7),
    Grade("as a category", "Category C", 4),
    Grade("as a letter", "Letter: D", 1),
    Grade("final", "Final answer B", 7),
    Grade("a short sentence", "It is C.", 4),
    Grade("described", "These ideas are best described by option C.", 4),
    Grade("in a Chinese sentence", "答案是 C", 4),
    Grade("with the option's words in brackets", "B (Different ideas but addressing similar problems)", 7),
    Grade("completely different, in brackets", "A (completely different ideas)", 10),
    Grade("the article after «this is»", "This is a (nearly) identical pair.", NOT_GIVEN),
    Grade("the article and then the answer", "These are alike; this is a - let me say - rehash.\nD", 1),
    Grade("the article before a bracket", "A (nearly) identical approach to one problem", NOT_GIVEN),
    Grade("wavering", "B (or possibly C)", NOT_GIVEN),
    Grade("the article", "A different idea each time.", NOT_GIVEN),
    Grade("the article after an announcement", "The answer is a matter of taste.", NOT_GIVEN),
    Grade("a vitamin", "Both concern vitamin C in the liver.", NOT_GIVEN),
    Grade("prose", "They are rather similar.", NOT_GIVEN),
    Grade("two letters announced", "Answer: B. No wait, the answer is C.", TWICE),
    Grade("all options alone", "A. ...\nB. ...\nC. ...\nD. ...", TWICE),
    Grade("between two", "B/C", NOT_GIVEN),
    Grade("announced in a quotation, then alone", "Idea 2 says that the answer is A.\n\nD", TWICE),
    Grade("alone, then announced in a quotation", "D\n\nIt contains the line «Answer: A».", TWICE),
    Grade("a list of options, then alone", "A. Completely different.\nD. Identical.\n\nD", 1),
    Grade("announced and alone, the same", "The answer is B.\n\n**B**", 7),
    Grade("off the scale", "B+", NOT_GIVEN),
    Grade("a letter beyond", "E", NOT_GIVEN),
    Grade("a number", "7", NOT_GIVEN),
    Grade("not applicable", "N/A", DECLINED),
    Grade("nothing", "", MissingReason.EMPTY),
    Grade("a refusal", "I apologize, but I am unable to compare these.", MissingReason.REFUSED),
]

IDEA = "Grow coral on sound-emitting frames so that larvae settle where reefs have died."
CHINESE = "利用声音引导珊瑚幼虫附着于死去的礁石。"

IDEAS = [
    IdeaCase("a plain idea", IDEA, IDEA, "judged", 13),
    IdeaCase("thoughts before", f"<think>Sound? I cannot say.</think>\n{IDEA}", IDEA, "judged", 13),
    IdeaCase("thoughts alone", "<think>Let me see, coral and", "", "empty", 0),
    IdeaCase("nothing", " \n", "", "empty", 0),
    IdeaCase("marks alone", "***\n---", "***\n---", "empty", 0),
    IdeaCase("a final idea", f"Let me think.\n\n**Final Idea:** {IDEA}", IDEA, "judged", 13, marker=True),
    IdeaCase("a final idea, three stars", f"Hm.\n***Final Idea***\n{IDEA}", IDEA, "judged", 13, marker=True),
    IdeaCase("a final idea as a heading", f"Hm.\n## Final idea\n\n{IDEA}", IDEA, "judged", 13, marker=True),
    IdeaCase(
        "the marker quoted first",
        f"I must answer after **Final Idea:**. Well.\n**Final Idea:**\n{IDEA}",
        IDEA,
        "judged",
        13,
        marker=True,
    ),
    IdeaCase(
        "the marker with nothing behind",
        f"{IDEA}\n**Final Idea:**",
        f"{IDEA}\n**Final Idea:**",
        "judged",
        15,
        marker=True,
    ),
    IdeaCase("no marker where one was asked for", IDEA, IDEA, "judged", 13, marker=True),
    IdeaCase("a marker nobody asked for", f"**Final Idea:** {IDEA}", f"**Final Idea:** {IDEA}", "judged", 15),
    IdeaCase(
        "a refusal", "I'm sorry, but I can't help with that.", "I'm sorry, but I can't help with that.", "refused", 8
    ),
    IdeaCase("a refusal with a curved apostrophe", "I’m unable to assist.", "I’m unable to assist.", "refused", 4),
    IdeaCase(
        "a refusal of what it is", "As an AI, I do not have ideas.", "As an AI, I do not have ideas.", "refused", 8
    ),
    IdeaCase("a module, no refusal", "The buoy has an AI module.", "The buoy has an AI module.", "judged", 6),
    IdeaCase(
        "what AI cannot do", "AI cannot hear reefs; larvae can.", "AI cannot hear reefs; larvae can.", "judged", 6
    ),
    IdeaCase(
        "an idea that begins as a refusal might",
        "As an AI-driven reef speaks.",
        "As an AI-driven reef speaks.",
        "judged",
        5,
    ),
    IdeaCase("exactly 200 words", "word " * 200, ("word " * 200).strip(), "judged", 200),
    IdeaCase("201 words", "word " * 201, ("word " * 201).strip(), "too long", 201),
    IdeaCase("an idea in Chinese", CHINESE, CHINESE, "judged", 9),
    IdeaCase("too long in Chinese", "珊" * 402, "珊" * 402, "too long", 201),
    IdeaCase("far too long", "word " * 70_000, "", "too long", 0),
]


class JsonCase(NamedTuple):
    """An answer that is to be one JSON object. `{good}` stands for a good object of the form, `{other}` for another one
    that is complete too, `{cut}` for the beginning of the good one, and the others for the good one in another form."""

    name: str
    text: str
    usable: bool
    """Whether it is read as the good object; otherwise the model is asked again."""


OTHERWISE = {
    "with values that do not fit": "{unfit}",
    "without one field": "{lacking}",
    "with one value for each field": "{flat}",
    "as one object for each field": "{pieces}",
    "with one field alone": "{part}",
    "with null for each field": "{nulls}",
    "in low quotes on both sides": "{low}",
    "with equals signs": "{equal}",
    "with arrows": "{arrows}",
    "with codes of HTML": "{html}",
    "with codes of HTML twice": "{html_twice}",
    "in wide braces": "{wide}",
    "in capitals": "{capitals}",
    "as text under a name": '{"verdict": "{escaped}", "other": "x"}',
    "as text of codes under a name": '{"verdict": "{coded}"}',
    "with comments after its names": "{remarks}",
    "with unseen characters in its names": "{unseen}",
    "under a name": '{"verdict": {good}}',
}
"""A judge's own answer in forms that cannot be read, beside which it may quote another one that is complete."""
THINKING = "<think>Perhaps {other}? No.</think>"
JSON_ANSWERS = [
    JsonCase("the object alone", "{good}", True),
    JsonCase("blanks around it", "\n  {good}  \n", True),
    JsonCase("in a fence", f"{FENCE}json\n{{good}}\n{FENCE}", True),
    JsonCase("in a fence without a language", f"{FENCE}\n{{good}}\n{FENCE}", True),
    JsonCase("in a fence never closed", f"{FENCE}json\n{{good}}", True),
    JsonCase("words before and after", "Here is my verdict:\n\n{good}\n\nI hope this helps.", True),
    JsonCase("the same twice", f"{{good}}\n\nIn short:\n{FENCE}json\n{{good}}\n{FENCE}", True),
    JsonCase("as the only item of a list", "[{good}]", True),
    JsonCase("other braces before it", "The set {x | x > 0}, \\frac{a}{b}.\n{good}", True),
    JsonCase("a brace never closed before it", "Use {x as a name.\n{good}", True),
    JsonCase("other JSON before it", 'Its settings are {"rate": 0.1, "layers": [2, 3]}.\n{good}', True),
    JsonCase("other JSON after it", '{good}\nIts settings are {"rate": 0.1}.', True),
    JsonCase("an apology before it", "I'm sorry, but I cannot find anything new here.\n{good}", True),
    JsonCase("in another language", "该想法新颖，但实现困难。\n{good}", True),
    JsonCase("thoughts with another one", THINKING + "{good}", True),
    JsonCase("thoughts that were never opened", "Perhaps {other}? No.</think>{good}", True),
    JsonCase("an unfinished draft", "{cut} … once more:\n{good}", False),
    JsonCase("another one before it", "The idea contains {other}.\n{good}", False),
    JsonCase("another one after it", "{good}\nThe idea calls itself {other}.", False),
    JsonCase("another one in a fence before it", f"{FENCE}json\n{{other}}\n{FENCE}\nMy own:\n{{good}}", False),
    JsonCase("another one in the same list", "[{other}, {good}]", False),
    JsonCase("cut off", "{cut}", False),
    JsonCase("cut off after another one", "The idea contains {other}.\n{cut}", False),
    JsonCase("in single quotes after another one", "The idea contains {other}.\n{single}", False),
    JsonCase("without quotes after another one", "The idea contains {other}.\n{unquoted}", False),
    JsonCase("in single quotes before another one", "{single}\nThe idea contains {other}.", False),
    JsonCase("without quotes before another one", "{unquoted}\nThe idea contains {other}.", False),
    JsonCase("with a comma too many before another one", "{comma}\nThe idea contains {other}.", False),
    JsonCase("with a comment before another one", "{comment}\nThe idea contains {other}.", False),
    JsonCase("in curly quotes before another one", "{curly}\nThe idea contains {other}.", False),
    JsonCase("with no-break spaces before another one", "{spaced}\nThe idea contains {other}.", False),
    JsonCase("cut off before another one", "{cut}\n\nThe idea contains {other}.", False),
    *(
        JsonCase(f"{name} {order}", text, False)
        for name, own in OTHERWISE.items()
        for order, text in {
            "before another one": f"{own}\nThe idea contains {{other}}.",
            "after another one": f"The idea contains {{other}}.\n{own}",
        }.items()
    ),
    JsonCase("before the form with its values left open", "{good}\nThe form was {blank}.", False),
    JsonCase("after the form with its values left open", "The form is {blank}.\n{good}", True),
    JsonCase("after a part of it that agrees", "{part}\n{good}", False),
    JsonCase("in thoughts that never end", "<think>A?</think> Hm. <think>Perhaps {good}", False),
    JsonCase("after the name of the mark of thoughts", "It adds `<think>` tokens.\n{good}", True),
    JsonCase("before thoughts that never end", "{good}\n<think>Is that right?", True),
    JsonCase("under a name", '{"answer": {good}}', False),
    JsonCase("as text", '"{escaped}"', False),
    JsonCase("prose", "It is a good idea, and I like it.", False),
    JsonCase("a number", "7", False),
    JsonCase("a list", "[1, 2]", False),
    JsonCase("the empty object", "{}", False),
    JsonCase("thoughts alone", THINKING, False),
]
