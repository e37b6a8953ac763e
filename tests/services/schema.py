"""The migrated database that each run begins with."""

import asyncio
import hashlib
from importlib.metadata import version
from pathlib import Path

from arvel.database import ConnectionResolver, Migrator, discover_migrations

from local import Seed

MIGRATIONS = Path(__file__).resolve().parents[2] / "database" / "migrations"


def migrated() -> Seed:
    """A database with all migrations applied, made again whenever one of them changes."""
    return Seed(_digest(), migrate)


def migrate(url: str) -> None:
    """Apply all migrations to the database at this address."""
    asyncio.run(_migrate(url))


async def _migrate(url: str) -> None:
    resolver = ConnectionResolver({"default": {"url": url}})
    try:
        await Migrator(resolver).run(discover_migrations([str(MIGRATIONS)]))
    finally:
        await resolver.engine().dispose()


def _digest() -> str:
    digest = hashlib.sha256(version("arvel").encode())
    for file in sorted(MIGRATIONS.glob("*.py")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]
