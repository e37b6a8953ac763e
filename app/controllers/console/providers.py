"""Providers: what is set up here, what the others lack, and whether they send."""

import os
from collections import Counter
from dataclasses import dataclass
from typing import Any

from arvel.kernel import app

from app.configuration import Given, Readings
from app.configuration.offered import list_transports
from app.controllers.console.asking import ask
from app.controllers.console.moments import read_moment
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.controllers.console.words import plural
from app.events import measures
from app.settings import DispatchSettings, TwilioSettings
from app.transports.catalogue import offers
from app.transports.channels import current

NEEDED = ("manage_channels",)
ADDRESS = "/console/providers"
ANSWERS = {
    "stored": "stored",
    "refused": "refused: no valid signature or password",
    "unreadable": "unreadable: no report could be read",
    "not_stored": "not stored: they were asked to repeat it",
}


@dataclass(frozen=True, slots=True)
class Account:
    """A channel that is set up. ``webhooks`` are the addresses that its provider reports to."""

    channel: Any
    title: str
    webhooks: list[str]
    requests: dict[str, int]


async def show(visit: Visit) -> Answer:
    channels = (await ask(visit, "channels.index")).data
    readings = Readings(Given(os.environ, app().config().get))
    return Show(
        "providers",
        {
            "accounts": [_account(channel) for channel in channels],
            "offered": list(list_transports(readings)),
            "titles": {name: offer.title for name, offer in offers().items()},
            "answers": ANSWERS,
        },
    )


def _account(channel: Any) -> Account:
    offer = offers().get(channel.name)
    heard = [method for method in channel.methods if (method, channel.name) in current().webhooks]
    webhooks = [_webhook(channel.name, method) for method in heard]
    title = offer.title if offer else channel.name.capitalize()
    return Account(channel, title, webhooks, _requests(channel.name))


def _webhook(name: str, method: str) -> str:
    if name == "twilio" and (address := TwilioSettings().webhook_url):
        return address
    public = DispatchSettings().public_url.split(",")[0].strip().rstrip("/")
    return f"{public}/webhooks/{method}/{name}"


def _requests(name: str) -> dict[str, int]:
    """How requests of the provider were answered by this process."""
    found: Counter[str] = Counter()
    for family in measures.WEBHOOKS.collect():
        for sample in family.samples:
            if sample.labels.get("provider") == name and sample.name.endswith("_total"):
                found[sample.labels["answer"]] += int(sample.value)
    return dict(found)


async def pause(visit: Visit) -> Answer:
    reason, until = visit.form["reason"].strip(), read_moment(visit.form, "until")
    body = {"reason": reason} | ({"until": until} if until else {})
    await ask(visit, "channels.pause", path=visit.path, body=body)
    return GoTo(_place(visit), f"{visit.path['name']} is paused: its messages wait.")


async def resume(visit: Visit) -> Answer:
    done = await ask(visit, "channels.resume", path=visit.path)
    waited = f" {plural(done.items, 'item')} had waited." if done.items else ""
    return GoTo(_place(visit), f"{visit.path['name']} sends again.{waited}")


def _place(visit: Visit) -> str:
    return f"{ADDRESS}#{visit.path['name']}"


PAGES = (
    Page(ADDRESS, show, NEEDED),
    Page(f"{ADDRESS}/{{name}}/pause", pause, NEEDED, changes=True),
    Page(f"{ADDRESS}/{{name}}/resume", resume, NEEDED, changes=True),
)
