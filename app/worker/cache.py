"""Arvel's cache, with locks that cost no connection and no round trip each."""

from typing import Any, override

from arvel.cache import CacheManager, CacheRepository

from app.worker.connection import pool
from app.worker.gathered import Gathered

CONNECTIONS = 8


class Repository(CacheRepository):
    """Locks of all jobs that run at once share their round trips."""

    @override
    async def _redis_raw_client(self) -> Any:
        if self._lock_client is None and self._redis_url is not None:
            self._lock_client = Gathered.from_pool(pool(self._redis_url, size=CONNECTIONS))
        return await super()._redis_raw_client()


class Cache(CacheManager):
    @override
    def _build(self, url: str, *, driver: str, **backend_options: Any) -> CacheRepository:
        built = super()._build(url, driver=driver, **backend_options)
        shared = url if driver == "redis" else None
        return Repository(built.client, driver=driver, redis_url=shared)
