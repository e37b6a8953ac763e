"""Which jobs may wait in the tables ``jobs`` and ``failed_jobs``: the database checks their names.

A second lock behind the guard: whoever can write into these tables can't name any other module.
"""

import re

from arvel.queue.listener import CallQueuedListener

from app.worker.known import reference
from app.worker.refusal import Reason, Refused

PATTERN = re.compile(r"app(\.[A-Za-z_][A-Za-z0-9_]*)+:[A-Za-z_][A-Za-z0-9_]*")
"""As in the constraints ``jobs_known_job`` and ``failed_jobs_known_job``."""

LISTENER = reference(CallQueuedListener)


def insist(name: str) -> None:
    """Refuse a job that the database would not keep.

    Raises:
        Refused: its class stands outside ``app``.
    """
    if name != LISTENER and not PATTERN.fullmatch(name):
        raise Refused(
            Reason.UNKNOWN_JOB,
            "The database keeps only jobs whose class stands under app, so this one can't be"
            " delayed, retried or become a dead letter: put a subclass of it into app/jobs.",
        )
