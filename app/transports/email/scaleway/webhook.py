"""Scaleway's reports: one in each request, in an envelope of Topics and Events, behind a password.

Topics and Events are said to be compatible with Amazon SNS; that the envelope is SNS's rests on
that. A topic may also be set to leave the envelope away. Source:
https://www.scaleway.com/en/docs/transactional-email/api-cli/use-webhooks-with-sns-topics/
"""

from collections.abc import Mapping

from app.transports.contract import (
    EventType,
    ProviderEvent,
    RawRequest,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.email.api_events import digest, say
from app.transports.email.scaleway.config import ScalewayConfig
from app.transports.email.scaleway.reports import event_of
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import Object, read_object, text_in

CONFIRMATION = "SubscriptionConfirmation"
NOTIFICATION = "Notification"

NEWS: Mapping[str, str] = {
    CONFIRMATION: "to confirm the subscription, open",
    "UnsubscribeConfirmation": "nothing more is reported; to subscribe again, open",
}
"""About the subscription itself: a person has to know, and to open the address that follows."""


class ScalewayWebhook:
    """Believes whoever knows the password; what they say of a message's end needs its keys too."""

    def __init__(self, config: ScalewayConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)
        self._topic = config.topic_arn

    def authenticate(self, request: RawRequest) -> None:
        self._auth.check(request)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        """Raises :class:`WebhookRefused` for another topic than the configured one."""
        envelope = read_object(request.body)
        if envelope is None:
            raise WebhookUnreadable("The body is not a JSON object.")
        kind = text_in(envelope, "Type")
        if kind and self._topic and text_in(envelope, "TopicArn") != self._topic:
            raise WebhookRefused("the topic is not the configured one")
        if kind in NEWS:
            return [news_of(envelope, kind)]
        report = read_report(envelope, kind)
        if report is None or not text_in(report, "type"):
            raise WebhookUnreadable("The report names no type.")
        return [event_of(report)]


def read_report(envelope: Object, kind: str) -> Object | None:
    if kind != NOTIFICATION:
        return envelope
    return read_object(text_in(envelope, "Message").encode("utf-8", "replace"))


def news_of(envelope: Object, kind: str) -> ProviderEvent:
    address, topic = text_in(envelope, "SubscribeURL"), text_in(envelope, "TopicArn")
    return ProviderEvent(
        event_key=digest(kind, topic, address),
        type=EventType.UNKNOWN,
        status=kind,
        text=say("Scaleway", [f"{NEWS[kind]} {address}"], kind),
        raw={"Type": kind, "TopicArn": topic, "SubscribeURL": address},
    )
