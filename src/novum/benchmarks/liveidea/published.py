"""The published prompts of LiveIdeaBench, under the names by which this benchmark's questions are asked.

`published.json` has their layouts and hashes. The words are those of Supplementary Note 1, the line ends those of the
released prompt file. The paper and the released code differ in one prompt, the message that shows a judge the idea:
a run as released sends the one of the code, any other run the printed one.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from novum.benchmarks.liveidea.records import LiveIdeaProtocol
from novum.prompts import Prompt
from novum.prompts.published import Instrument, verbatim_prompt
from novum.runs.published_prompts import needed_prompts

INSTALL = "novum liveidea protocol install"
PUBLISHED_IDEA, PUBLISHED_FALLBACK = "liveidea_idea_published", "liveidea_idea_published_again"
PUBLISHED_JUDGE, PUBLISHED_FLUENCY = "liveidea_judge_published", "liveidea_fluency_published"
MARKED = "_marked"
"""The end of the names of the first two where a model is to mark its final idea."""


@functools.cache
def liveideabench() -> Instrument:
    """What is known of the published prompts."""
    file = resources.files(__package__).joinpath("published.json")
    return Instrument.model_validate_json(file.read_text(encoding="utf-8"))


def published_texts(folder: Path, protocol: LiveIdeaProtocol) -> Mapping[str, str]:
    """The installed prompts that a run of `protocol` sends, by their published names. Raises BadInput without them."""
    message = "judge-message-released" if protocol.as_released else "judge-message"
    names = ["idea", "fallback", "judge", message, "fluency", *(["marker"] if protocol.marked else [])]
    return needed_prompts(liveideabench(), folder, names, INSTALL)


def published_prompts(texts: Mapping[str, str], protocol: LiveIdeaProtocol) -> list[Prompt]:
    """The prompts that `texts` make, to be sent as they are written."""
    message = texts["judge-message-released" if protocol.as_released else "judge-message"]
    idea, again = texts["idea"], texts["fallback"]
    prompts = [
        verbatim_prompt(PUBLISHED_IDEA, [("user", idea)]),
        verbatim_prompt(PUBLISHED_FALLBACK, [("user", again)]),
        verbatim_prompt(PUBLISHED_JUDGE, [("system", texts["judge"]), ("user", message)]),
        verbatim_prompt(PUBLISHED_FLUENCY, [("user", texts["fluency"])]),
    ]
    if "marker" in texts:
        end = ("\n\n" if protocol.as_released else "") + texts["marker"]
        prompts += [
            verbatim_prompt(PUBLISHED_IDEA + MARKED, [("user", idea + end)]),
            verbatim_prompt(PUBLISHED_FALLBACK + MARKED, [("user", again + end)]),
        ]
    return prompts
