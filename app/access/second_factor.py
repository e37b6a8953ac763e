"""A code from a device, besides the password: set up by each person for themselves (RFC 6238)."""

import hashlib
import re
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from arvel.auth.two_factor import TwoFactor
from arvel.kernel import app
from arvel.security import DecryptionFailed, Encrypter

from app.models.queries import second_factors as queries

CODE = re.compile(r"[0-9]{6}", re.ASCII)
LONGEST = 64


@dataclass(frozen=True, slots=True, repr=False)
class Enrolment:
    """Shown once. ``address`` opens an authenticator on the same device."""

    secret: str
    address: str
    recovery: list[str]


async def begin(user_id: UUID, name: str, issuer: str) -> Enrolment | None:
    """Not asked for until it is confirmed; ``None`` where one is in use."""
    secret, recovery = TwoFactor.generate_secret(), TwoFactor.recovery_codes()
    kept = _encrypter().encrypt_string(secret)
    if not await queries.keep(user_id, kept, [_digest(code) for code in recovery]):
        return None
    return Enrolment(secret, TwoFactor.provisioning_uri(secret, name, issuer=issuer), recovery)


async def confirm(user_id: UUID, code: str) -> bool:
    """Whether the device shows the right codes: then it is asked for from now on."""
    row = await queries.find(user_id)
    if row is None or not _fits(row["secret"], code):
        return False
    return await queries.confirm(user_id, row["secret"])


async def check(user_id: UUID, code: str) -> bool:
    """A code of the device, or one of recovery, which is used up by it."""
    row = await queries.find(user_id)
    if row is None or row["confirmed_at"] is None or len(code) > LONGEST:
        return False
    return _fits(row["secret"], code) or await queries.spend(user_id, _digest(code))


async def is_on(user_id: UUID) -> bool:
    row = await queries.find(user_id)
    return row is not None and row["confirmed_at"] is not None


def _fits(kept: str, code: str) -> bool:
    if not CODE.fullmatch(code):
        return False
    try:
        return TwoFactor.verify(_encrypter().decrypt_string(kept), code)
    except DecryptionFailed:
        return False


def _digest(code: str) -> str:
    """Nobody guesses one of 119 bits, so that nothing slow is needed."""
    return hashlib.sha256(code.encode()).hexdigest()


def _encrypter() -> Encrypter:
    return cast("Encrypter", app().make("encrypter"))
