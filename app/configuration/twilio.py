"""Whether the channel ``twilio`` can send, and believes what is reported to it."""

from collections.abc import Iterator
from typing import override
from urllib.parse import urlsplit

from app.configuration.given import Readings
from app.configuration.problem import Problem, warn
from app.transports.sms import twilio_config
from app.transports.sms.twilio_config import TwilioConfig

ROUTE = "/webhooks/sms/twilio"


class Candidate(TwilioConfig):
    """A configuration that may be wrong, to be asked for all that is wrong with it."""

    @override
    def __post_init__(self) -> None:
        """Refuses nothing."""


def find_problems(readings: Readings) -> Iterator[Problem]:
    """What is wrong with settings that can be read, given that ``TWILIO_ACCOUNT_SID`` is set."""
    for sentence in twilio_config.find_problems(_candidate(readings)):
        name, _, text = sentence.partition(" ")
        yield Problem(name, text)
    if readings.flag("TWILIO_SHA1_WITH_SHARED_KEY") and not readings.text("TWILIO_SHARED_KEY"):
        yield warn("TWILIO_SHA1_WITH_SHARED_KEY", "changes nothing without TWILIO_SHARED_KEY.")
    yield from _look_at_webhook(readings, readings.text("TWILIO_WEBHOOK_URL"))


def _candidate(readings: Readings) -> Candidate:
    return Candidate(
        account_sid=readings.text("TWILIO_ACCOUNT_SID"),
        auth_token=readings.text("TWILIO_AUTH_TOKEN"),
        api_key_sid=readings.text("TWILIO_API_KEY_SID"),
        api_key_secret=readings.text("TWILIO_API_KEY_SECRET"),
        shared_key=readings.text("TWILIO_SHARED_KEY"),
        webhook_url=readings.text("TWILIO_WEBHOOK_URL"),
        region=readings.text("TWILIO_REGION"),
        edge=readings.text("TWILIO_EDGE"),
        base_url=readings.text("TWILIO_BASE_URL"),
    )


def _look_at_webhook(readings: Readings, url: str) -> Iterator[Problem]:
    if not url:
        return
    parts = urlsplit(url)
    if not parts.path.endswith(ROUTE):
        yield warn("TWILIO_WEBHOOK_URL", f"doesn't end in {ROUTE}, where reports are taken.")
    if parts.scheme == "http" and readings.production:
        yield warn("TWILIO_WEBHOOK_URL", "is http: reports travel in clear. Use https.")
