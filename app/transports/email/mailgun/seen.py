"""The tokens of signatures that were seen, and with what they came."""

import hashlib
from collections import OrderedDict

from app.transports import memory
from app.transports.contract import WebhookRefused

MOST = 50_000
"""Tokens that are kept; each takes some 200 bytes."""

USED = "the signature was used for another report before"


async def require_first(token: str, body: bytes, keep: int) -> None:
    """The same across processes and restarts, while their memory can be asked; ``keep`` in
    seconds. Raises :class:`WebhookRefused`."""
    said = hashlib.sha256(body).hexdigest()
    name = f"mailgun:{hashlib.sha256(token.encode('utf-8', 'replace')).hexdigest()}"
    if await memory.first(name, said, keep) not in (None, said):
        raise WebhookRefused(USED)


class SeenTokens:
    """Mailgun's signature covers a token and not the report beside it. So one that comes with
    another report than before was taken from somebody. What nobody saw before is protected by TLS
    alone.

    ``require_new_or_same`` knows what this process has seen, :func:`require_first` what any has."""

    def __init__(self, keep: float) -> None:
        self._keep = keep
        self._seen: OrderedDict[str, tuple[float, bytes]] = OrderedDict()

    def require_new_or_same(self, token: str, body: bytes, now: float) -> None:
        """A repetition of a report has its token, and is the same. Raises
        :class:`WebhookRefused`."""
        self._forget(now)
        said = hashlib.sha256(body).digest()
        _, before = self._seen.setdefault(token, (now, said))
        if before != said:
            raise WebhookRefused(USED)

    def _forget(self, now: float) -> None:
        while self._seen:
            token, (since, _) = next(iter(self._seen.items()))
            if now - since <= self._keep and len(self._seen) < MOST:
                return
            del self._seen[token]
