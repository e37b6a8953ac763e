"""The connections to PostgreSQL: arvel's resolver with the options that it can't be given."""

import contextlib
from collections.abc import AsyncGenerator
from contextvars import ContextVar
from typing import Any, cast, override

from arvel.database.connections import ConnectionResolver, WriteResult
from sqlalchemy import ExceptionContext, event
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

SERVER_SETTINGS = {
    "timezone": "UTC",
    # What is acknowledged must outlive a crash of the server: a lost claim is a message sent twice.
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "idle_in_transaction_session_timeout": "30s",
    "statement_timeout": "10s",
    "lock_timeout": "5s",
    "application_name": "pillarbox",
}

READ_ONLY = "25006"
"""PostgreSQL, appendix A: read_only_sql_transaction."""

open_transaction: ContextVar[AsyncConnection | None] = ContextVar("open_transaction", default=None)
"""The connection of the transaction that the caller has open, for statements that join it."""


class Connections(ConnectionResolver):
    """READ COMMITTED said aloud, a pool of the configured size, and no parameters in exceptions."""

    @override
    def _create(self, url: str) -> AsyncEngine:
        size = int(self._config.get(self._default, {}).get("pool_size", 10))
        engine = create_async_engine(
            url,
            pool_size=size,
            max_overflow=size,
            pool_timeout=10,
            hide_parameters=True,
            isolation_level="READ COMMITTED",
            connect_args={
                "server_settings": SERVER_SETTINGS,
                "timeout": 5,
                "command_timeout": 15,
            },
        )
        event.listen(engine.sync_engine, "handle_error", _leave_read_only_behind)
        return engine

    @override
    async def _record(self, statement: Any, elapsed_ms: float, name: str | None) -> None:
        # Rendering a statement to text costs more than running it: only for a log that is on.
        if self._query_log is not None:
            await super()._record(statement, elapsed_ms, name)

    @property
    def dsn(self) -> str:
        """The write connection's URL as asyncpg reads it."""
        config = cast("dict[str, Any]", self._config[self._default])
        return str(config["url"]).replace("postgresql+asyncpg://", "postgresql://")

    @property
    def pool_size(self) -> int:
        return int(self._config[self._default].get("pool_size", 10))

    @override
    @contextlib.asynccontextmanager
    async def transaction(self, name: str | None = None) -> AsyncGenerator[Any]:
        async with super().transaction(name) as connection:
            token = open_transaction.set(connection)
            try:
                yield connection
            finally:
                open_transaction.reset(token)


def _leave_read_only_behind(context: ExceptionContext) -> None:
    """A server that became a replica keeps its connections; the pool must connect anew."""
    if getattr(context.original_exception, "sqlstate", None) == READ_ONLY:
        context.is_disconnect = True


__all__ = ["Connections", "WriteResult", "open_transaction"]
