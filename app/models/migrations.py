"""Migrating a database that is in use: one run at a time, and nobody waits long behind it."""

from typing import Any, override

from arvel.database import Migrator
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.models.connections import SERVER_SETTINGS, Connections

SETTINGS = {
    **SERVER_SETTINGS,
    "application_name": "pillarbox migrate",
    # An index on millions of rows takes longer than any statement of the queue may.
    "statement_timeout": "0",
}
PATIENCE = "10min"
"""For the end of another run; two hosts that are upgraded at once are two runs."""
LOCK = 7_011_968_131
"""Any number that nobody else locks in this database."""


class UnhurriedConnections(Connections):
    """Statements may last; what holds a lock that is needed is waited for as shortly as ever."""

    @override
    def _create(self, url: str) -> AsyncEngine:
        return create_async_engine(
            url,
            poolclass=NullPool,
            hide_parameters=True,
            isolation_level="READ COMMITTED",
            connect_args={"server_settings": SETTINGS, "timeout": 5},
        )


class OneMigrator(Migrator):
    """Applies what is pending in one transaction: all of it or, when a lock is not to be had
    within 5 s, nothing."""

    def __init__(self, connections: Connections) -> None:
        config, default = connections._config, connections._default  # pyright: ignore[reportPrivateUsage]
        super().__init__(UnhurriedConnections(config, default=default))

    @staticmethod
    @override
    def _apply(sync_conn: Any, migrations: list[Any], direction: str) -> int:
        sync_conn.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}'"))
        sync_conn.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        sync_conn.execute(text(f"SET LOCAL lock_timeout = '{SETTINGS['lock_timeout']}'"))
        return Migrator._apply(sync_conn, migrations, direction)  # pyright: ignore[reportPrivateUsage]
