"""The keywords of a text, for services that join the words of a query by AND. Pure."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from novum.literature.function_words import FUNCTION_WORDS
from novum.literature.importing.cleaning import clean_text

LONG_TEXT = 12
"""A text with more keywords than this is a sentence or an abstract, not a query."""
_LONGEST_TEXT = 20_000
"""Characters of a text that are read."""
_LONGEST_WORD = 60
"""Characters; longer ones are no words, or text of a script that writes no spaces, of which the beginning is taken."""
_BEGINNING = 8
"""Words at the beginning of a text, where it names its topic more often than later."""
_LONG_WORD = 10
_PHRASE = re.compile(r"[\"“„«]([^\"“”„«»]{2,100})[\"”“»]")

_COMMON = frozenset(
    """
    ability able accuracy accurate achieve achieved achieves achieving additional additionally address addresses
    addressing advance advanced advances aided aim aims algorithm algorithms allow allows analyse analyses analysis
    analyze analyzing application applications applied apply approach approaches art aspects assess assessing
    assessment attempt automatic available aware base based baseline baselines benchmark benchmarks benefit benefits
    broad building called capabilities capability case cases central challenge challenges challenging change changes
    clear common comparative compare compared comparing comparison complex comprehensive concept conclude condition
    conditions consider considerable considered context contribute contribution contributions cost create creating
    crucial current currently data dataset datasets deal demonstrate demonstrates derive describe design designed
    designing desired despite detail detailed determine develop developed developing development difference
    differences different difficult difficulty direct directions directly discuss discussed diverse domain domains
    easily easy effect effective effectively effectiveness effects efficiency efficient efficiently emerging
    empirical empirically enable enables enabling end enhance enhanced enhances enhancing ensure ensures especially
    essential establish estimate evaluate evaluated evaluating evaluation evidence examine example examples existing
    experiment experimental experiments explain exploit exploration explore explored exploring extend extensive
    factor factors fast feasible field fields finally find finding findings focus focused focuses follow following
    form framework frameworks full fully furthermore future gap gaps general generally generate generated generates
    generating goal goals good great group groups help helps high higher highly hypothesis idea ideas identification
    identified identify identifying impact impacts implement implementation implications important improve improved
    improvement improvements improves improving include includes including incorporate increase increased increasing
    influence inform information innovative insight insights integrate integrated integrating integration introduce
    introduced introduces introducing investigate investigated investigating investigation involve involves
    involving issue issues key known lack large larger lead leading leads level leverage leverages leveraging limit
    limitation limitations limited low lower main major means measure measured measures measuring mechanism
    mechanisms method methodology methods model modeling modelling models modern moreover motivated motivation multi
    multiple necessary need needed needs new novel number objective objectives observe obtain obtained offer offers
    open order outcome outcomes outperform outperforming outperforms overall overcome overview paper papers perform
    performance performing performs perspective perspectives place play plays point points poor popular positive
    possible potential potentially practical practice practices pre present presented presents previous primarily
    primary problem problems process processes produce propose proposed proposes proposing provide provided provides
    providing published purpose quality question questions range real recent recently reduce reduced reduces
    reducing relate related relation relative relevant reliable remain remains report require required requirement
    requirements requires research researchers result resulting results reveal review robust robustness role sample
    samples scale scenario scenarios scope second self serve set sets setting settings shape shaped shapes shaping
    shown significant significantly similar simple single size small solution solutions solve solving specific
    specifically standard state step strategies strategy strong studied studies study studying subject substantial
    success successful suggest suggests superior support supports survey system systematic systems task tasks
    technique techniques term terms test tested testing theoretical theory three time today tool tools topic toward
    traditional type types typical typically understand understanding unified unique unleashing useful user users
    utilize utilizing validate value values variety vast version view wide widely work works world year years zero

    analyse ansatz ansätze arbeit einfluss entwicklung ergebnisse methode methoden neue studie untersuchung
    verfahren approche approches développement effet effets étude études méthode méthodes nouveau nouvelle nouvelles
    recherche análisis desarrollo efecto efectos enfoque estudio estudios investigación método métodos nuevo nueva
    nuevos analisi effetti effetto metodi metodo nuovo nuova ricerca studio sviluppo análise estudo método novos
    pesquisa
    """.split()  # noqa: SIM905
)
"""Words that papers of every field hold: they narrow a search without saying what it is about."""


@dataclass(frozen=True)
class _Word:
    text: str
    """In lower case."""
    is_name: bool
    """Written with a capital within a sentence, or all in capitals."""


def keywords(text: str, most: int) -> list[str]:
    """At most `most` words of a text, once each, in lower case, those that tell most about its topic first.

    Function words (of eight languages) are left out, unless there are no others. Among the rest, words that the text
    repeats, names, long words and words near its beginning come first, and words that papers of every field hold come
    last. A text of a script without spaces is one word. The result holds no signs of any query language.
    """
    words = list(_words(text[:_LONGEST_TEXT]))
    telling = [word for word in words if word.text not in FUNCTION_WORDS and _is_telling(word.text)] or words
    counts = Counter(word.text for word in telling)
    names = {word.text for word in telling if word.is_name}
    if len(names) > len(counts) / 2:  # a title in which every word has a capital
        names = set()
    places: dict[str, int] = {}
    for place, word in enumerate(telling):
        places.setdefault(word.text, place)
    ranked = sorted(places, key=lambda word: (-_weight(word, counts[word], word in names, places[word]), places[word]))
    return ranked[: max(0, most)]


def key_query(text: str, most: int) -> list[str]:
    """The keywords of a text in the order of the text, as a query for people and machines."""
    chosen = set(keywords(text, most))
    return list(dict.fromkeys(word.text for word in _words(text[:_LONGEST_TEXT]) if word.text in chosen))


def is_long(text: str) -> bool:
    """Whether a text is rather an abstract than a query."""
    return len(keywords(text, LONG_TEXT + 1)) > LONG_TEXT


def quoted_phrases(text: str) -> tuple[list[str], str]:
    """What stands in double quotes, each as plain words, and the rest of the text."""
    inside = (" ".join(word.text for word in _words(phrase)) for phrase in _PHRASE.findall(text))
    return list(dict.fromkeys(filter(None, inside))), _PHRASE.sub(" ", text)


def _weight(word: str, count: int, is_name: bool, place: int) -> float:
    weight = (1.0 + math.log(count)) * (0.6 + 0.4 * min(len(word), _LONG_WORD) / _LONG_WORD)
    weight *= 0.35 if word in _COMMON else 1.0
    weight *= 1.6 if is_name else 1.0
    return weight * (1.0 + 0.6 * math.exp(-place / _BEGINNING))


def _words(text: str) -> Iterator[_Word]:
    """Runs of letters, marks and digits. A run that begins a sentence is no name for its capital."""
    starts = True
    for run in clean_text(text).split():
        parts = "".join(char if unicodedata.category(char)[0] in "LNM" else " " for char in run).split()
        for part in parts:
            lower = unicodedata.normalize("NFC", part.lower())[:_LONGEST_WORD]
            yield _Word(lower, _is_name(part, starts))
            starts = False
        starts = run[-1] in ".?!:" or (starts and not any(part.isalpha() for part in parts))


def _is_name(part: str, starts: bool) -> bool:
    return (len(part) > 1 and part.isupper()) or (part[:1].isupper() and not starts)


def _is_telling(word: str) -> bool:
    """Whether a word is more than a number or a single letter of an alphabet."""
    return not word.isnumeric() and (len(word) > 1 or unicodedata.category(word)[:2] == "Lo")
