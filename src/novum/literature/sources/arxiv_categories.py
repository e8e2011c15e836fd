"""What arXiv's categories are called. https://arxiv.org/category_taxonomy"""

from __future__ import annotations

from collections.abc import Iterable

ARCHIVES = {
    "astro-ph": "Astrophysics",
    "cond-mat": "Condensed Matter",
    "cs": "Computer Science",
    "econ": "Economics",
    "eess": "Electrical Engineering and Systems Science",
    "gr-qc": "General Relativity and Quantum Cosmology",
    "hep-ex": "High Energy Physics - Experiment",
    "hep-lat": "High Energy Physics - Lattice",
    "hep-ph": "High Energy Physics - Phenomenology",
    "hep-th": "High Energy Physics - Theory",
    "math": "Mathematics",
    "math-ph": "Mathematical Physics",
    "nlin": "Nonlinear Sciences",
    "nucl-ex": "Nuclear Experiment",
    "nucl-th": "Nuclear Theory",
    "physics": "Physics",
    "q-bio": "Quantitative Biology",
    "q-fin": "Quantitative Finance",
    "quant-ph": "Quantum Physics",
    "stat": "Statistics",
    # closed ones, still on old papers
    "acc-phys": "Accelerator Physics",
    "adap-org": "Adaptation and Self-Organizing Systems",
    "alg-geom": "Algebraic Geometry",
    "ao-sci": "Atmospheric and Oceanic Physics",
    "atom-ph": "Atomic Physics",
    "bayes-an": "Bayesian Analysis",
    "chao-dyn": "Chaotic Dynamics",
    "chem-ph": "Chemical Physics",
    "cmp-lg": "Computation and Language",
    "comp-gas": "Cellular Automata and Lattice Gases",
    "dg-ga": "Differential Geometry",
    "funct-an": "Functional Analysis",
    "mtrl-th": "Materials Science",
    "patt-sol": "Pattern Formation and Solitons",
    "plasm-ph": "Plasma Physics",
    "q-alg": "Quantum Algebra",
    "solv-int": "Exactly Solvable and Integrable Systems",
    "supr-con": "Superconductivity",
}

_TABLE = """
astro-ph CO:Cosmology and Nongalactic Astrophysics|EP:Earth and Planetary Astrophysics|GA:Astrophysics of Galaxies
astro-ph HE:High Energy Astrophysical Phenomena|IM:Instrumentation and Methods for Astrophysics
astro-ph SR:Solar and Stellar Astrophysics
cond-mat dis-nn:Disordered Systems and Neural Networks|mes-hall:Mesoscale and Nanoscale Physics
cond-mat mtrl-sci:Materials Science|other:Other Condensed Matter|quant-gas:Quantum Gases|soft:Soft Condensed Matter
cond-mat stat-mech:Statistical Mechanics|str-el:Strongly Correlated Electrons|supr-con:Superconductivity
cs AI:Artificial Intelligence|AR:Hardware Architecture|CC:Computational Complexity
cs CE:Computational Engineering, Finance, and Science|CG:Computational Geometry|CL:Computation and Language
cs CR:Cryptography and Security|CV:Computer Vision and Pattern Recognition|CY:Computers and Society|DB:Databases
cs DC:Distributed, Parallel, and Cluster Computing|DL:Digital Libraries|DM:Discrete Mathematics
cs DS:Data Structures and Algorithms|ET:Emerging Technologies|FL:Formal Languages and Automata Theory
cs GL:General Literature|GR:Graphics|GT:Computer Science and Game Theory|HC:Human-Computer Interaction
cs IR:Information Retrieval|IT:Information Theory|LG:Machine Learning|LO:Logic in Computer Science
cs MA:Multiagent Systems|MM:Multimedia|MS:Mathematical Software|NA:Numerical Analysis
cs NE:Neural and Evolutionary Computing|NI:Networking and Internet Architecture|OH:Other Computer Science
cs OS:Operating Systems|PF:Performance|PL:Programming Languages|RO:Robotics|SC:Symbolic Computation|SD:Sound
cs SE:Software Engineering|SI:Social and Information Networks|SY:Systems and Control
econ EM:Econometrics|GN:General Economics|TH:Theoretical Economics
eess AS:Audio and Speech Processing|IV:Image and Video Processing|SP:Signal Processing|SY:Systems and Control
math AC:Commutative Algebra|AG:Algebraic Geometry|AP:Analysis of PDEs|AT:Algebraic Topology
math CA:Classical Analysis and ODEs|CO:Combinatorics|CT:Category Theory|CV:Complex Variables
math DG:Differential Geometry|DS:Dynamical Systems|FA:Functional Analysis|GM:General Mathematics
math GN:General Topology|GR:Group Theory|GT:Geometric Topology|HO:History and Overview|IT:Information Theory
math KT:K-Theory and Homology|LO:Logic|MG:Metric Geometry|MP:Mathematical Physics|NA:Numerical Analysis
math NT:Number Theory|OA:Operator Algebras|OC:Optimization and Control|PR:Probability|QA:Quantum Algebra
math RA:Rings and Algebras|RT:Representation Theory|SG:Symplectic Geometry|SP:Spectral Theory|ST:Statistics Theory
nlin AO:Adaptation and Self-Organizing Systems|CD:Chaotic Dynamics|CG:Cellular Automata and Lattice Gases
nlin PS:Pattern Formation and Solitons|SI:Exactly Solvable and Integrable Systems
physics acc-ph:Accelerator Physics|ao-ph:Atmospheric and Oceanic Physics|app-ph:Applied Physics
physics atm-clus:Atomic and Molecular Clusters|atom-ph:Atomic Physics|bio-ph:Biological Physics
physics chem-ph:Chemical Physics|class-ph:Classical Physics|comp-ph:Computational Physics
physics data-an:Data Analysis, Statistics and Probability|ed-ph:Physics Education|flu-dyn:Fluid Dynamics
physics gen-ph:General Physics|geo-ph:Geophysics|hist-ph:History and Philosophy of Physics
physics ins-det:Instrumentation and Detectors|med-ph:Medical Physics|optics:Optics|plasm-ph:Plasma Physics
physics pop-ph:Popular Physics|soc-ph:Physics and Society|space-ph:Space Physics
q-bio BM:Biomolecules|CB:Cell Behavior|GN:Genomics|MN:Molecular Networks|NC:Neurons and Cognition
q-bio OT:Other Quantitative Biology|PE:Populations and Evolution|QM:Quantitative Methods
q-bio SC:Subcellular Processes|TO:Tissues and Organs
q-fin CP:Computational Finance|EC:Economics|GN:General Finance|MF:Mathematical Finance|PM:Portfolio Management
q-fin PR:Pricing of Securities|RM:Risk Management|ST:Statistical Finance|TR:Trading and Market Microstructure
stat AP:Applications|CO:Computation|ME:Methodology|ML:Machine Learning|OT:Other Statistics|TH:Statistics Theory
"""


def _categories() -> dict[str, str]:
    rows = (line.split(" ", 1) for line in _TABLE.strip().splitlines())
    pairs = ((archive, *entry.split(":")) for archive, entries in rows for entry in entries.split("|"))
    return {f"{archive}.{code}": name for archive, code, name in pairs}


CATEGORIES = ARCHIVES | _categories()
"""Code to name: `cs.CL` is `Computation and Language`."""


def field_names(codes: Iterable[str]) -> tuple[str, ...]:
    """The names of those codes that are known, or whose archive is, each once. What else stands among categories, such
    as the codes of the Mathematics Subject Classification, is left out."""
    names = (CATEGORIES.get(code) or ARCHIVES.get(code.partition(".")[0]) for code in codes)
    return tuple(dict.fromkeys(name for name in names if name))


def codes_of(field: str) -> list[str]:
    """The codes that a user means by `field`: a code itself, an archive with all its parts (`cs`, `cs.*`), or all codes
    that bear that name."""
    wanted = " ".join(field.casefold().split())
    meant = [code for code, name in CATEGORIES.items() if wanted in (code.casefold(), name.casefold())]
    divided = [code for code in meant if any(other.startswith(f"{code}.") for other in CATEGORIES)]
    return meant + [f"{code}.*" for code in divided]
