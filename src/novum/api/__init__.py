"""The Python interface: every verb of the command line as a function, each also in an asynchronous form.

    import novum

    result = novum.ideate("protein design", model="openai:gpt-5.5")
    reviews = await novum.review_async(result)

A verb and a command are the same function: both start the runs of `novum.runs.kinds`, or call the same workflow.
"""

from novum.api import benchmarks, data, ideas, judging, metrics, next_ideas, studies
from novum.api.benchmarks import *  # noqa: F403
from novum.api.data import *  # noqa: F403
from novum.api.ideas import *  # noqa: F403
from novum.api.judging import *  # noqa: F403
from novum.api.metrics import *  # noqa: F403
from novum.api.next_ideas import *  # noqa: F403
from novum.api.studies import *  # noqa: F403

__all__: list[str] = []
__all__ += benchmarks.__all__
__all__ += data.__all__
__all__ += ideas.__all__
__all__ += judging.__all__
__all__ += metrics.__all__
__all__ += next_ideas.__all__
__all__ += studies.__all__
