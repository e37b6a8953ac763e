"""Waits for PostgreSQL before a worker begins, as a worker that runs sits out its absence."""

from typing import Any, cast

import asyncpg

from app.models.statements import CONNECT, UNAVAILABLE
from app.worker.outage import Outage


async def wait_for(dsn: str) -> None:
    """Until there is a server that takes connections; returns at once when one refuses us.

    That it refuses us is said by whatever connects next, and no wait would mend it.
    """
    outage = Outage("database")
    while (error := await _try(dsn)) is not None:
        await outage.sit_out(error)
    outage.over()


async def _try(dsn: str) -> BaseException | None:
    """What keeps us from connecting, as far as it may pass."""
    try:
        connection = await cast("Any", asyncpg).connect(dsn, timeout=CONNECT)
    except UNAVAILABLE as error:
        return error
    except Exception:
        return None
    connection.terminate()
    return None
