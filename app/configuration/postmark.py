"""Whether the channel ``postmark`` can send, and believes what is reported to it."""

from collections.abc import Iterator
from typing import override

from app.configuration.given import Readings
from app.configuration.passwords import find_weakness
from app.configuration.problem import Problem
from app.transports.email import postmark_config
from app.transports.email.postmark_config import PostmarkConfig
from app.transports.http.basic_auth import Login

PASSWORDS = ("POSTMARK_WEBHOOK_PASSWORD", "POSTMARK_PREVIOUS_WEBHOOK_PASSWORD")


class Candidate(PostmarkConfig):
    """A configuration that may be wrong, to be asked for all that is wrong with it."""

    @override
    def __post_init__(self) -> None:
        """Refuses nothing."""


def find_problems(readings: Readings) -> Iterator[Problem]:
    """What is wrong with settings that can be read, given that the server token is set."""
    for sentence in postmark_config.find_problems(_candidate(readings)):
        name, _, text = sentence.partition(" ")
        yield Problem(name, text)
    yield from find_weakness(readings, "Postmark", *PASSWORDS)


def _candidate(readings: Readings) -> Candidate:
    return Candidate(
        server_token=readings.text("POSTMARK_SERVER_TOKEN"),
        webhook_logins=(Login(readings.text("POSTMARK_WEBHOOK_USER"), ""),),
        message_stream=readings.text("POSTMARK_MESSAGE_STREAM"),
        message_id_domain=readings.text("MESSAGE_ID_DOMAIN"),
        base_url=readings.text("POSTMARK_BASE_URL"),
    )
