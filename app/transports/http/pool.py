"""The pooled client: httpx's interface on aiohttp's connections.

httpx's own pool does work for each pair of connections, so that 200 of them cost 36 ms of CPU a
request; aiohttp's costs the same however many there are.
"""

import logging
import ssl

import httpx
from aiohttp import ClientSession, DummyCookieJar, TCPConnector
from httpx_aiohttp import AiohttpTransport

from app.transports.http.boundary import GuardedRequest

USER_AGENT = "Pillarbox"

KEEP_ALIVE = 15.0
"""Seconds for which an idle connection is kept: well below what servers allow (commonly 60), so
that a message rarely goes out on a connection that the server is just closing."""


def http_client(
    *,
    connections: int,
    connect_timeout: float = 5.0,
    total_timeout: float = 30.0,
    proxy: str | None = None,
    trust: ssl.SSLContext | None = None,
) -> httpx.AsyncClient:
    """One client for one channel; it opens at most ``connections`` connections, all kept alive.

    ``connect_timeout`` (seconds) covers the wait for a free connection, name resolution, the
    connection itself and TLS. httpx knows no limit for a whole call, so ``total_timeout`` here is
    only the longest silence; :func:`app.transports.http.call` limits the whole. Redirects are not
    followed, proxies named by the environment are not used. ``trust`` replaces the certificate
    authorities of certifi (or ``SSL_CERT_FILE``).
    """
    silence_request_log()
    context = trust or httpx.create_ssl_context()
    return httpx.AsyncClient(
        transport=AiohttpTransport(
            verify=context,
            proxy=httpx.Proxy(proxy) if proxy else None,
            client=lambda: open_session(connections, context),
        ),
        timeout=httpx.Timeout(total_timeout, connect=connect_timeout, pool=connect_timeout),
        headers={"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"},
        follow_redirects=False,
        trust_env=False,
    )


def open_session(connections: int, context: ssl.SSLContext) -> ClientSession:
    """Called by the first request, because aiohttp's session belongs to a running loop."""
    return ClientSession(
        connector=TCPConnector(limit=connections, keepalive_timeout=KEEP_ALIVE, ssl=context),
        request_class=GuardedRequest,
        cookie_jar=DummyCookieJar(),
        trust_env=False,
    )


def silence_request_log() -> None:
    """httpx logs full URLs at INFO, and a provider's URL may hold an address or a number."""
    logging.getLogger("httpx").setLevel(logging.WARNING)
