"""Set-ups in which a worker would lose or repeat work without anybody noticing."""

BROKERS = ("redis", "amqp")


class WorkerRefused(RuntimeError):
    """A worker that must not start; the text is the one line that says why."""


def check_setup(queue: str, cache: str, concurrency: int) -> None:
    """Compare what is configured with what a worker needs.

    Raises:
        WorkerRefused: with the setting to change.
    """
    if queue not in BROKERS:
        raise WorkerRefused(
            f"QUEUE_CONNECTION is {queue!r}, so no job reaches a worker. Set it to 'redis' or"
            " 'amqp'."
        )
    if cache != "redis":
        raise WorkerRefused(
            f"CACHE_STORE is {cache!r}: its locks end at this process. Set it to 'redis'."
        )
    if concurrency < 1:
        raise WorkerRefused(
            f"QUEUE_CONCURRENCY is {concurrency}, so no job could ever run. Set it to 1 or more."
        )
