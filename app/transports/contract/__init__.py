"""What a transport takes, and what it answers.

A transport knows no model, job or database: it is handed a message that is ready to send, calls its
provider once and returns an :data:`Outcome`. It never raises for a reply that a provider can give;
exceptions of libraries are wrapped here at the edge, without addresses, content or secrets.
"""

from app.transports.contract.asking import (
    AttemptRef,
    CannotTell,
    Found,
    LookUp,
    NotFound,
)
from app.transports.contract.checking import Check, Checkable, Fails, Works
from app.transports.contract.events import (
    REPORTS,
    EventType,
    ProviderEvent,
    RawRequest,
    Report,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.contract.messages import (
    Address,
    File,
    Go,
    LeaseOver,
    MetadataRefused,
    OutboundEmail,
    OutboundSms,
)
from app.transports.contract.outcomes import (
    Accepted,
    NotSent,
    Outcome,
    Rejected,
    RejectKind,
    TryLater,
    Unknown,
)
from app.transports.contract.transport import (
    AskingWebhook,
    EmailTransport,
    Facts,
    SmsTransport,
    Transport,
    Webhook,
)

__all__ = [
    "REPORTS",
    "Accepted",
    "Address",
    "AskingWebhook",
    "AttemptRef",
    "CannotTell",
    "Check",
    "Checkable",
    "EmailTransport",
    "EventType",
    "Facts",
    "Fails",
    "File",
    "Found",
    "Go",
    "LeaseOver",
    "LookUp",
    "MetadataRefused",
    "NotFound",
    "NotSent",
    "OutboundEmail",
    "OutboundSms",
    "Outcome",
    "ProviderEvent",
    "RawRequest",
    "RejectKind",
    "Rejected",
    "Report",
    "SmsTransport",
    "Transport",
    "TryLater",
    "Unknown",
    "Webhook",
    "WebhookRefused",
    "WebhookUnreadable",
    "Works",
]
