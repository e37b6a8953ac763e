"""Where a request comes from: the one place that believes, or doesn't, what a proxy says of it."""

import ipaddress
from collections.abc import Collection, Iterator
from ipaddress import IPv4Address, IPv6Address
from typing import cast

from arvel.http.request import Request
from arvel.kernel import app

type Address = IPv4Address | IPv6Address

ANY = ["*"]


def client_address(request: Request) -> str | None:
    """The address that a request was sent from; ``None`` when the server doesn't know its peer.

    ``X-Forwarded-For`` grows to the right: each proxy appends whom it was asked by, after whatever
    its client claimed. So it is read from the right for as long as the proxies are ours
    (``TRUSTED_PROXIES``), and the first that isn't is the client. Everything left of it is hearsay.
    """
    peer = _read(_peer(request))
    trusted = cast("list[str]", app().config().get("app.trusted_proxies") or [])
    if peer is None:
        return None
    return str(_client(peer, list(_hops(request)), trusted))


def _client(peer: Address, hops: list[str], trusted: list[str]) -> Address:
    if trusted == ANY:
        # Whoever connects is the proxy; whom it names is not one.
        return (_read(hops[-1]) if hops else None) or peer
    proxies = {_read(proxy) for proxy in trusted}
    return _leave(peer, hops, proxies)


def _leave(address: Address, hops: list[str], proxies: Collection[Address | None]) -> Address:
    while address in proxies and hops:
        named = _read(hops.pop())
        if named is None:
            break
        address = named
    return address


def _hops(request: Request) -> Iterator[str]:
    for name, value in cast("list[tuple[bytes, bytes]]", request.raw.scope["headers"]):
        if name.lower() == b"x-forwarded-for":
            yield from (hop.strip() for hop in value.decode("latin-1").split(","))


def _peer(request: Request) -> str:
    client = cast("tuple[str, int] | None", request.raw.scope.get("client"))
    return client[0] if client else ""


def _read(text: str) -> Address | None:
    """An address, with or without a port; IPv4 within IPv6 is IPv4."""
    host = text.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address
