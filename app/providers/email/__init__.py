"""Builds the channels of email providers with an API."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from app.configuration import Readings
from app.configuration.table.email import EMAIL_PROVIDERS
from app.settings import ClockSettings, QueueSettings
from app.transports.channels import Channels
from app.transports.contract import EmailTransport, Facts, Webhook
from app.transports.email.amazon_ses.transport import AmazonSesTransport
from app.transports.email.amazon_ses.webhook import AmazonSesWebhook
from app.transports.email.api_config import ApiConfig
from app.transports.email.brevo.transport import BrevoTransport
from app.transports.email.brevo.webhook import BrevoWebhook
from app.transports.email.mailersend.transport import MailersendTransport
from app.transports.email.mailersend.webhook import MailersendWebhook
from app.transports.email.mailgun.transport import MailgunTransport
from app.transports.email.mailgun.webhook import MailgunWebhook
from app.transports.email.mailjet.transport import MailjetTransport
from app.transports.email.mailjet.webhook import MailjetWebhook
from app.transports.email.mailtrap.transport import MailtrapTransport
from app.transports.email.mailtrap.webhook import MailtrapWebhook
from app.transports.email.mandrill.transport import MandrillTransport
from app.transports.email.mandrill.webhook import MandrillWebhook
from app.transports.email.postal.transport import PostalTransport
from app.transports.email.postal.webhook import PostalWebhook
from app.transports.email.postmark.transport import PostmarkTransport
from app.transports.email.postmark.webhook import PostmarkWebhook
from app.transports.email.resend.transport import ResendTransport
from app.transports.email.resend.webhook import ResendWebhook
from app.transports.email.scaleway.transport import ScalewayTransport
from app.transports.email.scaleway.webhook import ScalewayWebhook
from app.transports.email.sendgrid.transport import SendgridTransport
from app.transports.email.sendgrid.webhook import SendgridWebhook
from app.transports.email.sparkpost.transport import SparkpostTransport
from app.transports.email.sparkpost.webhook import SparkpostWebhook
from app.transports.email.unisender_go.transport import UnisenderGoTransport
from app.transports.email.unisender_go.webhook import UnisenderGoWebhook


@dataclass(frozen=True, slots=True)
class Halves:
    """What sends by a provider, and what believes its reports; each is made from the config."""

    transport: Callable[[Any], EmailTransport]
    webhook: Callable[[Any], Webhook]

    @property
    def facts(self) -> Facts:
        """The provider's, whatever the account."""
        return cast("Any", self.transport).FACTS


HALVES = {
    # One line each, by name.
    "amazon_ses": Halves(AmazonSesTransport, AmazonSesWebhook),
    "brevo": Halves(BrevoTransport, BrevoWebhook),
    "mailersend": Halves(MailersendTransport, MailersendWebhook),
    "mailgun": Halves(MailgunTransport, MailgunWebhook),
    "mailjet": Halves(MailjetTransport, MailjetWebhook),
    "mailtrap": Halves(MailtrapTransport, MailtrapWebhook),
    "mandrill": Halves(MandrillTransport, MandrillWebhook),
    "postal": Halves(PostalTransport, PostalWebhook),
    "postmark": Halves(PostmarkTransport, PostmarkWebhook),
    "resend": Halves(ResendTransport, ResendWebhook),
    "scaleway": Halves(ScalewayTransport, ScalewayWebhook),
    "sendgrid": Halves(SendgridTransport, SendgridWebhook),
    "sparkpost": Halves(SparkpostTransport, SparkpostWebhook),
    "unisender_go": Halves(UnisenderGoTransport, UnisenderGoWebhook),
}


def read_config[Config: ApiConfig](config: type[Config], readings: Readings) -> Config:
    """Raises ``ValueError`` with what to correct."""
    clocks = ClockSettings()
    return config.read(
        readings.value,
        connections=QueueSettings().concurrency,
        connect_timeout=clocks.connect_timeout,
        total_timeout=clocks.send_timeout,
    )


def add_email_providers(channels: Channels, readings: Readings) -> None:
    """Each channel whose first setting is set, and its route if a secret protects it.

    Raises ``ValueError`` with what to correct.
    """
    for provider in EMAIL_PROVIDERS:
        if not readings.text(provider.begins):
            continue
        config = read_config(provider.config, readings)
        halves = HALVES[provider.name]
        channels.email[provider.name] = halves.transport(config)
        if config.takes_reports:
            channels.webhooks["email", provider.name] = halves.webhook(config)
