"""How often somebody may try to sign in: each try is counted before it is looked at."""

import hashlib
import ipaddress
from typing import Protocol, cast

from arvel.kernel import app

WINDOW = 15 * 60
"""Seconds."""

OF_ONE_NAME = 5
"""Tries of one name from one place. What others do elsewhere locks nobody out."""

OF_A_PLACE = 50

CODES = 10
"""Codes of one user, from wherever: only who has the password comes so far."""

SPENT = 3 * 60
"""Seconds in which a code of a device counts once; it fits for a minute and a half."""


class _Limiter(Protocol):
    async def hit_with_ttl(self, key: str, decay_seconds: int) -> int: ...
    async def available_in(self, key: str) -> int: ...
    async def clear(self, key: str) -> object: ...


async def count(name: str, address: str | None) -> int:
    """Count a try; the seconds to wait when there were too many, else 0."""
    for key, most in _counted(name, address):
        if await _limiter().hit_with_ttl(key, WINDOW) > most:
            return max(1, await _limiter().available_in(key))
    return 0


async def forget(name: str, address: str | None) -> None:
    """After a success."""
    for key, _ in _counted(name, address):
        await _limiter().clear(key)


async def count_code(user_id: str) -> int:
    """The same of the codes that somebody enters after the password."""
    key = _codes_of(user_id)
    if await _limiter().hit_with_ttl(key, WINDOW) > CODES:
        return max(1, await _limiter().available_in(key))
    return 0


async def forget_codes(user_id: str) -> None:
    await _limiter().clear(_codes_of(user_id))


async def is_new(user_id: str, code: str) -> bool:
    """Whether nobody has entered this code of this user a moment ago, as who looked over a
    shoulder does.
    """
    digest = hashlib.sha256(code.encode()).hexdigest()
    return await _limiter().hit_with_ttl(f"second-factor:{user_id}:{digest}", SPENT) == 1


def _codes_of(user_id: str) -> str:
    return f"second-factor:{user_id}"


def _counted(name: str, address: str | None) -> list[tuple[str, int]]:
    place = _place(address)
    return [
        (f"sign-in:{place}:{name.strip().casefold()}", OF_ONE_NAME),
        (f"sign-in:{place}", OF_A_PLACE),
    ]


def _place(address: str | None) -> str:
    """The address, or the network that one customer of an IPv6 provider has for himself."""
    if address is None or ":" not in address:
        return str(address)
    return str(ipaddress.ip_network(f"{address}/64", strict=False).network_address)


def _limiter() -> _Limiter:
    return cast("_Limiter", app().make("limiter"))
