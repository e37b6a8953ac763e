"""From a token's text to whoever it stands for."""

import hmac
import ipaddress
from collections.abc import Sequence
from uuid import UUID

from app.access import plaintext
from app.access.caller import Bounds, Caller
from app.access.permissions import granted_by
from app.models.queries import access as queries
from app.models.statements import Row

NOBODY = bytes(32)
"""What a token that doesn't exist is compared with, so that its refusal takes as long."""


async def authenticate(text: str, address: str | None) -> Caller | None:
    """The caller of a living token; ``None`` for every other text, whatever is wrong with it.

    ``address`` is where the request comes from. A token that is revoked, expired, of a disabled
    user or used from a network that it isn't meant for is as good as none. Nothing is remembered,
    so that revoking works on the next request.
    """
    parts = plaintext.read(text)
    if parts is None:
        return None
    row = await queries.find(parts.lookup)
    proven = hmac.compare_digest(parts.digest, NOBODY if row is None else bytes(row["digest"]))
    return await _admit(row, address) if row is not None and proven else None


async def stand_for(token_id: UUID, address: str | None) -> Caller | None:
    """The caller of a token that somebody else vouches for: a link that we signed names it.

    ``None`` for whatever :func:`authenticate` would refuse.
    """
    row = await queries.find_by_id(token_id)
    return None if row is None else await _admit(row, address)


async def _admit(row: Row, address: str | None) -> Caller | None:
    if not row["live"] or not _comes_from(address, row["networks"]):
        return None
    if row["unmarked"]:
        await queries.mark_used(row["id"])
    return _caller(row)


def _caller(row: Row) -> Caller:
    held = granted_by(row["roles"], row["permissions"])
    return Caller(
        user_id=row["user_id"],
        token_id=row["id"],
        actor=f"{row['user_name']}/{row['name']}",
        permissions=held & frozenset(row["abilities"]),
        bounds=Bounds(
            tuple(row["senders"]),
            tuple(row["sms_prefixes"]),
            row["hourly_cap"],
            row["daily_cap"],
            row["max_receivers"],
        ),
    )


def _comes_from(address: str | None, networks: Sequence[str]) -> bool:
    if not networks:
        return True
    try:
        peer = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    return any(peer in ipaddress.ip_network(network) for network in networks)
