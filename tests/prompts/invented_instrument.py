"""An invented instrument with the prompt names of LiveIdeaBench: its sentences belong to nobody else."""

from __future__ import annotations

import json

from novum.prompts.published import Instrument, describe_prompt

TEXTS = {
    "idea": 'You are on stage. The word is "{{keywords}}". Sing one plan about it (at most 100 words), and bow.',
    "fallback": 'You are on stage. The word is "{{keywords}}". It is a rehearsal. Sing one plan, and bow.',
    "judge": "You are a very stern juror.\n\n1. originality: is it fresh?\n2. feasibility: can it be done?\n\n```json\n"
    '{"originality": <1_to_10>}\n```',
    "judge-message": "Weigh the plan and give marks at once: {{idea}}",
    "judge-message-released": "Weigh the plan:\n\n{{idea}}",
    "fluency": 'Here are two plans, both for "{{keyword}}":\n\n# One\n\n{{A}}\n\n\n# Two\n\n{{B}}\n\n\nAlike? A/B/C/D',
    "marker": "You SHALL put the plan after **Final Idea:**",
}


def instrument(texts: dict[str, str] = TEXTS, *, addresses: tuple[str, ...] = ()) -> Instrument:
    """What is known of `texts`; the message as printed may be missing in a copy."""
    prompts = [
        describe_prompt(
            name,
            f"the {name} of a song contest",
            "Note 1",
            text,
            without="sing as released" if name == "judge-message" else "",
        )
        for name, text in texts.items()
    ]
    return Instrument(
        name="song-contest",
        title="the Song Contest",
        prompts=tuple(prompts),
        addresses=addresses,
        files=("prompts.json",),
        advice="the programme of the contest",
    )


def printed(texts: dict[str, str] = TEXTS) -> str:
    """The prompts as a converted page has them: other line ends, curly quotes, words cut at the end of a line."""
    pages = []
    for name, text in texts.items():
        lines = text.replace('"', "“").replace("```", "~~~").split()
        cut = [word if len(word) < 7 or not word.isalpha() else f"{word[:4]}-\n{word[4:]}" for word in lines]
        pages.append(f"## {name}\n\n" + "\n".join(cut) + "\n")
    return "\n".join(pages)


def released(texts: dict[str, str] = TEXTS) -> str:
    """The prompts as a JSON file has them."""
    return json.dumps({name: {"description": text} for name, text in texts.items()}, indent=4)
