"""Issuing API tokens."""

import ipaddress
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network
from typing import Any
from uuid import UUID

from app.access import plaintext
from app.access.caller import Bounds
from app.access.permissions import PERMISSIONS
from app.models.queries import access as queries
from app.models.queries.access import NewToken

LONGEST = timedelta(days=366)


class TokenRefused(ValueError):
    """The token can't be issued; ``errors`` says why, field by field."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        super().__init__("; ".join(f"{name}: {' '.join(texts)}" for name, texts in errors.items()))
        self.errors = errors


class NameTaken(TokenRefused):
    """The user has a living token of that name."""

    def __init__(self) -> None:
        super().__init__({"name": ["A living token of yours has this name; revoke it first."]})


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants of a new token. ``networks`` are CIDR ranges that it works from."""

    name: str
    abilities: Sequence[str]
    expires_at: datetime
    networks: Sequence[str] = ()
    bounds: Bounds = field(default_factory=Bounds)


@dataclass(frozen=True, slots=True, repr=False)
class Issued:
    """A new token; ``text`` is shown this once and stored nowhere."""

    id: UUID
    text: str


async def issue(
    user_id: UUID, held: frozenset[str], wish: Wish, issued_by: UUID | None = None
) -> Issued:
    """Issue a token for a user who has the permissions ``held``.

    A token can do nothing that its owner can't: raises :class:`TokenRefused` for abilities that
    the owner lacks, and for whatever else can't be granted; :class:`NameTaken` for its name.
    """
    if errors := _find_errors(held, wish):
        raise TokenRefused(errors)
    parts = plaintext.draw()
    token = NewToken(
        id=uuid.uuid7(),
        user_id=user_id,
        name=wish.name,
        lookup=parts.lookup,
        digest=parts.digest,
        abilities=sorted(set(wish.abilities)),
        networks=[str(read_network(network)) for network in wish.networks],
        senders=[sender.lower() for sender in wish.bounds.senders],
        sms_prefixes=wish.bounds.sms_prefixes,
        hourly_cap=wish.bounds.hourly_cap,
        daily_cap=wish.bounds.daily_cap,
        max_receivers=wish.bounds.max_receivers,
        expires_at=wish.expires_at,
        issued_by=issued_by,
    )
    if not await queries.add(token):
        raise NameTaken
    return Issued(token.id, parts.text)


def read_network(text: str) -> IPv4Network | IPv6Network:
    """A CIDR range; an address within it stands for it. Raises :class:`ValueError`."""
    return ipaddress.ip_network(text, strict=False)


def _find_errors(held: frozenset[str], wish: Wish) -> dict[str, list[str]]:
    errors = {
        "name": _wrong_name(wish.name),
        "abilities": _wrong_abilities(held, wish.abilities),
        "expires_at": _wrong_end(wish.expires_at),
        "networks": _wrong_networks(wish.networks),
        "senders": _wrong(wish.bounds.senders, _is_sender, "an address, a @domain or a number"),
        "sms_prefixes": _wrong(wish.bounds.sms_prefixes, _is_prefix, "a country code as +49"),
        "hourly_cap": _wrong_cap(wish.bounds.hourly_cap),
        "daily_cap": _wrong_cap(wish.bounds.daily_cap),
        "max_receivers": _wrong_cap(wish.bounds.max_receivers),
    }
    return {name: [text] for name, text in errors.items() if text}


def _wrong_name(name: str) -> str:
    if 1 <= len(name) <= 64 and name.isprintable() and name.strip() == name:
        return ""
    return "Must have 1 to 64 printable characters, without spaces around them."


def _wrong_abilities(held: frozenset[str], abilities: Sequence[str]) -> str:
    if not abilities:
        return "Name at least one ability."
    if unknown := set(abilities) - frozenset(PERMISSIONS):
        return f"{len(unknown)} of these don't exist; there are: {', '.join(PERMISSIONS)}."
    if lacking := sorted(set(abilities) - held):
        return f"The owner has no {', '.join(lacking)}."
    return ""


def _wrong_end(end: datetime) -> str:
    if end.utcoffset() is None:
        return "Must say its time zone."
    if not datetime.now(UTC) < end <= datetime.now(UTC) + LONGEST:
        return "Must be in the future, and at most 366 days from now."
    return ""


def _wrong_networks(networks: Iterable[str]) -> str:
    try:
        for network in networks:
            read_network(network)
    except ValueError:
        return "Each must be an address or a range, as 192.0.2.0/24."
    return ""


def _wrong(values: Sequence[str], check: Any, form: str) -> str:
    if len(values) <= 100 and all(check(value) for value in values):
        return ""
    return f"Must be at most 100, each {form}."


def _is_sender(value: str) -> bool:
    return 2 <= len(value) <= 254 and value.isprintable() and value[0] != " " and "," not in value


def _is_prefix(value: str) -> bool:
    return 2 <= len(value) <= 16 and value[0] == "+" and value[1:].isascii() and value[1:].isdigit()


def _wrong_cap(cap: int | None) -> str:
    return "" if cap is None or 0 < cap < 2**31 else "Must be 1 or more."
