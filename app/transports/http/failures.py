"""What went wrong in a call without an answer, as data: a code and a clause for each exception.

Which of the two tables is asked depends on the boundary alone. The first row that names an
exception of the chain wins. The texts of the exceptions themselves are never used: they hold
hosts, URLs and bytes of the answer.
"""

import ssl
from collections.abc import Iterator

import aiohttp

from app.transports.contract import NotSent, Unknown

type Row = tuple[type[BaseException], str, str]

BEFORE_WRITING: tuple[Row, ...] = (
    (aiohttp.ClientConnectorDNSError, "dns", "its host name could not be resolved"),
    (aiohttp.ClientHttpProxyError, "proxy", "the proxy refused to connect to it"),
    (aiohttp.ClientProxyConnectionError, "proxy", "the proxy could not be reached"),
    (ssl.SSLCertVerificationError, "tls", "its certificate could not be verified"),
    (ssl.SSLError, "tls", "no TLS connection could be agreed"),
    (ConnectionRefusedError, "refused", "it refused the connection"),
    (TimeoutError, "connect_timeout", "no connection was ready in time"),
    (BaseException, "connect", "no connection could be made"),
)

AFTER_WRITING: tuple[Row, ...] = (
    (TimeoutError, "no_answer", "no answer came in time"),
    (aiohttp.ClientResponseError, "not_http", "the answer could not be read"),
    (BaseException, "connection_lost", "the connection was lost before an answer came"),
)


def not_sent(provider: str, error: BaseException) -> NotSent:
    code, clause = describe(error, BEFORE_WRITING)
    return NotSent(f"{provider} could not be reached: {clause}. Nothing was sent.", code)


def unknown(provider: str, error: BaseException) -> Unknown:
    code, clause = describe(error, AFTER_WRITING)
    text = (
        f"The request was written to {provider}, but {clause}. The message may have been sent; "
        f"look for it at {provider} before you send it again."
    )
    return Unknown(text, code)


def describe(error: BaseException, table: tuple[Row, ...]) -> tuple[str, str]:
    chain = tuple(causes(error))
    for kind, code, clause in table:
        if any(isinstance(link, kind) for link in chain):
            return code, clause
    raise AssertionError("the last row of a table names BaseException")


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """The exception and what it was raised from; aiohttp's is the cause of httpx's."""
    while error is not None:
        yield error
        error = error.__cause__
