"""One spelling for what English writes in several ways: British and American words, hyphens, compounds, accents, Greek
letters.

Texts and queries are folded alike, so a word is found in whichever way either of them spells it. The forms chosen are
mostly American: most papers use them, and the vocabularies of embedders know them best. Folding looks at words, not at
meanings: "metre" becomes "meter", and "programme" becomes "program".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import reduce

_TOKENS_KEPT = 200_000
"""Tokens kept with their folded forms, about 25 MB."""
_SHORTEST_REST = 3
"""Letters that follow a prefix at least: "pre-AI" is not one word."""

# Words


def fold_word(word: str) -> str:
    """The form that stands for all spellings of `word`, which is in lower case and without accents."""
    if _TELLTALE.search(word):
        for pattern, folded in _RULES:
            word = pattern.sub(folded, word)
    word = _SINGLE.sub(lambda found: _SINGLE_WORDS[found[0]], word)
    if "is" not in word:
        return word
    return _ISE.sub(lambda found: found[0] if _NO_SUFFIX.search(found[1]) else f"{found[1]}iz", word)


_RULES: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(pattern), folded)
    for pattern, folded in (
        # behaviour, colour: not contour, four, hour, our, source
        (
            r"(behavio|cando|clamo|colo|demeano|endeavo|favo|fervo|flavo|harbo|hono|humo|labo|neighbo|odo|parlo|ranco|rigo|"
            r"rumo|savio|savo|splendo|tumo|valo|vapo|vigo|\b(?:armo|arbo|ardo))ur",
            r"\1r",
        ),
        # centre, centred, centring: not acre, genre, massacre, mediocre
        (
            r"(cent|met|lit|fib|theat|calib|\btit|spect|lust|somb|meag|goit|sab|scept)r(?:e(?=s?\b)|(?=ed\b|ing\b))",
            r"\1er",
        ),
        (r"man(?:oeuv|euv)r(?:e(?!d))?", "maneuver"),
        # haemoglobin, anaemia, oestrogen, diarrhoea: not aerial, algae, coefficient, does, poem
        (
            r"(?<=h)ae(?=m[aioe])|ae(?=mi[ac])|(?<=p)ae(?=d)|(?<=gyn)ae(?=c)|(?<=\bf)[ao]e(?=[tc])|(?<=\bc)ae(?=cum|cal|sium|sarean)|"
            r"\bae(?=tiolog)|(?<=pal)ae(?=o)|(?<=medi)ae(?=val)|(?<=[a-z]{2})ae(?=sth)|oe(?=strog|strad|strus|soph|dem)|"
            r"(?<=rrh)oe|(?<=pn)oe|(?<=hom)oe(?=o)|(?<=\bc)oe(?=liac)",
            "e",
        ),
        (r"\bes(?=thet)", "aes"),
        (r"\barche(?=olog)", "archae"),
        (r"sulph", "sulf"),
        (r"\bleuco", "leuko"),
        # analyse: not analyses, which is also the plural of analysis
        (r"(?<=[a-z]{2}l)ys(?=e\b|ed\b|ers?\b|ing\b|able\b)", "yz"),
        (r"\b(ana|homo|cata)log(?:ue(?=s?\b)|u(?=ed\b|ing\b|er))", r"\1log"),
        (r"\b(dia|mono|pro|epi)log(?=s?\b)", r"\1logue"),
        # modelling, labelled: not controlled, propelled
        (
            r"\b((?:re|un|mis|pre)?(?:bevel|cancel|channel|chisel|counsel|dial|duel|enamel|equal|fuel|funnel|gravel|grovel|"
            r"initial|label|level|libel|marvel|medal|model|panel|parcel|pedal|pencil|quarrel|ravel|revel|rival|shovel|signal|"
            r"spiral|swivel|total|towel|travel|tunnel))l(?=ed\b|ing|ers?\b|ors?\b|ous)",
            r"\1",
        ),
        (r"\b((?:un)?(?:enrol|fulfil|instal|distil|instil))(?=s?\b|ments?\b)", r"\1l"),
        (r"\b(skil|wil)ful", r"\1lful"),
        (r"\b((?:un|re)?(?:focus|bias))s(?=e[ds]\b|ing\b)", r"\1"),
        (r"\b(benefit|target)t(?=ed\b|ing\b)", r"\1"),
        (r"gramme(?=s?\b)", "gram"),
        (r"parametri(?=[sz])", "parameteri"),
    )
]

_TELLTALE = re.compile(
    r"our|[tbg]r(?:e|ing)|euv|ae|oe|esthet|archeol|sulph|leuco|lys|log|ll|rol|fil|stal|stil|lful|(?:ss|tt)[ei]|gramme|parametri"
)
"""What every word has that a rule changes: most words have none of it, and are not tried with each rule."""

_SINGLE_WORDS: Mapping[str, str] = {
    "acknowledgement": "acknowledgment",
    "ageing": "aging",
    "aluminium": "aluminum",
    "artefact": "artifact",
    "cypher": "cipher",
    "defence": "defense",
    "grey": "gray",
    "jewellery": "jewelry",
    "judgement": "judgment",
    "licence": "license",
    "mould": "mold",
    "offence": "offense",
    "plough": "plow",
    "practise": "practice",
    "practising": "practicing",
    "pretence": "pretense",
    "sceptic": "skeptic",
}
"""Words that stand for themselves and for what is formed with them, such as their plurals."""
_SINGLE = re.compile(rf"\b(?:{'|'.join(_SINGLE_WORDS)})")

_ISE = re.compile(r"\b([a-z]{3,}?)is(?=e[ds]?\b|ers?\b|ings?\b|ation|able\b|ability\b)")
"""-ise and what is formed with it. The shortest beginning of three letters that fits is taken."""
_NO_SUFFIX = re.compile(
    r"(?<!mem)[aeou]$|w$|pr$|(?<!ti)v$|"  # noise, raise; likewise; surprise; revise, but collectivise
    r"^(?:mis|re|un|en|dis|im)?(?:advert|chast|circumc|comprom|conc|dem|exc|exerc|expert|franch|inc|merchand|moonr|parad|prec|"
    r"prem|prom|sunr|surm|tenn|treat|upr|val)$"
)
"""Beginnings of words of which -ise is no suffix."""

# Compounds

_PREFIX_NAMES = """
anti bio co cyber electro geo hetero hydro immuno infra inter intra macro mono multi nano neuro non omni phospho photo
physio poly pre pseudo psycho quasi re semi socio spectro sub thermo tri ultra uni
"""
_FREE_PREFIX_NAMES = """
auto back counter cross down extra hyper mega meta micro mid off out over post radio retro super trans under up
"""
_PAIR_NAMES = """
back bone, back ground, band width, bench mark, bottle neck, broad band, chat bot, check point, code base, code book,
data base, data set, deep fake, drop out, feed back, feed forward, fine tun, flow chart, foot print, ground water,
hand writ, hand written, hard ware, hash tag, head line, health care, key frame, key phrase, key point, key word,
land mark, land scape, land slide, life cycl, life span, life style, life time, light weight, look ahead, look up,
name space, net work, news paper, off line, on line, path way, per cent, pipe line, rain fall, road map, roll out,
run time, sand box, sea floor, sea water, skip gram, smart phone, snap shot, soft ware, speed up, spread sheet,
stand alone, stop word, test bed, time line, time scal, time stamp, time step, tool box, tool kit, trade off,
turn over, warm up, water shed, wave form, wave guid, wave length, web page, web site, white space, wild fire,
wild life, word net, work flow, work load, work place
"""
"""Two words that many write as one; the second without its ending."""
_PREFIXES = frozenset(_PREFIX_NAMES.split())
"""What forms one word with the next: after a hyphen or a space, "pre-training" and "pre training" are "pretraining"."""
_FREE_PREFIXES = frozenset(_FREE_PREFIX_NAMES.split())
"""What may form one word with the next, but is also a word: then both and their compound are kept."""
_LONG_REST = 5
"""Letters of a word with which these form a compound: "over time" does not."""
_HYPHENATED_ONLY = frozenset(["de", "un", "bi", "dis"])
"""Prefixes that are words of other languages."""
_ENDINGS = ("", "s", "e", "es", "ed", "d", "ing", "ings", "er", "ers")
_CLOSED: Mapping[tuple[str, str], str] = {
    (first, rest + ending): first + rest + ending
    for first, rest in (pair.split() for pair in _PAIR_NAMES.split(","))
    for ending in _ENDINGS
}
_FIRSTS = _PREFIXES | _FREE_PREFIXES | {first for first, _ in _CLOSED}


def _compound(first: str, following: str) -> str:
    """`first` before `following`, which is one folded word or several; with what they form together."""
    second, space, more = following.partition(" ")
    if closed := _CLOSED.get((first, second)):
        return f"{closed}{space}{more}"
    if not second[:_SHORTEST_REST].isalpha() or len(second) < _SHORTEST_REST:
        return f"{first} {following}"
    if first in _PREFIXES or first in _HYPHENATED_ONLY:
        return f"{first}{second} {following}"
    if first in _FREE_PREFIXES and len(second) >= _LONG_REST:
        return f"{first} {first}{second} {following}"
    return f"{first} {following}"


_SEPARATORS = bytes(byte if byte > 127 or chr(byte).isalnum() or chr(byte) == "-" else 32 for byte in range(256))
"""For UTF-8: turns ASCII characters that are not part of a word into spaces. Far faster than a pattern."""


class _FoldedTokens(dict[str, str]):
    """Tokens in lower case with their folded forms, which are one word or several."""

    def __missing__(self, token: str) -> str:
        if len(self) >= _TOKENS_KEPT:
            self.clear()
        parts = [fold_word(part) if part.isascii() else part for part in token.split("-")[::-1] if part]
        self[token] = folded = reduce(lambda following, part: _compound(part, following), parts or [token])
        return folded


_folded = _FoldedTokens()


def fold_spelling(text: str) -> str:
    """The words of a text in the forms that stand for all their spellings, in lower case without punctuation, for an
    index of words and for queries to it. A compound is followed by the words that it consists of."""
    return " ".join(folded_words(text))


def folded_words(text: str) -> list[str]:
    """The same, word by word; a compound is one entry with the words that it consists of."""
    tokens = _plain(text).lower().encode("utf-8", "replace").translate(_SEPARATORS).decode().split()
    words = [_folded[token] for token in tokens]
    if not _FIRSTS.isdisjoint(words):
        for place in reversed([place for place, word in enumerate(words[:-1]) if word in _FIRSTS]):
            words[place : place + 2] = [_compound(words[place], words[place + 1])]
    return words


def usual_spelling(text: str) -> str:
    """The same text with each word in its usual, mostly American, spelling, for an embedder. Nothing else changes."""
    return _ANY_WORD.sub(_respelt, text)


_ANY_WORD = re.compile(r"[A-Za-z]{4,}")


def _respelt(found: re.Match[str]) -> str:
    word = found[0]
    folded = fold_word(word.lower())
    if folded == word.lower():
        return word
    return folded.capitalize() if word[0].isupper() else folded


# Characters

_ACCENTS = re.compile("[\u0300-\u036f\u00ad]+")
"""Combining marks and soft hyphens."""
_QUOTATION_MARKS = re.compile("[“”„«»‘’–—…]")
_GREEK_NAMES = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi
psi omega
"""
_GREEK = dict(zip("αβγδεζηθικλμνξοπρςστυφχψω", _GREEK_NAMES.split(), strict=True))
_GREEK_LETTER = re.compile(r"(?<![α-ωΑ-Ω])[α-ωΑ-Ω](?![α-ωΑ-Ωa-z])")
"""A Greek letter that stands for its name: neither in a Greek word nor before a unit."""


def _plain(text: str) -> str:
    """The text without accents, with hyphens of one kind and with the names of single Greek letters."""
    if text.isascii():
        return text
    text = _QUOTATION_MARKS.sub(" ", text).replace("\u2010", "-").replace("\u2011", "-")
    text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return _GREEK_LETTER.sub(lambda found: f" {_GREEK.get(found[0].lower(), found[0])} ", text)
