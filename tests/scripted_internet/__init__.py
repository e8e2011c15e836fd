"""An internet of literature services on this machine, for tests and benchmarks.

OpenAlex, Crossref, Europe PMC, arXiv, Semantic Scholar and DBLP answer from one invented literature of up to 50,000
papers in 40 fields, with their paging, limits, prices and errors. Nothing in it is copied from a real paper or service.
"""

from tests.scripted_internet.corpus import Corpus, corpus_of
from tests.scripted_internet.lexicon import QUERIES
from tests.scripted_internet.server import Fault, LoggedRequest, ScriptedInternet
from tests.scripted_internet.service import VALID_KEY, Rules

__all__ = ["QUERIES", "VALID_KEY", "Corpus", "Fault", "LoggedRequest", "Rules", "ScriptedInternet", "corpus_of"]
