"""Words of other languages that join others and name nothing: in a library of two languages they would stand in every
phrase of the second. English ones are parted before (`literature.ranking.keywords`)."""

from __future__ import annotations

_FRENCH = """
au aux avec ce ces cette comme dans de des du elle en est et etre être ils je la le les leur leurs mais nous ont ou où
par pas plus pour que qui sa se ses son sont sur un une vers
"""
_GERMAN = """
als am an auch auf aus bei beim bis das dass dem den der des die durch ein eine einem einen einer eines es für haben hat
ihre im ist kann können mit nach nicht oder sich sind über und unter vom von vor wenn werden wie wird wurde zu zum zur
zwischen
"""
_SPANISH = """
al como con cual cuando de del desde donde el ella en entre es esta este estos ha han hay la las lo los más muy o para
pero por que se sin sobre son su sus también un una y
"""
_PORTUGUESE = """
ao aos as até com como da das de do dos e é em entre essa este foi mais mas na nas no nos não o os ou para pela pelo por
que se sem sobre são um uma
"""
_ITALIAN = """
al alla alle che come con da dal dalla degli dei del della delle di e è gli i il in la le lo nel nella non per più quale
questa questo se si sono su sul sulla tra un una uno
"""
_DUTCH = """
aan als bij dat de die dit door een en er het hij hoe in is kan maar met naar niet of om onder ook op over te tot tussen
uit van voor waarin wat we wordt worden zijn zoals
"""
_RUSSIAN = """
без был была были было быть в во все для до его ее если за и из или их как к ко который которые между мы на над не но
о об он они от по под при с со так также то только у что эта эти этих это этой этом этот является являются
"""
_ARABIC = """
أن أو إلى التي الذي إن بعد بين ثم حيث على عن عند في قد كان كانت كما لا لم ما مع من منذ هذا هذه هو هي و
"""
_LATIN = "novo silico situ vitro vivo"
"""Of which the first words (de novo, in vivo) are parted: what is left of them would begin names."""
FOREIGN = frozenset(
    f"{_FRENCH} {_GERMAN} {_SPANISH} {_PORTUGUESE} {_ITALIAN} {_DUTCH} {_RUSSIAN} {_ARABIC} {_LATIN}".split()
)
