"""Both servers for as long as a block runs."""

import contextlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from local import folders
from local.given import Given, sqlalchemy_form
from local.postgres import Postgres
from local.seed import EMPTY, Seed, copy_into
from local.valkey import Valkey


@dataclass(frozen=True)
class Services:
    """The two servers, ours or given ones."""

    postgres: Postgres | Given
    valkey: Valkey | Given

    @property
    def database_url(self) -> str:
        """`postgresql+asyncpg://…`"""
        return self.postgres.url

    @property
    def redis_url(self) -> str:
        """`redis://…`"""
        return self.valkey.url

    @property
    def environment(self) -> dict[str, str]:
        """What a process of the application must find in its environment."""
        return {
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            "QUEUE_URL": self.redis_url,
            "CACHE_URL": self.redis_url,
            "CACHE_STORE": "redis",
        }


@contextlib.contextmanager
def services(
    name: str | None = None, *, seed: Seed = EMPTY, durable: bool = False
) -> Iterator[Services]:
    """Start what `DATABASE_URL` and `REDIS_URL` do not name, and stop it at the end.

    Args:
        name: keep the data under `storage/` and find it again under this name; without a name it
            is new, and thrown away at the end.
        seed: what new data begins with.
        durable: write as in production, also what is thrown away; what is kept always is.

    Raises:
        InUse: the name is running already.
        DidNotStart: a server did not start; the text holds the end of its log.
    """
    home = folders.passing() if name is None else folders.kept(name)
    with home as folder, contextlib.ExitStack() as started:
        yield _start(folder, durable or name is not None, seed, started)


def _start(folder: Path, durable: bool, seed: Seed, started: contextlib.ExitStack) -> Services:
    with ThreadPoolExecutor() as both:
        postgres = both.submit(_postgres, folder / "postgres", durable, seed)
        valkey = both.submit(_valkey, folder / "valkey")
    for server in (postgres, valkey):
        if server.exception() is None and not isinstance(server.result(), Given):
            started.callback(server.result().stop)
    return Services(postgres.result(), valkey.result())


def _postgres(folder: Path, durable: bool, seed: Seed) -> Postgres | Given:
    if url := os.environ.get("DATABASE_URL"):
        return Given("DATABASE_URL", sqlalchemy_form(url))
    if not (folder / "created").exists():
        copy_into(folder, seed)
    server = Postgres(folder, durable=durable)
    server.start()
    return server


def _valkey(folder: Path) -> Valkey | Given:
    if url := os.environ.get("REDIS_URL"):
        return Given("REDIS_URL", url)
    server = Valkey(folder)
    server.create()
    server.start()
    return server
