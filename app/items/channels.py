"""The channel that a new item takes."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from app.items.refusals import Problems
from app.settings import AppSettings, DispatchSettings, TwilioSettings
from app.transports.allowed import may_reach
from app.transports.channels import current

SANDBOX = "sandbox"


_through: ContextVar[str] = ContextVar("through", default="")


@contextmanager
def through(channel: str) -> Generator[None]:
    """What is composed inside goes through this channel, whichever is the usual one; still only to
    receivers that may be reached from here."""
    before = _through.set(channel)
    try:
        yield
    finally:
        _through.reset(before)


def choose_channel(method: str, address: str) -> str:
    """The configured channel, or the sandbox where this receiver must not be reached from here."""
    settings = DispatchSettings()
    reachable = may_reach(address, production=AppSettings().production, allow=settings.allow_real)
    if not reachable:
        return SANDBOX
    return _through.get() or (settings.email if method == "email" else settings.sms)


def require_channel(method: str, channel: str, problems: Problems) -> None:
    """Nothing may wait for a channel that this process, and so no worker, has."""
    channels = current()
    exists = channel in (channels.email if method == "email" else channels.sms)
    setting = f"{method.upper()}_CHANNEL"
    problems.require(
        exists,
        "channel",
        f"The channel {channel} is not configured: set its account, or another {setting}.",
    )


def has_own_sender() -> bool:
    """Whether the SMS channel sends from a number, or a service, of its own configuration."""
    twilio = TwilioSettings()
    own = twilio.messaging_service_sid or twilio.from_number
    return (_through.get() or DispatchSettings().sms) == "twilio" and bool(own)
