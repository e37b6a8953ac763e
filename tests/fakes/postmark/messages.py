"""A message as Postmark keeps it."""

import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import getaddresses
from typing import Any

EVENTS = {"Delivery": "Delivered", "Bounce/HardBounce": "Bounced", "Bounce/Transient": "Transient"}


@dataclass
class FakeMessage:
    """``reported`` holds the names of the reports that were posted about it."""

    request: dict[str, Any]
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    received: datetime = field(default_factory=lambda: datetime.now(UTC))
    reported: list[str] = field(default_factory=list)

    @property
    def receiver(self) -> str:
        return self.receivers[0]

    @property
    def receivers(self) -> list[str]:
        fields = [self.request.get(name, "") for name in ("To", "Cc", "Bcc")]
        return [address for _, address in getaddresses([one for one in fields if one])]

    @property
    def metadata(self) -> dict[str, str]:
        return self.request.get("Metadata", {})

    @property
    def tag(self) -> str:
        return self.request.get("Tag", "")

    @property
    def stream(self) -> str:
        return self.request.get("MessageStream", "outbound")

    @property
    def subject(self) -> str:
        return self.request.get("Subject", "")

    def row(self) -> dict[str, Any]:
        """The message as a search lists it."""
        return {
            "MessageID": self.id,
            "MessageStream": self.stream,
            "Tag": self.tag,
            "Recipients": self.receivers,
            "ReceivedAt": self.received.isoformat(),
            "From": self.request["From"],
            "Subject": self.subject,
            "Status": "Sent",
            "Metadata": self.metadata,
        }

    def details(self) -> dict[str, Any]:
        return self.row() | {
            "MessageEvents": [self._event(n) for n in self.reported if n in EVENTS]
        }

    def _event(self, name: str) -> dict[str, Any]:
        words = "Summary" if name.startswith("Bounce/Hard") else "DeliveryMessage"
        return {
            "Recipient": self.receiver,
            "Type": EVENTS[name],
            "ReceivedAt": self.received.isoformat(),
            "Details": {words: "smtp;250 2.0.0 OK" if name == "Delivery" else "smtp;550 5.1.1 no"},
        }
