"""Refuses clocks in an order in which a message could be sent twice."""

from app.configuration.clocks import find_disorder
from app.settings import ClockSettings, QueueSettings


class ClocksOutOfOrder(RuntimeError):
    """A timeout that must end before another one does not."""


def check_clocks(clocks: ClockSettings, queue: QueueSettings) -> None:
    """Compare all clocks.

    Raises:
        ClocksOutOfOrder: with both settings of the first pair that is out of order.
    """
    seconds = {
        "DISPATCH_CONNECT_TIMEOUT": clocks.connect_timeout,
        "DISPATCH_SEND_TIMEOUT": clocks.send_timeout,
        "DISPATCH_LEASE": clocks.lease,
        "DISPATCH_JOB_TIMEOUT": clocks.job_timeout,
        "DISPATCH_LOCK_EXPIRY": clocks.lock_expiry,
        "QUEUE_RETRY_AFTER": float(queue.retry_after),
        "DISPATCH_DRAIN": clocks.drain,
        "SHUTDOWN_GRACE": clocks.grace,
    }
    for disorder in find_disorder(seconds):
        raise ClocksOutOfOrder(f"{disorder.pair.smaller} ({disorder.small:g} s) {disorder.text}")
