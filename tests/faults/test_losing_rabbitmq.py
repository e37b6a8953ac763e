"""RabbitMQ is lost while a message is on its way, where it matters most."""

import asyncio
from pathlib import Path

import pytest

from app.models.statements import Statements
from local import Services
from local.rabbitmq import RabbitMQ
from tests.faults.test_fault_points import Scene
from tests.faults.test_fault_points import (
    test_whatever_fails_at_any_place_the_item_ends_in_a_true_state as run_cell,
)
from tests.services.rabbitmq import on_rabbitmq, rabbitmq

__all__ = ["on_rabbitmq", "rabbitmq"]


@pytest.mark.parametrize("place", ["in_call", "before_ack"])
async def test_the_item_is_sent_once(
    database: Statements,
    redis_url: str,
    services: Services,
    tmp_path: Path,
    place: str,
    on_rabbitmq: RabbitMQ,
) -> None:
    async def lose_rabbitmq(scene: Scene) -> None:
        await asyncio.to_thread(on_rabbitmq.stop)
        scene.go_on()
        await asyncio.sleep(0.5)
        await asyncio.to_thread(on_rabbitmq.start)

    await run_cell(database, redis_url, services, tmp_path, place, lose_rabbitmq)
