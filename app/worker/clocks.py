"""What must be smaller than what, so that no message is sent twice; boot refuses another order."""

from collections.abc import Iterator

from app.settings import ClockSettings, QueueSettings


class ClocksOutOfOrder(RuntimeError):
    """A timeout that must end before another one does not."""


def check_clocks(clocks: ClockSettings, queue: QueueSettings) -> None:
    """Compare all clocks.

    Raises:
        ClocksOutOfOrder: with both settings of the first pair that is out of order.
    """
    for smaller, small, bigger, big, why in _order(clocks, queue):
        if not small < big:
            raise ClocksOutOfOrder(
                f"{smaller} ({small:g} s) must be less than {bigger} ({big:g} s): {why}."
            )


def _order(
    clocks: ClockSettings, queue: QueueSettings
) -> Iterator[tuple[str, float, str, float, str]]:
    call = ("DISPATCH_SEND_TIMEOUT", clocks.send_timeout)
    lease = ("DISPATCH_LEASE", clocks.lease)
    job = ("DISPATCH_JOB_TIMEOUT", clocks.job_timeout)
    lock = ("DISPATCH_LOCK_EXPIRY", clocks.lock_expiry)
    drain = ("DISPATCH_DRAIN", clocks.drain)
    grace = ("SHUTDOWN_GRACE", clocks.grace)
    yield "DISPATCH_CONNECT_TIMEOUT", clocks.connect_timeout, *call, "connecting is part of a call"
    yield (
        "DISPATCH_SEND_TIMEOUT + 2",
        clocks.send_timeout + 2,
        *lease,
        "a call that begins inside its lease must end inside it",
    )
    yield *lease, *job, "a job is cut off only after its lease"
    yield *job, *lock, "a lock is held for as long as its job runs"
    yield (
        *lock,
        "QUEUE_RETRY_AFTER",
        float(queue.retry_after),
        "a job is given to nobody else while its lock is held",
    )
    yield *drain, *grace, "work is drained before the process is killed"
