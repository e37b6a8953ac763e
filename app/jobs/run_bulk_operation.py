"""Works off stored bulk operations."""

from typing import override

from arvel.kernel.logging import LogManager
from arvel.queue import Job

from app.items import bulk_operations
from app.jobs.transmission import as_uuid


class RunBulkOperation(Job):
    """One page a run, then the next run; a run that comes twice does nothing twice.

    Takes no lock but the operation's row: a run that finds it taken returns, since whoever has it
    goes on with the next page.
    """

    after_commit = True
    tries = 1
    queue = "bulk"

    def __init__(self, operation_id: str) -> None:
        self.operation_id = str(operation_id)

    @override
    async def handle(self) -> None:
        try:
            operation = await bulk_operations.work_page(as_uuid(self.operation_id))
        except Exception as error:
            # The message was only a hint: the ticker takes the operation up again.
            LogManager().channel("dispatch").warning(
                "bulk_page_failed", operation_id=self.operation_id, error=type(error).__name__
            )
            return
        if operation is not None and operation.running:
            await RunBulkOperation.dispatch(self.operation_id)


class ResumeBulkOperations(Job):
    """Takes up operations whose message was lost, or whose worker died."""

    tries = 1

    @override
    async def handle(self) -> bool:
        """Whether there were any."""
        stalled = await bulk_operations.take_stalled()
        for operation_id in stalled:
            await RunBulkOperation.dispatch(str(operation_id))
        return bool(stalled)
