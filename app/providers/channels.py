"""Builds the channels that the configuration names."""

from typing import cast

from app.configuration import Readings
from app.models.queries import sandbox as sandbox_queries
from app.providers.email import add_email_providers
from app.settings import (
    AppSettings,
    ClockSettings,
    DispatchSettings,
    QueueSettings,
    SandboxSettings,
    SmtpSettings,
    TrackingSettings,
    TwilioSettings,
)
from app.transports.channels import Channels
from app.transports.contract import EmailTransport, SmsTransport
from app.transports.email.smtp import SmtpTransport
from app.transports.email.smtp_config import SmtpConfig
from app.transports.email.strategies import load_strategy
from app.transports.sandbox.reports import Reporter
from app.transports.sandbox.transport import EMAIL_FACTS, SMS_FACTS, SandboxTransport
from app.transports.sandbox.webhook import SandboxWebhook
from app.transports.sms.twilio import TwilioTransport
from app.transports.sms.twilio_config import TwilioConfig
from app.transports.sms.twilio_webhook import TwilioWebhook


def build_channels(readings: Readings, reporter: Reporter | None, sandbox_secret: str) -> Channels:
    """Every channel whose credentials are set, and outside production the sandbox.

    Raises ``ValueError`` with what to correct when credentials are set but don't fit.
    """
    channels = Channels(tracking=load_strategy(TrackingSettings().email_tracking_strategy))
    add_smtp(channels)
    add_email_providers(channels, readings)
    add_twilio(channels)
    if reporter is not None and not AppSettings().production:
        add_sandbox(channels, reporter, sandbox_secret)
    return channels


def add_smtp(channels: Channels) -> None:
    if SmtpSettings().host:
        channels.email["smtp"] = SmtpTransport(read_smtp())


def read_smtp() -> SmtpConfig:
    """Raises ``ValueError`` with what to correct."""
    settings, clocks = SmtpSettings(), ClockSettings()
    return SmtpConfig(
        host=settings.host,
        message_id_domain=settings.message_id_domain,
        port=settings.port,
        username=settings.username,
        password=settings.password,
        tls=settings.tls,
        ca_file=settings.ca_file,
        helo=settings.helo,
        connect_timeout=clocks.connect_timeout,
        total_timeout=clocks.send_timeout,
        pool_size=settings.pool_size,
    )


def add_twilio(channels: Channels) -> None:
    if not TwilioSettings().account_sid:
        return
    config = read_twilio()
    channels.sms["twilio"] = TwilioTransport(config)
    if config.webhook_url:
        channels.webhooks["sms", "twilio"] = TwilioWebhook(config)
    else:
        channels.pollable.append("twilio")


def read_twilio(kind: type[TwilioConfig] = TwilioConfig) -> TwilioConfig:
    """Raises ``ValueError`` with what to correct."""
    settings, clocks = TwilioSettings(), ClockSettings()
    urls = DispatchSettings().public_urls
    return kind(
        account_sid=settings.account_sid,
        auth_token=settings.auth_token,
        previous_auth_token=settings.previous_auth_token,
        api_key_sid=settings.api_key_sid,
        api_key_secret=settings.api_key_secret,
        shared_key=settings.shared_key,
        sha1_with_shared_key=settings.sha1_with_shared_key,
        messaging_service_sid=settings.messaging_service_sid,
        from_number=settings.from_number,
        webhook_url=settings.webhook_url,
        public_urls=tuple(f"{url}/webhooks/sms/twilio" for url in urls),
        region=settings.region,
        edge=settings.edge,
        base_url=settings.base_url,
        connections=QueueSettings().concurrency,
        connect_timeout=clocks.connect_timeout,
        total_timeout=clocks.send_timeout,
    )


def add_sandbox(channels: Channels, reporter: Reporter, secret: str) -> None:
    delay = SandboxSettings().report_delay
    email = SandboxTransport(EMAIL_FACTS, sandbox_queries.plan, reporter, delay)
    sms = SandboxTransport(SMS_FACTS, sandbox_queries.plan, reporter, delay)
    channels.email["sandbox"] = cast("EmailTransport", email)
    channels.sms["sandbox"] = cast("SmsTransport", sms)
    channels.webhooks["email", "sandbox"] = SandboxWebhook(secret)
    channels.webhooks["sms", "sandbox"] = SandboxWebhook(secret)
