"""The providers that there are: which of them can send here, and what the others lack."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.configuration.channels import CHANNELS, CHOSEN_BY, Channel
from app.configuration.given import Readings
from app.configuration.problem import Severity
from app.transports.catalogue import offers
from app.transports.features import FEATURES, words


@dataclass(frozen=True, slots=True)
class Listed:
    """``missing``: the settings to set or correct, without which it can't send."""

    name: str
    method: str
    configured: bool
    chosen: bool
    missing: tuple[str, ...]
    capabilities: tuple[str, ...]


def list_transports(readings: Readings) -> Iterator[Listed]:
    for channel in CHANNELS:
        begun = bool(readings.text(channel.begins))
        missing = tuple(dict.fromkeys(find_missing(channel, readings)))
        yield Listed(
            name=channel.name,
            method=channel.method,
            configured=begun and not missing,
            chosen=readings.text(CHOSEN_BY[channel.method]) == channel.name,
            missing=missing,
            capabilities=words(offers()[channel.name].facts, FEATURES[channel.name]),
        )


def find_missing(channel: Channel, readings: Readings) -> Iterator[str]:
    if not readings.text(channel.begins):
        yield channel.begins
    for problem in channel.find_problems(readings):
        if problem.severity is Severity.WRONG:
            yield problem.setting
