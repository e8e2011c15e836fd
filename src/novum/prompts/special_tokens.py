"""Special tokens of chat formats, made harmless in foreign text.

A server may read a text such as `<|im_end|>` as the end of a turn, wherever it stands, and a model may take `</think>`
for the end of its reasoning. The tokens of present open models (ChatML and Qwen, Llama, Gemma, Mistral and Magistral,
DeepSeek, GLM, Phi, Command, Kimi, gpt-oss, MiniMax, Granite, OLMo, Seed, EXAONE, InternLM, Ling, TeleChat) follow a few
patterns. These are recognised here rather than each token by itself. The brackets become round ones: nothing is lost,
and `(think)` is no token.

Markup that papers use, such as `<p>` or `<jats:title>`, comparisons and references such as `[12]` stay as they are.
"""

from __future__ import annotations

import re
import unicodedata

_ANGLE = re.compile(r"[<＜﹤]{1,2}(?!\s*[\d.]+[\s,;)%])([^<>＜＞﹤﹥]{1,200}+)[>＞﹥]{1,2}")
_SQUARE = re.compile(r"[\[［](?!\d)([^\[\]［］\n]{1,40}+)[\]］]")

_WORDS = (
    "s|bos|eos|unk|pad|mask|cls|sep|sop|eop|sos|sys|think|thinking|thought|thoughts|reasoning|scratchpad|reflection|"
    "answer|observation|tool|tools|toolcall|function|functions|invoke|parameter|system|user|assistant|human|developer|"
    "img|image|video|audio|document|documents|instruction|instructions|search|information|result|results|escape|2mass|"
    r"material|minimax|ai|endof\w+|startof\w+|role|eoh|eoa|eod|eot|bot|gmask|filename|pre|suf|mid"
)
_ANGLE_TOKEN = re.compile(
    r"""
    /?\s*\|[^|]*(?:\|\w*)? | [^|\s]*\|                     # <|im_start|>, also half of it; <|DSML|invoke>
    | \[[^\[\]]*\] | _\w+ | fim-\w+                         # <[end of sentence]>, <_user>, <fim-prefix>
    | /?(?:WORDS)/?                                         # <think>, </s>
    | /?(?:WORDS)\s+\w+\s*=.*                               # <invoke name="search">
    | /?(?:function|parameter|tool|invoke|material)\s*[\s=].*   # <function=search>
    | /?[a-z0-9]+(?:[_▁][a-z0-9]+)+/?(?:\s+\w+\s*=.*)?      # <start_of_turn>, <reserved_12>, <tool_call id=1>
    | /?(?:minimax|seed|antml|co)\s*:.*                     # <seed:think>, <co: 0>
    | /?(?:unused|special|reserved|control|ctrl|extra)\W?\d+     # <unused12>
    | 0x[0-9a-f]{2}                                         # a byte of a SentencePiece vocabulary
    """.replace("WORDS", _WORDS),
    re.VERBOSE | re.DOTALL,
)
_SPACED_TOKEN = re.compile(r"\s+/?\s*\S{1,4}\s+|\s+\S{1,4}|\S{1,4}\s+")
"""So short with spaces around it, it is a quantity in a comparison: `a < s > b`."""
_SQUARE_TOKEN = re.compile(
    r"/?\s*(?:inst|system_prompt|available_tools|tool_\w+|think|g?mask|smask|img(?:_\w+)?|audio|begin_audio|multimodal|"
    r"bos|eos|eot|pad|unk|cls|sep|args|call_id|prefix|middle|suffix|middle_pad|transcribe|model_settings|"
    r"(?:control|unused|unused_token|special|reserved)_?\d+|@\w+@|round\s\d+|\|\s*\w{2,40}\s*\|)\s*"
)
_MINIMAX = re.compile(r"\](~!?b)[\[\]]|\[(e~)\[|\](<\])(\w*)\[>\[")
_TRIANGLES = re.compile(r"[◁◀](\s*/?\s*\w{1,40}\s*)[▷▶]")
"""`◁think▷` of Kimi."""
_ARROWS = re.compile(r"[>＞]{2}(\w{1,40})[<＜]{2}")
"""`>>QUESTION<<` of Falcon."""
_PIPES = re.compile(r"\|{3}(\w{1,40})\|{3}")
_THINKING_SWITCH = re.compile(r"(?<![\w/.:(])/(no_?think|think)\b")
"""By which some models are told whether to reason, anywhere in a text."""


def without_special_tokens(text: str) -> str:
    """`text` with round brackets in place of those of special tokens."""
    if "<" in text or "＜" in text or "﹤" in text:
        text = _ANGLE.sub(_angle, text)
    if "[" in text or "［" in text:
        text = _SQUARE.sub(_square, text)
    if ("]" in text or "[" in text) and ("~" in text or "]<]" in text):
        text = _MINIMAX.sub(_minimax, text)
    if "◁" in text or "◀" in text:
        text = _TRIANGLES.sub(r"(\1)", text)
    if "<<" in text or "＜＜" in text:
        text = _ARROWS.sub(r"(\1)", text)
    if "|||" in text:
        text = _PIPES.sub(r"(\1)", text)
    return _THINKING_SWITCH.sub(r"(\1)", text) if "/" in text and "think" in text else text


def _angle(match: re.Match[str]) -> str:
    inside = _folded(match[1])
    bare = inside.strip()
    if _SPACED_TOKEN.fullmatch(inside) and not bare.startswith("/"):
        return match[0]
    name = re.sub(r"^/\s+", "/", bare)
    return f"({match[1].strip()})" if _ANGLE_TOKEN.fullmatch(name) else match[0]


def _square(match: re.Match[str]) -> str:
    return f"({match[1].strip()})" if _SQUARE_TOKEN.fullmatch(_folded(match[1]).strip()) else match[0]


def _minimax(match: re.Match[str]) -> str:
    return f"({match[1] or match[2] or match[4]})"


def _folded(text: str) -> str:
    """`text` as a tokenizer that normalises it sees it: full-width and mathematical letters as usual ones."""
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold()
