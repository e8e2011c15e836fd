"""Ideas in bulk: any number of them over any number of questions, by any method, no two alike; a durable run whose
memory hardly grows with their number.

    async with Workplace(load_settings()) as workplace:
        done = await start(BULK, workplace, BulkTask(questions=("…", "…"), number=1000, method="spark"))
        for row in rows_in(done.file): …
"""

from novum.runs.bulk.durable import BULK, bulk_folder
from novum.runs.bulk.task import BulkResult, BulkTask, QuestionFailure, rows_in

__all__ = ["BULK", "BulkResult", "BulkTask", "QuestionFailure", "bulk_folder", "rows_in"]
