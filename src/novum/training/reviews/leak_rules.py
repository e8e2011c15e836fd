"""The words that tell results, figures of performance and implementation details: one rule a row.

Rules read text in lower case. `hints` are there for speed alone: a rule is tried where one of them stands, and `0`
stands for any digit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

LeakKind = Literal["percentage", "metric", "comparison", "finding", "statistics", "exhibit", "score", "implementation"]
DIGIT = "0"


@dataclass(frozen=True)
class Rule:
    """One way in which a text leaks."""

    kind: LeakKind
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


_METRICS = (
    r"(?:accurac(?:y|ies)|f1(?:[- ]scores?)?|bleu(?:-\d)?|rouge(?:-[l\d])?|meteor|auc|auroc|auprc|m?ap(?:@\d+)?|"
    r"m?iou|fid|psnr|ssim|lpips|perplexit(?:y|ies)|rmse|mae|mse|wer|cer|elo|pass@\d+|top-\d(?: accuracy| error)?|"
    r"exact match|dice|recall(?:@\d+)?|precision|ndcg(?:@\d+)?|mrr|hits@\d+|success rates?|win rates?|"
    r"error rates?|spearman|pearson|bertscore|comet|bpd|fps|mpjpe|eer|r2)"
)
_BETTER = (
    r"(?:better|best|superior|higher|highest|lower|lowest|faster|fewer|stronger|strong|improved|competitive|comparable|"
    r"favou?rable|excellent|impressive|remarkable|significant|substantial|promising|state[- ]of[- ]the[- ]art|sota|"
    r"(?:near[- ])?perfect|outstanding|exceptional|unprecedented|leading|top|consistent|robust|near[- ]optimal|"
    r"on[- ]par)"
)
_OUTCOME = (
    r"(?:performances?|results?|accurac(?:y|ies)|gains?|improvements?|speed-?ups?|scores?|generali[sz]ation|robustness|"
    r"reductions?|success rates?|efficiency|quality|recall|precision)\b"
    r"(?! (?:degradation|drop|loss|losse|gap|decline|decay|bottleneck|penalt)\w*)"
)
_SHOWN = (
    r"(?:show(?:s|n|ed|ing|cas\w+)?|demonstrat(?:es?|ed|ing)|indicat\w+|suggest\w*|reveal\w*|confirm\w*|validat\w+|verif\w+|"
    r"highlight\w*|illustrat\w+|corroborat\w+|evidenc(?:es|ed|ing)|underscor\w+|"
    r"unveil\w*)"
)
_TRIALS = (
    r"(?:experiments?|results?|evaluations?|simulations?|studies|study|ablations?|findings?|analys[ei]s|benchmarks?|"
    r"validations?|comparisons?|tests?|experimentation|evidence(?! that))"
)
_TRIAL_HINTS = (
    "experiment", "result", "evaluation", "simulation", "stud", "ablation", "finding", "analys", "benchmark",
    "validation", "comparison", "test", "evidence",
)  # fmt: skip
_GAIN_VERB = (
    r"(?:achiev|attain|obtain|reach|yield|deliver|provid|produc|exhibit|enjoy|offer|gain|set|establish|report|maintain|"
    r"lead|result)\w*"
)
_GAIN_HINTS = (
    "achiev", "attain", "obtain", "reach", "yield", "deliver", "provid", "produc", "exhibit", "enjoy", "offer", "gain",
    "set", "establish", "report", "maintain", "lead", "result",
)  # fmt: skip
_SOTA = r"(?:state[- ]of[- ]the[- ]art|sota)"
_SOTA_HINTS = ("state-of-the", "state of the", "sota")
_ABOUT = r"(?:up to |over |about |around |more than |nearly |at least |approximately |a factor of )?"
_COUNT = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|sixteen|twenty|thirty|forty|fifty|sixty|seventy|"
    r"eighty|ninety|hundred)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
)
_FIGURE = rf"(?:~?\d|{_COUNT}\b)"
_STRONGLY = r"(?:substantial|significant|dramatical|considerab|marked|notab|remarkab|drastical|great|consistent)ly"
_CHANGES = r"(?:cuts|shrinks|(?:reduce|improve|increase|enhance|raise)[sd]|(?:boost|lower|lift)(?:s|ed))"
_WITHIN = r"(?:(?!\.\s)[^;:])"
"""A character that does not leave the clause."""

_ROWS: tuple[tuple[LeakKind, tuple[str, ...], str], ...] = (
    ("percentage", ("%", "percent", "per cent", "pp", "٪", "％"),
     rf"(?<![\w.])[~≈<>+−-]?(?:\d+(?:[.,]\d+)?|{_COUNT})\s?\$?(?:\\?[%٪％]|percent\b|per cent\b|"
     r"percentage points?\b|pp\b)"),
    ("metric", (DIGIT,),
     rf"\b{_METRICS}\b(?:\s+(?:scores?|of|is|was|to|from|by|at|as|values?|around|about|over|above|below|high|low|points?|"
     r"reach\w*|exceed\w*)|\s*[=:(≈~<>])+\s*[~≈<>]?\d*\.?\d+(?![\w-])"),
    ("metric", (DIGIT,),
     rf"(?<![\w.@-])\d+(?:\.\d+)?\s+(?:points?\s+)?(?:in |of |on |average |mean |top-1 )?{_METRICS}\b"),
    ("metric", (),
     rf"\b{_METRICS}\s+(?:of|is|was|to|at|reach\w*|exceed\w*|above|over)\s+{_ABOUT}{_COUNT}\b"),
    ("metric", ("from",),
     rf"\b(?:{_METRICS}|errors?|loss|latency|memory|costs?|throughput|runtime|performance|scores?|rates?)\b[^.;]{{0,30}}?"
     rf"\bfrom\s+{_FIGURE}(?:[^.;]|\.\d){{0,20}}\bto\s+{_FIGURE}"),
    ("metric", ("point",),
     rf"\b(?:\d+(?:\.\d+)?|{_COUNT})[- ](?:percentage )?points?\s+(?:gains?|improvements?|increase|drop|lead|boost)\b|"
     rf"\bby\s+{_COUNT}\s+(?:percentage )?points\b"),
    ("metric", (DIGIT,),
     r"\b(?:by|of|to|than|from|over|with|only|just|least|most|about|around)\s+~?\d+(?:\.\d+)?\s*(?:points?|db|ms|fps|"
     r"seconds|minutes|hours|gpu[- ]hours|tokens?/s)\b"),
    ("comparison", ("perform", "outclass", "surpass", "outscor"),
     r"\b(?:out-?perform|outclass|surpass|outscor)\w*|\bperforms? (?:\w+ )?(?:better|best|well|as well|on par|"
     r"favou?rably|comparabl\w+|competitively|similarly)\b"),
    ("comparison", ("beat", "exceed", "matches"),
     r"\b(?:beats?|beating|exceeds|exceeding|matches)\b[^.;]{0,60}\b(?:baselines?|state[- ]of[- ]the[- ]art|sota|"
     r"performance|existing methods|human|quality)\b"),
    ("comparison", _GAIN_HINTS,
     rf"\b{_GAIN_VERB}\s+{_WITHIN}{{0,50}}?\b{_BETTER}\b{_WITHIN}{{0,30}}?\b{_OUTCOME}\b"),
    ("comparison", _SOTA_HINTS,
     rf"\b(?:achiev|attain|obtain|reach|set|establish|defin|yield|deliver)\w*\s+(?:[\w-]+\s+){{0,3}}{_SOTA}\b"),
    ("comparison", _SOTA_HINTS,
     rf"\b(?:new|sets? (?:a|the)) {_SOTA}\b(?! (?:method|model|approach|algorithm|technique|framework)s?)"),
    ("comparison", ("ly ",),
     r"\b(?:significant|substantial|consistent|considerab|dramatical|marked|notab|remarkab|drastical|empirical|great|"
     r"clear|vast|effective)ly\s+(?:improv(?:es|ed)|boosts?|enhances|reduces|reduced|increases|increased|decreases|"
     r"better|faster|higher|lower|superior|more (?:accurate|efficient|robust)|exceeds?|accelerates|mitigates)\b"),
    ("comparison", ("superior", "competitive", "comparable", "favo"),
     rf"\b(?:superior|superiority|competitive|comparable|favou?rable)\s+(?:[\w-]+\s+){{0,2}}{_OUTCOME}\b"),
    ("comparison", ("par with", "comparabl", "competitive with", "favo", "superiority"),
     r"\b(?:on par with|on-par with|comparably to|competitive with|compares? favou?rably|superiority of|"
     r"comparable to)\b"),
    ("comparison", (DIGIT,),
     r"(?<![\w.-])\d+(?:\.\d+)?\s?(?:[x×]|\\times|\$\\times\$|-fold|times)\s?(?:\$\s?)?(?:faster|slower|fewer|more|less|"
     r"smaller|larger|higher|lower|better|speed-?ups?|reductions?|improvements?|increase|acceleration|compression|"
     r"cheaper|longer)\b"),
    ("comparison", (DIGIT,),
     rf"\b(?:speed-?ups?|reductions?|improvements?|acceleration|gains?|increase|decrease)\s+of\s+{_ABOUT}[~$]?\d"),
    ("comparison", ("of magnitude",),
     r"\borders? of magnitude\s+(?:faster|slower|fewer|more|less|smaller|larger|higher|lower|better|speed|improvement|"
     r"reduction|cheaper)"),
    ("comparison", ("better", "higher", "lower", "faster", "stronger", "improved"),
     rf"\b(?:better|higher|lower|faster|stronger|improved)\s+(?:[\w-]+\s+){{0,3}}{_OUTCOME}\s+(?:than|compared|over|on|"
     r"across|in|against)\b"),
    ("comparison", ("improv",),
     r"\b(?:our|the proposed|this) (?:\w+ )?(?:method|approach|model|framework|algorithm)s?\b[^.;]{0,30}\bimproves?\b|"
     r"\bimproving (?:the )?(?:performance|accuracy|results)\b"),
    ("comparison", ("improv",),
     r"\bimprov(?:es?|ed|ing|ements?)\s+(?:\w+\s+){0,4}?(?:over|upon|by|from)\s+(?:(?:the|a|an|all|top|strong|prior|previous|"
     r"existing|baselines?|up to|state[- ]of[- ]the[- ]art)\b|~?\d)"),
    ("comparison", (DIGIT,),
     rf"\b(?:reduc|increas|decreas|lower|boost|rais|cut|accelerat|enhanc)\w*\s+[^.;:]{{0,50}}?\bby\s+{_ABOUT}[~$]?\d"),
    ("comparison", ("twice", "thrice", "fold", "times"),
     rf"\b(?:twice|thrice|{_COUNT}[- ]?(?:times|fold))\s+(?:as\s+\w+|faster|fewer|less|smaller|larger|higher|lower|"
     r"better|cheaper|speed)\b"),
    ("comparison", ("half", "tenth", "fifth", "quarter", "third", "fraction"),
     r"\b(?:cut|reduc|shr[aiu]nk|lower)\w*\s[^.;]{0,40}\b(?:in|by) half\b|"
     r"\b(?:only|just|merely) (?:a|one|two|half) (?:tenth|fifth|quarter|third|fraction|of)s?\b"),
    ("comparison", ("doubl", "halv", "tripl"), r"\b(?:doubl|tripl)(?:es|ed) (?:the|its|our)\b|\bhalv(?:es|ed) \w"),
    ("comparison", _SOTA_HINTS,
     rf"\b(?:is|are|remains?|becomes?) (?:the |a )?(?:new )?{_SOTA}(?=\s*(?:[.,;)]|$|in\b|for\b|among\b))|"
     rf"\b{_SOTA}\s+(?:on|across)\b|\bshows? (?:new )?{_SOTA} (?:results|performance)\b"),
    ("comparison", ("best",), r"\b(?:is|are|becomes?|remains?) (?:\w+ )?(?:the )?best[- ]performing\b"),
    ("comparison", ("close", "lag", "short", "behind", "trail", "worse"),
     r"\b(?:baselines?|competitors?|competing (?:methods|models|approaches)|rivals?|all others)\b[^.;]{0,20}?\b"
     r"(?:lags?|falls? short|falls? behind|trails?|comes? close|fares? worse|fared worse)\b"),
    ("comparison", ("wins", "won", "beats", "beating"),
     r"\b(?:it|method|model|approach|framework|system|algorithm|we)\s+(?:\w+ )?(?:wins|won)\b|"
     r"\bbeat(?:s|ing)\s+(?:an?|the|all|every|both|its|other|gpt\S*)\b"),
    ("comparison", ("ly",),
     rf"\b{_STRONGLY}\s+{_CHANGES}\b|\b(?:cuts|reduces|improves|increases|boosts|enhances|lowers)\b[^.;]{{0,40}}?"
     rf"\b{_STRONGLY}\b|\b(?:performance|accuracy|quality|results?|scores?)\s+(?:improves?|increases?|rises?)\s+\w+ly\b"),
    ("comparison", ("leaderboard",), r"\b(?:tops?|topped|leads?|led|first)\b[^.;]{0,25}\bleaderboards?\b"),
    ("comparison", ("gap",), r"\b(?:closes|closed|narrows|narrowed)\s+the\s+(?:\w+ ){0,2}gap\b"),
    ("comparison", ("generali", "works"),
     r"\bgenerali[sz]es\s+(?:\w+ly )?(?:well|better)\b|\bworks\s+(?:remarkably|surprisingly|very|extremely|"
     r"consistently|really)\s+well\b"),
    ("finding", ("turn", "prove"),
     r"\b(?:turn(?:s|ed) out|prove[sd]) (?:to be )?(?:\w+ )?(?:successful|effective|superior|beneficial|robust|"
     r"reliable|accurate|competitive)\b"),
    ("finding", ("confirmed", "validated", "verified", "supported", "borne out"),
     r"\b(?:hypothes[ei]s|claims?|conjectures?|intuitions?|predictions?) (?:was|were|is|are) (?:\w+ )?(?:confirmed|"
     r"validated|verified|supported|borne out)\b"),
    ("finding", ("preferred", "favored", "favoured", "rated", "ranked"),
     r"\b(?:reviewers?|raters?|users?|annotators?|judges?|participants?|experts?|evaluators?)\s+(?:\w+ )?(?:preferred|"
     r"favou?red|rated|ranked)\b"),
    ("finding", ("gain", "improvement", "advantage", "effect"),
     r"\b(?:improvements?|gains?|advantages?|effects?)\s+(?:(?:is|are|was|were)\s+(?:\w+ly )?(?:consistent|significant|"
     r"substantial|largest|robust)|holds?|persists?)\b"),
    ("finding", ("observed",),
     r"\bwe observed (?:an? )?(?:\w+ ){0,2}(?:drop|gain|improvement|increase|decrease|reduction|boost|trend)s?\b"),
    ("finding", ("experiments,", "tests,", "helps"),
     r"\bin (?:our |all |these |extensive |initial )?(?:experiments|tests),\s|\bconsistently (?:helps|wins|leads)\b"),
    ("finding", _TRIAL_HINTS, rf"\b{_TRIALS}\b{_WITHIN}{{0,120}}?\b{_SHOWN}\b"),
    ("finding", ("empirically", "experimentally", "numerically"),
     r"\b(?:we|our|the|to|is|are|been|and)\s+(?:then |also |further |thoroughly |rigorously |extensively )?"
     rf"(?:empirical|experimental|numerical)ly\s+(?:{_SHOWN}|find|found|observe|outperform\w*)"),
    ("finding", ("find", "found", "observe", "discover", "uncover"),
     r"\bwe (?:also |further |then |surprisingly |consistently |empirically |interestingly )?(?:find|found|observed?|"
     r"discover|discovered|uncover)\b(?! (?:a|an|the|such|concrete|tight) )|"
     r"\band find that\b|\bit is (?:found|observed) that\b"),
    ("finding", ("effectiv", "superior", "efficac", "efficien", "advantage", "benefit", "utility", "usefulness",
                 "performance", "robustness", "strength", "scalab", "versatil", "practical"),
     rf"\b{_SHOWN}\s+(?:[\w'-]+\s+){{0,4}}(?:effectiveness|superiority|efficacy|efficiency|advantages?|benefits|utility|"
     r"usefulness|performance|robustness|strengths?|scalability|versatility|practicality)\b|"
     r"\b(?:effectiveness|superiority|efficacy|advantages?|performance|robustness) of\b[^.;]{1,80}?\b(?:is|are|was|"
     r"were|has been)\s+(?:\w+\s+)?(?:shown|demonstrated|validated|verified|confirmed|illustrated)\b"),
    ("finding", ("experiment", "ablation", "evaluation", "demonstrat"),
     r"\b(?:experiments?|ablations?|ablation study|evaluations?)\b[^.;]{0,60}\bprove[snd]?\b|"
     r"\bdemonstrat\w+ that (?:our|the proposed|it)\b"),
    ("finding", ("empirically", "experimentally", "in practice"),
     rf"\b(?:empirically|experimentally|in practice),?\s+(?:our|this|it|we)\b|"
     rf"^(?:empirical|experimental)ly,[^.;]{{0,80}}\bwe {_SHOWN}"),
    ("statistics", ("p-", "p ", "p<", "p=", "confidence", "cohen", "statistical", "=", "ci"),
     r"\bp\s?-?\s?(?:values?\s?)?[<>=≤≥]\s?0?\.\d+|\bp-values?\b|\bconfidence intervals?\s+(?:of|\[|\()|\b\d+% ci\b|"
     r"\bcohen'?s d\b|\bstatistically significant\b|\b(?:r|ρ|rho|r\^?2|r²|τ|κ)\s?=\s?-?0?\.\d+"),
    ("exhibit", ("|", "&"),
     r"\|[^|\n]{1,60}\|[^|\n]{0,40}\d+\.\d+[^|\n]{0,20}\||\|[^|\n]{1,60}\|\s*\d+(?:\.\d+)?\s*\||"
     r"&\s*\$?\d+(?:\.\d+)?\$?\s*(?:&|\\\\)"),
    ("exhibit", ("table", "fig"), r"\b(?:tables?|tab\.|figures?|figs?\.?)\s?~?\d+[a-z]?\b"),
    ("score", (DIGIT,),
     rf"\b(?:achiev|attain|obtain|reach|scor|yield|record|report|rank)\w*\s+{_WITHIN}{{0,60}}?(?<![\w.@-])\d{{1,3}}\.\d{{1,3}}"
     r"(?![\w-])"),
    ("score", (DIGIT,),
     r"\b(?:imagenet|cifar-?\d+|mnist|glue|superglue|mmlu|gsm8k|humaneval|mbpp|squad|coco|librispeech|wikitext\S*|ade20k|"
     r"cityscapes|kitti|atari|d4rl|hotpotqa|swe-bench\S*)\b\D{0,40}?(?<![\w.-])\d{1,3}\.\d{1,2}(?![\w-])"),
    ("score", ("rank", "place", "won the"),
     r"\b(?:ranks?|ranked|ranking|placed?)\s+(?:first|second|third|1st|2nd|3rd)\b|\b(?:first|1st|second|2nd|third|3rd) "
     r"place\b|\bwon the\b"),
    ("implementation", ("gpu", "tpu", "cpu", "rtx", "100", "200", "v100", "desktop"),
     r"\b\d+\s?(?:x|×)?\s?(?:nvidia\s)?(?:[avh]\d{2,3}s?|rtx\s?\d+|tpus?|gpus?|cpus?|gpu[- ](?:hours|days))\b|"
     r"\b(?:single|one|consumer)(?:[- ]grade)? (?:nvidia )?(?:[avh]100|rtx|gpu|desktop)\b"),
    ("implementation", (DIGIT,),
     r"\b(?:learning rate|batch size|weight decay|dropout rate|temperature|epochs?|hidden size|embedding dimension|"
     r"random seeds?)\s?(?:of|=|:|is|was|to)\s?\$?\d"),
    ("implementation", (DIGIT,),
     r"\bfor \d+k? (?:epochs|steps|iterations)\b|\bwith \d+ (?:layers|heads|hidden units|attention heads|seeds)\b"),
    ("implementation", ("gpu", "tpu", "100s", "train", "took"),
     rf"\b{_COUNT}\s+(?:nvidia )?(?:[avh]\d{{2,3}}s?|gpus?|tpus?)\b|"
     rf"\b(?:training|inference)\s+(?:takes|took|runs in)\s+{_ABOUT}{_FIGURE}|"
     r"\btrain\w*\s+(?:\w+ ){0,3}(?:with|by|using) (?:adamw?|sgd|rmsprop|lion)\b|"
     r"\btrained on (?:\w+ )?\d+(?:\.\d+)?\s?[kmbt]?\s?(?:million |billion |trillion )?tokens\b"),
    ("implementation", ("implement", "adam"),
     r"\bimplement(?:ed|ation) (?:in|with|using|on top of) (?:pytorch|tensorflow|jax|keras|python|c\+\+|cuda)\b|"
     r"\badamw? optimi[sz]er\b"),
    ("implementation", ("http", "www.", "github"), r"https?\s?:\s?//\s?\S+|\bwww\.\S+|\bgithub\.com\S*"),
    ("implementation", ("availab", "releas", "open-sourc", "opensourc", "found", "accessible", "public",
                        "provided at"),
     r"\b(?:code|source code|implementation|model|checkpoint|weight|data ?set|data|benchmark|project page|demo)s?\b"
     r"[^.;:]{0,60}\b(?:is|are|will be|can be|being|made)\s+"
     r"(?:all |both |also |publicly |freely |openly |fully |made )*(?:available|released|open-?sourced|"
     r"found (?:at|in|on|here)|accessible|public|provided at)\b|"
     r"\bcodes?(?: is| are)? available\b"),
)  # fmt: skip

RULES = tuple(Rule(kind, hints, re.compile(pattern)) for kind, hints, pattern in _ROWS)
_NOT_OURS = (
    r"(?:existing|current|previous|prior|recent|other|traditional|conventional|popular|today's|"
    r"modern|available)\s+(?:[\w-]+\s+){0,4}"
)
EXCUSED = re.compile(
    r"\b(?:(?:not|no|cannot|can't|never|fails? to|failed to|unable to|hardly|rather than|struggl\w+ to|without|whether|"
    r"how to|aims? to|aiming to|designed to|goal of|in order to|would|could|should|may|might|need to|difficult to|"
    r"hard to|challenging to|remains?|if|hope to|intended to|seeks? to|expected to|will)\s+(?:(?!and\b)[\w-]+\s+){0,4}"
    r"|goals?\b[^.;]{0,60}|(?<!we )(?:have|has)\s+(?:\w+ly\s+)?"
    r"|(?<!shown )(?<!found )(?<!able )(?<!demonstrated )(?<!proven )(?<!us )to\s+"
    rf"|{_NOT_OURS})$"
)
"""What stands before words that would tell a result, where they tell of a wish, a plan, its failure, or of others."""
OF_OTHERS = re.compile(r"\W*(?:recently|previous(?:ly)?|prior|existing|current|traditional|conventional|modern)\b")
OURS = re.compile(r"\b(?:we|us|ours?|it|its|this|these|proposed)\b")
"""A sentence that begins with the work of others, and never comes to one's own."""
PROOFS = re.compile(
    r"\btheor|\bregret\b|\b(?:lower|upper|error|mistake) bounds?\b|\bconvergence\b|\bminimax\b|\bcomplexit|\bguarantee|"
    r"\bproof|\bprove"
)
TRIALS = re.compile(r"experiment|empiric|simulat|numerical|data ?set|benchmark|\btasks\b|in practice|baseline|%")
"""A sentence of proofs that speaks of no trial claims something of the idea; it tells no result of trying it."""
MAY_BE_EXCUSED: frozenset[LeakKind] = frozenset({"comparison", "finding"})
