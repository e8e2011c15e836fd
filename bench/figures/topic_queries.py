"""Thirty topics of machine learning, each as a researcher names it and in other words, with a pattern of the titles
that are about it.

Written before any result was seen. The paraphrases avoid the words of the pattern, so that words alone find little.
A title that fits the pattern is relevant; papers that are about the topic under another title count as not relevant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class TopicQuery:
    """`name` and `paraphrase`: two queries; `titles`: the pattern that a relevant title fits, whatever its case."""

    name: str
    paraphrase: str
    titles: str

    def fits(self, title: str) -> bool:
        """Whether a paper of this title is relevant."""
        return re.search(self.titles, title, re.IGNORECASE) is not None


TOPICS = (
    TopicQuery("knowledge distillation", "teaching a small network to imitate a large one", r"distil"),
    TopicQuery(
        "membership inference attacks",
        "finding out whether somebody's record was used to train a model",
        r"membership inference",
    ),
    TopicQuery(
        "continual learning",
        "networks that learn one task after another and lose nothing",
        r"continual|lifelong|catastrophic forgetting",
    ),
    TopicQuery(
        "adversarial robustness",
        "tiny changes of a picture that fool a classifier",
        r"adversarial(ly)? (example|attack|perturb|robust|train)",
    ),
    TopicQuery("federated learning", "training across many phones without collecting their data", r"federated"),
    TopicQuery("equivariant neural networks", "architectures that respect symmetries of their input", r"equivarian"),
    TopicQuery(
        "text-to-image diffusion models",
        "making pictures from a description by removing noise step by step",
        r"text-to-image",
    ),
    TopicQuery(
        "retrieval-augmented generation",
        "a language model that looks up documents before it answers",
        r"retrieval[- ](augmented|enhanced)|\bRAG\b",
    ),
    TopicQuery(
        "chain-of-thought prompting",
        "asking a language model to write out intermediate steps before the answer",
        r"chain[- ]of[- ]thoughts?|\bCoT\b",
    ),
    TopicQuery(
        "low-resource machine translation",
        "converting sentences between languages with hardly any parallel data",
        r"low[- ]resource.*translat|translat.*low[- ]resource|unsupervised.*translat",
    ),
    TopicQuery("quantization of neural networks", "storing weights and activations with a few bits", r"quanti[sz]"),
    TopicQuery("network pruning", "leaving out weights that a trained model does not need", r"prun|lottery ticket"),
    TopicQuery(
        "causal discovery",
        "which variable influences which, learned from observations",
        r"causal (discovery|structure|graph)",
    ),
    TopicQuery(
        "offline reinforcement learning",
        "learning a policy from logged experience without acting",
        r"offline.*(reinforcement|\bRL\b|polic)|batch reinforcement",
    ),
    TopicQuery(
        "imitation learning",
        "a robot that copies what an expert shows",
        r"imitation|inverse reinforcement|behaviou?r cloning",
    ),
    TopicQuery("cross-lingual transfer", "a tagger for one tongue trained on another", r"cross-?lingual"),
    TopicQuery(
        "natural language inference",
        "deciding whether one sentence follows from another",
        r"entailment|natural language inference|\bNLI\b",
    ),
    TopicQuery("hallucination in language models", "chatbots that state made-up facts", r"hallucinat|factuality"),
    TopicQuery("backdoor attacks", "hidden triggers planted in the training set", r"backdoor|trojan|poison"),
    TopicQuery("algorithmic fairness", "automated decisions that treat groups of people equally", r"\bfair|unfair"),
    TopicQuery(
        "molecular generation", "designing new chemical compounds with deep learning", r"molecul|drug design|ligand"
    ),
    TopicQuery(
        "neural radiance fields",
        "rendering a scene from unseen viewpoints given photographs",
        r"radiance field|nerf|gaussian splat|view synthesis",
    ),
    TopicQuery("active learning", "choosing which samples are worth labelling by hand", r"active learning"),
    TopicQuery(
        "neural architecture search",
        "letting an algorithm design the layers of a network",
        r"architecture search|\bNAS\b|automl",
    ),
    TopicQuery(
        "uncertainty calibration", "probabilities of a classifier that can be trusted", r"uncertaint|calibrat|conformal"
    ),
    TopicQuery(
        "out-of-distribution detection",
        "noticing inputs unlike anything seen in training",
        r"(out-of-distribution|\bOOD\b|anomaly|novelty|outlier).*detect|detect.*(out-of-distribution|\bOOD\b|anomal|outlier)",
    ),
    TopicQuery("abstractive summarization", "short versions of long documents", r"summari[sz]"),
    TopicQuery(
        "program synthesis",
        "machines that write software",
        r"program(s)? synthesis|code generation|synthesi[sz]ing programs|programming",
    ),
    TopicQuery(
        "over-smoothing in graph neural networks",
        "node features become alike when message passing goes deep",
        r"over-?smooth|over-?squash",
    ),
    TopicQuery(
        "time series forecasting", "predicting the next values of measurements over days", r"time[- ]series|forecast"
    ),
)
