"""``arvel transport:list``"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import override

from arvel.kernel import app

from app.commands.answers import OK, Answer
from app.commands.offered import read_offer
from app.commands.render_providers import page, part
from app.configuration import Given, Readings, Severity
from app.configuration.channels import CHANNELS, CHOSEN_BY, Channel
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


class TransportList(Answer):
    signature: str = "transport:list {--json} {--page=}"
    description: str = (
        "Show the providers that there are: what each can do, whether it is configured, which"
        " settings are missing, and through which ones new messages go. Needs nothing to run."
        " --page providers prints docs/reference/providers.md, --page NAME a provider's part of it."
    )

    @override
    async def answer(self) -> int:
        if wanted := self.text_of("page"):
            text = page() if wanted == "providers" else part(read_offer(wanted).name)
            self.line(text.rstrip("\n"))
            return OK
        listed = list(list_transports(Readings(Given(os.environ, app().config().get))))
        if self.option("json"):
            self.line(json.dumps([as_json(one) for one in listed]))
        else:
            self.table(
                ["Name", "Method", "Configured", "Missing", "Can"],
                [row_of(one) for one in listed],
            )
        return OK


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


def as_json(one: Listed) -> dict[str, object]:
    return {
        "name": one.name,
        "method": one.method,
        "configured": one.configured,
        "chosen": one.chosen,
        "missing": list(one.missing),
        "capabilities": list(one.capabilities),
    }


def row_of(one: Listed) -> list[str]:
    state = "yes, in use" if one.chosen and one.configured else "yes" if one.configured else "no"
    return [one.name, one.method, state, ", ".join(one.missing), ", ".join(one.capabilities)]
