"""From a name and a password, or from a session that they began, to whoever it is."""

import hashlib
from dataclasses import dataclass
from uuid import UUID

from arvel.auth.guards import LocalGuard

from app.access.caller import Caller
from app.access.permissions import granted_by
from app.access.users import MOST
from app.models.queries import users as queries
from app.models.statements import Row


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who proved who they are. ``proof`` ends with the password that it was made of."""

    id: str
    name: str
    proof: str


async def sign_in(name: str, password: str) -> Person | None:
    """``None`` for whatever is wrong; that takes as long for a name that nobody has."""
    if len(password) > MOST or await _guard.attempt(name, password) is None:
        return None
    row = await queries.find_signing_in(name)
    return None if row is None else Person(str(row["id"]), row["name"], _proof(row))


async def recognise(user_id: str, proof: str) -> Caller | None:
    """Whoever signed in so, with what they may do now; ``None`` once they were disabled or have
    another password.
    """
    row = await queries.find_signed_in(UUID(user_id))
    if row is None or _proof(row) != proof:
        return None
    return Caller(row["id"], None, row["name"], granted_by(row["roles"], row["permissions"]))


def _proof(row: Row) -> str:
    return hashlib.sha256(str(row["password"]).encode()).hexdigest()[:32]


async def _hash_of(name: str) -> str | None:
    row = await queries.find_signing_in(name)
    return None if row is None else str(row["password"])


_guard = LocalGuard(_hash_of)
