"""Who a worker is, and whether another one on this machine still runs."""

import os
import socket
import uuid
from pathlib import Path

from app.models.queries.workers import Holder, Standing
from app.worker.options import Options

PROC = Path("/proc")


def default_id() -> str:
    """The same after a restart in the same container: a name is a place, not a run."""
    return f"{socket.gethostname()}-{os.getpid()}"


def standing(options: Options) -> Standing:
    """This process, as it asks for a name."""
    return Standing(
        id=options.worker_id or default_id(),
        token=uuid.uuid4(),
        host=socket.gethostname(),
        pid=os.getpid(),
        place=_place(),
        started=_started(os.getpid()) or 0,
        queues=tuple(options.labels),
        concurrency=options.concurrency,
    )


def has_ended(holder: Holder) -> bool:
    """Whether its process is known to be gone: it ran where we could see it, and isn't there."""
    return _is_in_sight(holder) and _started(holder.pid) != holder.started


def runs(holder: Holder) -> bool:
    """Whether its process is known to be there."""
    return _is_in_sight(holder) and _started(holder.pid) == holder.started


def _is_in_sight(holder: Holder) -> bool:
    return bool(holder.place) and holder.place == _place()


def _place() -> str:
    """One boot of one machine and one table of processes; empty where that can't be told."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{os.readlink(PROC / 'self/ns/pid')}"
    except OSError:
        return ""


def _started(pid: int) -> int | None:
    """When the process of that number began, in ticks since boot: numbers are used again.

    ``None``: there is none, or it is dead and only not buried yet. See proc(5), ``stat``.
    """
    try:
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in {"Z", "X"} else int(fields[19])
