"""Wires the commands about transports, and the catalogue that they show."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast, override

from arvel.kernel import ServiceProvider

from app.commands.transport_check import TransportCheck
from app.commands.transport_list import TransportList
from app.commands.transport_parse import TransportParse
from app.commands.transport_send import TransportSend
from app.configuration import Readings
from app.configuration.table.email import EMAIL_PROVIDERS, EmailProvider
from app.configuration.twilio import Candidate
from app.providers.channels import read_smtp, read_twilio
from app.providers.configuration import given_to
from app.providers.email import HALVES, read_config
from app.transports import catalogue
from app.transports.catalogue import Offer
from app.transports.contract import EmailTransport, Webhook
from app.transports.email import smtp
from app.transports.email.amazon_ses import certificates
from app.transports.email.amazon_ses.webhook import AmazonSesWebhook
from app.transports.email.api_config import ApiConfig
from app.transports.email.smtp import SmtpTransport
from app.transports.sms import twilio_facts
from app.transports.sms.twilio import TwilioTransport
from app.transports.sms.twilio_webhook import TwilioWebhook

type Reader = Callable[[], Readings]


class TransportProvider(ServiceProvider):
    """Does without servers and without a configuration that can be used, as its commands must."""

    @override
    def register(self) -> None:
        self.commands(TransportList, TransportCheck, TransportSend, TransportParse)
        catalogue.use({offer.name: offer for offer in offers(self._readings)})

    def _readings(self) -> Readings:
        return Readings(given_to(self.app))


def offers(readings: Reader) -> Iterator[Offer]:
    """What there is. Nothing is read of the configuration before something is made."""
    yield Offer("smtp", "SMTP", smtp.FACTS, lambda: SmtpTransport(read_smtp()), None)
    for provider in EMAIL_PROVIDERS:
        yield Offer(
            name=provider.name,
            title=provider.config.name,
            facts=HALVES[provider.name].facts,
            build=partial(build_email, provider, readings),
            webhook=partial(build_webhook, provider, readings),
        )
    yield Offer(
        name="twilio",
        title="Twilio",
        facts=twilio_facts.FACTS,
        build=lambda: TwilioTransport(read_twilio()),
        webhook=lambda: TwilioWebhook(read_twilio(Candidate)),
    )


def build_email(provider: EmailProvider, readings: Reader) -> EmailTransport:
    return HALVES[provider.name].transport(read_config(provider.config, readings()))


def build_webhook(provider: EmailProvider, readings: Reader) -> Webhook:
    config = read_config(indulgent(provider.config), readings())
    if provider.name == "amazon_ses":
        return AmazonSesWebhook(cast("Any", config), fetch=fetch_certificate)
    return HALVES[provider.name].webhook(config)


def indulgent(config: type[ApiConfig]) -> type[ApiConfig]:
    """The same configuration, which may be wrong or lack what only sending needs."""
    return cast("type[ApiConfig]", type(config.__name__, (config,), {"__post_init__": pass_over}))


def pass_over(_config: ApiConfig) -> None:
    """Refuses nothing."""


async def fetch_certificate(url: str) -> bytes | None:
    """What shows that a report is SNS's. Reading a request again must confirm no subscription, so
    that nothing else is fetched."""
    return await certificates.fetch(url) if url.endswith(".pem") else b""
