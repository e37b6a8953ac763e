"""The queue on real servers, with throw-away jobs."""

from collections.abc import AsyncIterator

import pytest
from arvel.kernel import Application
from arvel.kernel.bootstrap import lifespan
from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.application import create_app


@pytest.fixture
async def booted(database_url: str, redis_url: str) -> AsyncIterator[Application]:
    async with lifespan(create_app()) as application:
        yield application


@pytest.fixture
def queue(booted: Application) -> Queue:
    return booted.make("queue")


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url) as client:
        yield client
