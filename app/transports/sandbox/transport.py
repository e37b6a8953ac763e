"""The sandbox as a transport: accepts or refuses by its script, and plans what is reported."""

import uuid
from uuid import UUID

from app.transports.contract import (
    Accepted,
    AttemptRef,
    CannotTell,
    EventType,
    Facts,
    Go,
    LookUp,
    OutboundEmail,
    OutboundSms,
    Outcome,
    Rejected,
)
from app.transports.sandbox.reports import Plan, Report, Reporter
from app.transports.sandbox.scripts import is_magic, script_for

EMAIL_FACTS = Facts(name="sandbox", method="email")
SMS_FACTS = Facts(name="sandbox", method="sms")

NOT_REAL = "Sandbox: this receiver is not reached outside production."
TEXTS = {
    EventType.BOUNCED: "550 5.1.1 The sandbox plays a receiver that does not exist.",
    EventType.DEFERRED: "451 4.2.0 The sandbox plays a receiver that is busy.",
    EventType.DELIVERED: "250 2.0.0 The sandbox plays a receiver that took the message.",
}


class SandboxTransport:
    """Plays the script of a receiver; ``delay`` in seconds lies before each report."""

    def __init__(self, facts: Facts, plan: Plan, reporter: Reporter, delay: float) -> None:
        self.facts = facts
        self._plan = plan
        self._reporter = reporter
        self._delay = delay

    async def send(self, message: OutboundEmail | OutboundSms, go: Go) -> Outcome:
        receiver = _receiver(message)
        script = script_for(receiver)
        go()
        if script.refused:
            return Rejected("550 5.7.1 The sandbox plays a provider that refuses.", "550")
        message_id = f"sandbox-{uuid.uuid7()}"
        for event in script.early:
            await self._reporter.post(
                self.facts.method, _report(event, message_id, message, receiver)
            )
        for number, event in enumerate(script.reports, start=1):
            report = _report(event, message_id, message, receiver)
            await self._plan(self.facts.method, report, self._delay * number)
        text = "The sandbox accepted the message." if is_magic(receiver) else NOT_REAL
        return Accepted(message_id, text)

    async def find(self, attempt: AttemptRef) -> LookUp:
        return CannotTell("The sandbox keeps no messages.")

    async def status(self, message_id: str) -> LookUp:
        return CannotTell("The sandbox keeps no messages.")

    async def close(self) -> None:
        """Holds no connections."""


def _receiver(message: OutboundEmail | OutboundSms) -> str:
    return message.receiver if isinstance(message, OutboundSms) else message.receiver.email


def _report(
    event: EventType, message_id: str, message: OutboundEmail | OutboundSms, receiver: str
) -> Report:
    text = TEXTS.get(event, "")
    return {
        "event_id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{message_id}/{event}")),
        "type": event.value,
        "message_id": message_id,
        "queue_item": _text(message.item_id),
        "attempt": _text(message.attempt_id),
        "recipient": receiver,
        "text": text if is_magic(receiver) else NOT_REAL,
    }


def _text(key: UUID) -> str:
    return str(key)
