"""Set-ups in which a worker would lose or repeat work without anybody noticing."""


class WorkerRefused(RuntimeError):
    """A worker that must not start; the text is the one line that says why."""


def check_servers(queue: str, cache: str) -> None:
    """Compare the configured drivers with what a worker needs.

    Raises:
        WorkerRefused: with the setting to change.
    """
    if queue != "redis":
        raise WorkerRefused(
            f"QUEUE_CONNECTION is {queue!r}, so no job reaches a worker. Set it to 'redis'."
        )
    if cache != "redis":
        raise WorkerRefused(
            f"CACHE_STORE is {cache!r}: its locks end at this process. Set it to 'redis'."
        )
