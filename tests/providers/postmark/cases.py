"""Reports as Postmark sends them, with what each means. All that is in them is invented."""

from typing import Any

MESSAGE_ID = "eeeeeeee-0000-4000-8000-000000000081"
NO_MESSAGE = "00000000-0000-0000-0000-000000000000"
RECEIVER = "ada@example.com"
AT = "2026-09-21T14:13:20Z"

COMMON: dict[str, Any] = {
    "MessageID": MESSAGE_ID,
    "ServerID": 23,
    "MessageStream": "outbound",
    "Tag": "receipts",
    "Metadata": {"item_id": "81", "attempt": "1"},
}

BOUNCES: dict[str, tuple[str, str]] = {
    "HardBounce": ("bounced", "bounced"),
    "Transient": ("deferred", ""),
    "Unsubscribe": ("unsubscribed", "unsubscribed"),
    "Subscribe": ("subscribed", ""),
    "AutoResponder": ("autoresponded", ""),
    "AddressChange": ("autoresponded", ""),
    "DnsError": ("deferred", ""),
    "SpamNotification": ("complained", "spam"),
    "OpenRelayTest": ("deferred", ""),
    "Unknown": ("unknown", ""),
    "SoftBounce": ("bounced", "bounced"),
    "VirusNotification": ("bounced", "other"),
    "ChallengeVerification": ("autoresponded", ""),
    "BadEmailAddress": ("rejected", "invalid"),
    "ManuallyDeactivated": ("rejected", "blocked"),
    "Unconfirmed": ("rejected", ""),
    "Blocked": ("rejected", "blocked"),
    "SMTPApiError": ("failed", ""),
    "DMARCPolicy": ("rejected", "blocked"),
    "TemplateRenderingFailed": ("failed", ""),
    "InboundError": ("inbound_failed", ""),
    "A type of the future": ("unknown", ""),
}


def bounce(kind: str, **fields: Any) -> dict[str, Any]:
    return COMMON | {
        "RecordType": "Bounce",
        "ID": 900_001,
        "Type": kind,
        "TypeCode": 1,
        "Name": kind,
        "Email": RECEIVER,
        "From": "mail@example.com",
        "BouncedAt": AT,
        "Description": f"Postmark text for {kind}",
        "Details": "smtp;550 5.1.1 no such user",
        "DumpAvailable": False,
        "Inactive": True,
        "CanActivate": True,
        "Subject": "Your receipt",
        **fields,
    }


def seen(record: str, **fields: Any) -> dict[str, Any]:
    """An opening or a click."""
    return COMMON | {
        "RecordType": record,
        "Recipient": RECEIVER,
        "ReceivedAt": AT,
        "Platform": "Desktop",
        "UserAgent": "Mozilla/5.0",
        "Client": {},
        "OS": {},
        "Geo": {},
        **fields,
    }


def suppression(reason: str | None, **fields: Any) -> dict[str, Any]:
    return COMMON | {
        "RecordType": "SubscriptionChange",
        "Recipient": RECEIVER,
        "ChangedAt": AT,
        "Origin": "Recipient",
        "SuppressSending": reason is not None,
        "SuppressionReason": reason,
        **fields,
    }


DELIVERY = COMMON | {
    "RecordType": "Delivery",
    "Recipient": RECEIVER,
    "DeliveredAt": AT,
    "Details": "smtp;250 2.0.0 OK",
}
COMPLAINT = bounce("SpamComplaint", RecordType="SpamComplaint", Details="", ID=901_512)

INBOUND = {
    "FromName": "Ada",
    "From": RECEIVER,
    "FromFull": {"Email": RECEIVER, "Name": "Ada", "MailboxHash": ""},
    "To": "reply@example.com",
    "OriginalRecipient": "reply@example.com",
    "Subject": "Re: Your receipt",
    "MessageID": "eeeeeeee-0000-4000-8000-0000000000aa",
    "TextBody": "a canary in the body",
    "HtmlBody": "",
    "Headers": [{"Name": "Return-Path", "Value": "<ada@example.com>"}],
    "Attachments": [],
}

CASES: dict[str, tuple[dict[str, Any], str, str]] = {
    "Delivery": (DELIVERY, "delivered", ""),
    "SpamComplaint": (COMPLAINT, "complained", "spam"),
    "Open": (seen("Open", FirstOpen=True), "opened", ""),
    "Click": (seen("Click", OriginalLink="https://example.com/r/81"), "clicked", ""),
    "SubscriptionChange/ManualSuppression": (
        suppression("ManualSuppression"),
        "unsubscribed",
        "unsubscribed",
    ),
    "SubscriptionChange/HardBounce": (suppression("HardBounce"), "bounced", "bounced"),
    "SubscriptionChange/SpamComplaint": (suppression("SpamComplaint"), "complained", "spam"),
    "SubscriptionChange/reactivated": (
        suppression(None, MessageID=NO_MESSAGE, Origin="Customer"),
        "subscribed",
        "",
    ),
    "A record of the future": (seen("A record of the future"), "unknown", ""),
    **{f"Bounce/{kind}": (bounce(kind), *meaning) for kind, meaning in BOUNCES.items()},
}
"""By native name: the report, its normalised type, its normalised reason."""
