"""Why a server could not be reached, in words of ours: those of libraries may quote secrets."""

import socket
import ssl

import asyncpg
from redis import exceptions as redis

REASONS: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    (
        (asyncpg.InvalidPasswordError, asyncpg.InvalidAuthorizationSpecificationError),
        "refuses our user or password",
    ),
    ((asyncpg.InvalidCatalogNameError,), "has no database of this name"),
    ((asyncpg.TooManyConnectionsError,), "has no connection left for us"),
    ((asyncpg.CannotConnectNowError,), "is starting, recovering or shutting down"),
    ((redis.AuthenticationError, redis.NoPermissionError), "refuses our user or password"),
    ((redis.BusyLoadingError,), "is still loading its data"),
    ((TimeoutError, redis.TimeoutError), "does not answer within 2 s"),
    ((ssl.SSLError,), "and we can't agree on TLS"),
    ((socket.gaierror,), "has a host name that nobody knows"),
    ((ConnectionRefusedError,), "refuses connections: nothing listens there"),
)


def reason(error: BaseException) -> str:
    """Completes "PostgreSQL …"."""
    for link in _chain(error):
        for kinds, text in REASONS:
            if isinstance(link, kinds):
                return text
    return f"can't be reached ({type(error).__name__})"


def _chain(error: BaseException) -> list[BaseException]:
    """The error and what caused it, the cause first: libraries wrap what says more."""
    links: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in links:
        links.insert(0, link)
        link = link.__cause__ or link.__context__
    return links
