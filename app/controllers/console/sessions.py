"""Sessions of people, written only when something in them changed."""

import copy
from typing import Any, override

from arvel.http.middleware import StartSession

IDLE = 2 * 60 * 60
"""Seconds after which somebody who does nothing signs in again."""


class Session(dict[str, Any]):
    """What is kept about a person between two requests, and what it was when it was read."""

    def __init__(self, kept: dict[str, Any]) -> None:
        super().__init__(kept)
        self.before = copy.deepcopy(kept)


class Sessions(StartSession):
    """The framework's writes each session with each request. A page that refreshes itself while
    its reader signs out would bring back the session that has just ended.
    """

    @override
    async def _load(self, sid: str) -> dict[str, Any]:
        return Session(await super()._load(sid))

    @override
    async def _save(self, sid: str, session: dict[str, Any]) -> None:
        if not isinstance(session, Session) or self._cache is None:
            await super()._save(sid, session)
            return
        if session == session.before:
            await self._cache.expire(f"session:{sid}", IDLE)
            return
        await self._cache.put(f"session:{sid}", dict(session), ttl=IDLE)
        session.before = copy.deepcopy(dict(session))
