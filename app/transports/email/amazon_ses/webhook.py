"""Reports of Amazon SES, which SNS delivers and signs.

Source: https://docs.aws.amazon.com/sns/latest/dg/sns-http-https-endpoint-as-subscriber.html
"""

import asyncio

from app.transports.contract import (
    ProviderEvent,
    RawRequest,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.email.amazon_ses import certificates
from app.transports.email.amazon_ses.certificates import Certificates, Fetch
from app.transports.email.amazon_ses.config import AmazonSesConfig
from app.transports.email.amazon_ses.events import events_of, name_of
from app.transports.email.amazon_ses.notification import (
    CONFIRMATION,
    NOTIFICATION,
    Notification,
    read_notification,
    require_headers,
)
from app.transports.email.batches import unreadable
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import Object, object_in, read_object
from app.transports.http.signed import Clock, now

TOLERANCE = 2 * 3600.0
"""Seconds, either way. SNS repeats for an hour at most, with the time of the first try."""

SHOWN = ("Type", "MessageId", "Timestamp", "Subject", "Message")
"""What is kept of a notification: the rest is for machines, or could end the subscription."""

VALIDATED = "Successfully validated SNS topic"
"""What SES says once when an event destination is made."""


class AmazonSesWebhook:
    """Wants all that is configured: an expected topic and SNS's signature, and the login.

    ``prepare`` asks SNS for what ``authenticate`` needs, and confirms a subscription.
    """

    def __init__(
        self, config: AmazonSesConfig, clock: Clock = now, fetch: Fetch = certificates.fetch
    ) -> None:
        self._auth = BasicAuth(config.webhook_logins)
        self._topics = config.topics
        self._clock = clock
        self._fetch = fetch
        self._fetching = asyncio.Lock()
        self.certificates = Certificates(clock)

    async def prepare(self, request: RawRequest) -> None:
        """Nothing is fetched for anybody who could not be believed anyway.

        Raises :class:`WebhookRefused`, and :class:`WebhookUnreadable` when SNS can't be reached:
        it then sends the same again.
        """
        if not self._topics:
            return
        notification = self._screen(request)
        await self._learn_certificate(notification["SigningCertURL"])
        self.certificates.check(notification)
        if notification["Type"] == CONFIRMATION:
            await self._confirm(notification)

    async def _learn_certificate(self, url: str) -> None:
        """A known one waits for nothing: others may be asked for by whoever knows the topic."""
        if url not in self.certificates:
            async with self._fetching:
                await self._fetch_certificate(url)

    async def _fetch_certificate(self, url: str) -> None:
        if url in self.certificates:
            return
        pem = await self._fetch(url)
        if pem is None or not self.certificates.learn(url, pem):
            raise WebhookUnreadable("The certificate of SNS could not be fetched.")

    def authenticate(self, request: RawRequest) -> None:
        if self._topics:
            self.certificates.check(self._screen(request))
        else:
            self._auth.check(request)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        """What holds no report is kept as unknown: it would be the same if it came again."""
        notification = read_notification(request)
        if notification["Type"] != NOTIFICATION or notification["Message"].startswith(VALIDATED):
            return []
        content = content_of(notification)
        if not name_of(content):
            return [unreadable("Amazon SES", {name: notification[name] for name in SHOWN})]
        return events_of(content, notification)

    def _screen(self, request: RawRequest) -> Notification:
        """All that can be seen before the signature."""
        if self._auth.logins:
            self._auth.check(request)
        try:
            notification = read_notification(request)
        except WebhookUnreadable as reason:
            raise WebhookRefused("the body is no notification of SNS") from reason
        require_headers(request, notification)
        if notification["TopicArn"] not in self._topics:
            raise WebhookRefused("the topic is none that is expected", final=True)
        if not notification.has_certificate_url():
            raise WebhookRefused("the certificate is not SNS's")
        moment = notification.time
        if moment is None or abs(self._clock() - moment.timestamp()) > TOLERANCE:
            raise WebhookRefused("the notification is too old, or the clocks differ")
        return notification

    async def _confirm(self, notification: Notification) -> None:
        """An address of SNS that is signed, for a topic that is expected."""
        url = notification["SubscribeURL"]
        if not notification.is_from_host(url):
            raise WebhookRefused("the address that confirms is not SNS's")
        if await self._fetch(url) is None:
            raise WebhookUnreadable("SNS did not take the confirmation.")


def content_of(notification: Notification) -> Object:
    """The report inside: SNS sends it as a text; one that was stored is an object."""
    written = notification["Message"].encode("utf-8", "replace")
    return read_object(written) or object_in(notification.fields, "Message")
