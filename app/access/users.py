"""People: whom tokens belong to and who sign in. Only the command line makes them."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from arvel.security import resolve_hasher

from app.access.permissions import PERMISSIONS, ROLES
from app.models.queries import users as queries

LEAST = 12
MOST = 1024
"""Letters of a password (NIST SP 800-63B-4 asks for length and for nothing else)."""

RESERVED = frozenset("/:")
"""What parts actors of the history: ``owner/token``, ``cli:login``."""


class UserRefused(ValueError):
    """The user can't be made like this; ``errors`` says why, field by field."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        super().__init__("; ".join(f"{name}: {' '.join(texts)}" for name, texts in errors.items()))
        self.errors = errors


@dataclass(frozen=True, slots=True, repr=False)
class NewUser:
    """``password``: in plain; without one the user has tokens and signs in nowhere."""

    name: str
    email: str = ""
    password: str | None = None
    roles: Sequence[str] = ()
    permissions: Sequence[str] = ()


async def add(user: NewUser) -> UUID:
    """Raises :class:`UserRefused`."""
    _require(
        name=_wrong_name(user.name),
        email=_wrong_email(user.email),
        password=_wrong_password(user.password),
        role=_unknown(user.roles, ROLES),
        permission=_unknown(user.permissions, PERMISSIONS),
    )
    key = uuid.uuid7()
    password = None if user.password is None else await _hash(user.password)
    try:
        await queries.add(key, user.name, user.email, password, user.roles, user.permissions)
    except queries.NameTaken:
        raise UserRefused({"name": ["Another user has this name or address."]}) from None
    return key


async def grant(user_id: UUID, roles: Sequence[str], permissions: Sequence[str]) -> None:
    """What the user may from now on, and nothing else. Raises :class:`UserRefused`."""
    _require(role=_unknown(roles, ROLES), permission=_unknown(permissions, PERMISSIONS))
    await queries.grant(user_id, roles, permissions)


async def change_password(user_id: UUID, password: str) -> None:
    """Raises :class:`UserRefused`."""
    _require(password=_wrong_password(password))
    await queries.set_password(user_id, await _hash(password))


async def _hash(password: str) -> str:
    return await resolve_hasher().make_async(password)


def _require(**texts: str) -> None:
    if errors := {name: [text] for name, text in texts.items() if text}:
        raise UserRefused(errors)


def _wrong_name(name: str) -> str:
    fits = 1 <= len(name) <= 64 and name.isprintable() and name.strip() == name
    if fits and not RESERVED.intersection(name):
        return ""
    return "Must have 1 to 64 printable characters, without / and :, and no spaces around them."


def _wrong_email(email: str) -> str:
    local, at, domain = email.rpartition("@")
    fits = len(email) <= 254 and email.isprintable() and " " not in email
    if not email or (at and local and domain and fits):
        return ""
    return "Must be an address such as ada@example.com."


def _wrong_password(password: str | None) -> str:
    if password is None or LEAST <= len(password) <= MOST:
        return ""
    return f"Must have {LEAST} letters or more (and at most {MOST}); a few words will do."


def _unknown(given: Sequence[str], known: Collection[str]) -> str:
    return "" if set(given) <= set(known) else f"Must be one of: {', '.join(known)}."
