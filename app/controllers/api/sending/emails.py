"""``/api/emails``"""

from typing import Any

from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.sending import keys, one
from app.controllers.api.sending.answers import Queued
from app.controllers.api.sending.messages import EmailDraft
from app.controllers.api.sending.reading import FORM, JSON, receive_with_files


async def send(call: Call[Nothing, Any]) -> Answer:
    return await one.send(call, await receive_with_files(call.request), EmailDraft)


async def show(call: Call[Nothing, Nothing]) -> Answer:
    return await one.show("email", call.key())


EXAMPLE = {
    "sender": {"name": "Shop", "email": "shop@example.com"},
    "to": [{"name": "Anna", "email": "anna@example.com"}],
    "subject": "Your order 1042",
    "text": "It is on its way.",
    "origin": {"type": "order", "id": "1042"},
    "tags": ["orders"],
}
MESSAGE_ID = "0198a6f4-2d6e-7a31-9c55-0d7f2b5c9e10"
ITEM_ID = "0198a6f4-2d6e-7a31-9c55-0d7f2b5c9e11"
ANSWER = {
    "id": MESSAGE_ID,
    "method": "email",
    "items": [
        {
            "id": ITEM_ID,
            "receiver": "to.0",
            "links": {"self": f"/api/queue-items/{ITEM_ID}"},
        }
    ],
    "links": {"self": f"/api/emails/{MESSAGE_ID}"},
}
SHOWN = {
    "id": MESSAGE_ID,
    "method": "email",
    "queued": "2026-05-01T07:00:00Z",
    "items": [
        {
            "id": ITEM_ID,
            "role": "to",
            "state": "succeeded",
            "error_kind": None,
            "links": {"self": f"/api/queue-items/{ITEM_ID}"},
        }
    ],
    "links": {"self": f"/api/emails/{MESSAGE_ID}"},
}

FORM_SCHEMA = {
    "schema": {
        "type": "object",
        "required": ["message"],
        "properties": {
            "message": {"$ref": "#/components/schemas/EmailDraft"},
            "files": {
                "type": "array",
                "maxItems": 50,
                "description": "Parts with a file name; their own names don't matter.",
                "items": {"type": "string", "format": "binary"},
            },
        },
    },
    "encoding": {"message": {"contentType": "application/json"}},
}

OPERATIONS = (
    Operation(
        method="POST",
        path="/emails",
        name="emails.send",
        tag="Sending",
        summary="Queue an email",
        description="An item is made for each receiver, and sent as soon as a worker takes it, or"
        " from `send_at` on. 202 means that it is stored and will be sent, also while the broker is"
        " down. Nothing is stored unless all of it can be used.\n\n"
        "Files are given as base64 in `attachments`, or as parts of `multipart/form-data`: the part"
        " `message` is the JSON, every other part a file with a name, and one with a `Content-ID`"
        " is shown within the HTML.",
        permissions=("send",),
        handler=send,
        body=EmailDraft,
        reads_body=True,
        media_types=(JSON, FORM),
        form=FORM_SCHEMA,
        answers={202: Queued},
        leads_to={"/items/0/id": ("queue-items.show", "queue-items.cancel")},
        problems=one.PROBLEMS,
        headers=keys.HEADERS,
        example=EXAMPLE,
        answer_example=ANSWER,
    ),
    Operation(
        method="GET",
        path="/emails/{id}",
        name="emails.show",
        tag="Sending",
        summary="What became of an email, receiver by receiver",
        description="Each item by its state; `/api/queue-items/{id}` tells more of one.",
        permissions=("read_queueitem",),
        handler=show,
        answers={200: one.MessageShown},
        answer_example=SHOWN,
    ),
)
