"""Whether the address of the broker is that of the chosen one."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from app.configuration.given import Readings
from app.configuration.kinds_of_text import AMQP
from app.configuration.problem import Problem

RABBITMQ = "amqp"


def find_problems(readings: Readings) -> Iterator[Problem]:
    if not readings.have("QUEUE_CONNECTION", "QUEUE_URL"):
        return
    chosen = readings.text("QUEUE_CONNECTION")
    is_rabbitmq = urlsplit(readings.text("QUEUE_URL")).scheme in AMQP
    if chosen == RABBITMQ and not is_rabbitmq:
        yield Problem(
            "QUEUE_URL",
            "must name RabbitMQ, as in amqp://user:password@host:5672/vhost, while"
            " QUEUE_CONNECTION is amqp.",
        )
    if chosen == "redis" and is_rabbitmq:
        yield Problem("QUEUE_URL", "names RabbitMQ. Set QUEUE_CONNECTION=amqp as well.")
