"""The worker in the web process reads RabbitMQ too."""

import pytest

from local.rabbitmq import RabbitMQ
from tests.worker.test_embedded import test_served_application_works_on_its_queue

__all__ = ["test_served_application_works_on_its_queue"]


@pytest.fixture
def wanted(
    monkeypatch: pytest.MonkeyPatch, database_url: str, redis_url: str, on_rabbitmq: RabbitMQ
) -> None:
    monkeypatch.setenv("EMBEDDED_WORKER", "true")
