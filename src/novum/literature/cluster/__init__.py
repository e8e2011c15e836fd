"""Work on a library by many processes, here or on a Ray cluster: the same functions, the same results.

`workers` gives the means; `import_file`, `SpreadEmbedder` and `score_library` take it. Rows are written by the program
that asked, in order, whoever did the work.
"""

from novum.literature.cluster.apply import Apply, apply_locally
from novum.literature.cluster.ray_jobs import workers
from novum.literature.cluster.tasks import ClusterEmbedder, PaperScore, score_library

__all__ = ["Apply", "ClusterEmbedder", "PaperScore", "apply_locally", "score_library", "workers"]
