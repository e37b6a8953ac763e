"""One call to a provider, whose end is an answer, or an exact word on what may have been sent."""

import asyncio

import aiohttp
import httpx

from app.transports.contract import Go, NotSent, Unknown
from app.transports.http.answer import Answer
from app.transports.http.body import read_body
from app.transports.http.boundary import Boundary, guarded
from app.transports.http.failures import not_sent, unknown

LOST = (httpx.HTTPError, httpx.InvalidURL, aiohttp.ClientError, OSError)
"""All that httpx on aiohttp raises when a call fails (``TimeoutError`` is an ``OSError``)."""

UNGUARDED = (
    "An answer came without crossing the boundary: this client was not made by http_client(), or "
    "this version of aiohttp writes requests elsewhere. Failures could not be told apart."
)


class NoAnswer(Exception):
    """No status line came. ``outcome`` says whether the request can have reached the provider."""

    def __init__(self, outcome: NotSent | Unknown) -> None:
        super().__init__(outcome.text)
        self.outcome = outcome


async def call(
    client: httpx.AsyncClient,
    request: httpx.Request,
    *,
    provider: str,
    total: float,
    go: Go | None = None,
) -> Answer:
    """Send ``request`` and read the answer, all within ``total`` seconds.

    With ``go`` the request is written once at most, and only after ``go`` allowed it, when the
    connection stands. Without it (reading from a provider) a request that is safe to repeat may be
    repeated on a fresh connection. An answer whose body is lost keeps its status.

    Raises :class:`NoAnswer`, or whatever ``go`` raises, with nothing sent.
    """
    with guarded(go) as boundary:
        answer = await _exchange(client, request, boundary, provider, total)
    if not isinstance(answer, Answer):
        raise NoAnswer(answer)
    if not boundary.crossed:
        raise RuntimeError(UNGUARDED)
    return answer


async def _exchange(
    client: httpx.AsyncClient,
    request: httpx.Request,
    boundary: Boundary,
    provider: str,
    total: float,
) -> Answer | NotSent | Unknown:
    response: httpx.Response | None = None
    try:
        async with asyncio.timeout(total):
            response = await client.send(request, stream=True)
            return Answer(response.status_code, response.headers, await read_body(response))
    except LOST as error:
        if response is not None:
            return Answer(response.status_code, response.headers, None)
        return unknown(provider, error) if boundary.crossed else not_sent(provider, error)
    finally:
        if response is not None:
            await response.aclose()
