"""The sentence that says what an item does by itself."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.items.next_step import describe_next_step

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
QUEUED: dict[str, Any] = {
    "state": "queued",
    "method": "sms",
    "error_kind": None,
    "queued": NOW,
    "send_at": None,
    "accepted_at": None,
    "expires_at": None,
    "due_at": NOW,
    "lease_until": None,
    "attempts": 0,
    "retries": 0,
    "paused_until": None,
    "pause_reason": None,
    "now": NOW,
}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "as soon as a worker is free"),
        ({"due_at": None}, "waits to be scheduled"),
        ({"due_at": NOW + timedelta(hours=1)}, "sent at 2026-05-01 13:00:00 UTC"),
        ({"paused_until": NOW, "pause_reason": "a bill"}, "resumed: a bill"),
        ({"expires_at": NOW}, "has expired, and is cancelled within a minute"),
        ({"expires_at": NOW, "paused_until": NOW}, "has expired"),
        ({"expires_at": NOW + timedelta(hours=1)}, "as soon as a worker is free"),
        (
            {"due_at": NOW + timedelta(hours=2), "expires_at": NOW + timedelta(hours=1)},
            "cancelled at 2026-05-01 13:00:00 UTC",
        ),
        (
            {"state": "delayed", "attempts": 3, "retries": 3, "due_at": NOW + timedelta(minutes=1)},
            "again at 2026-05-01 12:01:00 UTC (retry 3 of 12)",
        ),
        ({"state": "sending", "lease_until": NOW}, "rescued at 2026-05-01 12:00:05 UTC"),
        ({"state": "awaiting"}, "unconfirmed at 2026-05-01 14:00:00 UTC"),
        (
            {"state": "awaiting", "send_at": NOW + timedelta(hours=1)},
            "unconfirmed at 2026-05-01 15:00:00 UTC",
        ),
        ({"state": "awaiting", "method": "email"}, "unconfirmed at 2026-05-05 12:00:00 UTC"),
        ({"state": "errored", "error_kind": "rejected"}, "Nothing: retry it or cancel it."),
        ({"state": "errored", "error_kind": "publish_failed"}, "by itself"),
        ({"state": "errored", "error_kind": "outcome_unknown"}, "only with confirmation"),
        ({"state": "succeeded"}, "Nothing"),
    ],
)
def test_the_next_step_is_said_in_words(changes: dict[str, Any], words: str) -> None:
    assert words in describe_next_step({**QUEUED, **changes})
