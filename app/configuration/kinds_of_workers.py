"""What a worker may be told: which queues it reads, and what it is called."""

import re
from collections.abc import Iterable, Mapping

from app.configuration.kinds import Text, Unfit

QUEUES = ("high", "default", "bulk")
"""The queues that there are, most urgent first."""

WORKER_ID = re.compile(r"[A-Za-z0-9._:@-]{1,200}")

MOST = 10_000


def read_queues(texts: Iterable[str]) -> Mapping[str, int | None]:
    """``high`` or ``bulk:5`` each, several by comma: the queues in their order, and how many
    messages of each may be worked on at once, ``None`` being as many as of all.

    Raises:
        Unfit: the text completes "must be …".
    """
    named: dict[str, int | None] = {}
    for part in ",".join(texts).split(","):
        if part.strip():
            label, _, most = part.strip().partition(":")
            named[_existing(label)] = _read_most(most) if ":" in part else None
    return named


def _existing(label: str) -> str:
    if label not in QUEUES:
        raise Unfit(_SHAPE)
    return label


def _read_most(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST):
        raise Unfit(_SHAPE)
    return int(text)


def _are_queues(text: str) -> bool:
    try:
        read_queues([text])
    except Unfit:
        return False
    return True


_SHAPE = (
    f"{', '.join(QUEUES[:-1])} or {QUEUES[-1]}, several by comma, each with :N for at most N of it"
    f" at once (1 to {MOST:,})"
)

QUEUE_NAMES = Text(_SHAPE, _are_queues)
WORKER_NAME = Text(
    "1 to 200 letters, digits, dots, colons, hyphens, underscores or @",
    lambda text: not text or bool(WORKER_ID.fullmatch(text)),
)
