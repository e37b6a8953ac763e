"""Examples for the documents: what the operations answer, shortened nowhere."""

from typing import Any

KEY = "0197f1a0-5c1e-7c3a-9d52-1f0e5d3f8a11"

ITEM: dict[str, Any] = {
    "id": KEY,
    "method": "email",
    "channel": "smtp",
    "priority": "default",
    "state": "delayed",
    "done": False,
    "error_kind": None,
    "error": None,
    "result": "421 too many connections, try again later",
    "next_step": "It is sent again at 2026-12-02 09:31:12 UTC (retry 2 of 12).",
    "attempt_count": 2,
    "retries": 2,
    "retry_delay": 60.0,
    "copies": 0,
    "may_have_been_sent": False,
    "delivered_after_cancel": False,
    "cloned_from": None,
    "message_id": None,
    "subject": "Your order 1042",
    "receiver_name": "Ada Lovelace",
    "receiver_address": "ada@example.com",
    "role": "to",
    "origin": {"type": "order", "id": "1042"},
    "tags": ["receipt"],
    "created_by": "shop/web",
    "request_id": "0197f1a0-5c1d-7b11-8f43-6c2a4c1d9e02",
    "queued": "2026-12-02T09:28:40.120031Z",
    "send_at": None,
    "expires_at": None,
    "due_at": "2026-12-02T09:31:12.482911Z",
    "accepted_at": None,
    "finished_at": None,
    "last_updated": "2026-12-02T09:30:12.482911Z",
    "masked": False,
    "links": {
        "self": f"/api/queue-items/{KEY}",
        "sent_item": None,
        "cloned_from": None,
    },
}

DONE_ITEM: dict[str, Any] = {
    **ITEM,
    "state": "succeeded",
    "done": True,
    "result": "250 accepted by the next server",
    "next_step": "Nothing: this state is final, unless the provider reports something else.",
    "attempt_count": 3,
    "retries": 2,
    "retry_delay": None,
    "copies": 1,
    "message_id": "<0197f1a0@example.com>",
    "due_at": None,
    "accepted_at": "2026-12-02T09:31:13.002817Z",
    "finished_at": "2026-12-02T09:31:13.002817Z",
    "last_updated": "2026-12-02T09:31:13.002817Z",
    "links": {
        "self": f"/api/queue-items/{KEY}",
        "sent_item": f"/api/sent-items/{KEY}",
        "cloned_from": None,
    },
}

NEXT = "AAZEHuxgAGcBl_GgXB58Op1SHw5dP4oRMC9h3n0q5u1bB0mE2XcJ4w=="
ITEM_PAGE: dict[str, Any] = {"data": [ITEM], "next": NEXT}
SENT_PAGE: dict[str, Any] = {
    "data": [DONE_ITEM],
    "next": None,
    "count": {"value": 10_000, "capped": True},
}
