"""The address of the broker is that of the broker that was chosen."""

import pytest

from tests.unit.configuration.given import PRODUCTION, problems, refused

RABBITMQ = "amqps://pillarbox:canary@rabbitmq.example.com/pillarbox"


def test_rabbitmq_needs_an_address_of_its_own() -> None:
    text = refused(QUEUE_CONNECTION="amqp")["QUEUE_URL"]
    assert "amqp://user:password@host:5672/vhost" in text
    assert problems(**PRODUCTION, QUEUE_CONNECTION="amqp", QUEUE_URL=RABBITMQ) == []


def test_an_address_of_rabbitmq_alone_chooses_nothing() -> None:
    text = refused(QUEUE_URL=RABBITMQ)["QUEUE_URL"]
    assert "QUEUE_CONNECTION=amqp" in text
    assert "canary" not in text


def test_a_process_that_lacks_the_client_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.configuration.extras.RABBITMQ", ("no_such_module",))
    found = refused(QUEUE_CONNECTION="amqp", QUEUE_URL=RABBITMQ)["QUEUE_CONNECTION"]
    assert "extra `amqp`" in found
