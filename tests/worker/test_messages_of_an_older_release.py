"""What the release before put on the broker is still understood by the workers of this one.

Workers are upgraded first, and messages wait: never take a line out of ``RELEASED`` before none of
that release can wait any more (docs/how-to/upgrade.md).
"""

import json
import uuid
from typing import Any

import pytest

from app.worker.envelope import wrap
from app.worker.guard import Guard
from app.worker.known import Known
from app.worker.shapes import attributes_of
from app.worker.signing import Signer

ID = str(uuid.uuid7())

RELEASED: list[tuple[str, dict[str, Any]]] = [
    ("app.jobs.send_message:SendMessage", {"item_id": ID}),
    ("app.jobs.send_message:SendMessage", {"item_id": ID, "attempt_id": ID}),
    ("app.jobs.apply_delivery_event:ApplyDeliveryEvent", {"event_id": ID}),
    ("app.jobs.run_bulk_operation:RunBulkOperation", {"operation_id": ID}),
]
"""Each job that a web process or another worker puts there, with the arguments that it carried."""


@pytest.mark.parametrize(("job", "arguments"), RELEASED)
def test_it_is_understood(job: str, arguments: dict[str, Any]) -> None:
    signer, label = Signer("k" * 32), "default"
    data = wrap(json.dumps({"job": job, "state": arguments}), label, "task")
    _, known = Guard(Known()).open(signer, label, data, signer.sign(label, data))
    assert known.arguments == arguments


def test_every_job_that_carries_something_is_listed() -> None:
    known = Known()
    known.discover()
    ours = {name: job for name, job in known._jobs.items() if name.startswith("app.")}
    assert {name for name, job in ours.items() if attributes_of(job)} == {n for n, _ in RELEASED}
