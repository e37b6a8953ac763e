"""The channel that a new item takes."""

from app.settings import AppSettings, DispatchSettings
from app.transports.allowed import may_reach

SANDBOX = "sandbox"


def choose_channel(method: str, address: str) -> str:
    """The configured channel, or the sandbox where this receiver must not be reached from here."""
    settings = DispatchSettings()
    reachable = may_reach(address, production=AppSettings().production, allow=settings.allow_real)
    if not reachable:
        return SANDBOX
    return settings.email if method == "email" else settings.sms
