"""A worker outlives the absence of RabbitMQ."""

import pytest

from local.rabbitmq import RabbitMQ
from tests.worker.test_restarts import (
    Server,
    test_work_that_ended_while_the_broker_was_away_is_not_repeated,
    test_worker_outlives_a_restart_of_the_broker,
)

__all__ = [
    "test_work_that_ended_while_the_broker_was_away_is_not_repeated",
    "test_worker_outlives_a_restart_of_the_broker",
]


@pytest.fixture
def server(on_rabbitmq: RabbitMQ) -> Server:
    return Server(stop=on_rabbitmq.stop, start=on_rabbitmq.start)
