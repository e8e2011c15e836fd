"""Distinct ideas: a toy benchmark. Do a model's ideas on one keyword use different words?"""

from novum.runs.kinds import RunKindEntry

ENTRY = RunKindEntry(
    name="distinct-ideas",
    description="models measured on how different their ideas are",
    kind="distinct_ideas.durable:DISTINCT_IDEAS",
    show="distinct_ideas.command:show",
)
