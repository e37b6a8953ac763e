"""Builds the channel ``postmark``."""

from app.settings import ClockSettings, PostmarkSettings, QueueSettings, SmtpSettings
from app.transports.channels import Channels
from app.transports.email.postmark import PostmarkTransport
from app.transports.email.postmark_config import PostmarkConfig
from app.transports.email.postmark_webhook import PostmarkWebhook
from app.transports.http.basic_auth import logins_of


def add_postmark(channels: Channels) -> None:
    """The channel, and its route if there is a password that protects it."""
    settings, clocks = PostmarkSettings(), ClockSettings()
    if not settings.server_token:
        return
    config = PostmarkConfig(
        server_token=settings.server_token,
        webhook_logins=logins_of(
            settings.webhook_user,
            settings.webhook_password,
            settings.previous_webhook_user,
            settings.previous_webhook_password,
        ),
        message_stream=settings.message_stream,
        message_id_domain=SmtpSettings().message_id_domain,
        base_url=settings.base_url,
        connections=QueueSettings().concurrency,
        connect_timeout=clocks.connect_timeout,
        total_timeout=clocks.send_timeout,
    )
    channels.email["postmark"] = PostmarkTransport(config)
    if config.webhook_logins:
        channels.webhooks["email", "postmark"] = PostmarkWebhook(config)
