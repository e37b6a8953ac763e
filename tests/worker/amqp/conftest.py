"""The same queue on RabbitMQ."""

from collections.abc import AsyncIterator

import pytest
from arvel.kernel import Application
from arvel.kernel.bootstrap import lifespan

from local.rabbitmq import RabbitMQ
from tests.services.rabbitmq import on_rabbitmq, rabbitmq
from tests.worker.application import create_app

__all__ = ["on_rabbitmq", "rabbitmq"]


@pytest.fixture
async def booted(
    database_url: str, redis_url: str, on_rabbitmq: RabbitMQ
) -> AsyncIterator[Application]:
    async with lifespan(create_app()) as application:
        # To connect and to make queues takes longer than a publisher waits, on a busy machine.
        await application.make("queue").broker.ping()
        yield application
