"""``/api/sms``"""

from typing import Any

from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.sending import emails, keys, one
from app.controllers.api.sending.answers import Queued
from app.controllers.api.sending.messages import SmsDraft
from app.controllers.api.sending.reading import receive


async def send(call: Call[Nothing, Any]) -> Answer:
    return await one.send(call, await receive(call.request), SmsDraft)


async def show(call: Call[Nothing, Nothing]) -> Answer:
    return await one.show("sms", call.key())


EXAMPLE = {
    "sender": {"cell": "+15550100009"},
    "receiver": {"name": "Anna", "cell": "+15550100001"},
    "body": "Your code is 314159.",
    "expires_at": "2026-05-01T09:10:00+02:00",
    "priority": "high",
}
LINKS = {"self": f"/api/sms/{emails.MESSAGE_ID}"}
ANSWER = {
    **emails.ANSWER,
    "method": "sms",
    "items": [
        {
            "id": emails.ITEM_ID,
            "receiver": "receiver",
            "links": {"self": f"/api/queue-items/{emails.ITEM_ID}"},
        }
    ],
    "links": LINKS,
}

OPERATIONS = (
    Operation(
        method="POST",
        path="/sms",
        name="sms.send",
        tag="Sending",
        summary="Queue an SMS",
        description="One item for its receiver. 202 means that it is stored and will be sent, also"
        " while the broker is down. `/api/messages/preview` says how many segments it takes.",
        permissions=("send",),
        handler=send,
        body=SmsDraft,
        reads_body=True,
        answers={202: Queued},
        leads_to={"/items/0/id": ("queue-items.show", "queue-items.cancel")},
        problems=one.PROBLEMS,
        headers=keys.HEADERS,
        example=EXAMPLE,
        answer_example=ANSWER,
    ),
    Operation(
        method="GET",
        path="/sms/{id}",
        name="sms.show",
        tag="Sending",
        summary="What became of an SMS",
        description="Its item by its state, and those of copies.",
        permissions=("read_queueitem",),
        handler=show,
        answers={200: one.MessageShown},
        answer_example={**emails.SHOWN, "method": "sms", "links": LINKS},
    ),
)
