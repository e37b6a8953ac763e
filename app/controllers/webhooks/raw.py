"""A webhook request as bytes, under the addresses that providers know us by."""

from arvel.http.request import Request

from app.controllers.body import read_body
from app.settings import DispatchSettings
from app.transports.contract import RawRequest

PATIENCE = 10.0
"""Seconds that a request may take to arrive: providers send theirs in one go."""


async def read_request(request: Request, limit: int) -> RawRequest:
    """Read at most ``limit`` bytes; raises :class:`BodyTooLarge` and :class:`BodyTooSlow`.

    What a proxy made of scheme and host doesn't matter: the address is our configured one, with
    the query string byte for byte as it came.
    """
    scope = request.raw.scope
    query = bytes(scope.get("query_string", b""))
    suffix = scope["path"] + (f"?{query.decode('latin-1')}" if query else "")
    return RawRequest(
        method=request.method(),
        urls=tuple(base + suffix for base in DispatchSettings().public_urls),
        query_string=query,
        headers={name.lower(): value for name, value in request.raw.headers.items()},
        body=await read_body(request, limit, PATIENCE),
    )
