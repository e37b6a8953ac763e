"""The configured provider accounts, by name; wired once by ``app/providers``."""

from dataclasses import dataclass, field

from app.transports.contract import EmailTransport, SmsTransport, Webhook
from app.transports.email.tracking import EmailTrackingStrategy, MetadataEmailTrackingStrategy


class UnknownChannel(LookupError):
    """No channel of this name is configured: set its credentials or choose another channel."""


@dataclass(slots=True)
class Channels:
    """``pollable`` are the SMS channels that are asked for news, since they get no webhooks;
    ``tracking`` is how emails carry our keys."""

    email: dict[str, EmailTransport] = field(default_factory=dict[str, EmailTransport])
    sms: dict[str, SmsTransport] = field(default_factory=dict[str, SmsTransport])
    webhooks: dict[tuple[str, str], Webhook] = field(default_factory=dict[tuple[str, str], Webhook])
    pollable: list[str] = field(default_factory=list[str])
    tracking: EmailTrackingStrategy = field(default_factory=MetadataEmailTrackingStrategy)

    def email_named(self, name: str) -> EmailTransport:
        return _named(self.email, name)

    def sms_named(self, name: str) -> SmsTransport:
        return _named(self.sms, name)

    async def close(self) -> None:
        for transport in (*self.email.values(), *self.sms.values()):
            await transport.close()


def _named[T](channels: dict[str, T], name: str) -> T:
    if name not in channels:
        raise UnknownChannel(f"The channel {name} is not configured.")
    return channels[name]


_current: list[Channels] = []


def use(channels: Channels) -> None:
    """Make these the application's channels; called by the provider that wires them."""
    _current[:] = [channels]


def current() -> Channels:
    return _current[0]


def signs_webhooks(provider: str) -> bool:
    """Whether the provider's reports can be written by nobody else. One that isn't configured
    reports nothing."""
    named = [
        transport.facts.signs_webhooks
        for channels in _current
        for transport in (channels.email.get(provider), channels.sms.get(provider))
        if transport is not None
    ]
    return all(named)
