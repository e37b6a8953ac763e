"""Settings that every email provider with an API has."""

from app.configuration.kinds import Flag, Text
from app.configuration.kinds_of_text import SERVICE_ADDRESS
from app.configuration.setting import Setting
from app.transports.email.api_config import ApiConfig


def secret(channel: str, name: str, meaning: str, otherwise: str = "") -> Setting:
    """A text that is never shown."""
    return Setting(name, key_of(channel, name), Text(), meaning, otherwise=otherwise, secret=True)


def text(channel: str, name: str, meaning: str, otherwise: str = "", default: str = "") -> Setting:
    return Setting(name, key_of(channel, name), Text(), meaning, default, otherwise)


def flag(channel: str, name: str, meaning: str) -> Setting:
    """Off unless it is set."""
    return Setting(name, key_of(channel, name), Flag(), meaning, False)


def key_of(channel: str, name: str) -> str:
    """Where ``config/`` puts it: without the prefix that the channel's settings have in common."""
    return f"dispatch.{channel}.{name.partition('_')[2].lower()}"


def common(channel: str, config: type[ApiConfig]) -> tuple[Setting, ...]:
    """What may stand in the address of the webhook, and where the API is."""
    prefix, provider = config.prefix, config.name
    route = "" if config.signed_by else f"there is no route for {provider}'s reports"
    return (
        text(channel, f"{prefix}_WEBHOOK_USER", "The user name in that address.", "", "pillarbox"),
        secret(
            channel,
            f"{prefix}_WEBHOOK_PASSWORD",
            "The password in that address: 32 random bytes, as `openssl rand -hex 32` makes them.",
            route,
        ),
        text(
            channel,
            f"{prefix}_PREVIOUS_WEBHOOK_USER",
            "Believed with the previous password.",
            f"`{prefix}_WEBHOOK_USER`",
        ),
        secret(
            channel,
            f"{prefix}_PREVIOUS_WEBHOOK_PASSWORD",
            "Believed while the password is changed.",
        ),
        Setting(
            f"{prefix}_BASE_URL",
            key_of(channel, f"{prefix}_BASE_URL"),
            SERVICE_ADDRESS,
            f"Another address of {provider}'s API.",
            otherwise=config.address,
        ),
    )
