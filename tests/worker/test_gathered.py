"""Commands that are given at once share a round trip, and nothing else."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import ResponseError

from app.worker.connection import pool
from app.worker.gathered import Gathered
from local import Services
from tests.worker import sockets


@pytest.fixture
async def gathered(redis_url: str) -> AsyncIterator[Gathered]:
    async with Gathered.from_pool(pool(redis_url, size=2, patience=1.0)) as client:
        yield client


async def round_trips(redis: Redis) -> int:
    return int((await redis.info("stats"))["total_reads_processed"])


async def test_each_command_has_its_own_answer(gathered: Gathered) -> None:
    await gathered.set("a", "1")
    answers = await asyncio.gather(
        gathered.get("a"),
        gathered.set("a", "2", nx=True),
        gathered.set("b", "3", nx=True, px=5000),
        gathered.eval("return redis.call('GET', KEYS[1])", 1, "a"),
    )
    assert answers == [b"1", None, True, b"1"]


async def test_a_hundred_at_once_are_one_round_trip(gathered: Gathered, redis: Redis) -> None:
    await gathered.ping()
    before = await round_trips(redis)
    await asyncio.gather(*(gathered.set(f"k{number}", "x") for number in range(100)))
    assert await round_trips(redis) - before <= 3
    assert len(await redis.keys("k*")) == 100


async def test_a_command_that_fails_spoils_no_other_one(gathered: Gathered) -> None:
    await gathered.rpush("list", "x")
    wrong, right = await asyncio.gather(
        gathered.get("list"), gathered.set("a", "1"), return_exceptions=True
    )
    assert isinstance(wrong, ResponseError)
    assert right is True


async def test_who_gives_up_takes_nobody_along(gathered: Gathered) -> None:
    asking = [asyncio.create_task(gathered.set(f"k{number}", "x")) for number in range(3)]
    await asyncio.sleep(0)
    asking[1].cancel()
    first, second, third = await asyncio.gather(*asking, return_exceptions=True)
    assert first is True
    assert isinstance(second, asyncio.CancelledError)
    assert third is True


async def test_everybody_is_told_that_the_server_is_away(
    gathered: Gathered, services: Services
) -> None:
    services.valkey.kill()
    errors = await asyncio.gather(
        *(gathered.set(f"k{number}", "x") for number in range(3)), return_exceptions=True
    )
    assert all(isinstance(error, Disconnected) for error in errors)


async def test_a_server_that_says_nothing_is_given_up_in_time() -> None:
    async with (
        sockets.silent() as address,
        Gathered.from_pool(pool(address, size=2, patience=0.2)) as client,
    ):
        errors = await asyncio.gather(client.get("a"), client.get("b"), return_exceptions=True)
        assert all(isinstance(error, Exception) for error in errors)
