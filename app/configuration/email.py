"""Whether the channel of an email provider can send, and believes what is reported to it."""

from collections.abc import Iterator

from app.configuration.given import Readings
from app.configuration.passwords import find_weakness
from app.configuration.problem import Problem, warn
from app.transports.email.api_config import ApiConfig, Misconfigured


def find_problems(config: type[ApiConfig], readings: Readings) -> Iterator[Problem]:
    """What is wrong with settings that can be read, given that the first of them is set."""
    for sentence in ask(config, readings):
        name, _, text = sentence.partition(" ")
        yield Problem(name, text)
    passwords = (f"{config.prefix}_WEBHOOK_PASSWORD", f"{config.prefix}_PREVIOUS_WEBHOOK_PASSWORD")
    if not config.signed_by:
        yield from find_weakness(readings, config.name, *passwords)
    elif not any(readings.text(name) for name in config.signed_by):
        yield from look_at_passwords(config, readings, passwords)


def ask(config: type[ApiConfig], readings: Readings) -> tuple[str, ...]:
    """What the transport itself refuses."""
    try:
        config.read(readings.value)
    except Misconfigured as refusal:
        return refusal.problems
    return ()


def look_at_passwords(
    config: type[ApiConfig], readings: Readings, passwords: tuple[str, str]
) -> Iterator[Problem]:
    """Reports that could be known by their signature, and are not."""
    signed_by = " or ".join(config.signed_by)
    if readings.text(passwords[0]):
        yield warn(passwords[0], f"is all that protects reports: set {signed_by} as well.")
        yield from find_weakness(readings, config.name, *passwords)
    else:
        yield warn(
            config.signed_by[0],
            f"is missing: there is no route for {config.name}'s reports, so that no message is"
            " ever known to be delivered.",
        )
