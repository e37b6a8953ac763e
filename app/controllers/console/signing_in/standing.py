"""Who is here, by their session."""

import time
from typing import Any

from arvel.auth.guards import SessionGuard
from arvel.http.request import Request
from arvel.http.session import invalidate_session

from app.access.caller import Caller
from app.access.signing_in import Person, recognise

PROOF = "proof"
HELD = "held"

PATIENCE_S = 300.0
"""So long after the password the code of a second factor is waited for."""

_guard = SessionGuard()


async def who_is(request: Request) -> Caller | None:
    """Whoever signed in on this session, with what they may do now."""
    user_id, proof = await _guard.user_id(request), _session(request).get(PROOF)
    if not isinstance(user_id, str) or not isinstance(proof, str):
        return None
    return await recognise(user_id, proof)


async def let_in(request: Request, person: Person) -> None:
    """The session gets a new id and a new token for its forms: nobody can have known them."""
    session = _session(request)
    session.pop("_token", None)
    session.pop(HELD, None)
    await _guard.login(person, request)
    session[PROOF] = person.proof


def hold(request: Request, person: Person) -> None:
    """Remember who gave the right password, and let nobody in."""
    kept = {"id": person.id, "name": person.name, "proof": person.proof, "since": time.time()}
    _session(request)[HELD] = kept


async def held(request: Request) -> Person | None:
    """Whoever did that a moment ago, if it still holds."""
    kept = _session(request).get(HELD)
    if not kept or time.time() - kept["since"] > PATIENCE_S:
        return None
    if await recognise(kept["id"], kept["proof"]) is None:
        return None
    return Person(kept["id"], kept["name"], kept["proof"])


def let_out(request: Request) -> None:
    invalidate_session(request)


def _session(request: Request) -> dict[str, Any]:
    return request.session
