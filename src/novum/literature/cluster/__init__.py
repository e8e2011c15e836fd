"""Work on a library by many processes, on this machine or on a Ray cluster: the same functions, the same results.

`workers` yields a function `apply`, which `import_file`, `ClusterEmbedder` and `score_library` take. Only the calling
program writes rows, in order.
"""

from novum.literature.cluster.apply import Apply, apply_locally
from novum.literature.cluster.ray_jobs import workers
from novum.literature.cluster.tasks import ClusterEmbedder, PaperScore, score_library

__all__ = ["Apply", "ClusterEmbedder", "PaperScore", "apply_locally", "score_library", "workers"]
