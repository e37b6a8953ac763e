"""Connections to RabbitMQ: bounded in time, silent, and with errors of one kind."""

import asyncio
import contextlib
import logging
from collections.abc import Generator
from typing import Any, cast

from aiormq import Connection
from aiormq.abc import AbstractChannel
from yarl import URL

PATIENCE = 2.0
"""Seconds for connecting."""
COMMAND = 5.0
"""Seconds for one answer."""
OLDEST_SERVER = (3, 10)


class BrokerAway(OSError):
    """RabbitMQ can't be reached, or has closed what was asked for; ``AWAY`` names this."""


class ServerTooOld(RuntimeError):
    """The broker is older than RabbitMQ 3.10, which this queue needs."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


@contextlib.contextmanager
def translated() -> Generator[None]:
    """Whatever the library raises inside the block is an absence of the broker."""
    try:
        yield
    except asyncio.CancelledError as error:
        # The library ends what waits on a connection that broke as if we had cancelled it.
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise BrokerAway("Disconnected") from error
    except OSError, TimeoutError, ServerTooOld:
        raise
    except Exception as error:
        raise BrokerAway(type(error).__name__) from error


async def connect(url: str, *, heartbeat: float, name: str) -> Connection:
    """A connection that either side gives up after two ``heartbeat`` (seconds) of silence."""
    logging.getLogger("aiormq").setLevel(logging.CRITICAL)
    beat = max(1, round(heartbeat))
    asked = URL(url).update_query(heartbeat=str(beat), name=name)
    connection = Connection(asked)
    with translated():
        async with asyncio.timeout(PATIENCE):
            await cast("Any", connection).connect()
    if version_of(connection) < OLDEST_SERVER:
        await close(connection)
        raise ServerTooOld
    return connection


def version_of(connection: Connection) -> tuple[int, ...]:
    text = str((connection.server_properties or {}).get("version", "0"))
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())


async def open_channel(connection: Connection, *, confirms: bool) -> AbstractChannel:
    with translated():
        return await connection.channel(publisher_confirms=confirms, timeout=COMMAND)


async def close(opened: Connection | AbstractChannel | None) -> None:
    """What it held goes back to its queues, whether or not anybody answers."""
    if opened is not None:
        with contextlib.suppress(OSError), translated():
            async with asyncio.timeout(PATIENCE):
                await opened.close()
