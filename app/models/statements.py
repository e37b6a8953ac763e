"""Runs the statements of ``app/models/queries``: prepared, committed at once, repeated when safe.

Outside a transaction a statement runs on a pool of asyncpg connections and is committed by itself;
inside one it joins it. Statements here are conditional, so running one twice is harmless: on a
deadlock, a serialization failure or a lost connection it is repeated.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from contextvars import ContextVar
from typing import Any, Protocol, cast

import asyncpg

from app.models.connections import SERVER_SETTINGS, open_transaction


class Row(Protocol):
    """One row, by column name; what is in it is the statement's affair."""

    def __getitem__(self, key: str, /) -> Any: ...


TRIES = 3
CONNECT = 5.0
ANSWER = 15.0
"""Seconds after which a server that says nothing counts as away, while connecting and later."""

REPEATABLE = (
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.ConnectionDoesNotExistError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    ConnectionError,
)
UNAVAILABLE = (
    *REPEATABLE,
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.LockNotAvailableError,
    asyncpg.PostgresSystemError,
    TimeoutError,
    OSError,
)
"""What is raised when the database can't be reached, now: another try later may succeed."""


own_transaction: ContextVar[Any] = ContextVar("own_transaction", default=None)
"""The connection of the :meth:`Statements.transaction` that the caller has open."""


def is_in_transaction() -> bool:
    """Whether a statement joins a transaction that the caller has open."""
    return own_transaction.get() is not None or open_transaction.get() is not None


def step_outside() -> None:
    """From now on, in this context, statements join no transaction."""
    own_transaction.set(None)
    open_transaction.set(None)


class _Pool(Protocol):
    def acquire(self) -> contextlib.AbstractAsyncContextManager[Any]: ...
    async def fetch(self, query: str, *args: Any) -> Sequence[Row]: ...
    async def close(self) -> None: ...
    async def expire_connections(self) -> None: ...
    def terminate(self) -> None: ...


class Statements:
    """One pool for each event loop; ``run`` is the one way that a statement is executed."""

    def __init__(self, dsn: str, size: int, application_name: str = "pillarbox") -> None:
        self._dsn = dsn
        self._size = size
        self._settings = {**SERVER_SETTINGS, "application_name": application_name}
        self._pools: dict[asyncio.AbstractEventLoop, asyncio.Future[_Pool]] = {}

    async def run(self, sql: str, *args: Any, read_back: str | None = None) -> Sequence[Row]:
        """The rows that the statement returns; raises asyncpg's errors once repeating has failed.

        ``read_back`` settles a reply that was lost: when a repeated statement finds nothing left to
        do, its rows are read by this statement, with the same arguments, instead.
        """
        own = own_transaction.get()
        if own is not None:
            return await own.fetch(sql, *args)
        connection = open_transaction.get()
        if connection is not None:
            result = await connection.exec_driver_sql(sql, tuple(args))
            rows = list(result.mappings().all()) if result.returns_rows else []
            return cast("Sequence[Row]", rows)
        return await self._run_alone(sql, args, read_back)

    async def _run_alone(
        self, sql: str, args: tuple[Any, ...], read_back: str | None
    ) -> Sequence[Row]:
        for attempt in range(1, TRIES + 1):
            try:
                pool = await self.pool()
                rows = await pool.fetch(sql, *args)
                if attempt > 1 and not rows and read_back is not None:
                    return await pool.fetch(read_back, *args)
                return rows
            except REPEATABLE:
                if attempt == TRIES:
                    raise
                await asyncio.sleep(0.05 * 2**attempt)
            except asyncpg.ReadOnlySQLTransactionError:
                await self._leave_behind()
                raise
        raise AssertionError("unreachable")

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncGenerator[None]:
        """Statements within the block are one transaction, at a third of the price of arvel's; for
        blocks that dispatch nothing and use no model, since neither would know of it.
        """
        async with (await self.pool()).acquire() as connection:
            token = own_transaction.set(connection)
            try:
                async with connection.transaction():
                    yield
            except asyncpg.ReadOnlySQLTransactionError:
                await self._leave_behind()
                raise
            finally:
                own_transaction.reset(token)

    async def _leave_behind(self) -> None:
        """Connect anew from now on: the server at the other end is not the primary any more."""
        await (await self.pool()).expire_connections()

    async def pool(self) -> _Pool:
        """The pool of the running loop, opened when it is first asked for."""
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            self._pools[loop] = asyncio.ensure_future(self._open())
        opening = self._pools[loop]
        try:
            return await asyncio.shield(opening)
        except Exception:
            self._pools.pop(loop, None)
            raise

    async def _open(self) -> _Pool:
        create_pool = cast("Any", asyncpg).create_pool
        return await create_pool(
            self._dsn,
            min_size=0,
            max_size=self._size,
            timeout=CONNECT,
            command_timeout=ANSWER,
            max_inactive_connection_lifetime=300,
            reset=_leave_as_it_is,
            server_settings=self._settings,
        )

    async def close(self) -> None:
        """Close the pool of the running loop; waits at most 5 s for statements that still run."""
        opening = self._pools.pop(asyncio.get_running_loop(), None)
        if opening is None:
            return
        pool = await opening
        try:
            async with asyncio.timeout(5):
                await pool.close()
        except TimeoutError:
            pool.terminate()


async def _leave_as_it_is(_connection: object) -> None:
    """Statements here leave nothing behind on a connection; a reset would be a round trip each."""


_current: list[Statements] = []


def use(statements: Statements) -> None:
    """Make ``statements`` the application's; called by the provider that wires the database."""
    _current[:] = [statements]


async def run(sql: str, *args: Any, read_back: str | None = None) -> Sequence[Row]:
    """Run a statement on the application's database; see :meth:`Statements.run`."""
    return await _current[0].run(sql, *args, read_back=read_back)


def transaction() -> contextlib.AbstractAsyncContextManager[None]:
    """A transaction on the application's database; see :meth:`Statements.transaction`."""
    return _current[0].transaction()


async def pool() -> Any:
    """The connections of the running loop, for :mod:`app.models.snapshots`."""
    return await _current[0].pool()


async def close() -> None:
    for statements in _current:
        await statements.close()
