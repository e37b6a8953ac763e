"""Connections to Redis or Valkey: few, bounded in time, and never refused for their number."""

from collections.abc import Callable
from typing import Any, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError, ResponseError

AWAY = (RedisError, OSError, TimeoutError)
"""What a command raises while the broker is away, restarting, failing over or out of memory."""


def is_wrong_type(error: BaseException) -> bool:
    """Whether a key is no stream: somebody else's, under a name of ours."""
    return isinstance(error, ResponseError) and "WRONGTYPE" in str(error)


CONNECT = 2.0
COMMAND = 5.0


def connect(url: str, *, size: int, patience: float = COMMAND) -> Redis:
    """A client on such a :func:`pool`, closed with it."""
    return Redis.from_pool(pool(url, size=size, patience=patience))


def pool(url: str, *, size: int, patience: float = COMMAND) -> BlockingConnectionPool:
    """At most ``size`` connections; more callers wait for one of them.

    ``patience``: seconds that one answer may take. A connection that the server closed meanwhile is
    opened again once, unnoticed; adding a message twice by that is harmless, losing it is not.
    """
    options: dict[str, Any] = {
        "protocol": 2,
        "max_connections": size,
        "timeout": patience,
        "socket_timeout": patience,
        "socket_connect_timeout": min(CONNECT, patience),
        "retry": Retry(NoBackoff(), 1, supported_errors=(Disconnected,)),
    }
    from_url = cast("Callable[..., BlockingConnectionPool]", BlockingConnectionPool.from_url)
    return from_url(url, **options)
