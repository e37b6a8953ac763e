"""SendGrid rewrites ids, and one request speaks of several messages: our keys tell them apart."""

import json
from typing import Any

from app.controllers.webhooks.tracked import fill_keys
from app.items import evidence
from app.models.statements import Statements
from app.transports.contract import RawRequest
from app.transports.email.sendgrid.config import SendgridConfig
from app.transports.email.sendgrid.webhook import SendgridWebhook
from app.transports.email.tracking import ATTEMPT, ITEM, MetadataEmailTrackingStrategy
from tests.fakes.items import Put, put_item, see, state_of

SHARED = "<rewritten.by.sendgrid@geopod-ismtpd-1>"


def said(item: Put, what: str, **fields: str) -> dict[str, Any]:
    """With an ``smtp-id`` that nobody here has ever seen, the same for both messages."""
    keys = {ITEM: str(item.id), ATTEMPT: str(item.attempt), "pillarbox_id": str(item.attempt)}
    return {"event": what, "smtp-id": SHARED, "sg_event_id": what, "sg_message_id": "x", **keys} | (
        fields
    )


async def report(*events: dict[str, Any]) -> None:
    webhook = SendgridWebhook(SendgridConfig(api_key="k"))
    request = RawRequest("POST", (), b"", {}, json.dumps(events).encode())
    found = fill_keys(webhook.parse(request), MetadataEmailTrackingStrategy())
    for event_id in await evidence.store("sandbox", found):
        await evidence.apply(event_id)


async def test_an_id_that_was_rewritten_still_finds_its_item(database: Statements) -> None:
    """Field report 32."""
    item = await put_item("awaiting")
    await report(said(item, "delivered", email="ada@example.com"))
    assert await state_of(item.id) == "succeeded"


async def test_receivers_that_share_an_id_have_outcomes_of_their_own(database: Statements) -> None:
    """Field report 32."""
    ada, bob = await put_item("awaiting"), await put_item("awaiting")
    await report(
        said(ada, "delivered", email="ada@example.com"),
        said(bob, "bounce", email="bob@example.com", type="bounce", reason="550 no such user"),
    )
    assert await state_of(ada.id) == "succeeded"
    row = await see(bob.id)
    assert (row["state"], row["error_kind"]) == ("errored", "reported")
