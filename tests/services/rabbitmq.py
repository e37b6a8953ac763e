"""RabbitMQ for the tests that run on both brokers: one server for each process of pytest."""

import itertools
from collections.abc import Iterator

import pytest

from local import folders
from local.rabbitmq import RabbitMQ, is_installed

MISSING = (
    "RabbitMQ is not installed: Debian's package rabbitmq-server, which root gets by bin/setup"
)
_prefixes = (f"test{number}:" for number in itertools.count())


@pytest.fixture(scope="session")
def rabbitmq() -> Iterator[RabbitMQ]:
    """Started when it is first asked for, since few tests ask and it takes five seconds."""
    if not is_installed():
        pytest.skip(MISSING)
    with folders.passing() as folder:
        server = RabbitMQ(folder / "rabbitmq")
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def on_rabbitmq(rabbitmq: RabbitMQ, monkeypatch: pytest.MonkeyPatch) -> RabbitMQ:
    """Processes and applications that start from now on have empty queues there."""
    monkeypatch.setenv("QUEUE_CONNECTION", "amqp")
    monkeypatch.setenv("QUEUE_URL", rabbitmq.url)
    monkeypatch.setenv("QUEUE_PREFIX", next(_prefixes))
    return rabbitmq
