"""Who asks: the caller of a request's token, or a refusal that is counted by address."""

import ipaddress

from arvel.http.request import Request
from arvel.kernel.logging import LogManager

from app.access.authenticate import authenticate
from app.access.caller import Caller
from app.controllers.address import client_address
from app.controllers.api import rate
from app.controllers.api.problems import Problem
from app.controllers.sampled import Sampled

CHALLENGE = {"www-authenticate": 'Bearer realm="Pillarbox"'}

_lines = Sampled(10, seconds=60.0)


async def identify(request: Request) -> Caller:
    """The caller; raises :class:`Problem` 401, or 429 for an address that guesses too much.

    A good token is never refused for what others at its address do: only refusals are counted.
    """
    given = request.header("authorization")
    if given is None:
        raise Problem("unauthenticated", headers=CHALLENGE)
    scheme, _, text = given.partition(" ")
    address = client_address(request)
    caller = await authenticate(text.strip(), address) if scheme.lower() == "bearer" else None
    if caller is None:
        await _count(address)
        raise Problem("unauthenticated", headers=CHALLENGE)
    return caller


async def _count(address: str | None) -> None:
    if _lines.takes("refused"):
        LogManager().channel("api").warning(
            "token_refused", client=address, left_out=_lines.left_out()
        )
    await rate.count_refusal(_network(address))


def _network(address: str | None) -> str:
    """The address, or the network that one customer of an IPv6 provider has for himself."""
    if address is None or ":" not in address:
        return str(address)
    return str(ipaddress.ip_network(f"{address}/64", strict=False).network_address)
